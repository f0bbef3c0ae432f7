// RUN: glow-opt %s -glow-drop-unread -cse -canonicalize | FileCheck %s

// The first row of what comes out of a layer, of which the residual is used
// twice: keys and values have all rows.
// CHECK-LABEL: func.func @first_row_of_attention
// CHECK-SAME: %[[X:[^:]+]]: tensor<8x4xf32>
// CHECK-DAG: %[[K:.+]] = glow.matmul %[[X]], %arg2 : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
// CHECK-DAG: %[[V:.+]] = glow.matmul %[[X]], %arg3 : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
// CHECK-DAG: %[[ROW:.+]] = glow.slice %[[X]], {{.*}} -> tensor<1x4xf32>
// CHECK-DAG: %[[Q:.+]] = glow.matmul %[[ROW]], %arg1 : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
// CHECK: %[[T:.+]] = glow.transpose %[[K]]
// CHECK: %[[S:.+]] = glow.matmul %[[Q]], %[[T]] : (tensor<1x4xf32>, tensor<4x8xf32>) -> tensor<1x8xf32>
// CHECK: %[[P:.+]] = glow.softmax %[[S]] {axis = 1 : i64} : (tensor<1x8xf32>) -> tensor<1x8xf32>
// CHECK: %[[A:.+]] = glow.matmul %[[P]], %[[V]] : (tensor<1x8xf32>, tensor<8x4xf32>) -> tensor<1x4xf32>
// CHECK: %[[B:.+]] = glow.add %[[ROW]], %[[A]]
// CHECK: %[[N:.+]] = glow.reduce sum %[[B]] {{.*}} -> tensor<1x1xf32>
// CHECK: %[[R:.+]] = glow.mul %[[B]], %[[N]] : (tensor<1x4xf32>, tensor<1x1xf32>) -> tensor<1x4xf32>
// CHECK: return %[[R]]
func.func @first_row_of_attention(%x: tensor<8x4xf32>, %wq: tensor<4x4xf32>, %wk: tensor<4x4xf32>, %wv: tensor<4x4xf32>) -> tensor<1x4xf32> {
  %zero = glow.constant dense<0> : tensor<1xi64>
  %one = glow.constant dense<1> : tensor<1xi64>
  %q = glow.matmul %x, %wq : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %k = glow.matmul %x, %wk : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %v = glow.matmul %x, %wv : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %t = glow.transpose %k {permutation = array<i64: 1, 0>} : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %s = glow.matmul %q, %t : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %p = glow.softmax %s {axis = 1 : i64} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = glow.matmul %p, %v : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %b = glow.add %x, %a : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %n = glow.reduce sum %b {axes = array<i64: 1>, keep_dims} : (tensor<8x4xf32>) -> tensor<8x1xf32>
  %m = glow.mul %b, %n : (tensor<8x4xf32>, tensor<8x1xf32>) -> tensor<8x4xf32>
  %r = glow.slice %m, %zero, %one, %one {axes = array<i64: 0>} : (tensor<8x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}

// Rows 1 and 3 of eight: all from the first to the last of them are computed.
// CHECK-LABEL: func.func @rows_between_two_readers
// CHECK: %[[P:.+]] = glow.slice %arg0, {{.*}} -> tensor<3x4xf32>
// CHECK: %[[M:.+]] = glow.matmul %[[P]], %arg1 : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
// CHECK-DAG: glow.slice %[[M]], %[[ZERO:.+]], %[[ONE:.+]], %{{.+}} {axes = array<i64: 0>} : {{.*}} -> tensor<1x4xf32>
// CHECK-DAG: glow.slice %[[M]], %[[TWO:.+]], %[[THREE:.+]], %{{.+}} {axes = array<i64: 0>} : {{.*}} -> tensor<1x4xf32>
func.func @rows_between_two_readers(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xf32>) {
  %c1 = glow.constant dense<1> : tensor<1xi64>
  %c2 = glow.constant dense<2> : tensor<1xi64>
  %c3 = glow.constant dense<3> : tensor<1xi64>
  %c4 = glow.constant dense<4> : tensor<1xi64>
  %m = glow.matmul %x, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %a = glow.slice %m, %c1, %c2, %c1 {axes = array<i64: 0>} : (tensor<8x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x4xf32>
  %b = glow.slice %m, %c3, %c4, %c1 {axes = array<i64: 0>} : (tensor<8x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x4xf32>
  return %a, %b : tensor<1x4xf32>, tensor<1x4xf32>
}

// More than half is not worth another shape, and what is returned is read.
// CHECK-LABEL: func.func @most_rows
// CHECK: glow.matmul {{.*}} -> tensor<8x4xf32>
// CHECK: glow.matmul {{.*}} -> tensor<8x2xf32>
func.func @most_rows(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>, %u: tensor<4x2xf32>) -> (tensor<7x4xf32>, tensor<8x2xf32>, tensor<1x2xf32>) {
  %c1 = glow.constant dense<1> : tensor<1xi64>
  %c2 = glow.constant dense<2> : tensor<1xi64>
  %c8 = glow.constant dense<8> : tensor<1xi64>
  %m = glow.matmul %x, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %a = glow.slice %m, %c1, %c8, %c1 {axes = array<i64: 0>} : (tensor<8x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<7x4xf32>
  %n = glow.matmul %x, %u : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  %b = glow.slice %n, %c1, %c2, %c1 {axes = array<i64: 0>} : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2xf32>
  return %a, %n, %b : tensor<7x4xf32>, tensor<8x2xf32>, tensor<1x2xf32>
}

// An element-wise op stays with a convolution of which all is computed, which
// can have it as its epilogue.
// CHECK-LABEL: func.func @crop_of_conv
// CHECK: %[[C:.+]] = glow.conv
// CHECK-NEXT: %[[R:.+]] = glow.relu %[[C]]
// CHECK-NEXT: glow.slice %[[R]]
func.func @crop_of_conv(%x: tensor<1x3x8x8xf32>, %f: tensor<4x3x3x3xf32>) -> tensor<1x4x2x2xf32> {
  %c1 = glow.constant dense<1> : tensor<2xi64>
  %c3 = glow.constant dense<3> : tensor<2xi64>
  %c = glow.conv %x, %f {kernel_shape = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  %r = glow.relu %c : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %s = glow.slice %r, %c1, %c3, %c1 {axes = array<i64: 2, 3>} : (tensor<1x4x6x6xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x4x2x2xf32>
  return %s : tensor<1x4x2x2xf32>
}

// Through axes that are split, moved and merged; a head of two.
// CHECK-LABEL: func.func @head_of_two
// CHECK: glow.matmul %arg0, %{{.+}} : (tensor<6x4xf32>, tensor<4x3xf32>) -> tensor<6x3xf32>
// CHECK-NOT: tensor<6x6xf32>
func.func @head_of_two(%x: tensor<6x4xf32>, %w: tensor<4x6xf32>) -> tensor<1x18xf32> {
  %shape = glow.constant dense<[6, 2, 3]> : tensor<3xi64>
  %rows = glow.constant dense<[2, 18]> : tensor<2xi64>
  %c1 = glow.constant dense<1> : tensor<1xi64>
  %c2 = glow.constant dense<2> : tensor<1xi64>
  %m = glow.matmul %x, %w : (tensor<6x4xf32>, tensor<4x6xf32>) -> tensor<6x6xf32>
  %h = glow.reshape %m, %shape : (tensor<6x6xf32>, tensor<3xi64>) -> tensor<6x2x3xf32>
  %t = glow.transpose %h {permutation = array<i64: 1, 0, 2>} : (tensor<6x2x3xf32>) -> tensor<2x6x3xf32>
  %f = glow.reshape %t, %rows : (tensor<2x6x3xf32>, tensor<2xi64>) -> tensor<2x18xf32>
  %s = glow.slice %f, %c1, %c2, %c1 {axes = array<i64: 0>} : (tensor<2x18xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x18xf32>
  return %s : tensor<1x18xf32>
}

// Elements 3 to 8 of 24: rows 0 and 1 of four, which have elements 0 to 11.
// CHECK-LABEL: func.func @unaligned_part
// CHECK: %[[M:.+]] = glow.matmul %{{.+}}, %arg1 : (tensor<2x4xf32>, tensor<4x6xf32>) -> tensor<2x6xf32>
// CHECK: %[[F:.+]] = glow.reshape %[[M]], %{{.+}} -> tensor<12xf32>
// CHECK: glow.slice %[[F]], {{.*}} -> tensor<6xf32>
func.func @unaligned_part(%x: tensor<4x4xf32>, %w: tensor<4x6xf32>) -> tensor<6xf32> {
  %shape = glow.constant dense<24> : tensor<1xi64>
  %c1 = glow.constant dense<1> : tensor<1xi64>
  %c3 = glow.constant dense<3> : tensor<1xi64>
  %c9 = glow.constant dense<9> : tensor<1xi64>
  %m = glow.matmul %x, %w : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %f = glow.reshape %m, %shape : (tensor<4x6xf32>, tensor<1xi64>) -> tensor<24xf32>
  %s = glow.slice %f, %c3, %c9, %c1 {axes = array<i64: 0>} : (tensor<24xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<6xf32>
  return %s : tensor<6xf32>
}

// Of joined tensors only those that are read; every second row of a part.
// CHECK-LABEL: func.func @joined
// CHECK: %[[M:.+]] = glow.matmul %{{.+}}, %arg2 : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
// CHECK: glow.slice %[[M]], {{.*}} -> tensor<2x4xf32>
// CHECK-NOT: glow.concat
func.func @joined(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>, %w: tensor<4x4xf32>) -> tensor<2x4xf32> {
  %c2 = glow.constant dense<2> : tensor<1xi64>
  %c9 = glow.constant dense<9> : tensor<1xi64>
  %c12 = glow.constant dense<12> : tensor<1xi64>
  %m = glow.matmul %x, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %n = glow.matmul %y, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %j = glow.concat %m, %n {axis = 0 : i64} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  %s = glow.slice %j, %c9, %c12, %c2 {axes = array<i64: 0>} : (tensor<16x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x4xf32>
  return %s : tensor<2x4xf32>
}

// Running sums need what is before them.
// CHECK-LABEL: func.func @running_sum
// CHECK: glow.scan {{.*}} : (tensor<8x1xf32>) -> tensor<8x1xf32>
func.func @running_sum(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>) -> tensor<1x1xf32> {
  %c1 = glow.constant dense<1> : tensor<2xi64>
  %c2 = glow.constant dense<2> : tensor<2xi64>
  %m = glow.matmul %x, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %s = glow.scan sum %m {axis = 0 : i64} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %r = glow.slice %s, %c1, %c2, %c1 {axes = array<i64: 0, 1>} : (tensor<8x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// What is joined behind the part that is read is not computed, so that a row of
// the product is left.
// CHECK-LABEL: func.func @joined_behind
// CHECK: glow.matmul %{{.+}}, %arg1 : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
// CHECK-NOT: glow.concat
// CHECK: return %{{.+}}, %{{.+}} : tensor<1x4xf32>, tensor<1x4xf32>
func.func @joined_behind(%x: tensor<8x4xf32>, %w: tensor<4x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xf32>) {
  %c0 = glow.constant dense<0> : tensor<1xi64>
  %c1 = glow.constant dense<1> : tensor<1xi64>
  %m = glow.matmul %x, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %b = glow.relu %m : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %j = glow.concat %x, %b {axis = 0 : i64} : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  %s = glow.slice %j, %c0, %c1, %c1 {axes = array<i64: 0>} : (tensor<16x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x4xf32>
  %r = glow.slice %m, %c0, %c1, %c1 {axes = array<i64: 0>} : (tensor<8x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x4xf32>
  return %s, %r : tensor<1x4xf32>, tensor<1x4xf32>
}

// Sums of nothing are zeros, as many as there are.
// CHECK-LABEL: func.func @nothing
// CHECK: glow.reduce sum %arg0 {{.*}} -> tensor<8xf32>
// CHECK: glow.matmul %arg0, %arg1 : (tensor<8x0xf32>, tensor<0x4xf32>) -> tensor<8x4xf32>
func.func @nothing(%x: tensor<8x0xf32>, %w: tensor<0x4xf32>) -> (tensor<1xf32>, tensor<1x4xf32>) {
  %c0 = glow.constant dense<0> : tensor<1xi64>
  %c1 = glow.constant dense<1> : tensor<1xi64>
  %m = glow.reduce sum %x {axes = array<i64: 1>} : (tensor<8x0xf32>) -> tensor<8xf32>
  %s = glow.slice %m, %c0, %c1, %c1 {axes = array<i64: 0>} : (tensor<8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xf32>
  %p = glow.matmul %x, %w : (tensor<8x0xf32>, tensor<0x4xf32>) -> tensor<8x4xf32>
  %r = glow.slice %p, %c0, %c1, %c1 {axes = array<i64: 0>} : (tensor<8x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x4xf32>
  return %s, %r : tensor<1xf32>, tensor<1x4xf32>
}
