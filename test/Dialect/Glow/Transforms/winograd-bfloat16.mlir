// RUN: glow-opt %s "-glow-winograd-convs=outputs=4 target=l2=1M,bf16-percent=200,vector-bits=512,features=avx512bf16" | FileCheck %s
// RUN: glow-opt %s "-glow-winograd-convs=outputs=4 target=l2=1M,bf16-percent=200,vector-bits=512,features=avx512bf16" -glow-fold-constants "-glow-pack-weights=width=32 target=l2=1M,bf16-percent=200,vector-bits=512,features=avx512bf16" | FileCheck %s --check-prefix=PACKED
// RUN: glow-opt %s -glow-winograd-convs=target=l2=1M,bf16-percent=50 | FileCheck %s --check-prefix=SLOW
// RUN: glow-opt %s "-glow-winograd-convs=target=l2=1M,bf16-percent=200,vector-bits=512,features=avx512bf16+amx-tile+amx-bf16" | FileCheck %s --check-prefix=SLOW

// The filter is transformed before it is rounded, and tiles have two outputs even
// if those of f32 may have four.
// CHECK-LABEL: func.func @rounded
//       CHECK: %[[W:.+]] = glow.constant dense<1.000000e+00> : tensor<3x3x128x128xf32>
//       CHECK: %[[TAPS:.+]] = glow.reshape %[[W]], {{.*}} -> tensor<9x16384xf32>
//       CHECK: glow.matmul %{{.+}}, %[[TAPS]]
//       CHECK: %[[FILTER:.+]] = glow.cast {{.*}} -> tensor<16x128x128xbf16>
//       CHECK: glow.conv %arg0, %[[FILTER]] {{.*}}winograd = #glow.winograd<outputs = 2,
// Two channels side by side.
// PACKED: glow.conv
// PACKED: tensor<16x4x64x64xbf16>
// SLOW-NOT: winograd
func.func @rounded(%x: tensor<1x28x28x128xbf16>) -> tensor<1x28x28x128xbf16> {
  %w = glow.constant dense<1.0> : tensor<3x3x128x128xf32>
  %0 = glow.cast %w {to = bf16} : (tensor<3x3x128x128xf32>) -> tensor<3x3x128x128xbf16>
  %1 = glow.conv %x, %0 {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32):
    %2 = arith.truncf %sum : f32 to bf16
    glow.yield %2 : bf16
  } : (tensor<1x28x28x128xbf16>, tensor<3x3x128x128xbf16>) -> tensor<1x28x28x128xbf16>
  return %1 : tensor<1x28x28x128xbf16>
}
