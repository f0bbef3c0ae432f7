func.func @unnamed(%a: tensor<?xf32>, %b: tensor<?xf32> {glow.name = "input0"}, %c: tensor<?xf32>) -> tensor<?xf32> {
  %0 = glow.add %b, %c : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
