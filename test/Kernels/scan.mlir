// RUN: glow-opt %s --glow-test-emit-kernels | FileCheck %s

// Sums down the columns of 16 vectors, a whole row here, are made together.
// CHECK-LABEL: func @columns(
//       CHECK: scf.for {{.*}} to %c4096
// CHECK-COUNT-16: vector.load
//       CHECK: vector.store
func.func @columns(%x: memref<4096x256xf32>, %y: memref<4096x256xf32>) {
  glow_inst.scan sum ins(%x : memref<4096x256xf32>) outs(%y : memref<4096x256xf32>) axis = 0
  return
}
