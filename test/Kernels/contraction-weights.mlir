// RUN: glow-opt %s --glow-test-emit-kernels=target=vector-bits=512,vector-registers=32,fma=1,l2=2M --canonicalize --cse | FileCheck %s
// RUN: glow-opt %s --glow-test-emit-kernels=target=vector-bits=512,vector-registers=32,fma=1,l2=2M,fetch-level=1 --canonicalize --cse | FileCheck %s --check-prefix=LEVEL1
// RUN: glow-opt %s --glow-test-emit-kernels=target=vector-bits=512,vector-registers=32,fma=1,l2=1M,fetch-ahead=12K,streamed-rows=4 --canonicalize --cse | FileCheck %s --check-prefix=STREAM

// A panel of 590 KB would leave the cache before the next line. Three parts of
// the depth at a time are done for all seven lines, whose sums stay in memory;
// rows of taps outside the input add nothing. The parts after them are asked for
// meanwhile.
// CHECK-LABEL: func @long_panel(
//       CHECK: %[[SUMS:.+]] = memref.alloca() {{.*}} : memref<1568xf32>
//       CHECK: scf.for %[[FIRST:.+]] = %c0 to %c18 step %c3
//       CHECK: scf.for %{{.+}} = %c0 to %c7
//       CHECK: %[[NO_NEXT:.+]] = arith.cmpi sgt, %[[FIRST]], %c14
//       CHECK: arith.select %[[NO_NEXT]]
//       CHECK: scf.for %[[I:.+]] = %c0 to %c3
//       CHECK: %[[PART:.+]] = arith.addi %[[FIRST]], %[[I]]
//       CHECK: %[[TURNS:.+]] = arith.select %{{.*}}, %c1, %c0
//       CHECK: scf.for %{{.+}} = %c0 to %[[TURNS]] {{.*}} iter_args
//       CHECK: memref.prefetch %{{.*}}, read, locality<1>, data
// CHECK-COUNT-14: vector.fma
//       CHECK: %[[IS_FIRST:.+]] = arith.cmpi slt, %[[PART]], %c1
//       CHECK: arith.select %[[IS_FIRST]], %{{.*}} : vector<16xf32>
//       CHECK: vector.store %{{.*}}, %[[SUMS]]
//       CHECK: %[[IS_LAST:.+]] = arith.cmpi sgt, %[[PART]], %c16
//       CHECK: scf.if %[[IS_LAST]]
func.func @long_panel(%x: memref<1x7x9x512xf32>, %w: memref<16x4608x32xf32>, %y: memref<1x7x7x512xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x7x9x512xf32>, memref<16x4608x32xf32>) outs(%y : memref<1x7x7x512xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 1, 0, 1, 0>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Of an image of one column the rows are its lines, whose taps may lie outside:
// sums in parts would not be told which.
// CHECK-LABEL: func @rows_over_the_edge(
//   CHECK-NOT: memref.alloca
//       CHECK: return
func.func @rows_over_the_edge(%x: memref<16x4x1x512xf32>, %w: memref<8x4608x32xf32>, %y: memref<16x4x1x256xf32>) {
  glow_inst.conv ins(%x, %w : memref<16x4x1x512xf32>, memref<8x4608x32xf32>) outs(%y : memref<16x4x1x256xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Two tiles of rows stay beside two panels of 393 KB, of which the next one is
// asked for; sums stay in their registers.
// CHECK-LABEL: func @two_tiles(
//   CHECK-NOT: memref.alloca
//       CHECK: scf.for %{{.+}} = %c0 to %c256 {{.*}} iter_args
//       CHECK: memref.prefetch %{{.*}}, read, locality<1>, data
// STREAM-LABEL: func @two_tiles(
//       STREAM: memref.alloca
func.func @two_tiles(%a: memref<24x3072xf32>, %b: memref<24x3072x32xf32>, %c: memref<24x768xf32>) {
  glow_inst.matmul ins(%a, %b : memref<24x3072xf32>, memref<24x3072x32xf32>) outs(%c : memref<24x768xf32>) {packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// A panel that one tile reads is not waited for: the line a page ahead is asked
// for, in whichever panel that is; or further ahead, where a machine wants it.
// CHECK-LABEL: func @few_rows(
//       CHECK: %[[AHEAD:.+]] = arith.addi %{{.*}}, %c1024
//       CHECK: scf.for %{{.*}} = %c0 to %c256 step %c1 iter_args
//       CHECK: %[[LINE:.+]] = arith.addi %[[AHEAD]]
//       CHECK: memref.prefetch %{{.*}}[%[[LINE]]], read, locality<1>, data
// CHECK-COUNT-8: vector.fma
// LEVEL1-LABEL: func @few_rows(
//       LEVEL1: memref.prefetch %{{.*}}, read, locality<3>, data
// STREAM-LABEL: func @few_rows(
//       STREAM: %[[AHEAD:.+]] = arith.addi %{{.*}}, %c3072
//       STREAM: scf.for
//       STREAM: %[[LINE:.+]] = arith.addi %[[AHEAD]]
//       STREAM: memref.prefetch %{{.*}}[%[[LINE]]]
func.func @few_rows(%a: memref<8x768xf32>, %b: memref<16x768x48xf32>, %c: memref<8x768xf32>) {
  glow_inst.matmul ins(%a, %b : memref<8x768xf32>, memref<16x768x48xf32>) outs(%c : memref<8x768xf32>) {packed = 48 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Fewer may leave a processor the time to go on in one panel by itself, which is
// then taken alone: two vectors of sums, not six.
// CHECK-LABEL: func @four_rows(
//       CHECK: memref.prefetch
//       CHECK: %{{.+}}:24 = scf.for
// STREAM-LABEL: func @four_rows(
//   STREAM-NOT: memref.prefetch
//       STREAM: %{{.+}}:8 = scf.for
//   STREAM-NOT: memref.prefetch
//       STREAM: return
func.func @four_rows(%a: memref<4x768xf32>, %b: memref<24x768x32xf32>, %c: memref<4x768xf32>) {
  glow_inst.matmul ins(%a, %b : memref<4x768xf32>, memref<24x768x32xf32>) outs(%c : memref<4x768xf32>) {packed = 32 : i64} do {
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

// But not if it must widen what it reads.
// CHECK-LABEL: func @one_row_of_bf16_weights(
//       CHECK: %[[AHEAD:.+]] = arith.addi %{{.*}}, %c2048
//       CHECK: scf.for
//       CHECK: memref.prefetch
func.func @one_row_of_bf16_weights(%a: memref<1x768xf32>, %b: memref<16x768x48xbf16>, %c: memref<1x768xf32>) {
  glow_inst.matmul ins(%a, %b : memref<1x768xf32>, memref<16x768x48xbf16>) outs(%c : memref<1x768xf32>) {packed = 48 : i64, accumulator = f32} do {
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

// 1568 rows are 4.8 MB: a group of 0.7 MB passes all panels before the next.
// CHECK-LABEL: func @groups_that_stay(
//       CHECK: scf.for %[[POINT:.+]] = %c0 to %c672
//       CHECK: %[[GROUP:.+]] = arith.divui %[[POINT]], %c96
//       CHECK: %[[START:.+]] = arith.muli %[[GROUP]], %c4
//       CHECK: %[[WITHIN:.+]] = arith.remui %[[POINT]], %c96
//       CHECK: %[[COLUMN:.+]] = arith.divui %[[WITHIN]], %c4
func.func @groups_that_stay(%a: memref<1568x768xf32>, %b: memref<16x768x48xf32>, %c: memref<1568x768xf32>) {
  glow_inst.matmul ins(%a, %b : memref<1568x768xf32>, memref<16x768x48xf32>) outs(%c : memref<1568x768xf32>) {packed = 48 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// The next panel is asked for also where rows come from memory.
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
// Each of four tiles has a quarter of it, and each step gets by a quarter of a
// row further: all that a step computes for it is one product and one sum.
//       CHECK: %[[HAS_SHARE:.+]] = arith.cmpi slt, %[[TILE:.+]], %c4
//       CHECK: %[[BEFORE:.+]] = arith.muli %[[TILE]], %c2048
//       CHECK: %[[SHARE:.+]] = arith.addi %{{.*}}, %[[BEFORE]]
//       CHECK: %[[BEGIN:.+]] = arith.select %[[HAS_SHARE]], %[[SHARE]]
//       CHECK: scf.for %[[STEP:.+]] = {{.*}} iter_args
//       CHECK: %[[DONE:.+]] = arith.muli %[[STEP]], %c8
//  CHECK-NEXT: %[[LINE:.+]] = arith.addi %[[BEGIN]], %[[DONE]]
//  CHECK-NEXT: memref.prefetch %{{.*}}[%[[LINE]]], read, locality<1>
//   CHECK-NOT: memref.prefetch
//       CHECK: scf.yield
func.func @product_by_product(%a: memref<36x49x256xf32>, %b: memref<36x1x256x32xf32>, %c: memref<36x49x32xf32>) {
  glow_inst.matmul ins(%a, %b : memref<36x49x256xf32>, memref<36x1x256x32xf32>) outs(%c : memref<36x49x32xf32>) {packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Few columns wait for rows that do not stay in the second level: each step asks
// for its share of the next tile's 14, which are one piece of memory.
// CHECK-LABEL: func @rows_from_afar(
//       CHECK: scf.for %[[STEP:.+]] = %c0 to %c48 step %c1 iter_args
//       CHECK: %[[NEXT:.+]] = arith.addi %{{.*}}, %c672
//       CHECK: %[[SHARE:.+]] = arith.muli %[[STEP]], %c14
//       CHECK: %[[LINE:.+]] = arith.addi %[[NEXT]], %[[SHARE]]
//       CHECK: memref.prefetch %{{.*}}[%[[LINE]]], read, locality<3>, data
// CHECK-COUNT-28: vector.fma
// CHECK-LABEL: func @near_rows(
//   CHECK-NOT: memref.prefetch
//       CHECK: return
func.func @rows_from_afar(%a: memref<14000x48xf32>, %b: memref<1x48x32xf32>, %c: memref<14000x32xf32>) {
  glow_inst.matmul ins(%a, %b : memref<14000x48xf32>, memref<1x48x32xf32>) outs(%c : memref<14000x32xf32>) {packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}
func.func @near_rows(%a: memref<1400x48xf32>, %b: memref<1x48x32xf32>, %c: memref<1400x32xf32>) {
  glow_inst.matmul ins(%a, %b : memref<1400x48xf32>, memref<1x48x32xf32>) outs(%c : memref<1400x32xf32>) {packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}
