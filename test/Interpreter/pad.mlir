// RUN: glow-opt %s -glow-fold-constants | FileCheck %s

// CHECK-LABEL: func.func @constant_cuts_and_fills
// CHECK-NEXT: dense<[2, 3, 9, 9]> : tensor<4xi64>
func.func @constant_cuts_and_fills() -> tensor<4xi64> {
  %x = glow.constant dense<[1, 2, 3]> : tensor<3xi64>
  %pads = glow.constant dense<[-1, 2]> : tensor<2xi64>
  %v = glow.constant dense<9> : tensor<i64>
  %r = glow.pad constant %x, %pads value(%v) : (tensor<3xi64>, tensor<2xi64>, tensor<i64>) -> tensor<4xi64>
  return %r : tensor<4xi64>
}

// CHECK-LABEL: func.func @modes
// CHECK-DAG: dense<[3, 2, 1, 2, 3, 2, 1, 2]> : tensor<8xi64>
// CHECK-DAG: dense<[1, 1, 1, 2, 3, 3, 3, 3]> : tensor<8xi64>
// CHECK-DAG: dense<[2, 3, 1, 2, 3, 1, 2, 3]> : tensor<8xi64>
func.func @modes() -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>) {
  %x = glow.constant dense<[1, 2, 3]> : tensor<3xi64>
  %pads = glow.constant dense<[2, 3]> : tensor<2xi64>
  %reflect = glow.pad reflect %x, %pads : (tensor<3xi64>, tensor<2xi64>) -> tensor<8xi64>
  %edge = glow.pad edge %x, %pads : (tensor<3xi64>, tensor<2xi64>) -> tensor<8xi64>
  %wrap = glow.pad wrap %x, %pads : (tensor<3xi64>, tensor<2xi64>) -> tensor<8xi64>
  return %reflect, %edge, %wrap : tensor<8xi64>, tensor<8xi64>, tensor<8xi64>
}
