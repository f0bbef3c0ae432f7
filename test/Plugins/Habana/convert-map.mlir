// RUN: glow-opt %s %habana --pass-pipeline="builtin.module(convert-inst-to-habana,cse)" | FileCheck %s

module attributes {glow.target = #habana.target} {

// CHECK-LABEL: habana.program @map workspace(0) scratch(280)
func.func @map(%x: memref<2x3xf32> {glow.name = "x"},
               %b: memref<3xf32> {glow.name = "b"},
               %y: memref<2x3xf32> {glow.name = "y", glow_inst.output}) {
  // CHECK: %[[X:.+]] = habana.alloc input {index = 0 : i64, name = "x"} : memref<2x3xf32, #habana.mem<ddr>>
  // CHECK: %[[B:.+]] = habana.alloc input {index = 1 : i64, name = "b"}
  // CHECK: %[[Y:.+]] = habana.alloc output {index = 0 : i64, name = "y"}
  // CHECK: %[[XS:.+]] = memref.reinterpret_cast {{.+}} to memref<2x3xf32, strided<[3, 1]>, #habana.mem<sram>>
  // CHECK: habana.dma %{{.+}} -> %[[XS]]
  // CHECK: habana.dma
  // CHECK: habana.tpc.launch ins(%[[XS]], %{{.+}} : {{.+}}, memref<2x3xf32, strided<[0, 1]>, #habana.mem<sram>>)
  // CHECK: arith.addf
  // CHECK: habana.dma %{{.+}} -> %{{.+}} : memref<2x3xf32, strided<[3, 1]>, #habana.mem<sram>> -> memref<2x3xf32, #habana.mem<ddr>>
  glow_inst.map ins(%x, %b : memref<2x3xf32>, memref<3xf32>) outs(%y : memref<2x3xf32>) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    glow.yield %s : f32
  }
  return
}
}
