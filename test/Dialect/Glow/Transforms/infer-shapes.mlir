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


// What is true counts as 1.
// CHECK-LABEL: func.func @true_is_one
// CHECK: -> tensor<1x3xf32>
func.func @true_is_one(%x: tensor<3xf32>) -> tensor<?x?xf32> {
  %true = glow.constant dense<true> : tensor<1xi1>
  %one = glow.cast %true {to = i64} : (tensor<1xi1>) -> tensor<1xi64>
  %three = glow.constant dense<3> : tensor<1xi64>
  %s = glow.concat %one, %three {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %r = glow.expand %x, %s : (tensor<3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
