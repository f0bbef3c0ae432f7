// RUN: glow-opt %s -glow-inst-fuse-bands=target=l2=32K | FileCheck %s
// RUN: glow-opt %s "-glow-inst-fuse-bands=target=l2=1M,vector-bits=512,vector-registers=32,fma=1,features=avx512bf16+amx-tile+amx-bf16+amx-int8" | FileCheck %s --check-prefix=TILES

// Each band reads all weights again. Those of the first three products are
// three eighths of the cache, so the fourth product, with which they would be
// more than half, is not in the loop.
// CHECK-LABEL: func.func @all_weights(
//       CHECK: glow_inst.forall [4] ins(%arg0, %arg1, %arg2, %arg3 :
// CHECK-COUNT-3: glow_inst.matmul
//   CHECK-NOT: glow_inst.matmul
//       CHECK: }
//       CHECK: glow_inst.matmul ins(%{{.*}}, %arg4
func.func @all_weights(%x: memref<128x32xf32>, %a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<32x32xf32>, %d: memref<32x48xf32>, %y: memref<128x48xf32> {glow_inst.output}) {
  %0 = glow_inst.alloc : memref<128x32xf32>
  glow_inst.matmul ins(%x, %a : memref<128x32xf32>, memref<32x32xf32>) outs(%0 : memref<128x32xf32>)
  %1 = glow_inst.alloc : memref<128x32xf32>
  glow_inst.matmul ins(%0, %b : memref<128x32xf32>, memref<32x32xf32>) outs(%1 : memref<128x32xf32>)
  %2 = glow_inst.alloc : memref<128x32xf32>
  glow_inst.matmul ins(%1, %c : memref<128x32xf32>, memref<32x32xf32>) outs(%2 : memref<128x32xf32>)
  glow_inst.matmul ins(%2, %d : memref<128x32xf32>, memref<32x48xf32>) outs(%y : memref<128x48xf32>)
  return
}

// Tiles multiply faster than the second-level cache gives columns: bands of 32
// rows are none for them, bands of 64 are.
// CHECK-LABEL: func.func @tiles(
//       CHECK: glow_inst.forall [4]
// TILES-LABEL: func.func @tiles(
//   TILES-NOT: glow_inst.forall
func.func @tiles(%x: memref<128x32xbf16>, %w: memref<32x32xbf16>, %y: memref<128x32xbf16> {glow_inst.output}) {
  %e = glow_inst.alloc : memref<128x32xbf16>
  glow_inst.map ins(%x : memref<128x32xbf16>) outs(%e : memref<128x32xbf16>) {
  ^bb0(%a: bf16):
    %0 = math.absf %a : bf16
    glow.yield %0 : bf16
  }
  glow_inst.matmul ins(%e, %w : memref<128x32xbf16>, memref<32x32xbf16>) outs(%y : memref<128x32xbf16>)
  return
}

// TILES-LABEL: func.func @longer_tiles(
//       TILES: glow_inst.forall [4]
func.func @longer_tiles(%x: memref<256x32xbf16>, %w: memref<32x32xbf16>, %y: memref<256x32xbf16> {glow_inst.output}) {
  %e = glow_inst.alloc : memref<256x32xbf16>
  glow_inst.map ins(%x : memref<256x32xbf16>) outs(%e : memref<256x32xbf16>) {
  ^bb0(%a: bf16):
    %0 = math.absf %a : bf16
    glow.yield %0 : bf16
  }
  glow_inst.matmul ins(%e, %w : memref<256x32xbf16>, memref<32x32xbf16>) outs(%y : memref<256x32xbf16>)
  return
}
