// RUN: glow-opt %s %habana -verify-roundtrip | FileCheck %s

// CHECK: module attributes {glow.target = #habana.target<sram = 4096, without = ["glow.pool"]>}
module attributes {glow.target = #habana.target<sram = 4096, without = ["glow.pool"]>} {

// CHECK-LABEL: habana.program @main workspace(128) scratch(1024)
habana.program @main workspace(128) scratch(1024) {
  %x = habana.alloc input {index = 0 : i64, name = "x"} : memref<4x8xf32, #habana.mem<ddr>>
  %y = habana.alloc output {index = 0 : i64, name = "y"} : memref<4x2xf32, #habana.mem<ddr>>
  %w = habana.alloc constants {value = dense<1.0> : tensor<8x2xf32>} : memref<8x2xf32, #habana.mem<ddr>>
  %t = habana.alloc workspace {offset = 0 : i64} : memref<4x8xf32, #habana.mem<ddr>>
  %a = habana.alloc scratch {offset = 0 : i64} : memref<4x8xf32, #habana.mem<sram>>
  %b = habana.alloc scratch {offset = 128 : i64} : memref<8x2xf32, #habana.mem<sram>>
  %c = habana.alloc scratch {offset = 256 : i64} : memref<4x2xf32, #habana.mem<sram>>
  // CHECK: habana.fill %{{.+}} with 0xFF800000
  habana.fill %t with 0xFF800000 : memref<4x8xf32, #habana.mem<ddr>>
  // CHECK: habana.dma
  habana.dma %x -> %a : memref<4x8xf32, #habana.mem<ddr>> -> memref<4x8xf32, #habana.mem<sram>>
  habana.dma %w -> %b : memref<8x2xf32, #habana.mem<ddr>> -> memref<8x2xf32, #habana.mem<sram>>
  // CHECK: habana.mme.gemm
  habana.mme.gemm ins(%a, %b : memref<4x8xf32, #habana.mem<sram>>, memref<8x2xf32, #habana.mem<sram>>) outs(%c : memref<4x2xf32, #habana.mem<sram>>)
  %r = memref.reinterpret_cast %c to offset: [0], sizes: [4, 8], strides: [2, 0] : memref<4x2xf32, #habana.mem<sram>> to memref<4x8xf32, strided<[2, 0]>, #habana.mem<sram>>
  // CHECK: habana.tpc.launch combine({{ *}}max)
  habana.tpc.launch combine(max) ins(%a : memref<4x8xf32, #habana.mem<sram>>) outs(%r : memref<4x8xf32, strided<[2, 0]>, #habana.mem<sram>>) {
  ^bb0(%p: f32):
    glow.yield %p : f32
  }
  habana.dma %c -> %y : memref<4x2xf32, #habana.mem<sram>> -> memref<4x2xf32, #habana.mem<ddr>>
}
}
