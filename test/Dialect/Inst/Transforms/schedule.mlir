// RUN: glow-opt %s -glow-inst-schedule | FileCheck %s

// Both large buffers would live at once; each branch is finished before the next.
// CHECK-LABEL: func.func @branches
// CHECK: glow_inst.map ins(%arg0 : memref<1000xf32>) outs(%[[A:.+]] :
// CHECK: glow_inst.reduce sum ins(%[[A]] :
// CHECK: glow_inst.map ins(%arg0 : memref<1000xf32>) outs(%[[B:.+]] :
// CHECK: glow_inst.reduce sum ins(%[[B]] :
func.func @branches(%x: memref<1000xf32>, %y: memref<f32> {glow_inst.output}, %z: memref<f32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<1000xf32>
  %b = glow_inst.alloc : memref<1000xf32>
  glow_inst.map ins(%x : memref<1000xf32>) outs(%a : memref<1000xf32>) {
  ^bb0(%e: f32):
    %n = arith.negf %e : f32
    glow.yield %n : f32
  }
  glow_inst.map ins(%x : memref<1000xf32>) outs(%b : memref<1000xf32>) {
  ^bb0(%e: f32):
    %n = arith.negf %e : f32
    glow.yield %n : f32
  }
  glow_inst.reduce sum ins(%a : memref<1000xf32>) outs(%y : memref<f32>) axes = [0]
  glow_inst.reduce sum ins(%b : memref<1000xf32>) outs(%z : memref<f32>) axes = [0]
  return
}

// An order that is as good stays.
// CHECK-LABEL: func.func @kept
// CHECK: glow_inst.fill %arg0 with 1.0
// CHECK: glow_inst.fill %arg1 with 2.0
// CHECK: glow_inst.fill %arg0 with 3.0
func.func @kept(%x: memref<4xf32>, %y: memref<4xf32>) {
  glow_inst.fill %x with 1.0 : f32 : memref<4xf32>
  glow_inst.fill %y with 2.0 : f32 : memref<4xf32>
  glow_inst.fill %x with 3.0 : f32 : memref<4xf32>
  return
}
