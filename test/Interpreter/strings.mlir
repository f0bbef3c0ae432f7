// RUN: glow-opt %s -glow-fold-constants | FileCheck %s

// CHECK-LABEL: func.func @moved
// CHECK-NEXT: dense<{{\[\[}}"c", "a"], ["", "b"]]> : tensor<2x2x!glow.string>
func.func @moved() -> tensor<2x2x!glow.string> {
  %x = glow.constant dense<[["a", "b"], ["c", ""]]> : tensor<2x2x!glow.string>
  %i = glow.constant dense<[1, 0]> : tensor<2xi64>
  %t = glow.transpose %x {permutation = array<i64: 1, 0>} : (tensor<2x2x!glow.string>) -> tensor<2x2x!glow.string>
  %r = glow.gather %t, %i {axis = 1 : i64} : (tensor<2x2x!glow.string>, tensor<2xi64>) -> tensor<2x2x!glow.string>
  return %r : tensor<2x2x!glow.string>
}

// What the data says of the shape is known once the data is.
// CHECK-LABEL: func.func @split
// CHECK-SAME: -> (tensor<2x2x!glow.string>, tensor<2xi64>)
// CHECK-DAG: dense<{{\[\[}}"a", "b"], ["c", ""]]> : tensor<2x2x!glow.string>
// CHECK-DAG: dense<[2, 1]> : tensor<2xi64>
func.func @split() -> (tensor<2x?x!glow.string>, tensor<2xi64>) {
  %x = glow.constant dense<["a b", "c"]> : tensor<2x!glow.string>
  %r:2 = glow.call_host "string_split"(%x) {core_rank = 0 : i64, cells = [tensor<?x!glow.string>, tensor<i64>], config = {delimiter = "", maxsplit = -1}} : (tensor<2x!glow.string>) -> (tensor<2x?x!glow.string>, tensor<2xi64>)
  return %r#0, %r#1 : tensor<2x?x!glow.string>, tensor<2xi64>
}
