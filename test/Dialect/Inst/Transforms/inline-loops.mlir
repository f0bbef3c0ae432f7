// RUN: glow-opt %s -glow-inst-inline-loops -split-input-file -verify-diagnostics | FileCheck %s
// RUN: glow-opt %s -glow-inst-inline-loops -glow-inst-plan-memory -glow-inst-verify-plan -split-input-file -verify-diagnostics | FileCheck %s --check-prefix=PLAN

// CHECK-LABEL: func.func @outer(
// CHECK-SAME: %[[N:.+]]: memref<i64> {{.*}}, %[[X:.+]]: memref<4xf32> {{.*}}, %[[C:.+]]: memref<i1>
// CHECK: %[[W:.+]] = glow_inst.alloc : memref<4xf32>
// CHECK: glow_inst.enter_loop %[[N]], %[[X]], %[[W]] :
// CHECK-NEXT: %[[T:.+]] = glow_inst.alloc : memref<4xf32>
// CHECK-NEXT: glow_inst.copy %[[W]] -> %[[T]]
// CHECK-NEXT: glow_inst.enter_loop %[[N]], %[[X]], %[[T]] :
// CHECK-NEXT: glow_inst.copy %[[T]] -> %[[X]]
// CHECK-NEXT: glow_inst.repeat while %[[C]] : memref<i1> reads(%[[N]], %[[X]], %[[T]] :
// CHECK-NEXT: glow_inst.repeat while %[[C]] : memref<i1> reads(%[[N]], %[[X]], %[[W]] :
// CHECK-NEXT: return
// CHECK-NOT: func.func

// What the body reads is not overwritten before the last iteration.
// PLAN-LABEL: func.func @outer(
// PLAN: glow_inst.alloc {offset = 0 : i64} : memref<4xf32>
// PLAN: glow_inst.alloc {offset = 64 : i64} : memref<4xf32>
func.func @outer(%n: memref<i64> {glow_inst.output}, %x: memref<4xf32> {glow_inst.output}, %c: memref<i1> {glow_inst.output}) {
  %w = glow_inst.alloc : memref<4xf32>
  glow_inst.copy %x -> %w : memref<4xf32> -> memref<4xf32>
  glow_inst.loop @middle while %c : memref<i1> number(%n : memref<i64>) states(%x : memref<4xf32>) reads(%w : memref<4xf32>)
  return
}
func.func private @middle(%n: memref<i64> {glow_inst.output}, %x: memref<4xf32> {glow_inst.output}, %w: memref<4xf32>, %c: memref<i1> {glow_inst.output}) attributes {glow.loop = array<i64: 1, 0>} {
  %t = glow_inst.alloc : memref<4xf32>
  glow_inst.copy %w -> %t : memref<4xf32> -> memref<4xf32>
  glow_inst.loop @inner while %c : memref<i1> number(%n : memref<i64>) states(%x : memref<4xf32>) reads(%t : memref<4xf32>)
  return
}
func.func private @inner(%n: memref<i64> {glow_inst.output}, %x: memref<4xf32> {glow_inst.output}, %w: memref<4xf32>, %c: memref<i1> {glow_inst.output}) attributes {glow.loop = array<i64: 1, 0>} {
  glow_inst.copy %w -> %x : memref<4xf32> -> memref<4xf32>
  return
}

// -----

func.func @circle(%n: memref<i64>, %c: memref<i1>) {
  glow_inst.loop @body while %c : memref<i1> number(%n : memref<i64>)
  return
}
func.func private @body(%n: memref<i64>, %c: memref<i1>) attributes {glow.loop = array<i64: 0, 0>} {
  // expected-error @+1 {{is in its own body}}
  glow_inst.loop @body while %c : memref<i1> number(%n : memref<i64>)
  return
}

// -----

func.func private @nothing(memref<i64>, memref<i1>) attributes {glow.loop = array<i64: 0, 0>}
func.func @without_body(%n: memref<i64>, %c: memref<i1>) {
  // expected-error @+1 {{has a body that is not one block}}
  glow_inst.loop @nothing while %c : memref<i1> number(%n : memref<i64>)
  return
}
