// The abacus takes the first cluster; the exponential is left to the processor.
func.func @main(%x: tensor<2x3xf32> {glow.name = "x"},
                %y: tensor<2x3xf32> {glow.name = "y"})
    -> (tensor<2x3xf32> {glow.name = "z"}) {
  %0 = glow.mul %x, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("scale")
  %1 = glow.relu %0 : (tensor<2x3xf32>) -> tensor<2x3xf32> loc("activate")
  %2 = glow.reduce max %1 {axes = array<i64: 1>, keep_dims} : (tensor<2x3xf32>) -> tensor<2x1xf32> loc("peak")
  %3 = glow.sub %1, %2 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32> loc("shift")
  %4 = glow.exp %3 : (tensor<2x3xf32>) -> tensor<2x3xf32> loc("exponent")
  return %4 : tensor<2x3xf32>
}
