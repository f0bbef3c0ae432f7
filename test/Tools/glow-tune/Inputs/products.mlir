// Two products that take long enough to be timed, and too much memory to become
// one loop.
func.func @products(%x: tensor<64x512xf32> {glow.name = "x"}) -> (tensor<64x600xf32> {glow.name = "y"}) {
  %a = glow.constant dense<0.5> : tensor<512x256xf32>
  %b = glow.constant dense<0.25> : tensor<256x600xf32>
  %0 = glow.matmul %x, %a : (tensor<64x512xf32>, tensor<512x256xf32>) -> tensor<64x256xf32> loc("first")
  %1 = glow.matmul %0, %b : (tensor<64x256xf32>, tensor<256x600xf32>) -> tensor<64x600xf32> loc("second")
  return %1 : tensor<64x600xf32>
}
