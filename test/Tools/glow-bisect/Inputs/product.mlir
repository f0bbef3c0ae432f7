func.func @main(%x: tensor<4x8xf32> {glow.name = "x"}) -> (tensor<4x4xf32> {glow.name = "y"}) {
  %w = glow.constant dense<[[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8], [0.9, 1.1, 1.2, 1.3], [1.4, 1.5, 1.6, 1.7],
                            [0.11, 0.21, 0.31, 0.41], [0.51, 0.61, 0.71, 0.81], [0.91, 1.11, 1.21, 1.31], [1.41, 1.51, 1.61, 1.71]]> : tensor<8x4xf32>
  %0 = glow.add %x, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = glow.matmul %0, %w : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %2 = glow.relu %1 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
