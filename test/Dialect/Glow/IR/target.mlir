// RUN: glow-opt %s -verify-roundtrip -split-input-file | FileCheck %s

// CHECK: module attributes {glow.target = #glow.cpu}
module attributes {glow.target = #glow.cpu} {}

// -----

// CHECK: #glow.cpu<triple = "aarch64-linux-gnu", features = "+sve">
module attributes {glow.target = #glow.cpu<triple = "aarch64-linux-gnu", features = "+sve">} {}

// -----

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: glow.launch @p0::@main(%{{.+}}) : (tensor<2xf32>) -> tensor<2xf32>
  %r = glow.launch @p0::@main(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
module @p0 attributes {glow.target = #glow.cpu} {
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    return %x : tensor<2xf32>
  }
}
