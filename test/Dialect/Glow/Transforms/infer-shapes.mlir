// RUN: glow-opt %s -glow-infer-shapes | FileCheck %s
// RUN: glow-opt %s -glow-infer-shapes=shapes=x=4x8 | FileCheck %s --check-prefix=FIXED
// RUN: glow-opt %s -glow-infer-shapes='shapes=x=?x?' | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: -> tensor<?x8xf32>
// FIXED-LABEL: func.func @main
// FIXED-SAME: tensor<4x8xf32>
// FIXED-SAME: -> tensor<4x8xf32>
func.func @main(%x: tensor<?x8xf32> {glow.name = "x"}, %b: tensor<8xf32>) -> tensor<?x?xf32> {
  // CHECK: glow.add {{.*}} -> tensor<?x8xf32>
  // FIXED: glow.add {{.*}} -> tensor<4x8xf32>
  %r = glow.add %x, %b : (tensor<?x8xf32>, tensor<8xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
