// RUN: glow-opt %s -glow-inst-fuse-bands=target=l1=4K,l2=64K | FileCheck %s

// Four rows that each fill the first-level cache are as many points, each of which
// stays in the second level.
// CHECK-LABEL: func.func @long_rows(
// CHECK: glow_inst.forall [4]
// CHECK:   glow_inst.reduce max ins(%{{.+}} : memref<1x2048xf32>)
// CHECK:   glow_inst.map
func.func @long_rows(%x: memref<4x2048xf32>, %y: memref<4x2048xf32> {glow_inst.output}) {
  %m = glow_inst.alloc : memref<4x1xf32>
  %v = glow_inst.view %m : memref<4x1xf32> to memref<4xf32>
  glow_inst.reduce max ins(%x : memref<4x2048xf32>) outs(%v : memref<4xf32>) axes = [1]
  glow_inst.map ins(%x, %m : memref<4x2048xf32>, memref<4x1xf32>) outs(%y : memref<4x2048xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.subf %a, %b : f32
    glow.yield %0 : f32
  }
  return
}

// A mean along the first axis reads lines of 14 places for each sum. Bands of
// them would read pieces of memory that are shorter than lines of the cache.
// CHECK-LABEL: func.func @first_axis(
//   CHECK-NOT: glow_inst.forall
//       CHECK: return
func.func @first_axis(%x: memref<1024x56x14xf32>, %y: memref<56x14xf32> {glow_inst.output}) {
  %s = glow_inst.alloc : memref<56x14xf32>
  glow_inst.reduce sum ins(%x : memref<1024x56x14xf32>) outs(%s : memref<56x14xf32>) axes = [0]
  glow_inst.map ins(%s : memref<56x14xf32>) outs(%y : memref<56x14xf32>) {
  ^bb0(%a: f32):
    %c = arith.constant 9.765625E-4 : f32
    %0 = arith.mulf %a, %c : f32
    glow.yield %0 : f32
  }
  return
}
