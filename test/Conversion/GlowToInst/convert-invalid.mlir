// RUN: glow-opt %s -convert-glow-to-inst -split-input-file -verify-diagnostics

func.func @dynamic(%x: tensor<?xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has the result type 'tensor<?xf32>'; instructions need static shapes}}
  %0 = glow.exp %x : (tensor<?xf32>) -> tensor<?xf32>
  // expected-error @+1 {{has the result type 'tensor<?xf32>'}}
  %1 = glow.neg %0 : (tensor<?xf32>) -> tensor<?xf32>
  %2 = glow.constant dense<0.0> : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// expected-error @+1 {{argument 0 has type 'tensor<?xf32>'}}
func.func @dynamic_argument(%x: tensor<?xf32>) -> tensor<4xf32> {
  %2 = glow.constant dense<0.0> : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

func.func @composite(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // expected-error @+1 {{is a composite op; run glow-decompose first}}
  %0 = glow.softmax %x {axis = 1 : i64} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

func.func @slice(%x: tensor<8xf32>, %start: tensor<1xi64>) -> tensor<4xf32> {
  %c = glow.constant dense<1> : tensor<1xi64>
  // expected-error @+1 {{has a range that is not constant}}
  %0 = glow.slice %x, %start, %c, %c {axes = array<i64: 0>} : (tensor<8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @size_of_data(%x: tensor<8xf32>) -> tensor<1x4xi64> {
  // expected-error @+1 {{has a result whose size depends on the data}}
  %0 = glow.non_zero %x : (tensor<8xf32>) -> tensor<1x4xi64>
  return %0 : tensor<1x4xi64>
}
