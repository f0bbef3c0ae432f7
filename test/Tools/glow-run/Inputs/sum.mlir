// Two inputs, one of dynamic shape, and outputs of two element types.
func.func @sum(%x: tensor<?x3xf32> {glow.name = "x"},
               %y: tensor<3xf32> {glow.name = "y"})
    -> (tensor<?x3xf32> {glow.name = "sum"}, tensor<?xi64> {glow.name = "places"}) {
  %0 = glow.add %x, %y : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32> loc("add")
  %1 = glow.arg_reduce max %0 {axis = 1 : i64} : (tensor<?x3xf32>) -> tensor<?xi64> loc("places")
  return %0, %1 : tensor<?x3xf32>, tensor<?xi64>
}
