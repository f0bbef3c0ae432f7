// RUN: glow-opt %s -glow-inst-fuse-reductions | FileCheck %s

// The squares of a normalisation.
// CHECK-LABEL: func.func @variance(
// CHECK-NOT: glow_inst.alloc
// CHECK-NOT: glow_inst.map
// CHECK: glow_inst.reduce sum ins(%arg0, %arg1 : memref<4x8xf32>, memref<4x1xf32>) outs(%arg2 : memref<4xf32>) axes = [1] of {
// CHECK: ^bb0(%[[X:.+]]: f32, %[[MEAN:.+]]: f32):
// CHECK: arith.subf %[[X]], %[[MEAN]] : f32
// CHECK: glow.yield
func.func @variance(%x: memref<4x8xf32>, %mean: memref<4x1xf32>, %y: memref<4xf32> {glow_inst.output}) {
  %t = glow_inst.alloc : memref<4x8xf32>
  glow_inst.map ins(%x, %mean : memref<4x8xf32>, memref<4x1xf32>) outs(%t : memref<4x8xf32>) {
  ^bb0(%a: f32, %m: f32):
    %0 = arith.subf %a, %m : f32
    %1 = arith.mulf %0, %0 : f32
    glow.yield %1 : f32
  }
  glow_inst.reduce sum ins(%t : memref<4x8xf32>) outs(%y : memref<4xf32>) axes = [1]
  return
}

// Another reader needs the map's result.
// CHECK-LABEL: func.func @two_readers(
// CHECK: glow_inst.map
// CHECK: glow_inst.reduce sum ins(%{{.*}} : memref<4x8xf32>) outs(%{{.*}} : memref<4xf32>) axes = [1]{{$}}
func.func @two_readers(%x: memref<4x8xf32>, %y: memref<4xf32> {glow_inst.output}, %z: memref<4x8xf32> {glow_inst.output}) {
  %t = glow_inst.alloc : memref<4x8xf32>
  glow_inst.map ins(%x : memref<4x8xf32>) outs(%t : memref<4x8xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  glow_inst.reduce sum ins(%t : memref<4x8xf32>) outs(%y : memref<4xf32>) axes = [1]
  glow_inst.copy %t -> %z : memref<4x8xf32> -> memref<4x8xf32>
  return
}

// A chain of two such pairs: what the first reduction reads now stays read.
// CHECK-LABEL: func.func @two_reductions(
// CHECK: glow_inst.map ins(%arg0 : memref<4x8xf32>) outs(%[[T:.+]] : memref<4x8xf32>)
// CHECK: glow_inst.reduce sum ins(%[[T]] : memref<4x8xf32>) {{.*}} of {
// CHECK: glow_inst.reduce max ins(%[[T]] : memref<4x8xf32>) {{.*}} axes = [1]{{$}}
func.func @two_reductions(%x: memref<4x8xf32>, %y: memref<4xf32> {glow_inst.output}, %z: memref<4xf32> {glow_inst.output}) {
  %t = glow_inst.alloc : memref<4x8xf32>
  glow_inst.map ins(%x : memref<4x8xf32>) outs(%t : memref<4x8xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  %u = glow_inst.alloc : memref<4x8xf32>
  glow_inst.map ins(%t : memref<4x8xf32>) outs(%u : memref<4x8xf32>) {
  ^bb0(%a: f32):
    %0 = arith.mulf %a, %a : f32
    glow.yield %0 : f32
  }
  glow_inst.reduce sum ins(%u : memref<4x8xf32>) outs(%y : memref<4xf32>) axes = [1]
  glow_inst.reduce max ins(%t : memref<4x8xf32>) outs(%z : memref<4xf32>) axes = [1]
  return
}

// The input changes before the reduction.
// CHECK-LABEL: func.func @overwritten(
// CHECK: glow_inst.map
// CHECK: glow_inst.fill
// CHECK: glow_inst.reduce sum ins(%{{.*}} : memref<4x8xf32>) outs(%{{.*}} : memref<4xf32>) axes = [1]{{$}}
func.func @overwritten(%x: memref<4x8xf32>, %y: memref<4xf32> {glow_inst.output}) {
  %t = glow_inst.alloc : memref<4x8xf32>
  glow_inst.map ins(%x : memref<4x8xf32>) outs(%t : memref<4x8xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  glow_inst.fill %x with 0.0 : f32 : memref<4x8xf32>
  glow_inst.reduce sum ins(%t : memref<4x8xf32>) outs(%y : memref<4xf32>) axes = [1]
  return
}

// Rows of one number are not told by the inputs.
// CHECK-LABEL: func.func @broadcast(
// CHECK: glow_inst.map
func.func @broadcast(%x: memref<4x1xf32>, %y: memref<4xf32> {glow_inst.output}) {
  %t = glow_inst.alloc : memref<4x8xf32>
  glow_inst.map ins(%x : memref<4x1xf32>) outs(%t : memref<4x8xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  glow_inst.reduce sum ins(%t : memref<4x8xf32>) outs(%y : memref<4xf32>) axes = [1]
  return
}
