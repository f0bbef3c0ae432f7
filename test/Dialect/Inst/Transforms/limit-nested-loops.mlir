// RUN: glow-opt %s -glow-inst-limit-work -verify-diagnostics | FileCheck %s
// A loop over the images that there are: one in its body computes all of an image,
// of which nothing is left out behind what the last band reads.

// CHECK: #[[POINTS:.+]] = affine_map<()[s0] -> (s0)>
// CHECK-LABEL: func.func @bands(
// CHECK: glow_inst.forall [8] {{.*}} attributes {glow_inst.extents = #[[POINTS]], shared} {
// CHECK-NOT: glow_inst.extents
// CHECK: return
func.func @bands(
    %x: memref<8x20x16xf32> {glow.extents = affine_map<()[s0] -> (s0, 20, 16)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %y: memref<8x16x16xf32> {glow_inst.output, glow.extents = affine_map<()[s0] -> (s0, 16, 16)>}) {
  glow_inst.forall [8] ins(%x : memref<8x20x16xf32>) outs(%y : memref<8x16x16xf32>) steps = [array<i64: 320>, array<i64: 256>] attributes {shared} {
  ^bb0(%a: memref<1x20x16xf32>, %b: memref<1x16x16xf32>):
    %t = glow_inst.alloc : memref<1x20x16xf32>
    glow_inst.copy %a -> %t : memref<1x20x16xf32> -> memref<1x20x16xf32>
    glow_inst.forall [1, 4] ins(%t : memref<1x20x16xf32>) outs(%b : memref<1x16x16xf32>) steps = [array<i64: 320, 0>, array<i64: 256, 64>] {
    ^bb0(%c: memref<1x20x16xf32>, %d: memref<1x4x16xf32, strided<[256, 16, 1]>>):
      %v = glow_inst.slide %c at [array<i64>, array<i64: 0, 64, 128, 192>] : memref<1x20x16xf32> to memref<1x4x16xf32, strided<[320, 16, 1]>>
      glow_inst.copy %v -> %d : memref<1x4x16xf32, strided<[320, 16, 1]>> -> memref<1x4x16xf32, strided<[256, 16, 1]>>
    }
  }
  return
}
