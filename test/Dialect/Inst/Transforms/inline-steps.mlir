// RUN: glow-opt %s -glow-inst-inline-loops -split-input-file -verify-diagnostics | FileCheck %s
// RUN: glow-opt %s -glow-inst-inline-loops -glow-inst-plan-memory -glow-inst-verify-plan -split-input-file -verify-diagnostics | FileCheck %s --check-prefix=PLAN

// Histories have a row before that of the first step: step i reads row i and
// makes row i + 1. What steps need is kept until the last one.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[N:.+]]: memref<i64>, %[[X:.+]]: memref<1x8x4xf32>, %[[Y:.+]]: memref<1x9x4xf32>
// CHECK: glow_inst.enter_steps of %[[N]] : memref<i64> most 8 reads(%[[X]], %[[W:.+]] : memref<1x8x4xf32>, memref<4xf32>) writes(%[[Y]] : memref<1x9x4xf32>)
// CHECK-DAG: %[[BEFORE:.+]] = glow_inst.window %[[Y]] from 0 step 4
// CHECK-DAG: %[[ROW:.+]] = glow_inst.window %[[X]] from 0 step 4
// CHECK-DAG: %[[MADE:.+]] = glow_inst.window %[[Y]] from 4 step 4
// CHECK: glow_inst.next_step
// CHECK-NEXT: %[[T:.+]] = glow_inst.alloc
// CHECK-NEXT: glow_inst.copy %[[BEFORE]] -> %[[T]]
// CHECK-NEXT: glow_inst.copy %[[ROW]] -> %[[MADE]]
// CHECK-NEXT: glow_inst.repeat_steps reads(%[[X]], %[[W]] : memref<1x8x4xf32>, memref<4xf32>) writes(%[[Y]] : memref<1x9x4xf32>)
// CHECK-NOT: func.func private

// PLAN-LABEL: func.func @forward(
// PLAN: glow_inst.alloc {offset = 0 : i64} : memref<4xf32>
// PLAN: glow_inst.alloc {offset = 64 : i64} : memref<1x4xf32>
func.func @forward(%n: memref<i64>, %x: memref<1x8x4xf32>, %y: memref<1x9x4xf32> {glow_inst.output}) {
  %w = glow_inst.alloc : memref<4xf32>
  glow_inst.fill %w with 1.0 : f32 : memref<4xf32>
  glow_inst.for_steps @body number(%n : memref<i64>) histories(%y : memref<1x9x4xf32>) rows(%x : memref<1x8x4xf32>) reads(%w : memref<4xf32>)
  return
}
func.func private @body(%h: memref<1x4xf32>, %x: memref<1x4xf32>, %w: memref<4xf32>, %next: memref<1x4xf32> {glow_inst.output}) attributes {glow.steps = array<i64: 0, 1, 1, 8, 9>} {
  %t = glow_inst.alloc : memref<1x4xf32>
  glow_inst.copy %h -> %t : memref<1x4xf32> -> memref<1x4xf32>
  glow_inst.copy %x -> %next : memref<1x4xf32> -> memref<1x4xf32>
  return
}

// -----

// Of two sequences, reversed: row i is that of step i, and the one behind the
// last that there is has what the loop begins with.
// CHECK-LABEL: func.func @reversed(
// CHECK-SAME: %[[N:.+]]: memref<i64>, %[[X:.+]]: memref<2x8x4xf32>, %[[H:.+]]: memref<2x4xf32>, %[[Y:.+]]: memref<2x8x4xf32>
// CHECK: glow_inst.enter_steps reversed of %[[N]]
// CHECK-NEXT: %[[FIRST:.+]] = glow_inst.window %[[Y]] from 0 step 4 : memref<2x8x4xf32> to memref<2x4xf32, strided<[32, 1]>>
// CHECK-NEXT: glow_inst.copy %[[H]] -> %[[FIRST]]
// CHECK-DAG: %[[ROW:.+]] = glow_inst.window %[[X]] from 0 step 4
// CHECK-DAG: %[[BEFORE:.+]] = glow_inst.window %[[Y]] from 4 step 4
// CHECK-DAG: %[[MADE:.+]] = glow_inst.window %[[Y]] from 0 step 4
// CHECK: glow_inst.next_step
// CHECK-NEXT: glow_inst.copy %[[BEFORE]] -> %[[MADE]]
// CHECK-NEXT: glow_inst.repeat_steps
func.func @reversed(%n: memref<i64>, %x: memref<2x8x4xf32>, %h: memref<2x4xf32>, %y: memref<2x8x4xf32> {glow_inst.output}) {
  glow_inst.for_steps @body reversed number(%n : memref<i64>) histories(%y : memref<2x8x4xf32>) initial(%h : memref<2x4xf32>) rows(%x : memref<2x8x4xf32>)
  return
}
func.func private @body(%h: memref<2x4xf32, strided<[32, 1]>>, %x: memref<2x4xf32, strided<[32, 1]>>, %next: memref<2x4xf32, strided<[32, 1]>> {glow_inst.output}) attributes {glow.steps = array<i64: 0, 1, 1, 8, 8>} {
  glow_inst.copy %h -> %next : memref<2x4xf32, strided<[32, 1]>> -> memref<2x4xf32, strided<[32, 1]>>
  return
}

// -----

// As many rows as steps: the first one is that of step 0. Every other step reads
// its weights backwards.
// CHECK-LABEL: func.func @forth_and_back(
// CHECK-DAG: glow_inst.window %[[Y:.+]] from 0 step 4
// CHECK-DAG: glow_inst.window %{{.+}} from 2 step 2
// CHECK-DAG: glow_inst.window %[[Y]] from 4 step 4
// CHECK: glow_inst.next_step
// CHECK: glow_inst.matmul
// CHECK-NOT: backwards
// CHECK: glow_inst.next_step
// CHECK: glow_inst.matmul
// CHECK-SAME: backwards
// CHECK: glow_inst.repeat_steps
func.func @forth_and_back(%n: memref<i64>, %x: memref<1x8x2xf32>, %y: memref<1x8x4xf32> {glow_inst.output}, %w: memref<4x4xf32>) {
  glow_inst.for_steps @body number(%n : memref<i64>) histories(%y : memref<1x8x4xf32>) rows(%x : memref<1x8x2xf32>) reads(%w : memref<4x4xf32>)
  return
}
func.func private @body(%h: memref<1x4xf32>, %x: memref<1x2xf32>, %w: memref<4x4xf32>, %next: memref<1x4xf32> {glow_inst.output}) attributes {glow.steps = array<i64: 0, 1, 1, 8, 8>} {
  glow_inst.matmul ins(%h, %w : memref<1x4xf32>, memref<4x4xf32>) outs(%next : memref<1x4xf32>) {backwards}
  return
}

// -----

func.func @other_body(%n: memref<i64>, %x: memref<1x8x4xf32>, %y: memref<1x9x4xf32>) {
  // expected-error @+1 {{does not fit the type of its body}}
  glow_inst.for_steps @body number(%n : memref<i64>) histories(%y : memref<1x9x4xf32>) rows(%x : memref<1x8x4xf32>)
  return
}
// expected-note @+1 {{which is '(memref<1x4xf32>, memref<1x4xf32>) -> ()'}}
func.func private @body(memref<1x4xf32>, memref<1x4xf32>) attributes {glow.steps = array<i64: 0, 1, 1, 8, 9>}

// -----

func.func @rows(%n: memref<i64>, %x: memref<1x5x4xf32>, %y: memref<1x9x4xf32>) {
  // expected-error @+1 {{needs rows of steps, and histories of as many rows or one more}}
  glow_inst.for_steps @body number(%n : memref<i64>) histories(%y : memref<1x9x4xf32>) rows(%x : memref<1x5x4xf32>)
  return
}
func.func private @body(memref<1x4xf32>, memref<1x4xf32>) attributes {glow.steps = array<i64: 0, 1, 1, 8, 9>}

// -----

func.func @number(%n: memref<2xi64>, %x: memref<1x8x4xf32>) {
  // expected-error @+1 {{needs one i64, not 'memref<2xi64>'}}
  glow_inst.enter_steps of %n : memref<2xi64> most 8 reads(%x : memref<1x8x4xf32>)
  return
}

// -----

func.func @window(%x: memref<1x8x4xf32>) {
  // expected-error @+1 {{reaches outside of 'memref<1x8x4xf32>' in 1 steps}}
  %w = glow_inst.window %x from 400 step 4 : memref<1x8x4xf32> to memref<1x4xf32>
  return
}
