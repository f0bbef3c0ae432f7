// A shape that only the compiler is told of does not fit the filter. Found
// before the filter is packed, behind which nothing else would find it.
// RUN: not glow-compile %s --precision=strict --shape=x=1x32x8x8 -o %t.so 2>&1 | FileCheck %s
// CHECK: mix{{.*}}input has 32 channels, but the filter takes 64
func.func @main(%x: tensor<1x?x8x8xf32> {glow.name = "x"}) -> (tensor<1x1x8x8xf32> {glow.name = "y"}) {
  %w = glow.constant dense<0.5> : tensor<1x64x1x1xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x?x8x8xf32>, tensor<1x64x1x1xf32>) -> tensor<1x1x8x8xf32> loc("mix")
  return %0 : tensor<1x1x8x8xf32>
}
