// RUN: glow-opt %s -verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @memory
func.func @memory(%x: memref<8x8xf32>) {
  // CHECK: glow_inst.alloc {offset = 4096 : i64} : memref<8x8xf32>
  %a = glow_inst.alloc {offset = 4096 : i64} : memref<8x8xf32>
  // CHECK: glow_inst.constant dense<1.000000e+00> : tensor<8xf32> -> memref<8xf32>
  %c = glow_inst.constant dense<1.0> : tensor<8xf32> -> memref<8xf32>
  // CHECK: glow_inst.view {{.*}} to memref<4x8xf32, strided<[8, 1], offset: 32>>
  %v = glow_inst.view %a : memref<8x8xf32> to memref<4x8xf32, strided<[8, 1], offset: 32>>
  // CHECK: glow_inst.fill {{.*}} with 0.000000e+00 : f32 : memref
  glow_inst.fill %v with 0.0 : f32 : memref<4x8xf32, strided<[8, 1], offset: 32>>
  // CHECK: glow_inst.copy
  glow_inst.copy %x -> %a : memref<8x8xf32> -> memref<8x8xf32>
  glow_inst.dealloc %a : memref<8x8xf32>
  return
}

// CHECK-LABEL: func.func @compute
func.func @compute(%x: memref<1x8x8x3xf32>, %w: memref<3x3x3x4xf32>, %b: memref<4xf32>,
                   %y: memref<1x8x8x4xf32> {glow_inst.output},
                   %s: memref<1x4xf32> {glow_inst.output},
                   %m: memref<8x2xf32>, %n: memref<2x4xf32>, %p0: memref<8x4xf32>,
                   %p1: memref<8x4xbf16>, %p2: memref<8x4xf32>) {
  // CHECK: glow_inst.conv ins({{.*}}) epilogue({{.*}}) outs({{.*}}) {{.*}} do {
  glow_inst.conv ins(%x, %w : memref<1x8x8x3xf32>, memref<3x3x3x4xf32>) epilogue(%b : memref<4xf32>)
    outs(%y : memref<1x8x8x4xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64,
    kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>,
    pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} do {
  ^bb0(%acc: f32, %bias: f32):
    %0 = arith.addf %acc, %bias : f32
    glow.yield %0 : f32
  }
  // CHECK: glow_inst.matmul ins({{.*}}) outs(%{{.*}} : memref<8x4xf32>) also(%{{.*}}, %{{.*}} : memref<8x4xbf16>, memref<8x4xf32>) do {
  glow_inst.matmul ins(%m, %n : memref<8x2xf32>, memref<2x4xf32>) outs(%p0 : memref<8x4xf32>)
    also(%p1, %p2 : memref<8x4xbf16>, memref<8x4xf32>) do {
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to bf16
    glow.yield %acc, %0, %acc : f32, bf16, f32
  }
  // CHECK: glow_inst.matmul ins({{.*}}) outs({{.*}}) {backwards}
  glow_inst.matmul ins(%m, %n : memref<8x2xf32>, memref<2x4xf32>) outs(%p0 : memref<8x4xf32>) {backwards}
  // CHECK: glow_inst.map ins({{.*}}) outs
  glow_inst.map ins(%y, %b : memref<1x8x8x4xf32>, memref<4xf32>) outs(%y : memref<1x8x8x4xf32>) {
  ^bb0(%p: f32, %q: f32):
    %1 = arith.mulf %p, %q : f32
    glow.yield %1 : f32
  }
  // CHECK: glow_inst.reduce sum ins({{.*}}) outs({{.*}}) axes = [1, 2]
  glow_inst.reduce sum ins(%y : memref<1x8x8x4xf32>) outs(%s : memref<1x4xf32>) axes = [1, 2]
  // CHECK: glow_inst.reduce max ins({{.*}}) outs({{.*}}) axes = [1, 2] of {
  glow_inst.reduce max ins(%y, %b : memref<1x8x8x4xf32>, memref<4xf32>) outs(%s : memref<1x4xf32>) axes = [1, 2] of {
  ^bb0(%p: f32, %q: f32):
    %1 = arith.mulf %p, %q : f32
    glow.yield %1 : f32
  }
  return
}

// CHECK-LABEL: func.func @index
func.func @index(%x: memref<9x4xf32>, %i: memref<3xi64>, %y: memref<3x4xf32>, %u: memref<2x4xf32>, %j: memref<2x4xi64>) {
  // CHECK: glow_inst.gather ins({{.*}}) outs({{.*}}) axis = 0
  glow_inst.gather ins(%x, %i : memref<9x4xf32>, memref<3xi64>) outs(%y : memref<3x4xf32>) axis = 0
  // CHECK: glow_inst.scatter_elements  add ins({{.*}}) outs({{.*}}) axis = 0
  glow_inst.scatter_elements add ins(%j, %u : memref<2x4xi64>, memref<2x4xf32>) outs(%y : memref<3x4xf32>) axis = 0
  return
}
