// Everything goes but the exponential, which the script calls the fault.

// RUN: glow-reduce %s -reduction-tree="traversal-mode=0 test=%S/Inputs/has-exp.sh" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// CHECK-NOT: glow.tanh
// CHECK-NOT: glow.add
// CHECK: glow.exp
// CHECK-NOT: glow.sqrt

// RUN: not glow-reduce %s -reduction-tree="traversal-mode=0 test=false" -o %t.none 2>&1 | FileCheck %s --check-prefix=INTERESTING
// INTERESTING: uninterested module will not be reduced

func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = glow.tanh %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = glow.add %0, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = glow.exp %1 : (tensor<4xf32>) -> tensor<4xf32>
  %3 = glow.sqrt %2 : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
