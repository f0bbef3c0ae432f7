// RUN: glow-opt %s -glow-inst-split-reductions | FileCheck %s

// The mean of each channel: eight parts of 14 lines each, then of their sums.
// CHECK-LABEL: func.func @pixels(
// CHECK: %[[CUT:.+]] = glow_inst.view %arg0 : memref<1x112x112x32xf32> to memref<1x8x14x112x32xf32>
// CHECK: %[[PARTS:.+]] = glow_inst.alloc : memref<1x8x32xf32>
// CHECK: glow_inst.reduce sum ins(%[[CUT]] : {{.*}}) outs(%[[PARTS]] : memref<1x8x32xf32>) axes = [2, 3]
// CHECK: glow_inst.reduce sum ins(%[[PARTS]] : memref<1x8x32xf32>) outs(%arg1 : memref<1x32xf32>) axes = [1]
func.func @pixels(%x: memref<1x112x112x32xf32>, %y: memref<1x32xf32> {glow_inst.output}) {
  glow_inst.reduce sum ins(%x : memref<1x112x112x32xf32>) outs(%y : memref<1x32xf32>) axes = [1, 2]
  return
}

// Parts follow the strides of a view. What is combined is computed first, from
// an input that is broadcast along the cut as well.
// CHECK-LABEL: func.func @centred(
// CHECK: glow_inst.view %arg0 : {{.*}} to memref<2x4x7x28x64xf32, strided<[57600, 13440, 1920, 64, 1], offset: 1984>>
// CHECK: glow_inst.view %arg1 : memref<2x1x1x64xf32> to memref<2x1x1x1x64xf32>
// CHECK: glow_inst.reduce sum {{.*}} outs(%[[PARTS:.+]] : memref<2x4x64xf32>) axes = [2, 3] of {
// CHECK: arith.subf
// CHECK: glow_inst.reduce sum ins(%[[PARTS]] : memref<2x4x64xf32>) {{.*}} axes = [1]{{$}}
func.func @centred(%all: memref<2x30x30x64xf32>, %mean: memref<2x1x1x64xf32>, %y: memref<2x64xf32> {glow_inst.output}) {
  %x = glow_inst.view %all : memref<2x30x30x64xf32> to memref<2x28x28x64xf32, strided<[57600, 1920, 64, 1], offset: 1984>>
  glow_inst.reduce sum ins(%x, %mean : memref<2x28x28x64xf32, strided<[57600, 1920, 64, 1], offset: 1984>>, memref<2x1x1x64xf32>) outs(%y : memref<2x64xf32>) axes = [1, 2] of {
  ^bb0(%a: f32, %m: f32):
    %0 = arith.subf %a, %m : f32
    %1 = arith.mulf %0, %0 : f32
    glow.yield %1 : f32
  }
  return
}

// Rows that are contiguous are many, and images too; halves would be rounded
// twice; a prime number of lines has no parts; and few elements are done at once.
// CHECK-LABEL: func.func @whole(
// CHECK-COUNT-5: glow_inst.reduce max
// CHECK-NOT: glow_inst.reduce
func.func @whole(%a: memref<64x1024xf32>, %b: memref<8x64x64x16xf32>, %c: memref<64x64x16xf16>, %d: memref<67x64x16xf32>, %e: memref<8x64x16xf32>,
                 %p: memref<64xf32>, %q: memref<8x16xf32>, %r: memref<16xf16>, %s: memref<16xf32>) {
  glow_inst.reduce max ins(%a : memref<64x1024xf32>) outs(%p : memref<64xf32>) axes = [1]
  glow_inst.reduce max ins(%b : memref<8x64x64x16xf32>) outs(%q : memref<8x16xf32>) axes = [1, 2]
  glow_inst.reduce max ins(%c : memref<64x64x16xf16>) outs(%r : memref<16xf16>) axes = [0, 1]
  glow_inst.reduce max ins(%d : memref<67x64x16xf32>) outs(%s : memref<16xf32>) axes = [0, 1]
  glow_inst.reduce max ins(%e : memref<8x64x16xf32>) outs(%s : memref<16xf32>) axes = [0, 1]
  return
}

// A kept axis between two reduced ones.
// CHECK-LABEL: func.func @between(
// CHECK: glow_inst.view %arg0 : memref<16x8x64x16xi32> to memref<8x2x8x64x16xi32>
// CHECK: glow_inst.reduce prod {{.*}} outs(%[[PARTS:.+]] : memref<8x8x16xi32>) axes = [1, 3]
// CHECK: glow_inst.reduce prod ins(%[[PARTS]] : memref<8x8x16xi32>) outs(%arg1 : memref<8x16xi32>) axes = [0]
func.func @between(%x: memref<16x8x64x16xi32>, %y: memref<8x16xi32> {glow_inst.output}) {
  glow_inst.reduce prod ins(%x : memref<16x8x64x16xi32>) outs(%y : memref<8x16xi32>) axes = [0, 2]
  return
}
