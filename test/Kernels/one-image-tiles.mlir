// RUN: glow-opt %s "--glow-test-emit-kernels=target=vector-bits=512,vector-registers=32,fma=1,features=avx512bf16+amx-tile+amx-bf16" --canonicalize --cse | FileCheck %s

// One text of 24 rows fills registers of 12, several those of 16. A function has
// tile registers of one form, so the code of one text is in another, which LLVM
// leaves there. It is given the buffers, the first and the last ticket and the
// extent.
// CHECK-LABEL: func.func @texts(
//       CHECK: %[[TEXTS:.+]] = arith.maxsi %{{.+}}, %c0
//       CHECK: %[[NO_MORE:.+]] = arith.cmpi slt, %{{.+}}, %c{{.+}}
//       CHECK: %[[IS_ONE:.+]] = arith.andi %{{.+}}, %[[NO_MORE]]
//       CHECK: scf.if %[[IS_ONE]] {
//   CHECK-NOT: amx.
//       CHECK: func.call @of_one(%arg0, %arg2, %arg3, %{{.+}}, %{{.+}}, %[[TEXTS]])
//       CHECK: } else {
//   CHECK-NOT: into !amx.tile<12x
//       CHECK: amx.tile_load {{.*}} into !amx.tile<16x32xbf16>
// CHECK-LABEL: func.func private @of_one(
//  CHECK-SAME: attributes {llvm.linkage = #llvm.linkage<internal>, passthrough = ["noinline"]}
//   CHECK-NOT: scf.if
//       CHECK: amx.tile_load {{.*}} into !amx.tile<12x32xbf16>
#texts = affine_map<()[s0] -> (s0, 24, 384)>
func.func @texts(%x: memref<8x24x384xbf16>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
                 %w: memref<12x192x64xbf16>, %y: memref<8x24x384xf32>) {
  glow_inst.matmul ins(%x, %w : memref<8x24x384xbf16>, memref<12x192x64xbf16>) outs(%y : memref<8x24x384xf32>) {glow_inst.extents = #texts, packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}
