// RUN: glow-opt %s --glow-test-emit-kernels=target=vector-bits=512,vector-registers=32,fma=1,l2=2M --canonicalize --cse | FileCheck %s
// RUN: glow-opt %s --glow-test-emit-kernels=target=vector-bits=512,vector-registers=32,fma=1,l2=2M,fetch-level=1,fetch-pages=1 --canonicalize --cse | FileCheck %s --check-prefix=LEVEL1

// A panel of 590 KB would leave the cache before the next line. Each part of the
// depth is done for all seven lines, whose sums stay in memory; rows of taps
// outside the input add nothing. The part after it is asked for meanwhile.
// CHECK-LABEL: func @long_panel(
//       CHECK: %[[SUMS:.+]] = memref.alloca() {{.*}} : memref<1792xf32>
//       CHECK: scf.for %[[PART:.+]] = %c0 to %c18
//       CHECK: scf.for %{{.+}} = %c0 to %c7
//       CHECK: %[[IS_LAST:.+]] = arith.cmpi sgt, %[[PART]], %c16
//       CHECK: %[[TURNS:.+]] = arith.select %{{.*}}, %c1, %c0
//       CHECK: scf.for %{{.+}} = %c0 to %[[TURNS]] {{.*}} iter_args
//       CHECK: memref.prefetch %{{.*}}, read, locality<1>, data
// CHECK-COUNT-14: vector.fma
//       CHECK: %[[IS_FIRST:.+]] = arith.cmpi slt, %[[PART]], %c1
//       CHECK: arith.select %[[IS_FIRST]], %{{.*}} : vector<16xf32>
//       CHECK: vector.store %{{.*}}, %[[SUMS]]
//       CHECK: scf.if %[[IS_LAST]]
func.func @long_panel(%x: memref<1x7x9x512xf32>, %w: memref<16x4608x32xf32>, %y: memref<1x7x7x512xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x7x9x512xf32>, memref<16x4608x32xf32>) outs(%y : memref<1x7x7x512xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 1, 0, 1, 0>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// A panel that one tile reads is not waited for: the line a page ahead is asked
// for, in whichever panel that is.
// CHECK-LABEL: func @few_rows(
//       CHECK: %[[AHEAD:.+]] = arith.addi %{{.*}}, %c1024
//       CHECK: scf.for %{{.*}} = %c0 to %c256 step %c1 iter_args
//       CHECK: %[[LINE:.+]] = arith.addi %[[AHEAD]]
//       CHECK: memref.prefetch %{{.*}}[%[[LINE]]], read, locality<1>, data
// CHECK-COUNT-8: vector.fma
// LEVEL1-LABEL: func @few_rows(
//       LEVEL1: memref.prefetch %{{.*}}, read, locality<3>, data
func.func @few_rows(%a: memref<8x768xf32>, %b: memref<16x768x48xf32>, %c: memref<8x768xf32>) {
  glow_inst.matmul ins(%a, %b : memref<8x768xf32>, memref<16x768x48xf32>) outs(%c : memref<8x768xf32>) {packed = 48 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// One row leaves the processor time to ask by itself.
// CHECK-LABEL: func @one_row(
//   CHECK-NOT: memref.prefetch
//       CHECK: return
func.func @one_row(%a: memref<1x768xf32>, %b: memref<16x768x48xf32>, %c: memref<1x768xf32>) {
  glow_inst.matmul ins(%a, %b : memref<1x768xf32>, memref<16x768x48xf32>) outs(%c : memref<1x768xf32>) {packed = 48 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// The last panel first, where the product before this one has left it.
// CHECK-LABEL: func @backwards(
//       CHECK: scf.for %[[POINT:.+]] = %c0 to %c6
//       CHECK: %[[PLACE:.+]] = arith.subi %c5, %[[POINT]]
//       CHECK: scf.for %{{.+}} = %[[PLACE]] to
func.func @backwards(%a: memref<1x768xf32>, %b: memref<16x768x48xf32>, %c: memref<1x768xf32>) {
  glow_inst.matmul ins(%a, %b : memref<1x768xf32>, memref<16x768x48xf32>) outs(%c : memref<1x768xf32>) {packed = 48 : i64, backwards} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// All columns of half of the 14 tiles of rows come before the other half: with
// two threads, each reads the half that it has written.
// CHECK-LABEL: func @row_groups(
//       CHECK: scf.for %[[POINT:.+]] = %c0 to %c28
//       CHECK: %[[GROUP:.+]] = arith.divui %[[POINT]], %c14
//       CHECK: %[[START:.+]] = arith.muli %[[GROUP]], %c7
//       CHECK: %[[WITHIN:.+]] = arith.remui %[[POINT]], %c14
//       CHECK: %[[COLUMN:.+]] = arith.divui %[[WITHIN]], %c7
//       CHECK: %[[IN_GROUP:.+]] = arith.remui %[[WITHIN]], %c7
//       CHECK: %[[TILE:.+]] = arith.addi %[[START]], %[[IN_GROUP]]
//       CHECK: scf.for %{{.+}} = %[[COLUMN]] to
//       CHECK: %[[FIRST:.+]] = arith.maxsi %[[TILE]], %c0
//       CHECK: scf.for %{{.+}} = %[[FIRST]] to
func.func @row_groups(%x: memref<1x14x14x384xf32>, %w: memref<2x384x32xf32>, %y: memref<1x14x14x64xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x14x14x384xf32>, memref<2x384x32xf32>) outs(%y : memref<1x14x14x64xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Windows that overlap share their rows, even where taps side by side are one
// axis: 196 places read 240 KB, which stay in the cache. So the next part of the
// panel is asked for.
// CHECK-LABEL: func @overlapping_windows(
//       CHECK: memref.prefetch
//       CHECK: return
func.func @overlapping_windows(%x: memref<1x16x16x256xf32>, %w: memref<8x2304x32xf32>, %y: memref<1x14x14x256xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x16x16x256xf32>, memref<8x2304x32xf32>) outs(%y : memref<1x14x14x256xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Rows that come from memory leave time to ask for the next panel as well.
// CHECK-LABEL: func @many_rows(
//       CHECK: memref.prefetch
//       CHECK: return
func.func @many_rows(%a: memref<1024x768xf32>, %b: memref<16x768x48xf32>, %c: memref<1024x768xf32>) {
  glow_inst.matmul ins(%a, %b : memref<1024x768xf32>, memref<16x768x48xf32>) outs(%c : memref<1024x768xf32>) {packed = 48 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Behind the only panel of a product comes that of the next product; the weights
// of each are small, those of all are not.
// CHECK-LABEL: func @product_by_product(
//       CHECK: %[[IS_INSIDE:.+]] = arith.cmpi {{.*}}%c32
//       CHECK: %[[NEXT:.+]] = arith.addi %[[START:.+]], %c8192
//       CHECK: arith.select %[[IS_INSIDE]], %[[START]], %[[NEXT]]
//       CHECK: iter_args
//       CHECK: arith.remui
//       CHECK: memref.prefetch %{{.*}}, locality<1>
// Into the first level, line by line: no pages in turn.
// LEVEL1-LABEL: func @product_by_product(
//       LEVEL1: iter_args
//   LEVEL1-NOT: arith.remui
//       LEVEL1: memref.prefetch %{{.*}}, locality<3>
func.func @product_by_product(%a: memref<36x49x256xf32>, %b: memref<36x1x256x32xf32>, %c: memref<36x49x32xf32>) {
  glow_inst.matmul ins(%a, %b : memref<36x49x256xf32>, memref<36x1x256x32xf32>) outs(%c : memref<36x49x32xf32>) {packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}
