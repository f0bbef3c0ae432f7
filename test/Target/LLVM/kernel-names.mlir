// RUN: glow-opt %s --glow-outline-kernels | FileCheck %s
// RUN: glow-opt %s --glow-outline-kernels --mlir-print-skip-regions --emit-bytecode | glow-opt | FileCheck %s

// A kernel has no name that is taken, and what differs in its body alone is
// another one, however IR is printed.
// CHECK: glow_inst.launch @map_1
// CHECK: glow_inst.launch @map_2
// CHECK: module @map_1
// CHECK: module @map_2
func.func @map_0(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  glow_inst.map ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    glow.yield %0 : f32
  }
  glow_inst.map ins(%x, %x : memref<8xf32>, memref<8xf32>) outs(%z : memref<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.mulf %a, %b : f32
    glow.yield %0 : f32
  }
  return
}
