// RUN: glow-opt %s %habana --pass-pipeline="builtin.module(convert-inst-to-habana)" -split-input-file | FileCheck %s

module attributes {glow.target = #habana.target} {
// One product per matrix of the batch; the right-hand side is broadcast.
// CHECK-LABEL: habana.program @batch
// CHECK-COUNT-2: habana.mme.gemm
// CHECK-NOT: habana.mme.gemm
func.func @batch(%a: memref<2x4x8xf32>, %b: memref<8x3xf32>,
                 %c: memref<2x4x3xf32> {glow_inst.output}) {
  glow_inst.matmul ins(%a, %b : memref<2x4x8xf32>, memref<8x3xf32>) outs(%c : memref<2x4x3xf32>)
  return
}

// One product per panel of packed columns.
// CHECK-LABEL: habana.program @packed
// CHECK: habana.mme.gemm {{.+}} outs(%{{.+}} : memref<4x4xf32
// CHECK: habana.mme.gemm {{.+}} outs(%{{.+}} : memref<4x2xf32
func.func @packed(%a: memref<4x8xf32>, %b: memref<2x8x4xf32>,
                  %c: memref<4x6xf32> {glow_inst.output}) {
  glow_inst.matmul ins(%a, %b : memref<4x8xf32>, memref<2x8x4xf32>) outs(%c : memref<4x6xf32>) {packed = 4 : i64}
  return
}
}

// -----

module attributes {glow.target = #habana.target<sram = 1024>} {
// CHECK-LABEL: habana.program @tiled
// CHECK-COUNT-4: habana.mme.gemm {{.+}} : memref<4x16xf32
func.func @tiled(%a: memref<16x16xf32>, %b: memref<16x8xf32>,
                 %c: memref<16x8xf32> {glow_inst.output}) {
  glow_inst.matmul ins(%a, %b : memref<16x16xf32>, memref<16x8xf32>) outs(%c : memref<16x8xf32>)
  return
}
}
