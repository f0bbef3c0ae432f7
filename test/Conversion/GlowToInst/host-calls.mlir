// RUN: glow-opt %s -convert-glow-to-inst | FileCheck %s

// CHECK-LABEL: func.func @call(
// CHECK-SAME: %[[A:.+]]: memref<2x3xi128>, %[[B:.+]]: memref<3xi128>, %[[Y:.+]]: memref<2x3xi1> {glow_inst.output}
// CHECK: glow_inst.call_host "string_equal" ins(%[[A]], %[[B]] : memref<2x3xi128>, memref<3xi128>) outs(%[[Y]] : memref<2x3xi1>) {config = {}}
func.func @call(%a: tensor<2x3x!glow.string>, %b: tensor<3x!glow.string>) -> tensor<2x3xi1> {
  %0 = glow.call_host "string_equal"(%a, %b) {core_rank = 0 : i64, cells = [tensor<i1>], config = {}} : (tensor<2x3x!glow.string>, tensor<3x!glow.string>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// Strings move as numbers do.
// CHECK-LABEL: func.func @transpose(
// CHECK: %[[V:.+]] = glow_inst.view %arg0 : memref<2x3xi128> to memref<3x2xi128, strided<[1, 3]>>
// CHECK: glow_inst.copy %[[V]] -> %arg1
func.func @transpose(%x: tensor<2x3x!glow.string>) -> tensor<3x2x!glow.string> {
  %0 = glow.transpose %x {permutation = array<i64: 1, 0>} : (tensor<2x3x!glow.string>) -> tensor<3x2x!glow.string>
  return %0 : tensor<3x2x!glow.string>
}

// CHECK-LABEL: func.func @constant(
// CHECK: %[[C:.+]] = glow_inst.constant dense<["a", ""]> : tensor<2x!glow.string> -> memref<2xi128>
// CHECK: glow_inst.copy %[[C]] -> %arg0
func.func @constant() -> tensor<2x!glow.string> {
  %0 = glow.constant dense<["a", ""]> : tensor<2x!glow.string>
  return %0 : tensor<2x!glow.string>
}

// What ends a run moves nothing.
// CHECK-LABEL: func.func @require(
// CHECK: glow_inst.require %arg1 {message = "an index is out of range"} : memref<i1>
// CHECK: glow_inst.gather ins(%arg2, %arg0
func.func @require(%i: tensor<4xi64>, %v: tensor<i1>, %x: tensor<5xf32>) -> tensor<4xf32> {
  %0 = glow.require %i, %v {message = "an index is out of range"} : (tensor<4xi64>, tensor<i1>) -> tensor<4xi64>
  %1 = glow.gather %x, %0 {axis = 0 : i64} : (tensor<5xf32>, tensor<4xi64>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
