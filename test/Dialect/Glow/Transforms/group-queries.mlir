// RUN: glow-opt %s --glow-group-queries | FileCheck %s

// One query of each of six heads, two groups of which share keys and values: three
// rows for each of those. The mask is the same for all heads.
// CHECK-LABEL: func.func @decode(
// CHECK-SAME: %[[Q:.+]]: tensor<2x6x1x16xf32>, %[[K:.+]]: tensor<2x2x1x9x16xf32>, %[[MASK:.+]]: tensor<2x1x1x9xf32>, %[[BIAS:.+]]: tensor<6x1x9xf32>)
// CHECK-DAG: %[[KEYS:.+]] = glow.reshape %[[K]], {{.+}} -> tensor<2x2x9x16xf32>
// CHECK-DAG: %[[T:.+]] = glow.transpose %[[KEYS]] {{.+}} -> tensor<2x2x16x9xf32>
// CHECK-DAG: %[[ROWS:.+]] = glow.reshape %[[Q]], {{.+}} -> tensor<2x2x3x16xf32>
// CHECK-DAG: %[[M:.+]] = glow.reshape %[[MASK]], {{.+}} -> tensor<2x1x1x9xf32>
// CHECK-DAG: %[[B:.+]] = glow.reshape %[[BIAS]], {{.+}} -> tensor<2x3x9xf32>
// CHECK: %[[S:.+]] = glow.matmul %[[ROWS]], %[[T]] epilogue(%[[M]], %[[B]]) do
// CHECK: -> tensor<2x2x3x9xf32>
// CHECK: %[[P:.+]] = glow.reshape %[[S]], {{.+}} -> tensor<2x6x1x9xf32>
// CHECK: return %[[P]]
func.func @decode(%q: tensor<2x6x1x16xf32>, %k: tensor<2x2x1x9x16xf32>, %mask: tensor<2x1x1x9xf32>, %bias: tensor<6x1x9xf32>) -> tensor<2x6x1x9xf32> {
  %wide = glow.constant dense<[2, 2, 3, 9, 16]> : tensor<5xi64>
  %heads = glow.constant dense<[2, 6, 9, 16]> : tensor<4xi64>
  %e = glow.expand %k, %wide : (tensor<2x2x1x9x16xf32>, tensor<5xi64>) -> tensor<2x2x3x9x16xf32>
  %r = glow.reshape %e, %heads : (tensor<2x2x3x9x16xf32>, tensor<4xi64>) -> tensor<2x6x9x16xf32>
  %t = glow.transpose %r {permutation = array<i64: 0, 1, 3, 2>} : (tensor<2x6x9x16xf32>) -> tensor<2x6x16x9xf32>
  %s = glow.matmul %q, %t epilogue(%mask, %bias) do {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.addf %a, %b : f32
    %f = arith.addf %d, %c : f32
    glow.yield %f : f32
  } : (tensor<2x6x1x16xf32>, tensor<2x6x16x9xf32>, tensor<2x1x1x9xf32>, tensor<6x1x9xf32>) -> tensor<2x6x1x9xf32>
  return %s : tensor<2x6x1x9xf32>
}

// Several rows of each head: heads of a group are a batch that shares its values.
// CHECK-LABEL: func.func @prefill(
// CHECK-SAME: %[[P:.+]]: tensor<2x6x5x9xf32>, %[[V:.+]]: tensor<2x2x1x9x16xf32>)
// CHECK-DAG: %[[SHARED:.+]] = glow.reshape %[[V]], {{.+}} -> tensor<2x2x1x9x16xf32>
// CHECK-DAG: %[[ROWS:.+]] = glow.reshape %[[P]], {{.+}} -> tensor<2x2x3x5x9xf32>
// CHECK: %[[Y:.+]] = glow.matmul %[[ROWS]], %[[SHARED]] : {{.+}} -> tensor<2x2x3x5x16xf32>
// CHECK: glow.reshape %[[Y]], {{.+}} -> tensor<2x6x5x16xf32>
func.func @prefill(%p: tensor<2x6x5x9xf32>, %v: tensor<2x2x1x9x16xf32>) -> tensor<2x6x5x16xf32> {
  %wide = glow.constant dense<[2, 2, 3, 9, 16]> : tensor<5xi64>
  %heads = glow.constant dense<[2, 6, 9, 16]> : tensor<4xi64>
  %e = glow.expand %v, %wide : (tensor<2x2x1x9x16xf32>, tensor<5xi64>) -> tensor<2x2x3x9x16xf32>
  %r = glow.reshape %e, %heads : (tensor<2x2x3x9x16xf32>, tensor<4xi64>) -> tensor<2x6x9x16xf32>
  %y = glow.matmul %p, %r : (tensor<2x6x5x9xf32>, tensor<2x6x9x16xf32>) -> tensor<2x6x5x16xf32>
  return %y : tensor<2x6x5x16xf32>
}

// Rows of the matrix are repeated, or heads in another order.
// CHECK-LABEL: func.func @others(
// CHECK: glow.matmul {{.+}} : (tensor<6x1x16xf32>, tensor<6x16x9xf32>) -> tensor<6x1x9xf32>
// CHECK: glow.matmul {{.+}} : (tensor<6x1x16xf32>, tensor<6x16x9xf32>) -> tensor<6x1x9xf32>
func.func @others(%q: tensor<6x1x16xf32>, %a: tensor<6x8x1x9xf32>, %b: tensor<1x2x16x9xf32>) -> (tensor<6x1x9xf32>, tensor<6x1x9xf32>) {
  %rows = glow.constant dense<[6, 8, 2, 9]> : tensor<4xi64>
  %wide = glow.constant dense<[3, 2, 16, 9]> : tensor<4xi64>
  %matrix = glow.constant dense<[6, 16, 9]> : tensor<3xi64>
  %0 = glow.expand %a, %rows : (tensor<6x8x1x9xf32>, tensor<4xi64>) -> tensor<6x8x2x9xf32>
  %1 = glow.reshape %0, %matrix : (tensor<6x8x2x9xf32>, tensor<3xi64>) -> tensor<6x16x9xf32>
  %2 = glow.matmul %q, %1 : (tensor<6x1x16xf32>, tensor<6x16x9xf32>) -> tensor<6x1x9xf32>
  %3 = glow.expand %b, %wide : (tensor<1x2x16x9xf32>, tensor<4xi64>) -> tensor<3x2x16x9xf32>
  %4 = glow.reshape %3, %matrix : (tensor<3x2x16x9xf32>, tensor<3xi64>) -> tensor<6x16x9xf32>
  %5 = glow.matmul %q, %4 : (tensor<6x1x16xf32>, tensor<6x16x9xf32>) -> tensor<6x1x9xf32>
  return %2, %5 : tensor<6x1x9xf32>, tensor<6x1x9xf32>
}
