// RUN: glow-opt %s --glow-test-emit-kernels=target=vector-bits=512,vector-registers=32,fma=1,l2=2M --canonicalize --cse | FileCheck %s

// A long epilogue has a loop of its own, so that the registers of the products'
// loop are its own. Four vectors, here two rows, take their steps side by side.
// CHECK-LABEL: func @long(
//       CHECK: %[[SUMS:.+]] = memref.alloca() {{.*}}: memref<448xf32>
//       CHECK: %[[TILE:.+]]:28 = scf.for
//       CHECK: vector.store %[[TILE]]#0, %[[SUMS]]
//       CHECK: vector.store %[[TILE]]#27, %[[SUMS]]
//       CHECK: scf.for %{{.+}} = %c0 to %c14 step %c2 {
// CHECK-COUNT-4: vector.load %[[SUMS]]
//       CHECK: math.exp %{{.+}} : vector<64xf32>
// CHECK-COUNT-4: vector.store %{{.+}}, vector<16xf32>
//  CHECK-NEXT: }
func.func @long(%a: memref<28x64xf32>, %b: memref<2x64x16xf32>, %c: memref<28x32xf32>) {
  glow_inst.matmul ins(%a, %b : memref<28x64xf32>, memref<2x64x16xf32>) outs(%c : memref<28x32xf32>) {packed = 16 : i64} do {
  ^bb0(%sum: f32):
    %0 = math.exp %sum : f32
    glow.yield %0 : f32
  }
  return
}

// A short one follows on the sums in their registers.
// CHECK-LABEL: func @short(
//   CHECK-NOT: memref.alloca
//       CHECK: %[[TILE:.+]]:28 = scf.for
//   CHECK-NOT: scf.for
//       CHECK: %[[RESULT:.+]] = arith.maximumf %[[TILE]]#0
//       CHECK: vector.store %[[RESULT]]
func.func @short(%a: memref<28x64xf32>, %b: memref<2x64x16xf32>, %c: memref<28x32xf32>) {
  glow_inst.matmul ins(%a, %b : memref<28x64xf32>, memref<2x64x16xf32>) outs(%c : memref<28x32xf32>) {packed = 16 : i64} do {
  ^bb0(%sum: f32):
    %zero = arith.constant 0.0 : f32
    %0 = arith.maximumf %sum, %zero : f32
    glow.yield %0 : f32
  }
  return
}

// Column by column there are few products, which a way through memory would
// take as long as: rows side by side, from their registers.
// CHECK-LABEL: func @columnwise(
//   CHECK-NOT: memref.alloca
// CHECK-COUNT-2: math.exp %{{.+}} : vector<64xf32>
//   CHECK-NOT: math.exp
//       CHECK: return
func.func @columnwise(%x: memref<1x10x10x16xf32>, %w: memref<3x3x1x16xf32>, %y: memref<1x8x8x16xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x10x10x16xf32>, memref<3x3x1x16xf32>) outs(%y : memref<1x8x8x16xf32>) {dilations = array<i64: 1, 1>, group = 16 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32):
    %0 = math.exp %sum : f32
    glow.yield %0 : f32
  }
  return
}

// What a row adds to its sums is asked for before the products; one row for all
// stays near. A depth of a few products is over before it comes.
// CHECK-LABEL: func @terms(
//  CHECK-SAME: %[[TERM:[a-z0-9]+]]: memref<8x16xf32>, %[[BIAS:[a-z0-9]+]]: memref<16xf32>
// CHECK-COUNT-8: memref.prefetch {{.*}}, read, locality<3>, data : memref<128xf32>
//   CHECK-NOT: memref.prefetch
//       CHECK: scf.for
// CHECK-LABEL: func @shallow(
//   CHECK-NOT: memref.prefetch
func.func @terms(%a: memref<8x64xf32>, %b: memref<1x64x16xf32>, %term: memref<8x16xf32>, %bias: memref<16xf32>, %c: memref<8x16xf32>) {
  glow_inst.matmul ins(%a, %b : memref<8x64xf32>, memref<1x64x16xf32>) epilogue(%term, %bias : memref<8x16xf32>, memref<16xf32>) outs(%c : memref<8x16xf32>) {packed = 16 : i64} do {
  ^bb0(%sum: f32, %x: f32, %y: f32):
    %0 = arith.addf %sum, %x : f32
    %1 = arith.addf %0, %y : f32
    glow.yield %1 : f32
  }
  return
}
func.func @shallow(%a: memref<8x16xf32>, %b: memref<1x16x16xf32>, %term: memref<8x16xf32>, %c: memref<8x16xf32>) {
  glow_inst.matmul ins(%a, %b : memref<8x16xf32>, memref<1x16x16xf32>) epilogue(%term : memref<8x16xf32>) outs(%c : memref<8x16xf32>) {packed = 16 : i64} do {
  ^bb0(%sum: f32, %x: f32):
    %0 = arith.addf %sum, %x : f32
    glow.yield %0 : f32
  }
  return
}
