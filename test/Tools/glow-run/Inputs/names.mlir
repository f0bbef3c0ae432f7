// Outputs whose names have characters that files' names may not have.
func.func @names() -> (tensor<f32> {glow.name = "a/b"}, tensor<f32> {glow.name = "a:b"}, tensor<f32> {glow.name = "a_b"}) {
  %0 = glow.constant dense<1.0> : tensor<f32>
  %1 = glow.constant dense<2.0> : tensor<f32>
  %2 = glow.constant dense<3.0> : tensor<f32>
  return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}
