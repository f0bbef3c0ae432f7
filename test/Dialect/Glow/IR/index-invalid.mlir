// RUN: glow-opt %s --split-input-file --verify-diagnostics

// Other axes than the one that is indexed hold the elements' own places.
func.func @gathered_beyond(%x: tensor<3x4xf32>, %i: tensor<2x5xi64>) -> tensor<2x5xf32> {
  // expected-error @+1 {{has indices for 5 elements on axis 1, where the input has 4}}
  %0 = glow.gather_elements %x, %i {axis = 0 : i64} : (tensor<3x4xf32>, tensor<2x5xi64>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// -----

func.func @updates_missing(%x: tensor<3x4xf32>, %i: tensor<2x4xi64>, %u: tensor<2x3xf32>) -> tensor<3x4xf32> {
  // expected-error @+1 {{needs an update for each index}}
  %0 = glow.scatter_elements none %x, %i, %u {axis = 0 : i64} : (tensor<3x4xf32>, tensor<2x4xi64>, tensor<2x3xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @batches_differ(%x: tensor<2x4xf32>, %i: tensor<3x5x1xi64>) -> tensor<3x5xf32> {
  // expected-error @+1 {{must agree}}
  %0 = glow.gather_nd %x, %i {batch_dims = 1 : i64} : (tensor<2x4xf32>, tensor<3x5x1xi64>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// -----

func.func @sum_of_complex_numbers(%x: tensor<3xcomplex<f32>>, %i: tensor<1xi64>, %u: tensor<1xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  // expected-error @+1 {{cannot combine elements of type 'complex<f32>'}}
  %0 = glow.scatter_elements add %x, %i, %u {axis = 0 : i64} : (tensor<3xcomplex<f32>>, tensor<1xi64>, tensor<1xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}
