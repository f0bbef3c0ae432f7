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

// -----

func.func @links_of_other_nodes(%x: tensor<9x4xf32>, %t: tensor<31xf32>, %l: tensor<30x3xi32>, %r: tensor<2x2xi32>) -> tensor<9x2xi32> {
  // expected-error @+1 {{needs three links per threshold, and two numbers per tree}}
  %0 = glow.walk_trees %x, %t, %l, %r : (tensor<9x4xf32>, tensor<31xf32>, tensor<30x3xi32>, tensor<2x2xi32>) -> tensor<9x2xi32>
  return %0 : tensor<9x2xi32>
}

// -----

func.func @thresholds_of_another_type(%x: tensor<9x4xf32>, %t: tensor<31xf64>, %l: tensor<31x3xi32>, %r: tensor<2x2xi32>) -> tensor<9x2xi32> {
  // expected-error @+1 {{thresholds need the features' type}}
  %0 = glow.walk_trees %x, %t, %l, %r : (tensor<9x4xf32>, tensor<31xf64>, tensor<31x3xi32>, tensor<2x2xi32>) -> tensor<9x2xi32>
  return %0 : tensor<9x2xi32>
}

// -----

func.func @no_features(%x: tensor<9x0xf32>, %t: tensor<31xf32>, %l: tensor<31x3xi32>, %r: tensor<2x2xi32>) -> tensor<9x2xi32> {
  // expected-error @+1 {{needs a feature}}
  %0 = glow.walk_trees %x, %t, %l, %r : (tensor<9x0xf32>, tensor<31xf32>, tensor<31x3xi32>, tensor<2x2xi32>) -> tensor<9x2xi32>
  return %0 : tensor<9x2xi32>
}

// -----

func.func @extents_of_other_axes(%x: tensor<9x4xf32>, %i: tensor<2x3xi64>) -> tensor<2x3x4xf32> {
  // expected-error @+1 {{index_extents needs a function of symbols for each of 2 axes of the indices}}
  %0 = glow.gather %x, %i {axis = 0 : i64, index_extents = affine_map<()[s0] -> (s0)>} : (tensor<9x4xf32>, tensor<2x3xi64>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

func.func @boxes_differ(%b: tensor<1x4x8xf32>, %s: tensor<1x2x9xf32>, %m: tensor<i64>, %t: tensor<f32>) -> tensor<1x2x9xi64> {
  // expected-error @+1 {{boxes are not 4 edges for each batch and place of the scores}}
  %i, %c = glow.non_max_suppression %b, %s, %m, %t : (tensor<1x4x8xf32>, tensor<1x2x9xf32>, tensor<i64>, tensor<f32>) -> (tensor<1x2x9xi64>, tensor<1x2xi64>)
  return %i : tensor<1x2x9xi64>
}

// -----

func.func @most_is_a_list(%b: tensor<1x4x9xf32>, %s: tensor<1x2x9xf32>, %m: tensor<1xi64>, %t: tensor<f32>) -> tensor<1x2x9xi64> {
  // expected-error @+1 {{most and threshold must be scalars}}
  %i, %c = glow.non_max_suppression %b, %s, %m, %t : (tensor<1x4x9xf32>, tensor<1x2x9xf32>, tensor<1xi64>, tensor<f32>) -> (tensor<1x2x9xi64>, tensor<1x2xi64>)
  return %i : tensor<1x2x9xi64>
}

// -----

func.func @tuples_of_nothing(%x: tensor<2x4xf32>, %i: tensor<3x0xi64>) -> tensor<3x2x4xf32> {
  // expected-error @+2 {{the last extent of the indices is 0, but each needs an axis}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = glow.gather_nd %x, %i {batch_dims = 0 : i64} : (tensor<2x4xf32>, tensor<3x0xi64>) -> tensor<3x2x4xf32>
  return %0 : tensor<3x2x4xf32>
}

// -----

func.func @updates_of_everything(%x: tensor<2x4xf32>, %i: tensor<1x0xi64>, %u: tensor<1x2x4xf32>) -> tensor<2x4xf32> {
  // expected-error @+1 {{must be known and 1 to 2}}
  %0 = glow.scatter_nd none %x, %i, %u : (tensor<2x4xf32>, tensor<1x0xi64>, tensor<1x2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @count_of_one_tuple(%x: tensor<9x4xf32>, %i: tensor<2xi64>, %u: tensor<f32>, %n: tensor<i64>) -> tensor<9x4xf32> {
  // expected-error @+1 {{a count needs an axis of places, not one tuple}}
  %0 = glow.scatter_nd add %x, %i, %u count(%n) : (tensor<9x4xf32>, tensor<2xi64>, tensor<f32>, tensor<i64>) -> tensor<9x4xf32>
  return %0 : tensor<9x4xf32>
}
