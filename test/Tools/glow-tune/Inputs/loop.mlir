// Attention's two products, which are in one loop.
func.func @attention(%q: tensor<4x64x32xf32> {glow.name = "q"}, %k: tensor<4x32x80xf32> {glow.name = "k"}, %v: tensor<4x80x48xf32> {glow.name = "v"}) -> (tensor<4x64x48xf32> {glow.name = "y"}) {
  %0 = glow.matmul %q, %k : (tensor<4x64x32xf32>, tensor<4x32x80xf32>) -> tensor<4x64x80xf32> loc("scores")
  %1 = glow.softmax %0 {axis = 2 : i64} : (tensor<4x64x80xf32>) -> tensor<4x64x80xf32> loc("softmax")
  %2 = glow.matmul %1, %v : (tensor<4x64x80xf32>, tensor<4x80x48xf32>) -> tensor<4x64x48xf32> loc("values")
  return %2 : tensor<4x64x48xf32>
}
