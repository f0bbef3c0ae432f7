// RUN: glow-opt %s -split-input-file -glow-bound-shapes="bounds=n=1..11" -canonicalize | FileCheck %s

// Rows up to a multiple of four. PyTorch writes pads of the last axis first and
// turns them around as a matrix.
// CHECK-LABEL: func.func @multiple
// CHECK: %[[P:.+]] = glow.pad constant %arg0, %{{.+}} -> tensor<1x12xf32>
// CHECK: %[[INNER:.+]] = glow.less
// CHECK: glow.where %[[INNER]], %[[P]], %{{.+}} -> tensor<1x12xf32>
func.func @multiple(%x: tensor<1x?xf32> {glow.name = "x", glow.dim_names = ["", "n"]}) -> (tensor<1x?xf32> {glow.name = "y"}) {
  %zero = glow.constant dense<0> : tensor<1xi64>
  %zeros = glow.constant dense<0> : tensor<2xi64>
  %one = glow.constant dense<-1> : tensor<1xi64>
  %least = glow.constant dense<-9223372036854775807> : tensor<1xi64>
  %two = glow.constant dense<2> : tensor<2xi64>
  %four = glow.constant dense<4> : tensor<1xi64>
  %n = glow.shape_of %x {start = 1 : i64, end = 2 : i64} : (tensor<1x?xf32>) -> tensor<1xi64>
  %rest = glow.mod %n, %four : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %missing = glow.sub %four, %rest : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %pad = glow.mod %missing, %four : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %list = glow.concat %zero, %pad, %zeros {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>, tensor<2xi64>) -> tensor<4xi64>
  %matrix = glow.reshape %list, %two : (tensor<4xi64>, tensor<2xi64>) -> tensor<2x2xi64>
  %flipped = glow.slice %matrix, %one, %least, %one {axes = array<i64: 0>} : (tensor<2x2xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x2xi64>
  %turned = glow.transpose %flipped {permutation = array<i64: 1, 0>} : (tensor<2x2xi64>) -> tensor<2x2xi64>
  %pads = glow.reshape %turned, %one : (tensor<2x2xi64>, tensor<1xi64>) -> tensor<4xi64>
  %y = glow.pad constant %x, %pads : (tensor<1x?xf32>, tensor<4xi64>) -> tensor<1x?xf32>
  return %y : tensor<1x?xf32>
}

// -----

// What is cut off, and half of it: one or nothing by two is nothing, as numbers
// below zero are divided towards it.
// CHECK-LABEL: func.func @half_of_a_difference
// CHECK-SAME: -> (tensor<1x11xf32>
// CHECK-NOT: glow.gather
func.func @half_of_a_difference(%x: tensor<1x?xf32> {glow.name = "x", glow.dim_names = ["", "n"]}) -> (tensor<1x?xf32> {glow.name = "y"}) {
  %zero = glow.constant dense<0> : tensor<1xi64>
  %one = glow.constant dense<1> : tensor<1xi64>
  %two = glow.constant dense<2> : tensor<1xi64>
  %n = glow.shape_of %x {start = 1 : i64, end = 2 : i64} : (tensor<1x?xf32>) -> tensor<1xi64>
  %more = glow.add %n, %one : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %half = glow.div %more, %two : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %even = glow.mul %half, %two : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %off = glow.sub %even, %n : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %less = glow.sub %n, %even : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %before = glow.div %less, %two : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %grow = glow.concat %zero, %zero, %zero, %off {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xi64>
  %wide = glow.pad constant %x, %grow : (tensor<1x?xf32>, tensor<4xi64>) -> tensor<1x?xf32>
  %cut = glow.concat %zero, %before, %zero, %less {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xi64>
  %y = glow.pad constant %wide, %cut : (tensor<1x?xf32>, tensor<4xi64>) -> tensor<1x?xf32>
  return %y : tensor<1x?xf32>
}
