// The abacus takes the running sums; the rest is left to the processor.
func.func @main(%x: tensor<6xf32> {glow.name = "x"})
    -> (tensor<6xf32> {glow.name = "z"}) {
  %0 = glow.scan sum %x {axis = 0 : i64} : (tensor<6xf32>) -> tensor<6xf32> loc("once")
  %1 = glow.scan sum %0 {axis = 0 : i64} : (tensor<6xf32>) -> tensor<6xf32> loc("twice")
  %2 = glow.exp %1 : (tensor<6xf32>) -> tensor<6xf32> loc("exponent")
  %3 = glow.scan sum %2 {axis = 0 : i64, reverse} : (tensor<6xf32>) -> tensor<6xf32> loc("backwards")
  return %3 : tensor<6xf32>
}
