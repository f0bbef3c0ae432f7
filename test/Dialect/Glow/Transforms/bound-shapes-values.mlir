// RUN: glow-opt %s --split-input-file --glow-bound-shapes | FileCheck %s

// Each element of an input with a range is a symbol, which bounds what is
// computed from it.
// CHECK: #[[TILED:.+]] = affine_map<()[s0, s1] -> (s0 * 2, s1 * 3)>
// CHECK-LABEL: func.func @tile
// CHECK-SAME: -> (tensor<8x12xf32> {glow.extents = #[[TILED]]}, tensor<2xi64> {glow.computed_symbols = [{lower = 0 : i64, name = "n0", upper = 4 : i64}, {lower = 0 : i64, name = "n1", upper = 4 : i64}]})
// CHECK: glow.tile %arg0, %{{.+}} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<8x12xf32>
func.func @tile(%x: tensor<2x3xf32>, %n: tensor<2xi64> {glow.name = "n", glow.values = array<i64: 0, 4>}) -> tensor<?x?xf32> {
  %r = glow.tile %x, %n : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// Negative indices count from the depth, which is below its bound.
// CHECK-LABEL: func.func @one_hot
// CHECK: %[[DEPTH:.+]] = glow.reshape
// CHECK: %[[FROM_END:.+]] = glow.add %arg0, %[[DEPTH]]
// CHECK: %[[INDICES:.+]] = glow.where %{{.+}}, %{{.+}}, %arg0
// CHECK: glow.one_hot %[[INDICES]], %{{.+}}, %arg2 {axis = 1 : i64} : (tensor<4xi64>, tensor<1xi64>, tensor<2xf32>) -> tensor<4x9xf32>
func.func @one_hot(%i: tensor<4xi64>, %n: tensor<1xi64> {glow.values = array<i64: 1, 9>}, %v: tensor<2xf32>) -> tensor<4x?xf32> {
  %r = glow.one_hot %i, %n, %v {axis = 1 : i64} : (tensor<4xi64>, tensor<1xi64>, tensor<2xf32>) -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}

// -----

// Pads that are data move the input: places outside it are filled.
// CHECK-LABEL: func.func @pad
// CHECK: %[[AT:.+]] = glow.sub
// CHECK: %[[ALL:.+]] = glow.gather %arg0
// CHECK: glow.and
// CHECK: glow.where %{{.+}}, %[[ALL]], %{{.+}} -> tensor<7xf32>
func.func @pad(%x: tensor<3xf32>, %n: tensor<2xi64> {glow.values = array<i64: -1, 2>}) -> tensor<?xf32> {
  %r = glow.pad constant %x, %n : (tensor<3xf32>, tensor<2xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// A function that was made for values checks that it gets them.
// CHECK-LABEL: func.func @fixed
// CHECK-SAME: tensor<1xi64> {glow.computed_symbols = [{lower = 1 : i64, name = "values of n as compiled 0", upper = 1 : i64}]}
// CHECK: %[[SAME:.+]] = glow.equal %arg1, %{{.+}} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
// CHECK: glow.reduce min
func.func @fixed(%x: tensor<2x3xf32>, %n: tensor<2xi64> {glow.name = "n", glow.values = dense<[1, 2]> : tensor<2xi64>}) -> tensor<2x6xf32> {
  %c = glow.constant dense<[1, 2]> : tensor<2xi64>
  %r = glow.tile %x, %c : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x6xf32>
  return %r : tensor<2x6xf32>
}
