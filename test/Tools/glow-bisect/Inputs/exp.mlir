func.func @main(%x: tensor<64xf32> {glow.name = "x"}) -> (tensor<64xf32> {glow.name = "y"}) {
  %0 = glow.exp %x : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
