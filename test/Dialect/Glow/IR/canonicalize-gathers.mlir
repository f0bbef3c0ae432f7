// RUN: glow-opt %s --canonicalize | FileCheck %s

// CHECK: #[[BOTH:.+]] = affine_map<()[s0, s1] -> (s0, s1)>

// What is done to gathered rows is done to their indices.
// CHECK-LABEL: func.func @part_of_rows
// CHECK: %[[PART:.+]] = glow.slice %arg1, {{.*}} {axes = array<i64: 1>} : (tensor<3x4xi64>, {{.*}} -> tensor<3x2xi64>
// CHECK: glow.gather %arg0, %[[PART]] {axis = 1 : i64}
// CHECK-NOT: glow.slice
func.func @part_of_rows(%x: tensor<2x9x5xf32>, %i: tensor<3x4xi64>) -> tensor<2x3x2x5xf32> {
  %start = glow.constant dense<1> : tensor<1xi64>
  %end = glow.constant dense<3> : tensor<1xi64>
  %step = glow.constant dense<1> : tensor<1xi64>
  %0 = glow.gather %x, %i {axis = 1 : i64} : (tensor<2x9x5xf32>, tensor<3x4xi64>) -> tensor<2x3x4x5xf32>
  %1 = glow.slice %0, %start, %end, %step {axes = array<i64: 2>} : (tensor<2x3x4x5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x3x2x5xf32>
  return %1 : tensor<2x3x2x5xf32>
}

// A part of each row is not one of the indices.
// CHECK-LABEL: func.func @part_in_rows
// CHECK: glow.gather %arg0, %arg1
// CHECK: glow.slice
func.func @part_in_rows(%x: tensor<2x9x5xf32>, %i: tensor<3xi64>) -> tensor<2x3x2xf32> {
  %start = glow.constant dense<1> : tensor<1xi64>
  %end = glow.constant dense<3> : tensor<1xi64>
  %step = glow.constant dense<1> : tensor<1xi64>
  %0 = glow.gather %x, %i {axis = 1 : i64} : (tensor<2x9x5xf32>, tensor<3xi64>) -> tensor<2x3x5xf32>
  %1 = glow.slice %0, %start, %end, %step {axes = array<i64: 2>} : (tensor<2x3x5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x3x2xf32>
  return %1 : tensor<2x3x2xf32>
}

// CHECK-LABEL: func.func @twice
// CHECK: %[[I:.+]] = glow.gather %arg1, %arg2 {axis = 1 : i64} : (tensor<3x4xi64>, tensor<7xi64>) -> tensor<3x7xi64>
// CHECK: glow.gather %arg0, %[[I]] {axis = 1 : i64} : (tensor<2x9xf32>, tensor<3x7xi64>) -> tensor<2x3x7xf32>
func.func @twice(%x: tensor<2x9xf32>, %i: tensor<3x4xi64>, %j: tensor<7xi64>) -> tensor<2x3x7xf32> {
  %0 = glow.gather %x, %i {axis = 1 : i64} : (tensor<2x9xf32>, tensor<3x4xi64>) -> tensor<2x3x4xf32>
  %1 = glow.gather %0, %j {axis = 2 : i64} : (tensor<2x3x4xf32>, tensor<7xi64>) -> tensor<2x3x7xf32>
  return %1 : tensor<2x3x7xf32>
}

// CHECK-LABEL: func.func @twice_merged
// CHECK: %[[FLAT:.+]] = glow.reshape %arg1, {{.*}} -> tensor<12xi64>
// CHECK: %[[I:.+]] = glow.gather %[[FLAT]], %arg2 {axis = 0 : i64} : (tensor<12xi64>, tensor<7x2xi64>) -> tensor<7x2xi64>
// CHECK: glow.gather %arg0, %[[I]] {axis = 1 : i64} : (tensor<2x9x5xf32>, tensor<7x2xi64>) -> tensor<2x7x2x5xf32>
func.func @twice_merged(%x: tensor<2x9x5xf32>, %i: tensor<3x4xi64>, %j: tensor<7x2xi64>) -> tensor<2x7x2x5xf32> {
  %flat = glow.constant dense<[2, 12, 5]> : tensor<3xi64>
  %0 = glow.gather %x, %i {axis = 1 : i64} : (tensor<2x9x5xf32>, tensor<3x4xi64>) -> tensor<2x3x4x5xf32>
  %1 = glow.reshape %0, %flat : (tensor<2x3x4x5xf32>, tensor<3xi64>) -> tensor<2x12x5xf32>
  %2 = glow.gather %1, %j {axis = 1 : i64} : (tensor<2x12x5xf32>, tensor<7x2xi64>) -> tensor<2x7x2x5xf32>
  return %2 : tensor<2x7x2x5xf32>
}

// How many indices matter is known of both.
// CHECK-LABEL: func.func @extents
// CHECK: glow.gather %arg0, %{{.+}} {axis = 1 : i64, index_extents = #[[BOTH]]}
func.func @extents(%x: tensor<2x9xf32>, %i: tensor<3x4xi64>, %j: tensor<7xi64>) -> tensor<2x3x7xf32> {
  %0 = glow.gather %x, %i {axis = 1 : i64, index_extents = affine_map<()[s0, s1] -> (s0, 4)>} : (tensor<2x9xf32>, tensor<3x4xi64>) -> tensor<2x3x4xf32>
  %1 = glow.gather %0, %j {axis = 2 : i64, index_extents = affine_map<()[s0, s1] -> (s1)>} : (tensor<2x3x4xf32>, tensor<7xi64>) -> tensor<2x3x7xf32>
  return %1 : tensor<2x3x7xf32>
}

// Of single elements there may not be more indices than there were.
// CHECK-LABEL: func.func @more_indices
// CHECK: %[[X:.+]] = glow.gather %arg0, %arg1
// CHECK: glow.gather %[[X]], %arg2
func.func @more_indices(%x: tensor<9xf32>, %i: tensor<3xi64>, %j: tensor<7xi64>) -> tensor<7xf32> {
  %0 = glow.gather %x, %i {axis = 0 : i64} : (tensor<9xf32>, tensor<3xi64>) -> tensor<3xf32>
  %1 = glow.gather %0, %j {axis = 0 : i64} : (tensor<3xf32>, tensor<7xi64>) -> tensor<7xf32>
  return %1 : tensor<7xf32>
}

// Others read the rows too.
// CHECK-LABEL: func.func @shared
// CHECK: %[[X:.+]] = glow.gather %arg0, %arg1
// CHECK: glow.gather %[[X]], %arg2
func.func @shared(%x: tensor<9x5xf32>, %i: tensor<3xi64>, %j: tensor<2xi64>) -> (tensor<3x5xf32>, tensor<2x5xf32>) {
  %0 = glow.gather %x, %i {axis = 0 : i64} : (tensor<9x5xf32>, tensor<3xi64>) -> tensor<3x5xf32>
  %1 = glow.gather %0, %j {axis = 0 : i64} : (tensor<3x5xf32>, tensor<2xi64>) -> tensor<2x5xf32>
  return %0, %1 : tensor<3x5xf32>, tensor<2x5xf32>
}

// Indices that are all places' digits in another order: patches of two rows.
// CHECK-LABEL: func.func @patches
// CHECK: %[[SPLIT:.+]] = glow.reshape %arg0, {{.*}} -> tensor<2x3x2x5xf32>
// CHECK: glow.transpose %[[SPLIT]] {permutation = array<i64: 0, 2, 1, 3>}
// CHECK-NOT: glow.gather
func.func @patches(%x: tensor<2x6x5xf32>) -> tensor<2x2x3x5xf32> {
  %i = glow.constant dense<[[0, 2, 4], [1, 3, 5]]> : tensor<2x3xi64>
  %r = glow.gather %x, %i {axis = 1 : i64} : (tensor<2x6x5xf32>, tensor<2x3xi64>) -> tensor<2x2x3x5xf32>
  return %r : tensor<2x2x3x5xf32>
}

// Windows that overlap, and places that do not follow each other, are gathered.
// CHECK-LABEL: func.func @no_digits
// CHECK-COUNT-2: glow.gather
func.func @no_digits(%x: tensor<6x5xf32>) -> (tensor<2x3x5xf32>, tensor<2x3x5xf32>) {
  %i = glow.constant dense<[[0, 1, 2], [1, 2, 3]]> : tensor<2x3xi64>
  %j = glow.constant dense<[[0, 2, 4], [1, 5, 3]]> : tensor<2x3xi64>
  %0 = glow.gather %x, %i {axis = 0 : i64} : (tensor<6x5xf32>, tensor<2x3xi64>) -> tensor<2x3x5xf32>
  %1 = glow.gather %x, %j {axis = 0 : i64} : (tensor<6x5xf32>, tensor<2x3xi64>) -> tensor<2x3x5xf32>
  return %0, %1 : tensor<2x3x5xf32>, tensor<2x3x5xf32>
}
