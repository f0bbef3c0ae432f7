// RUN: glow-opt %s --glow-test-emit-kernels=target=vector-bits=512,vector-registers=32,fma=1 --canonicalize --cse | FileCheck %s

// Vectors lie along the depth. The sums of 16 rows are added lane by lane and
// become one vector; the rest of the rows goes one by one.
// CHECK-LABEL: func @one_column(
//       CHECK: scf.for %{{.+}} = %c0 to %c32 step %c16
//       CHECK: scf.for %{{.+}} = %c0 to %c64 step %c16 iter_args
//       CHECK: vector.load %{{.+}} : memref<70xf32>, vector<16xf32>
// CHECK-COUNT-16: vector.fma
//       CHECK: scf.yield
//       CHECK: vector.maskedload
// CHECK-COUNT-30: vector.shuffle
//       CHECK: vector.store %{{.+}} : memref<37xf32>, vector<16xf32>
//       CHECK: scf.for %{{.+}} = %c32 to %c37
//       CHECK: memref.store
func.func @one_column(%a: memref<37x70xf32>, %b: memref<1x1x70xf32>, %c: memref<37x1xf32>) {
  glow_inst.matmul ins(%a, %b : memref<37x70xf32>, memref<1x1x70xf32>) outs(%c : memref<37x1xf32>) {packed = 1 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Windows that reach over the edge are made row by row.
// CHECK-LABEL: func @window(
//       CHECK: scf.for %{{.+}} = %c1 to %c33 step %c8
// CHECK-COUNT-16: vector.fma
func.func @window(%x: memref<1x1x40x64xf32>, %w: memref<1x3x128xf32>, %y: memref<1x1x40x2xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x1x40x64xf32>, memref<1x3x128xf32>) outs(%y : memref<1x1x40x2xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 3>, layout = #glow.layout<channels_last>, packed = 2 : i64, pads = array<i64: 0, 1, 0, 1>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Columns of a depth of less than a vector: rows side by side are multiplied by
// the vector that has one column.
// CHECK-LABEL: func @shallow(
//       CHECK: vector.broadcast
//       CHECK: vector.fma
//   CHECK-NOT: math.fma
//       CHECK: vector.maskedstore
func.func @shallow(%a: memref<37x12xf32>, %b: memref<1x12x32xf32>, %c: memref<37x1xf32>) {
  glow_inst.matmul ins(%a, %b : memref<37x12xf32>, memref<1x12x32xf32>) outs(%c : memref<37x1xf32>) {packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}
