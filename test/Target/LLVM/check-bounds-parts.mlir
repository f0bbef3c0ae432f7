// RUN: glow-opt %s --glow-check-bounds | FileCheck %s

// What a function of a kernel's module does is done by the kernel.
// CHECK: "glow: kernel 'matmul_3': memref.load goes beyond elements 0 to 7 of its buffer
module @matmul_3 {
  func.func private @of_one(%a: memref<8xf32>, %i: index) -> f32 {
    %v = memref.load %a[%i] : memref<8xf32>
    return %v : f32
  }
}
