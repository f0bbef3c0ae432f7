// RUN: glow-opt %s --split-input-file --glow-bound-shapes="bounds=n=1..8" | FileCheck %s

// What is parallel along a bounded axis stays as it is.
// CHECK: #map = affine_map<()[s0] -> (s0, 5)>
// CHECK-LABEL: func.func @parallel
// CHECK-SAME: %[[X:.+]]: tensor<8x4xf32> {glow.dim_names = ["n", ""], glow.extents = affine_map<()[s0] -> (s0, 4)>, glow.name = "x"}
// CHECK-SAME: tensor<1xi64> {glow.symbols = [{lower = 1 : i64, name = "n", upper = 8 : i64}]}
// CHECK-SAME: -> (tensor<8x5xf32> {glow.extents = #map})
// CHECK-NOT: glow.where
// CHECK: glow.matmul %[[X]], %{{.+}} : (tensor<8x4xf32>, tensor<4x5xf32>) -> tensor<8x5xf32>
// CHECK-NEXT: glow.relu
func.func @parallel(%x: tensor<?x4xf32> {glow.name = "x", glow.dim_names = ["n", ""]}, %w: tensor<4x5xf32> {glow.name = "w"}) -> tensor<?x5xf32> {
  %p = glow.matmul %x, %w : (tensor<?x4xf32>, tensor<4x5xf32>) -> tensor<?x5xf32>
  %r = glow.relu %p : (tensor<?x5xf32>) -> tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}

// -----

// Attention: the padding of the softmax is zeros, so that only the other factor
// of the second product needs a mask.
// CHECK-LABEL: func.func @attention
// CHECK-SAME: %[[X:.+]]: tensor<8x4xf32>
// CHECK: %[[EXTENT:.+]] = glow.gather
// CHECK: %[[COLUMN:.+]] = glow.less %{{.+}}, %[[EXTENT]] : (tensor<8xi64>, tensor<i64>) -> tensor<8xi1>
// CHECK: %[[ROW:.+]] = glow.less %{{.+}}, %[[EXTENT]] : (tensor<8x1xi64>, tensor<i64>) -> tensor<8x1xi1>
// CHECK: %[[S:.+]] = glow.matmul %[[X]],
// CHECK: %[[LOW:.+]] = glow.constant dense<0xFF800000> : tensor<f32>
// CHECK: %[[M:.+]] = glow.where %[[COLUMN]], %[[S]], %[[LOW]]
// CHECK: %[[P:.+]] = glow.softmax %[[M]]
// CHECK: %[[V:.+]] = glow.where %[[ROW]], %[[X]],
// CHECK: glow.matmul %[[P]], %[[V]]
func.func @attention(%x: tensor<?x4xf32> {glow.dim_names = ["n", ""]}) -> tensor<?x4xf32> {
  %t = glow.transpose %x {permutation = array<i64: 1, 0>} : (tensor<?x4xf32>) -> tensor<4x?xf32>
  %s = glow.matmul %x, %t : (tensor<?x4xf32>, tensor<4x?xf32>) -> tensor<?x?xf32>
  %p = glow.softmax %s {axis = 1 : i64} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = glow.matmul %p, %x : (tensor<?x?xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// -----

// What each place of a cache holds is chosen by comparing it with its length.
// CHECK: #map = affine_map<()[s0] -> (2, s0 + 1)>
// CHECK-LABEL: func.func @cache
// CHECK-SAME: %[[OLD:.+]]: tensor<2x8xf32> {{.+}}, %[[NEW:.+]]: tensor<2x1xf32>,
// CHECK-SAME: -> (tensor<2x9xf32> {glow.extents = #map})
// CHECK: %[[PAST:.+]] = glow.gather
// CHECK: %[[END:.+]] = glow.add %[[PAST]],
// CHECK: %[[IS_OLD:.+]] = glow.less %{{.+}}, %[[PAST]] : (tensor<8xi64>, tensor<i64>) -> tensor<8xi1>
// CHECK: %[[EITHER:.+]] = glow.where %[[IS_OLD]], %[[OLD]], %[[NEW]]
// CHECK: %[[VALID:.+]] = glow.less %{{.+}}, %[[END]] : (tensor<8xi64>, tensor<i64>) -> tensor<8xi1>
// CHECK: %[[HEAD:.+]] = glow.where %[[VALID]], %[[EITHER]],
// CHECK: %[[IS_FULL:.+]] = glow.less %{{.+}}, %[[END]] : (tensor<i64>, tensor<i64>) -> tensor<i1>
// CHECK: %[[TAIL:.+]] = glow.where %[[IS_FULL]], %[[NEW]],
// CHECK: glow.concat %[[HEAD]], %[[TAIL]] {axis = 1 : i64}
func.func @cache(%past: tensor<2x?xf32> {glow.dim_names = ["", "n"]}, %x: tensor<2x1xf32>) -> tensor<2x?xf32> {
  %r = glow.concat %past, %x {axis = 1 : i64} : (tensor<2x?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
  return %r : tensor<2x?xf32>
}

// -----

// Shapes become arithmetic on the symbols; a reshape states bounds.
// CHECK-LABEL: func.func @shapes
// CHECK: %[[N:.+]] = glow.gather
// CHECK: glow.unsqueeze %[[N]]
// CHECK: %[[SHAPE:.+]] = glow.constant dense<[8, 2, 3]>
// CHECK: glow.reshape %{{.+}}, %[[SHAPE]] {allow_zero} : (tensor<8x6xf32>, tensor<3xi64>) -> tensor<8x2x3xf32>
func.func @shapes(%x: tensor<?x6xf32> {glow.dim_names = ["n", ""]}) -> (tensor<?x2x?xf32>, tensor<2xi64>) {
  %s = glow.shape_of %x {start = 0 : i64, end = 2 : i64} : (tensor<?x6xf32>) -> tensor<2xi64>
  %n = glow.shape_of %x {start = 0 : i64, end = 1 : i64} : (tensor<?x6xf32>) -> tensor<1xi64>
  %c = glow.constant dense<[2, -1]> : tensor<2xi64>
  %t = glow.concat %n, %c {axis = 0 : i64} : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>
  %r = glow.reshape %x, %t : (tensor<?x6xf32>, tensor<3xi64>) -> tensor<?x2x?xf32>
  return %r, %s : tensor<?x2x?xf32>, tensor<2xi64>
}

// -----

// Merged axes of two symbols are no prefix: valid rows are moved together where
// the function returns them.
// CHECK: #map = affine_map<()[s0] -> (s0 * s0)>
// CHECK-LABEL: func.func @merge
// CHECK-SAME: -> (tensor<64xf32> {glow.extents = #map})
// CHECK: glow.mod
// CHECK: glow.gather %{{.+}}, %{{.+}} {axis = 0 : i64, index_extents = #{{.+}}} : (tensor<64xf32>, tensor<64xi64>) -> tensor<64xf32>
func.func @merge(%x: tensor<?x?xf32> {glow.dim_names = ["n", "n"]}) -> tensor<?xf32> {
  %c = glow.constant dense<-1> : tensor<1xi64>
  %r = glow.reshape %x, %c : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// A mean divides by the number of valid elements.
// CHECK-LABEL: func.func @mean
// CHECK: %[[N:.+]] = glow.gather
// CHECK: %[[X:.+]] = glow.where
// CHECK: %[[SUM:.+]] = glow.reduce sum %[[X]]
// CHECK: %[[COUNT:.+]] = glow.cast %[[N]] {to = f32}
// CHECK: glow.div %[[SUM]], %[[COUNT]]
func.func @mean(%x: tensor<?x4xf32> {glow.dim_names = ["n", ""]}) -> tensor<4xf32> {
  %r = glow.reduce mean %x {axes = array<i64: 0>} : (tensor<?x4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Dimensions that meet are equal; a name may be computed from another.
// CHECK: #map = affine_map<()[s0] -> (s0 + 1)>
// CHECK-LABEL: func.func @equal
// CHECK-SAME: tensor<8xf32> {glow.dim_names = ["n"], glow.extents = affine_map<()[s0] -> (s0)>}
// CHECK-SAME: tensor<9xf32> {glow.dim_names = ["n + 1"], glow.extents = #map}
// CHECK-SAME: -> (tensor<9xf32> {glow.extents = #map})
func.func @equal(%x: tensor<?xf32> {glow.dim_names = ["n"]}, %y: tensor<?xf32> {glow.dim_names = ["n + 1"]}) -> tensor<?xf32> {
  %c = glow.constant dense<0.0> : tensor<1xf32>
  %z = glow.concat %c, %x {axis = 0 : i64} : (tensor<1xf32>, tensor<?xf32>) -> tensor<?xf32>
  %r = glow.add %z, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// The extents of a scale are those that are normalised.
// CHECK-LABEL: func.func @scale_is_known
// CHECK-SAME: tensor<6xf32> {glow.dim_names = ["n"]}
// CHECK: glow.layer_norm {{.+}} -> tensor<6xf32>
func.func @scale_is_known(%x: tensor<?xf32> {glow.dim_names = ["n"]}, %s: tensor<6xf32>) -> tensor<?xf32> {
  %r = glow.layer_norm %x, %s {axis = 0 : i64, epsilon = 1.0e-5 : f64} : (tensor<?xf32>, tensor<6xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// There is an index for each update.
// CHECK-LABEL: func.func @one_update
// CHECK-SAME: %{{.+}}: tensor<4xf32>, %{{.+}}: tensor<1xi64>, %{{.+}}: tensor<1xf32>
// CHECK: glow.scatter_elements
func.func @one_update(%x: tensor<4xf32>, %i: tensor<1xi64>, %u: tensor<?xf32> {glow.dim_names = ["n"]}) -> tensor<4xf32> {
  %r = glow.scatter_elements none %x, %i, %u {axis = 0 : i64} : (tensor<4xf32>, tensor<1xi64>, tensor<?xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// A bias has one element for each channel of the result.
// CHECK-LABEL: func.func @bias
// CHECK-SAME: %{{.+}}: tensor<1x4x5xf32>, %{{.+}}: tensor<2xf32>
// CHECK: glow.conv
func.func @bias(%x: tensor<1x4x5xf32>, %b: tensor<?xf32> {glow.dim_names = ["n"]}, %w: tensor<2x4x1xf32>) -> tensor<1x2x5xf32> {
  %r = glow.conv %x, %w bias(%b) {kernel_shape = array<i64: 1>, strides = array<i64: 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, group = 1 : i64} : (tensor<1x4x5xf32>, tensor<2x4x1xf32>, tensor<?xf32>) -> tensor<1x2x5xf32>
  return %r : tensor<1x2x5xf32>
}

// -----

// Statistics tell how many channels there are.
// CHECK-LABEL: func.func @statistics
// CHECK-SAME: %{{.+}}: tensor<1x4x5xf32>
// CHECK: glow.batch_norm
func.func @statistics(%x: tensor<1x?x5xf32> {glow.dim_names = ["", "n", ""]}, %s: tensor<4xf32>) -> tensor<1x?x5xf32> {
  %r = glow.batch_norm %x, %s, %s, %s, %s {epsilon = 1.0e-5 : f64} : (tensor<1x?x5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x?x5xf32>
  return %r : tensor<1x?x5xf32>
}

// -----

// Scales tell how long their axis is.
// CHECK-LABEL: func.func @scales
// CHECK-SAME: %{{.+}}: tensor<3x4xf32>
// CHECK: glow.quantize
func.func @scales(%x: tensor<?x4xf32> {glow.dim_names = ["n", ""]}, %s: tensor<3xf32>, %z: tensor<ui8>) -> tensor<?x4xui8> {
  %r = glow.quantize %x, %s, %z {axis = 0 : i64} : (tensor<?x4xf32>, tensor<3xf32>, tensor<ui8>) -> tensor<?x4xui8>
  return %r : tensor<?x4xui8>
}

// -----

// Without a zero point.
// CHECK-LABEL: func.func @dequantize
// CHECK: glow.dequantize %{{.+}} -> tensor<8xf32>
func.func @dequantize(%x: tensor<?xi8> {glow.name = "x", glow.dim_names = ["n"]}, %s: tensor<f32> {glow.name = "s"}) -> tensor<?xf32> {
  %r = glow.dequantize %x, %s {axis = 0 : i64} : (tensor<?xi8>, tensor<f32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// How many elements are wanted is data, and so is how many numbers say it.
// CHECK-LABEL: func.func @top_k
// CHECK: %[[K:.+]] = glow.gather %arg1
// CHECK: glow.clamp %[[K]]
func.func @top_k(%x: tensor<6xf32> {glow.name = "x"}, %k: tensor<?xi64> {glow.name = "k", glow.dim_names = ["n"]}) -> (tensor<?xf32>, tensor<?xi64>) {
  %v, %i = glow.top_k %x, %k {axis = 0 : i64, largest} : (tensor<6xf32>, tensor<?xi64>) -> (tensor<?xf32>, tensor<?xi64>)
  return %v, %i : tensor<?xf32>, tensor<?xi64>
}

// -----

// Where the larger of two is never the first, it is the second, even if they
// may be equal: the last elements of as many as there can be.
// CHECK-LABEL: func.func @larger
// CHECK: %[[LAST:.+]] = glow.gather %arg1
// CHECK: glow.add %arg0, %[[LAST]] : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
func.func @larger(%x: tensor<?xf32> {glow.dim_names = ["n"]}, %y: tensor<8xf32>) -> tensor<?xf32> {
  %n = glow.shape_of %x {start = 0 : i64, end = 1 : i64} : (tensor<?xf32>) -> tensor<1xi64>
  %zero = glow.constant dense<0> : tensor<1xi64>
  %one = glow.constant dense<1> : tensor<1xi64>
  %eight = glow.constant dense<8> : tensor<1xi64>
  %rest = glow.sub %eight, %n : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %first = glow.maximum %rest, %zero : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %last = glow.slice %y, %first, %eight, %one {axes = array<i64: 0>} : (tensor<8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  %r = glow.add %x, %last : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// Every second of every second is every fourth.
// CHECK-LABEL: func.func @quotients
// CHECK: glow.reshape %{{.+}} -> tensor<2x1xf32>
func.func @quotients(%x: tensor<?xf32> {glow.dim_names = ["n"]}) -> tensor<?x?xf32> {
  %n = glow.shape_of %x {start = 0 : i64, end = 1 : i64} : (tensor<?xf32>) -> tensor<1xi64>
  %zero = glow.constant dense<0> : tensor<1xi64>
  %two = glow.constant dense<2> : tensor<1xi64>
  %three = glow.constant dense<3> : tensor<1xi64>
  %four = glow.constant dense<4> : tensor<1xi64>
  %half = glow.slice %x, %zero, %n, %two {axes = array<i64: 0>} : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  %m = glow.shape_of %half {start = 0 : i64, end = 1 : i64} : (tensor<?xf32>) -> tensor<1xi64>
  %quarter = glow.slice %half, %zero, %m, %two {axes = array<i64: 0>} : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  %sum = glow.add %n, %three : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %count = glow.div %sum, %four : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %inferred = glow.constant dense<-1> : tensor<1xi64>
  %shape = glow.concat %count, %inferred {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %r = glow.reshape %quarter, %shape : (tensor<?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// What is repeated for several heads is masked before.
// CHECK-LABEL: func.func @repeated
// CHECK-SAME: %{{.+}}: tensor<2x4x1x8xf32> {{.+}}, %[[V:.+]]: tensor<2x1x8x16xf32> {{.+}},
// CHECK: %[[MASKED:.+]] = glow.where %{{.+}}, %[[V]],
// CHECK: %[[E:.+]] = glow.expand %[[MASKED]],
// CHECK: glow.matmul %{{.+}}, %[[E]]
func.func @repeated(%p: tensor<2x4x1x?xf32> {glow.dim_names = ["", "", "", "n"]}, %v: tensor<2x1x?x16xf32> {glow.dim_names = ["", "", "n", ""]}) -> tensor<2x4x1x16xf32> {
  %shape = glow.shape_of %v {end = 4 : i64, start = 0 : i64} : (tensor<2x1x?x16xf32>) -> tensor<4xi64>
  %at = glow.constant dense<2> : tensor<1xi64>
  %n = glow.gather %shape, %at {axis = 0 : i64} : (tensor<4xi64>, tensor<1xi64>) -> tensor<1xi64>
  %two = glow.constant dense<2> : tensor<1xi64>
  %four = glow.constant dense<4> : tensor<1xi64>
  %w = glow.constant dense<16> : tensor<1xi64>
  %wide = glow.concat %two, %four, %n, %w {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xi64>
  %e = glow.expand %v, %wide : (tensor<2x1x?x16xf32>, tensor<4xi64>) -> tensor<2x4x?x16xf32>
  %y = glow.matmul %p, %e : (tensor<2x4x1x?xf32>, tensor<2x4x?x16xf32>) -> tensor<2x4x1x16xf32>
  return %y : tensor<2x4x1x16xf32>
}
