// RUN: glow-opt %s --split-input-file --verify-diagnostics
func.func @pool_channels(%i: memref<1x3x8x8xf32>, %o: memref<1x5x4x4xf32> {glow_inst.output}) {
  // expected-error @+1 {{input and output differ in their channels}}
  glow_inst.pool max ins(%i : memref<1x3x8x8xf32>) outs(%o : memref<1x5x4x4xf32>) {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>}
  return
}

// -----

func.func @pool_stride(%i: memref<1x3x8x8xf32>, %o: memref<1x3x3x4xf32> {glow_inst.output}) {
  // expected-error @+1 {{along spatial axis 0 is out of range}}
  glow_inst.pool max ins(%i : memref<1x3x8x8xf32>) outs(%o : memref<1x3x3x4xf32>) {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 9223372036854775807, 2>}
  return
}

// -----

func.func @arg_reduce_kind(%i: memref<2x8xf32>, %o: memref<2xi64> {glow_inst.output}) {
  // expected-error @+1 {{kind must be max or min}}
  glow_inst.arg_reduce sum ins(%i : memref<2x8xf32>) outs(%o : memref<2xi64>) axis = 1
  return
}

// -----

func.func @scan_kind(%i: memref<8xf32>, %o: memref<8xf32> {glow_inst.output}) {
  // expected-error @+1 {{kind must be sum or prod}}
  glow_inst.scan mean ins(%i : memref<8xf32>) outs(%o : memref<8xf32>) axis = 0
  return
}

// -----

func.func @top_k_indices(%i: memref<2x8xf32>, %o: memref<2x3xf32> {glow_inst.output}, %p: memref<2x3xf32> {glow_inst.output}) {
  // expected-error @+1 {{indices must be i32 or i64}}
  glow_inst.top_k ins(%i : memref<2x8xf32>) outs(%o, %p : memref<2x3xf32>, memref<2x3xf32>) axis = 1
  return
}

// -----

func.func @complex(%i: memref<4xcomplex<f32>>, %o: memref<4xcomplex<f32>> {glow_inst.output}) {
  // expected-error @+1 {{operand #0 must be}}
  glow_inst.copy %i -> %o : memref<4xcomplex<f32>> -> memref<4xcomplex<f32>>
  return
}

// -----

func.func @scalar_filter(%i: memref<1x4x4x3xf32>, %w: memref<f32>, %o: memref<1x4x4x4xf32> {glow_inst.output}) {
  // expected-error @+1 {{'packed' must be at least 1, and the filter no scalar}}
  glow_inst.conv ins(%i, %w : memref<1x4x4x3xf32>, memref<f32>) outs(%o : memref<1x4x4x4xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 4 : i64}
  return
}

// -----

func.func @count_of_one_tuple(%i: memref<1xi64>, %u: memref<f32>, %n: memref<i64>, %y: memref<5xf32>) {
  // expected-error @+1 {{a count needs an axis of places, not one tuple}}
  glow_inst.scatter_nd add ins(%i, %u : memref<1xi64>, memref<f32>) outs(%y : memref<5xf32>) count(%n : memref<i64>)
  return
}
