// Marked loads of tiles become the instruction that leaves the first-level
// cache alone.
// RUN: glow-compile %s --mtriple=x86_64-linux-gnu --mcpu=sapphirerapids --precision=bf16 --machine=l1=48K,l2=2M --stop-after=llvm --elide-resources | FileCheck %s

// CHECK-COUNT-2: "llvm.x86.tileloaddt164.internal"
// CHECK-COUNT-2: "llvm.x86.tileloadd64.internal"
func.func @main(%x: tensor<128x768xf32> {glow.name = "x"}) -> (tensor<128x768xf32> {glow.name = "y"}) {
  %w = glow.constant dense<0.5> : tensor<768x768xf32>
  %0 = glow.matmul %x, %w : (tensor<128x768xf32>, tensor<768x768xf32>) -> tensor<128x768xf32>
  return %0 : tensor<128x768xf32>
}
