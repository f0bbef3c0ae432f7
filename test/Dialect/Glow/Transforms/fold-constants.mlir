// RUN: glow-opt %s -glow-fold-constants | FileCheck %s
// RUN: glow-opt %s -glow-fold-constants=max-bytes=64 | FileCheck %s --check-prefix=SMALL

// The shape arithmetic of an exporter: x.reshape(-1, x.shape[1]).
// CHECK-LABEL: func.func @shape_arithmetic
// CHECK-SAME: -> tensor<?x4xf32>
func.func @shape_arithmetic(%x: tensor<?x4xf32>) -> tensor<?x?xf32> {
  // CHECK-NEXT: %[[SHAPE:.+]] = glow.constant dense<[-1, 4]> : tensor<2xi64>
  // CHECK-NEXT: glow.reshape %{{.+}}, %[[SHAPE]]
  // CHECK-SAME: -> tensor<?x4xf32>
  %shape = glow.shape_of %x {start = 0 : i64, end = 2 : i64} : (tensor<?x4xf32>) -> tensor<2xi64>
  %one = glow.constant dense<1> : tensor<1xi64>
  %columns = glow.gather %shape, %one {axis = 0 : i64} : (tensor<2xi64>, tensor<1xi64>) -> tensor<1xi64>
  %rest = glow.constant dense<-1> : tensor<1xi64>
  %wanted = glow.concat %rest, %columns {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %r = glow.reshape %x, %wanted : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// A folded operand refines the types of what follows.
// CHECK-LABEL: func.func @refines
// CHECK-SAME: -> tensor<3x3xf32>
func.func @refines(%x: tensor<3x1xf32>) -> tensor<?x?xf32> {
  // CHECK: glow.expand {{.*}} -> tensor<3x3xf32>
  // CHECK-NEXT: glow.neg {{.*}} -> tensor<3x3xf32>
  %a = glow.constant dense<[1, 2]> : tensor<2xi64>
  %shape = glow.add %a, %a : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %one = glow.constant dense<1> : tensor<i64>
  %less = glow.sub %shape, %one : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  %e = glow.expand %x, %less : (tensor<3x1xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %r = glow.neg %e : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// What would grow beyond the limit stays an op.
// CHECK-LABEL: func.func @growth
// SMALL-LABEL: func.func @growth
func.func @growth() -> (tensor<8x8xf32>, tensor<4xf32>) {
  // CHECK: glow.constant dense<1.000000e+00> : tensor<8x8xf32>
  // SMALL: glow.splat
  %one = glow.constant dense<1.0> : tensor<f32>
  %shape = glow.constant dense<8> : tensor<2xi64>
  %r = glow.splat %one, %shape : (tensor<f32>, tensor<2xi64>) -> tensor<8x8xf32>
  // SMALL: glow.constant dense<1.000000e+00> : tensor<4xf32>
  %four = glow.constant dense<4> : tensor<1xi64>
  %s = glow.splat %one, %four : (tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  return %r, %s : tensor<8x8xf32>, tensor<4xf32>
}

// Large values become resources.
// CHECK-LABEL: func.func @large
// CHECK: glow.constant dense_resource<folded_{{[0-9]+}}> : tensor<2048xi64>
func.func @large() -> tensor<2048xi64> {
  %zero = glow.constant dense<0> : tensor<i64>
  %limit = glow.constant dense<2048> : tensor<i64>
  %step = glow.constant dense<1> : tensor<i64>
  %r = glow.range %zero, %limit, %step : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<2048xi64>
  return %r : tensor<2048xi64>
}

// Ops without uses go.
// CHECK-LABEL: func.func @unused
// CHECK-NEXT: return
func.func @unused(%x: tensor<4xf32>) {
  %c = glow.constant dense<1.0> : tensor<4xf32>
  %r = glow.add %x, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// Tensors without elements are known, whatever they are computed from.
// CHECK-LABEL: func.func @no_elements
// CHECK: %[[E:.+]] = glow.constant dense<> : tensor<4x0xf32>
// CHECK: %[[P:.+]] = glow.constant dense<0.000000e+00> : tensor<4x2xf32>
// CHECK: return %[[E]], %[[P]]
func.func @no_elements(%x: tensor<4x0xf32>, %y: tensor<0x2xf32>) -> (tensor<4x0xf32>, tensor<4x2xf32>) {
  %0 = glow.relu %x : (tensor<4x0xf32>) -> tensor<4x0xf32>
  %1 = glow.matmul %x, %y : (tensor<4x0xf32>, tensor<0x2xf32>) -> tensor<4x2xf32>
  return %0, %1 : tensor<4x0xf32>, tensor<4x2xf32>
}

// A choice between equal numbers is none: indices that are all in range remain
// so where a mask leaves some out.
// CHECK-LABEL: func.func @equal_choices
// CHECK-NEXT: return %arg1 : tensor<2x4xi64>
func.func @equal_choices(%valid: tensor<2x1xi1>, %i: tensor<2x4xi64>) -> tensor<2x4xi64> {
  %known = glow.constant dense<[[0, 3, 2, 1]]> : tensor<1x4xi64>
  %end = glow.constant dense<4> : tensor<i64>
  %shape = glow.constant dense<[2, 4]> : tensor<2xi64>
  %none = glow.constant dense<false> : tensor<i1>
  %0 = glow.greater_equal %known, %end : (tensor<1x4xi64>, tensor<i64>) -> tensor<1x4xi1>
  %1 = glow.expand %0, %shape : (tensor<1x4xi1>, tensor<2xi64>) -> tensor<2x4xi1>
  %2 = glow.where %valid, %1, %none : (tensor<2x1xi1>, tensor<2x4xi1>, tensor<i1>) -> tensor<2x4xi1>
  %3 = glow.reduce max %2 {axes = array<i64: 0, 1>} : (tensor<2x4xi1>) -> tensor<i1>
  %4 = glow.require %i, %3 {message = "an index is out of range"} : (tensor<2x4xi64>, tensor<i1>) -> tensor<2x4xi64>
  return %4 : tensor<2x4xi64>
}
