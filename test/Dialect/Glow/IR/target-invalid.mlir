// RUN: glow-opt %s -verify-diagnostics -split-input-file

// expected-error@+1 {{'glow.target' is "cpu", which is not a target}}
module attributes {glow.target = "cpu"} {}

// -----

func.func @callee_is_missing(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{callee @p0::@main is not a function}}
  %r = glow.launch @p0::@main(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @callee_has_another_type(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{does not fit the type of its callee}}
  %r = glow.launch @p0::@main(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
module @p0 {
  // expected-note@+1 {{which is '(tensor<3xf32>) -> tensor<2xf32>'}}
  func.func private @main(tensor<3xf32>) -> tensor<2xf32>
}
