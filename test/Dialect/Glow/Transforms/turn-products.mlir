// RUN: glow-opt %s --glow-turn-products=target=vector-bits=512 | FileCheck %s
// RUN: glow-opt %s --glow-turn-products=target=vector-bits=256 | FileCheck %s --check-prefix=AVX2

// The keys are read as they are, and what the epilogue reads is turned.
// CHECK-LABEL: func.func @scores(
// CHECK-SAME: %[[Q:.+]]: tensor<2x3x1x32xf32>, %[[K:.+]]: tensor<2x3x9x32xf32>, %[[MASK:.+]]: tensor<9xi1>, %[[BIAS:.+]]: tensor<2x1x1x9xf32>, %[[SCALE:.+]]: tensor<f32>)
// CHECK-DAG: %[[COLUMN:.+]] = glow.reshape %[[Q]], {{.+}} -> tensor<2x3x32x1xf32>
// CHECK-DAG: %[[M:.+]] = glow.reshape %[[MASK]], {{.+}} -> tensor<9x1xi1>
// CHECK-DAG: %[[B:.+]] = glow.reshape %[[BIAS]], {{.+}} -> tensor<2x1x9x1xf32>
// CHECK: %[[R:.+]] = glow.matmul %[[K]], %[[COLUMN]] epilogue(%[[M]], %[[B]], %[[SCALE]]) do
// CHECK: -> tensor<2x3x9x1xf32>
// CHECK: glow.reshape %[[R]], {{.+}} -> tensor<2x3x1x9xf32>
func.func @scores(%q: tensor<2x3x1x32xf32>, %k: tensor<2x3x9x32xf32>, %mask: tensor<9xi1>, %bias: tensor<2x1x1x9xf32>, %scale: tensor<f32>) -> tensor<2x3x1x9xf32> {
  %t = glow.transpose %k {permutation = array<i64: 0, 1, 3, 2>} : (tensor<2x3x9x32xf32>) -> tensor<2x3x32x9xf32>
  %r = glow.matmul %q, %t epilogue(%mask, %bias, %scale) do {
  ^bb0(%a: f32, %b: i1, %c: f32, %d: f32):
    %low = arith.constant 0xFF800000 : f32
    %e = arith.mulf %a, %d : f32
    %f = arith.addf %e, %c : f32
    %g = arith.select %b, %f, %low : f32
    glow.yield %g : f32
  } : (tensor<2x3x1x32xf32>, tensor<2x3x32x9xf32>, tensor<9xi1>, tensor<2x1x1x9xf32>, tensor<f32>) -> tensor<2x3x1x9xf32>
  return %r : tensor<2x3x1x9xf32>
}

// Of four rows, as many columns as a vector of 16 numbers pays for.
// CHECK-LABEL: func.func @group(
// CHECK-SAME: %[[Q:.+]]: tensor<2x4x32xf32>, %[[K:.+]]: tensor<2x9x32xf32>, %[[MASK:.+]]: tensor<4x9xi1>)
// CHECK-DAG: %[[COLUMNS:.+]] = glow.transpose %[[Q]] {{.+}} -> tensor<2x32x4xf32>
// CHECK-DAG: %[[M:.+]] = glow.transpose %[[MASK]] {{.+}} -> tensor<9x4xi1>
// CHECK: %[[R:.+]] = glow.matmul %[[K]], %[[COLUMNS]] epilogue(%[[M]]) do
// CHECK: glow.transpose %[[R]] {{.+}} -> tensor<2x4x9xf32>
func.func @group(%q: tensor<2x4x32xf32>, %k: tensor<2x9x32xf32>, %mask: tensor<4x9xi1>) -> tensor<2x4x9xf32> {
  %t = glow.transpose %k {permutation = array<i64: 0, 2, 1>} : (tensor<2x9x32xf32>) -> tensor<2x32x9xf32>
  %r = glow.matmul %q, %t epilogue(%mask) do {
  ^bb0(%a: f32, %b: i1):
    %low = arith.constant 0xFF800000 : f32
    %c = arith.select %b, %a, %low : f32
    glow.yield %c : f32
  } : (tensor<2x4x32xf32>, tensor<2x32x9xf32>, tensor<4x9xi1>) -> tensor<2x4x9xf32>
  return %r : tensor<2x4x9xf32>
}

// More rows, one row each of many that share the matrix, a short depth, heads that are transposed too, and a constant,
// which is in panels.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-5: glow.matmul
// CHECK-NOT: glow.reshape
func.func @others(%many: tensor<64x1x32xf32>, %shared: tensor<9x32xf32>, %rows: tensor<4x5x32xf32>, %row: tensor<4x1x8xf32>, %one: tensor<4x1x32xf32>, %k: tensor<4x9x32xf32>, %short: tensor<4x9x8xf32>, %moved: tensor<9x4x32xf32>) -> (tensor<4x5x9xf32>, tensor<4x1x9xf32>, tensor<4x1x9xf32>, tensor<4x1x9xf32>, tensor<64x1x9xf32>) {
  %t = glow.transpose %k {permutation = array<i64: 0, 2, 1>} : (tensor<4x9x32xf32>) -> tensor<4x32x9xf32>
  %a = glow.matmul %rows, %t : (tensor<4x5x32xf32>, tensor<4x32x9xf32>) -> tensor<4x5x9xf32>
  %s = glow.transpose %short {permutation = array<i64: 0, 2, 1>} : (tensor<4x9x8xf32>) -> tensor<4x8x9xf32>
  %b = glow.matmul %row, %s : (tensor<4x1x8xf32>, tensor<4x8x9xf32>) -> tensor<4x1x9xf32>
  %m = glow.transpose %moved {permutation = array<i64: 1, 2, 0>} : (tensor<9x4x32xf32>) -> tensor<4x32x9xf32>
  %c = glow.matmul %one, %m : (tensor<4x1x32xf32>, tensor<4x32x9xf32>) -> tensor<4x1x9xf32>
  %w = glow.constant dense<1.0> : tensor<9x32xf32>
  %p = glow.transpose %w {permutation = array<i64: 1, 0>} : (tensor<9x32xf32>) -> tensor<32x9xf32>
  %d = glow.matmul %one, %p : (tensor<4x1x32xf32>, tensor<32x9xf32>) -> tensor<4x1x9xf32>
  %u = glow.transpose %shared {permutation = array<i64: 1, 0>} : (tensor<9x32xf32>) -> tensor<32x9xf32>
  %e = glow.matmul %many, %u : (tensor<64x1x32xf32>, tensor<32x9xf32>) -> tensor<64x1x9xf32>
  return %a, %b, %c, %d, %e : tensor<4x5x9xf32>, tensor<4x1x9xf32>, tensor<4x1x9xf32>, tensor<4x1x9xf32>, tensor<64x1x9xf32>
}

// Eight rows fill a vector of 256 bits and half of one of 512, where six are
// stored under a mask. The keys must be so many that it pays for turning queries
// and scores.
// CHECK-LABEL: func.func @vectors(
// CHECK-COUNT-2: glow.matmul %{{.+}} : (tensor<2x96x32xf32>
// CHECK: glow.matmul %{{.+}} : (tensor<2x8x32xf32>, tensor<2x32x9xf32>)
// AVX2-LABEL: func.func @vectors(
// AVX2: glow.matmul %{{.+}} : (tensor<2x96x32xf32>, tensor<2x32x8xf32>)
// AVX2: glow.matmul %{{.+}} : (tensor<2x6x32xf32>, tensor<2x32x96xf32>)
// AVX2: glow.matmul %{{.+}} : (tensor<2x8x32xf32>, tensor<2x32x9xf32>)
func.func @vectors(%eight: tensor<2x8x32xf32>, %six: tensor<2x6x32xf32>, %k: tensor<2x96x32xf32>, %few: tensor<2x9x32xf32>) -> (tensor<2x8x96xf32>, tensor<2x6x96xf32>, tensor<2x8x9xf32>) {
  %t = glow.transpose %k {permutation = array<i64: 0, 2, 1>} : (tensor<2x96x32xf32>) -> tensor<2x32x96xf32>
  %a = glow.matmul %eight, %t : (tensor<2x8x32xf32>, tensor<2x32x96xf32>) -> tensor<2x8x96xf32>
  %b = glow.matmul %six, %t : (tensor<2x6x32xf32>, tensor<2x32x96xf32>) -> tensor<2x6x96xf32>
  %f = glow.transpose %few {permutation = array<i64: 0, 2, 1>} : (tensor<2x9x32xf32>) -> tensor<2x32x9xf32>
  %c = glow.matmul %eight, %f : (tensor<2x8x32xf32>, tensor<2x32x9xf32>) -> tensor<2x8x9xf32>
  return %a, %b, %c : tensor<2x8x96xf32>, tensor<2x6x96xf32>, tensor<2x8x9xf32>
}
