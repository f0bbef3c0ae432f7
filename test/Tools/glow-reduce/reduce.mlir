// Everything goes but the exponential, which the script calls the fault.

// RUN: glow-reduce %s -reduction-tree="traversal-mode=0 test=%S/Inputs/has-exp.sh" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// CHECK: func.func @main(%[[X:.+]]: tensor<4xf32>, %{{.+}}: tensor<4xf32>)
// CHECK-NEXT: %[[Y:.+]] = glow.exp %[[X]]
// CHECK-NEXT: return %[[Y]]

// RUN: not glow-reduce %s -reduction-tree="traversal-mode=0 test=/bin/true" -o %t.none 2>&1 | FileCheck %s --check-prefix=INTERESTING
// INTERESTING: uninterested module will not be reduced

func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = glow.tanh %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = glow.add %0, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = glow.exp %1 : (tensor<4xf32>) -> tensor<4xf32>
  %3 = glow.sqrt %2 : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
