// RUN: glow-opt %s --split-input-file --verify-diagnostics --glow-bound-shapes

// What is computed may not be what another extent is.
func.func @meet(%x: tensor<6xf32>, %c: tensor<6xi1>, %d: tensor<6xi1>) -> tensor<1x?xi64> {
  %i = glow.non_zero %c : (tensor<6xi1>) -> tensor<1x?xi64>
  %j = glow.non_zero %d : (tensor<6xi1>) -> tensor<1x?xi64>
  // expected-error @+1 {{'glow.add' op cannot be compiled, as extents are computed from data: it needs count1 to be count0}}
  %r = glow.add %i, %j : (tensor<1x?xi64>, tensor<1x?xi64>) -> tensor<1x?xi64>
  return %r : tensor<1x?xi64>
}

// -----

func.func @reshape(%x: tensor<6xf32>, %s: tensor<2xi64>) -> tensor<?x?xf32> {
  // expected-error @+1 {{more than one extent of its shape is not known}}
  %r = glow.reshape %x, %s : (tensor<6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// Nothing says how large a picture is.
func.func @picture(%x: tensor<9xui8>) -> tensor<?x?x3xui8> {
  // expected-error @+1 {{how many elements its results have at most is not known}}
  %r = glow.call_host "decode_image"(%x) {core_rank = 1 : i64, cells = [tensor<?x?x3xui8>], config = {pixel_format = "RGB"}} : (tensor<9xui8>) -> tensor<?x?x3xui8>
  return %r : tensor<?x?x3xui8>
}

// -----

// expected-error @+1 {{'glow.values' is neither the values of the argument nor a range of those of a list of integers}}
func.func @range(%n: tensor<2xi64> {glow.values = array<i64: 4, 1>}) -> tensor<2xi64> {
  return %n : tensor<2xi64>
}

// -----

// expected-error @+1 {{'glow.values' is neither the values of the argument nor}}
func.func @values(%n: tensor<2xi64> {glow.values = dense<1> : tensor<3xi64>}) -> tensor<2xi64> {
  return %n : tensor<2xi64>
}
