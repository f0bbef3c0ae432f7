// RUN: glow-opt %s --glow-test-emit-kernels --canonicalize --cse | FileCheck %s
// RUN: glow-opt %s --glow-test-emit-kernels=target=vector-bits=256,vector-registers=16,fma=1 | FileCheck %s --check-prefix=AVX2
// RUN: glow-opt %s --glow-test-emit-kernels=target=vector-bits=512,vector-registers=32,fma=1,l2=32K --canonicalize --cse | FileCheck %s --check-prefix=SMALL

// 14 rows times 2 vectors of sums stay in registers, in one loop over the depth.
// CHECK-LABEL: func @packed(
//       CHECK: scf.for {{.*}} -> (vector<16xf32>
// CHECK-COUNT-2: vector.load
//   CHECK-NOT: vector.load
// CHECK-COUNT-28: vector.fma
//   CHECK-NOT: vector.fma
//       CHECK: scf.yield
//  AVX2-LABEL: func @packed(
// AVX2-COUNT-12: vector.fma {{.*}} vector<8xf32>
//    AVX2-NOT: vector.fma
//        AVX2: llvm.inline_asm has_side_effects "", "X,
// AVX2-COUNT-36: vector.fma {{.*}} vector<8xf32>
//    AVX2-NOT: vector.fma
//        AVX2: scf.yield
func.func @packed(%a: memref<42x64xf32>, %b: memref<1x64x32xf32>, %c: memref<42x32xf32>) {
  glow_inst.matmul ins(%a, %b : memref<42x64xf32>, memref<1x64x32xf32>) outs(%c : memref<42x32xf32>) {packed = 32 : i64}
  return
}

// The epilogue runs on the vectors of sums; what is left of the columns is
// masked, in half a vector where that is enough.
// CHECK-LABEL: func @epilogue(
//       CHECK: vector.maskedload
//       CHECK: arith.addf {{.*}} : vector<8xf32>
//       CHECK: vector.maskedstore
func.func @epilogue(%a: memref<4x8xf32>, %b: memref<8x5xf32>, %bias: memref<5xf32>, %c: memref<4x5xf32>) {
  glow_inst.matmul ins(%a, %b : memref<4x8xf32>, memref<8x5xf32>) epilogue(%bias : memref<5xf32>) outs(%c : memref<4x5xf32>) do {
  ^bb0(%sum: f32, %x: f32):
    %0 = arith.addf %sum, %x : f32
    glow.yield %0 : f32
  }
  return
}

// A second output has its own strides: the rest of what the first one is
// rounded to.
// CHECK-LABEL: func @further(
//       CHECK: %[[HIGH:.+]] = arith.truncf %[[SUM:.+]] : vector<16xf32> to vector<16xbf16>
//       CHECK: %[[WIDE:.+]] = arith.extf %[[HIGH]]
//       CHECK: %[[REST:.+]] = arith.subf %[[SUM]], %[[WIDE]]
//       CHECK: %[[LOW:.+]] = arith.truncf %[[REST]]
//   CHECK-DAG: vector.store %[[HIGH]], %[[FIRST:.+]][
//   CHECK-DAG: vector.store %[[LOW]], %[[SECOND:.+]][
func.func @further(%a: memref<2x8xf32>, %b: memref<8x16xf32>, %high: memref<2x16xbf16>, %low: memref<2x16xbf16, strided<[64, 1]>>) {
  glow_inst.matmul ins(%a, %b : memref<2x8xf32>, memref<8x16xf32>) outs(%high : memref<2x16xbf16>) also(%low : memref<2x16xbf16, strided<[64, 1]>>) do {
  ^bb0(%sum: f32):
    %0 = arith.truncf %sum : f32 to bf16
    %1 = arith.extf %0 : bf16 to f32
    %2 = arith.subf %sum, %1 : f32
    %3 = arith.truncf %2 : f32 to bf16
    glow.yield %0, %3 : bf16, bf16
  }
  return
}

// A transposed right-hand side is copied into panels of the frame, by squares
// that are turned in registers.
// CHECK-LABEL: func @transposed(
//       CHECK: memref.alloca
//       CHECK: vector.shuffle
//       CHECK: vector.store
//       CHECK: vector.fma
func.func @transposed(%a: memref<64x16xf32>, %b: memref<16x32xf32, strided<[1, 16]>>, %c: memref<64x32xf32>) {
  glow_inst.matmul ins(%a, %b : memref<64x16xf32>, memref<16x32xf32, strided<[1, 16]>>) outs(%c : memref<64x32xf32>)
  return
}

// Taps of a row and their channels are one loop, since they follow each other.
// CHECK-LABEL: func @conv(
//       CHECK: scf.for {{.*}} to %{{c3[_0-9]*}} step
//       CHECK: scf.for {{.*}} to %{{c9[_0-9]*}} step
// CHECK-COUNT-28: vector.fma
func.func @conv(%x: memref<1x16x16x3xf32>, %w: memref<1x27x32xf32>, %y: memref<1x14x14x32xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x16x16x3xf32>, memref<1x27x32xf32>) outs(%y : memref<1x14x14x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}

// Each tap of a row at the border is multiplied with the rows where it lies
// inside the input: 13, 14 and 13 of 14.
// CHECK-LABEL: func @padded(
// CHECK-COUNT-26: vector.fma
//   CHECK-NOT: vector.fma
//       CHECK: scf.yield
// CHECK-COUNT-28: vector.fma
//   CHECK-NOT: vector.fma
//       CHECK: scf.yield
// CHECK-COUNT-26: vector.fma
//   CHECK-NOT: vector.fma
func.func @padded(%x: memref<1x14x14x8xf32>, %w: memref<1x72x32xf32>, %y: memref<1x14x14x32xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x14x14x8xf32>, memref<1x72x32xf32>) outs(%y : memref<1x14x14x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>}
  return
}

// A depthwise convolution multiplies vectors of channels; taps side by side
// share what they read: 8 + 2 inputs for 8 rows and 3 taps.
// CHECK-LABEL: func @depthwise(
//       CHECK: scf.for {{.*}} -> (vector<16xf32>
// CHECK-COUNT-13: vector.load
//   CHECK-NOT: vector.load
//       CHECK: scf.yield
func.func @depthwise(%x: memref<1x10x10x16xf32>, %w: memref<3x3x1x16xf32>, %y: memref<1x8x8x16xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x10x10x16xf32>, memref<3x3x1x16xf32>) outs(%y : memref<1x8x8x16xf32>) {dilations = array<i64: 1, 1>, group = 16 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}

// A vector holds four groups of four channels. Each of a group's columns takes
// the group's elements one after the other: one load for four products.
// CHECK-LABEL: func @groups(
//       CHECK: vector.shuffle %[[X:.+]], %[[X]] [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12]
//       CHECK: vector.shuffle %[[X]], %[[X]] [1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, 13, 13, 13, 13]
//       CHECK: vector.shuffle %[[X]], %[[X]] [3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15]
func.func @groups(%x: memref<1x8x1x32xf32>, %w: memref<3x1x4x32xf32>, %y: memref<1x6x1x32xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x8x1x32xf32>, memref<3x1x4x32xf32>) outs(%y : memref<1x6x1x32xf32>) {dilations = array<i64: 1, 1>, group = 8 : i64, kernel_shape = array<i64: 3, 1>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}

// So do nine taps, more than a few: 8 + 8 inputs.
// CHECK-LABEL: func @nine_taps(
//       CHECK: scf.for {{.*}} -> (vector<16xf32>
// CHECK-COUNT-25: vector.load
//   CHECK-NOT: vector.load
//       CHECK: scf.yield
func.func @nine_taps(%x: memref<1x16x16x16xf32>, %w: memref<9x9x1x16xf32>, %y: memref<1x8x8x16xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x16x16x16xf32>, memref<9x9x1x16xf32>) outs(%y : memref<1x8x8x16xf32>) {dilations = array<i64: 1, 1>, group = 16 : i64, kernel_shape = array<i64: 9, 9>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}

// Places that come from memory, here 128 KB with a cache of 32, are gone through
// with all channels of eight places after each other, from a cache with all of a
// line's places for 16 channels.
// CHECK-LABEL: func @streamed(
//       CHECK: scf.for {{.*}} = %c0 to %c32 step
//       CHECK: scf.for {{.*}} = %c0 to %c4 step
// SMALL-LABEL: func @streamed(
//       SMALL: scf.for {{.*}} = %c0 to %c128 step
//   SMALL-NOT: to %c4 step
//       SMALL: vector.fma
func.func @streamed(%x: memref<1x34x34x32xf32>, %w: memref<3x3x1x32xf32>, %y: memref<1x32x32x32xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x34x34x32xf32>, memref<3x3x1x32xf32>) outs(%y : memref<1x32x32x32xf32>) {dilations = array<i64: 1, 1>, group = 32 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}

// Lines of all channels leave the first-level cache before the next line of
// results, which shares them. Five vectors of 16 places in 3 lines, of the
// filter and of 14 results stay. Before the next ones come the 7 lines of one
// of two groups, each two tiles.
// CHECK-LABEL: func @depthwise_lines(
//       CHECK: scf.for %[[TICKET:.+]] = %c0 to %c224 step
//       CHECK: %[[IN_GROUP:.+]] = arith.remui %[[TICKET]], %c112
//       CHECK: %[[BLOCK:.+]] = arith.divui %[[IN_GROUP]], %c14
//       CHECK: %[[FIRST:.+]] = arith.muli %[[BLOCK]], %c5
//       CHECK: %[[NEXT:.+]] = arith.addi %[[FIRST]], %c5
//       CHECK: %[[LAST:.+]] = arith.minsi %[[NEXT]], %c36
//       CHECK: scf.for %{{.+}} = %[[FIRST]] to %[[LAST]]
func.func @depthwise_lines(%x: memref<1x16x16x576xf32>, %w: memref<3x3x1x576xf32>, %y: memref<1x14x14x576xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x16x16x576xf32>, memref<3x3x1x576xf32>) outs(%y : memref<1x14x14x576xf32>) {dilations = array<i64: 1, 1>, group = 576 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}

// Lines of rows come one after the other. A third of the second level keeps one
// panel of two vectors by 1024 until the next line, so each ticket has one
// panel, and in turn its parts for all lines.
// CHECK-LABEL: func @strided_lines(
//       CHECK: scf.for %[[TICKET:.+]] = %c0 to %c64 step %c1
//       CHECK: scf.for %{{.+}} = %[[TICKET]] to
//       CHECK: scf.for %{{.+}} = %c0 to %c4 step %c1
//       CHECK: scf.for %{{.+}} = %c0 to %c7 step %c1
func.func @strided_lines(%x: memref<1x14x14x1024xf32>, %w: memref<64x1024x32xf32>, %y: memref<1x7x7x2048xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x14x14x1024xf32>, memref<64x1024x32xf32>) outs(%y : memref<1x7x7x2048xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>}
  return
}

// Lines of two vectors, of which one is a rest, are summed up seven at a time, so
// that no product waits for the one before.
// CHECK-LABEL: func @lines(
//       CHECK: iter_args({{.*}}, {{.*}}, {{.*}}, {{.*}}, {{.*}}, {{.*}}, {{.*}})
// CHECK-COUNT-7: vector.fma {{.*}} : vector<16xf32>
func.func @lines(%x: memref<1x8x30x30xf32>, %w: memref<8x1x3x3xf32>, %y: memref<1x8x28x28xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x8x30x30xf32>, memref<8x1x3x3xf32>) outs(%y : memref<1x8x28x28xf32>) {dilations = array<i64: 1, 1>, group = 8 : i64, kernel_shape = array<i64: 3, 3>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}
