// RUN: glow-opt %s --glow-outline-kernels | FileCheck %s
// Few long rows are one ticket each; columns come by lines of the cache.

// CHECK-LABEL: func.func @rows
//       CHECK: glow_inst.launch @reduce_{{[0-9]+}}({{.*}}) tickets = 4
func.func @rows(%x: memref<4x100000xf32>, %y: memref<4xf32>) {
  glow_inst.reduce max ins(%x : memref<4x100000xf32>) outs(%y : memref<4xf32>) axes = [1]
  return
}

// CHECK-LABEL: func.func @columns
//       CHECK: glow_inst.launch @reduce_{{[0-9]+}}({{.*}}) tickets = 2
func.func @columns(%x: memref<100000x128xf32>, %y: memref<128xf32>) {
  glow_inst.reduce max ins(%x : memref<100000x128xf32>) outs(%y : memref<128xf32>) axes = [0]
  return
}
