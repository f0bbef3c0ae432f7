// RUN: glow-opt %s -split-input-file -verify-diagnostics

func.func @few_rows_without_pieces(%a: tensor<4x32xf32>, %b: tensor<32x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'few_rows' is positive and needs 'pieces'}}
  %0 = glow.matmul %a, %b {few_rows = 2 : i64} : (tensor<4x32xf32>, tensor<32x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @no_few_rows(%a: tensor<4x64xbf16>, %b: tensor<64x8xbf16>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'few_rows' is positive and needs 'pieces'}}
  %0 = glow.matmul %a, %b {few_rows = 0 : i64, pieces = 2 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  } : (tensor<4x64xbf16>, tensor<64x8xbf16>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @odd_depth(%a: tensor<4x63xbf16>, %b: tensor<63x8xbf16>) -> tensor<4x8xf32> {
  // expected-error @+1 {{'pieces' is 2 or 3, of factors of bf16 that hold as many along the axis that is contracted}}
  %0 = glow.matmul %a, %b {pieces = 2 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  } : (tensor<4x63xbf16>, tensor<63x8xbf16>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
