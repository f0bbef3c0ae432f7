func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = glow.softmax %x {axis = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
