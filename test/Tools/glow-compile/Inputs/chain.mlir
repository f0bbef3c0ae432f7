// Two products of different sizes, with a buffer between them.
func.func @chain(%x: tensor<4x8xf32> {glow.name = "x"}) -> (tensor<4x4xf32> {glow.name = "y"}) {
  %a = glow.constant dense<0.5> : tensor<8x16xf32>
  %b = glow.constant dense<0.25> : tensor<16x4xf32>
  %0 = glow.matmul %x, %a : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32> loc("wide")
  %1 = glow.matmul %0, %b : (tensor<4x16xf32>, tensor<16x4xf32>) -> tensor<4x4xf32> loc("narrow")
  return %1 : tensor<4x4xf32>
}
