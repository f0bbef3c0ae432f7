// RUN: glow-opt %s --glow-test-emit-kernels=target=vector-bits=512,vector-registers=32,fma=1,features=avx512bf16 --canonicalize --cse | FileCheck %s
// RUN: glow-opt %s --glow-test-emit-kernels --canonicalize --cse | FileCheck %s --check-prefix=WIDEN

// Pairs of neighbouring depth elements are multiplied at once.
// CHECK-LABEL: func @pairs(
//       CHECK: scf.for {{.*}} -> (vector<16xf32>
// CHECK-COUNT-2: vector.load {{.*}} vector<32xbf16>
//       CHECK: vector.load {{.*}} vector<2xbf16>
//       CHECK: vector.broadcast {{.*}} : i32 to vector<16xi32>
// CHECK-COUNT-28: x86vector.avx512.dot
//   CHECK-NOT: x86vector.avx512.dot
//       CHECK: scf.yield
//       CHECK: arith.truncf {{.*}} : vector<16xf32> to vector<16xbf16>
// WIDEN-LABEL: func @pairs(
//   WIDEN-NOT: x86vector
//       WIDEN: arith.extf
func.func @pairs(%a: memref<42x64xbf16>, %b: memref<1x32x64xbf16>, %c: memref<42x32xbf16>) {
  glow_inst.matmul ins(%a, %b : memref<42x64xbf16>, memref<1x32x64xbf16>) outs(%c : memref<42x32xbf16>) {packed = 32 : i64} do {
  ^bb0(%sum: f32):
    %0 = arith.truncf %sum : f32 to bf16
    glow.yield %0 : bf16
  }
  return
}

// The element without a neighbour is read alone.
// CHECK-LABEL: func @odd(
//       CHECK: x86vector.avx512.dot
//       CHECK: %[[LAST:.+]] = memref.load {{.*}} memref<3xbf16>
//       CHECK: %[[BITS:.+]] = arith.bitcast %[[LAST]] : bf16 to i16
//       CHECK: arith.extui %[[BITS]] : i16 to i32
//       CHECK: x86vector.avx512.dot
func.func @odd(%a: memref<1x3xbf16>, %b: memref<1x2x64xbf16>, %c: memref<1x32xf32>) {
  glow_inst.matmul ins(%a, %b : memref<1x3xbf16>, memref<1x2x64xbf16>) outs(%c : memref<1x32xf32>) {packed = 32 : i64}
  return
}

// A depthwise convolution widens its input; its filter is f32 already.
// CHECK-LABEL: func @depthwise(
//       CHECK: vector.load {{.*}} vector<16xbf16>
//       CHECK: arith.extf {{.*}} : vector<16xbf16> to vector<16xf32>
//       CHECK: vector.fma
func.func @depthwise(%x: memref<1x8x8x16xbf16>, %w: memref<3x3x1x16xf32>, %y: memref<1x6x6x16xbf16>) {
  glow_inst.conv ins(%x, %w : memref<1x8x8x16xbf16>, memref<3x3x1x16xf32>) outs(%y : memref<1x6x6x16xbf16>) {dilations = array<i64: 1, 1>, group = 16 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32):
    %0 = arith.truncf %sum : f32 to bf16
    glow.yield %0 : bf16
  }
  return
}

// Without a packed side, two rows are interleaved in a panel of the frame.
// CHECK-LABEL: func @activations(
//       CHECK: memref.alloca
//       CHECK: vector.interleave {{.*}} : vector<16xbf16> -> vector<32xbf16>
//       CHECK: x86vector.avx512.dot
func.func @activations(%a: memref<42x64xbf16>, %b: memref<64x32xbf16>, %c: memref<42x32xf32>) {
  glow_inst.matmul ins(%a, %b : memref<42x64xbf16>, memref<64x32xbf16>) outs(%c : memref<42x32xf32>) do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}
