// RUN: glow-opt %s --glow-test-emit-kernels=target=vector-bits=512,vector-registers=32,fma=1,features=avx512bf16 --canonicalize --cse | FileCheck %s
// RUN: glow-opt %s --glow-test-emit-kernels=target=vector-bits=512,vector-registers=32,fma=1 --canonicalize --cse | FileCheck %s --check-prefix=WIDEN

// Eight rows with three taps read ten vectors of inputs. Each is repeated in
// the parts that its groups' columns take, four of eight inputs at a time, and
// each of four places of both comes from there.
// CHECK-LABEL: func @joined_taps(
//  CHECK-COUNT-100: vector.shuffle
//   CHECK-NOT: vector.shuffle
//       CHECK: return
func.func @joined_taps(%x: memref<1x1x10x16xf32>, %w: memref<1x3x8x16xf32>, %y: memref<1x1x8x16xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x1x10x16xf32>, memref<1x3x8x16xf32>) outs(%y : memref<1x1x8x16xf32>) {dilations = array<i64: 1, 1>, group = 2 : i64, kernel_shape = array<i64: 1, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}

// Pairs of bf16 are words of 32 bits, of which a group of four channels has
// two. The filter's rows are interleaved in a panel of the frame.
// CHECK-LABEL: func @pairs(
//       CHECK: vector.interleave {{.*}} : vector<16xbf16> -> vector<32xbf16>
//       CHECK: %[[WORDS:.+]] = vector.bitcast {{.*}} : vector<16xbf16> to vector<8xi32>
//       CHECK: %[[SPREAD:.+]] = vector.shuffle %[[WORDS]], %[[WORDS]] [0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7, 6, 7]
//       CHECK: %[[FIRST:.+]] = vector.shuffle %[[SPREAD]], %[[SPREAD]] [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12]
//       CHECK: %[[PAIRS:.+]] = vector.bitcast %[[FIRST]] : vector<16xi32> to vector<32xbf16>
//       CHECK: x86vector.avx512.dot {{.*}}, %[[PAIRS]],
//       CHECK: vector.shuffle %[[SPREAD]], %[[SPREAD]] [1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, 13, 13, 13, 13]
// WIDEN-LABEL: func @pairs(
//   WIDEN-NOT: x86vector
//       WIDEN: arith.extf {{.*}} : vector<16xbf16> to vector<16xf32>
func.func @pairs(%x: memref<1x1x10x16xbf16>, %w: memref<1x3x4x16xbf16>, %y: memref<1x1x8x16xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x1x10x16xbf16>, memref<1x3x4x16xbf16>) outs(%y : memref<1x1x8x16xf32>) {dilations = array<i64: 1, 1>, group = 4 : i64, kernel_shape = array<i64: 1, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}
