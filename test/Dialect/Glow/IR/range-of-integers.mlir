// RUN: glow-opt %s --glow-infer-shapes --glow-fold-constants | FileCheck %s

// Numbers of 54 bits are no doubles.
// CHECK-LABEL: func.func @beyond_doubles
//       CHECK: dense<[9007199254740993, 9007199254740994, 9007199254740995]> : tensor<3xi64>
func.func @beyond_doubles() -> tensor<?xi64> {
  %0 = glow.constant dense<9007199254740993> : tensor<i64>
  %1 = glow.constant dense<9007199254740996> : tensor<i64>
  %2 = glow.constant dense<1> : tensor<i64>
  %3 = glow.range %0, %1, %2 : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  return %3 : tensor<?xi64>
}
