// RUN: glow-opt %s -glow-inst-plan-memory -glow-inst-verify-plan | FileCheck %s
// RUN: not glow-opt %s -glow-inst-plan-memory=budget=128 2>&1 | FileCheck %s --check-prefix=BUDGET

// CHECK-LABEL: func.func @chain
// CHECK-SAME: attributes {glow_inst.arena_bytes = 192 : i64, glow_inst.arena_lower_bound = 192 : i64}
// CHECK-COUNT-3: glow_inst.alloc {offset = {{0|64|128}} : i64}
// BUDGET: error: memory plan needs 192 bytes, more than the budget of 128; at this instruction 192 bytes are in use
// BUDGET: glow_inst.map
// BUDGET: note: in use: 'memref<17xf32>', 68 bytes
// BUDGET-NOT: in use: 'memref<15xf32>'
func.func @chain(%x: memref<17xf32>, %y: memref<15xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<17xf32>
  %b = glow_inst.alloc : memref<16xf32>
  %c = glow_inst.alloc : memref<15xf32>
  glow_inst.copy %x -> %a : memref<17xf32> -> memref<17xf32>
  %v = glow_inst.view %a : memref<17xf32> to memref<16xf32>
  glow_inst.map ins(%v : memref<16xf32>) outs(%b : memref<16xf32>) {
  ^bb0(%e: f32):
    %n = arith.negf %e : f32
    glow.yield %n : f32
  }
  %w = glow_inst.view %b : memref<16xf32> to memref<15xf32>
  glow_inst.map ins(%w : memref<15xf32>) outs(%c : memref<15xf32>) {
  ^bb0(%e: f32):
    %n = arith.negf %e : f32
    glow.yield %n : f32
  }
  glow_inst.copy %c -> %y : memref<15xf32> -> memref<15xf32>
  return
}

// Every memory space has an arena of its own.
// CHECK-LABEL: func.func @spaces
// CHECK-SAME: glow_inst.arena_bytes = 64 : i64, glow_inst.arena_bytes.1 = 128 : i64
func.func @spaces(%x: memref<4xf32>, %y: memref<4xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<4xf32>
  %b = glow_inst.alloc : memref<32xf32, 1>
  glow_inst.copy %x -> %a : memref<4xf32> -> memref<4xf32>
  glow_inst.fill %b with 0.0 : f32 : memref<32xf32, 1>
  glow_inst.copy %a -> %y : memref<4xf32> -> memref<4xf32>
  return
}
