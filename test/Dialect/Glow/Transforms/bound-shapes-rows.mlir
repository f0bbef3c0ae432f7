// RUN: glow-opt %s --split-input-file --glow-bound-shapes="bounds=n=1..4,m=1..8" --canonicalize | FileCheck %s

// Rows that are merged axes are worked on as these axes, of which the padding
// can be left out.
// CHECK-LABEL: func.func @linear
// CHECK-NOT: glow.reshape
// CHECK: %[[N:.+]] = glow.layer_norm %arg0, %{{.+}} {axis = 2 : i64, {{.*}} -> tensor<4x8x6xf32>
// CHECK: %[[P:.+]] = glow.matmul %[[N]], %{{.+}} -> tensor<4x8x5xf32>
// CHECK: glow.add %[[P]], %{{.+}} -> tensor<4x8x5xf32>
// CHECK: glow.softmax %{{.+}} {axis = 2 : i64} : (tensor<4x8x5xf32>) -> tensor<4x8x5xf32>
// CHECK: return
func.func @linear(%x: tensor<?x?x6xf32> {glow.dim_names = ["n", "m", ""]}, %s: tensor<6xf32>, %w: tensor<6x5xf32>, %b: tensor<5xf32>) -> tensor<?x?x5xf32> {
  %to = glow.constant dense<[-1, 6]> : tensor<2xi64>
  %rows = glow.reshape %x, %to : (tensor<?x?x6xf32>, tensor<2xi64>) -> tensor<?x6xf32>
  %l = glow.layer_norm %rows, %s {axis = 1 : i64, epsilon = 1.0e-5 : f64} : (tensor<?x6xf32>, tensor<6xf32>) -> tensor<?x6xf32>
  %p = glow.gemm %l, %w, %b {alpha = 1.0 : f64, beta = 1.0 : f64} : (tensor<?x6xf32>, tensor<6x5xf32>, tensor<5xf32>) -> tensor<?x5xf32>
  %e = glow.softmax %p {axis = 1 : i64} : (tensor<?x5xf32>) -> tensor<?x5xf32>
  %n = glow.shape_of %x {start = 0 : i64, end = 2 : i64} : (tensor<?x?x6xf32>) -> tensor<2xi64>
  %five = glow.constant dense<5> : tensor<1xi64>
  %back = glow.concat %n, %five {axis = 0 : i64} : (tensor<2xi64>, tensor<1xi64>) -> tensor<3xi64>
  %r = glow.reshape %e, %back : (tensor<?x5xf32>, tensor<3xi64>) -> tensor<?x?x5xf32>
  return %r : tensor<?x?x5xf32>
}

// -----

// Merged with an inner axis of known extent, rows are a prefix: they stay.
// CHECK-LABEL: func.func @heads
// CHECK: glow.relu %{{.+}} : (tensor<12x5xf32>) -> tensor<12x5xf32>
func.func @heads(%x: tensor<?x3x5xf32> {glow.dim_names = ["n", "", ""]}, %o: tensor<?xf32> {glow.dim_names = ["m"]}) -> tensor<?x5xf32> {
  %to = glow.constant dense<[-1, 5]> : tensor<2xi64>
  %rows = glow.reshape %x, %to : (tensor<?x3x5xf32>, tensor<2xi64>) -> tensor<?x5xf32>
  %r = glow.relu %rows : (tensor<?x5xf32>) -> tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}

// -----

// Only the rows' axes are split, not what is merged in a row.
// CHECK-LABEL: func.func @scores
// CHECK: glow.matmul %arg0, %{{.+}} -> tensor<4x8x32xf32>
// CHECK: glow.softmax %{{.+}} {axis = 2 : i64} : (tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
func.func @scores(%x: tensor<?x?x6xf32> {glow.dim_names = ["n", "m", ""]}) -> tensor<?x?xf32> {
  %to = glow.constant dense<[-1, 6]> : tensor<2xi64>
  %rows = glow.reshape %x, %to : (tensor<?x?x6xf32>, tensor<2xi64>) -> tensor<?x6xf32>
  %t = glow.transpose %rows {permutation = array<i64: 1, 0>} : (tensor<?x6xf32>) -> tensor<6x?xf32>
  %s = glow.matmul %rows, %t : (tensor<?x6xf32>, tensor<6x?xf32>) -> tensor<?x?xf32>
  %e = glow.softmax %s {axis = 1 : i64} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %e : tensor<?x?xf32>
}

// -----

// Without borders, windows of valid results read valid elements. Only tiles of
// Winograd's algorithm, of stride 1, mix more.
// CHECK-LABEL: func.func @windows
// CHECK-NOT: glow.where
// CHECK: %[[A:.+]] = glow.conv %arg0
// CHECK-NOT: glow.where
// CHECK: %[[B:.+]] = glow.conv %[[A]]
// CHECK: %[[MASKED:.+]] = glow.where %{{.+}}, %[[B]],
// CHECK: glow.conv %[[MASKED]]
func.func @windows(%x: tensor<?x2x?xf32> {glow.dim_names = ["n", "", "m"]}, %v: tensor<4x2x1xf32>, %w: tensor<4x4x2xf32>, %u: tensor<4x4x3xf32>) -> tensor<?x4x?xf32> {
  %a = glow.conv %x, %v {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 1>, pads = array<i64: 0, 0>, strides = array<i64: 1>} : (tensor<?x2x?xf32>, tensor<4x2x1xf32>) -> tensor<?x4x?xf32>
  %b = glow.conv %a, %w {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 2>, pads = array<i64: 0, 0>, strides = array<i64: 2>} : (tensor<?x4x?xf32>, tensor<4x4x2xf32>) -> tensor<?x4x?xf32>
  %c = glow.conv %b, %u {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>, strides = array<i64: 1>} : (tensor<?x4x?xf32>, tensor<4x4x3xf32>) -> tensor<?x4x?xf32>
  return %c : tensor<?x4x?xf32>
}

// -----

// Elements move within the bounds: each is gathered by its number, whose digits
// in the input's extents are clamped to them. Other axes stay.
// CHECK-LABEL: func.func @turn
// CHECK-DAG: %[[FLAT:.+]] = glow.reshape %arg0, {{.*}} -> tensor<2x32x3xf32>
// CHECK-DAG: %[[OUTER:.+]] = glow.clamp %{{.+}}, %{{.+}}, %{{.+}} : (tensor<8x4xi64>
// CHECK-DAG: %[[PLACE:.+]] = glow.maximum %{{.+}}, %{{.+}} : (tensor<8x4xi64>
// CHECK: glow.gather %[[FLAT]], %[[PLACE]] {axis = 1 : i64, index_extents = #{{.+}}} : (tensor<2x32x3xf32>, tensor<8x4xi64>) -> tensor<2x8x4x3xf32>
func.func @turn(%x: tensor<2x?x?x3xf32> {glow.dim_names = ["", "n", "m", ""]}) -> tensor<2x?x?x3xf32> {
  %two = glow.constant dense<2> : tensor<1xi64>
  %three = glow.constant dense<3> : tensor<1xi64>
  %n = glow.shape_of %x {start = 1 : i64, end = 2 : i64} : (tensor<2x?x?x3xf32>) -> tensor<1xi64>
  %m = glow.shape_of %x {start = 2 : i64, end = 3 : i64} : (tensor<2x?x?x3xf32>) -> tensor<1xi64>
  %to = glow.concat %two, %m, %n, %three {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xi64>
  %r = glow.reshape %x, %to : (tensor<2x?x?x3xf32>, tensor<4xi64>) -> tensor<2x?x?x3xf32>
  return %r : tensor<2x?x?x3xf32>
}
