// RUN: glow-opt %s -split-input-file -verify-diagnostics

func.func @view_outside(%x: memref<4xf32>) {
  // expected-error @+1 {{covers elements 2 to 5 of 'f32', outside the 16 bytes of 'memref<4xf32>'}}
  %v = glow_inst.view %x : memref<4xf32> to memref<4xf32, strided<[1], offset: 2>>
  return
}

// -----

func.func @dynamic(%x: memref<?xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{operand #0 must be memref with static shape, strides and offset}}
  glow_inst.copy %x -> %y : memref<?xf32> -> memref<4xf32>
  return
}

// -----

func.func @map_shape(%x: memref<3xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{input 'memref<3xf32>' does not broadcast to the outputs' shape [4]}}
  glow_inst.map ins(%x : memref<3xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: f32):
    glow.yield %a : f32
  }
  return
}

// -----

func.func @further_shape(%a: memref<8x2xf32>, %b: memref<2x4xf32>, %y: memref<8x4xf32>, %z: memref<4xf32>) {
  // expected-error @+1 {{further output has type 'memref<4xf32>', but its shape must be [8, 4]}}
  glow_inst.matmul ins(%a, %b : memref<8x2xf32>, memref<2x4xf32>) outs(%y : memref<8x4xf32>) also(%z : memref<4xf32>) do {
  ^bb0(%sum: f32):
    glow.yield %sum, %sum : f32, f32
  }
  return
}

// -----

func.func @further_without_value(%a: memref<8x2xf32>, %b: memref<2x4xf32>, %y: memref<8x4xf32>, %z: memref<8x4xbf16>) {
  // expected-error @+1 {{region must yield 'f32', 'bf16'}}
  glow_inst.matmul ins(%a, %b : memref<8x2xf32>, memref<2x4xf32>) outs(%y : memref<8x4xf32>) also(%z : memref<8x4xbf16>) do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// -----

func.func @further_without_region(%a: memref<8x2xf32>, %b: memref<2x4xf32>, %y: memref<8x4xf32>, %z: memref<8x4xf32>) {
  // expected-error @+1 {{has operands for an epilogue, but no region}}
  glow_inst.matmul ins(%a, %b : memref<8x2xf32>, memref<2x4xf32>) outs(%y : memref<8x4xf32>) also(%z : memref<8x4xf32>)
  return
}

// -----

func.func @free_view(%x: memref<4xf32>) {
  // expected-error @+1 {{frees only the result of an alloc}}
  glow_inst.dealloc %x : memref<4xf32>
  return
}

// -----

func.func @reduce_two(%x: memref<3x4xf32>, %y: memref<3xf32>) {
  // expected-error @+1 {{without a region combines one input, not 2}}
  glow_inst.reduce sum ins(%x, %x : memref<3x4xf32>, memref<3x4xf32>) outs(%y : memref<3xf32>) axes = [1]
  return
}

// -----

// Other axes than the one that is indexed hold the elements' own places.
func.func @scattered_beyond(%i: memref<2x5xi64>, %u: memref<2x5xf32>, %y: memref<3x4xf32>) {
  // expected-error @+1 {{has indices for 5 elements on axis 1, which has 4}}
  glow_inst.scatter_elements add ins(%i, %u : memref<2x5xi64>, memref<2x5xf32>) outs(%y : memref<3x4xf32>) axis = 0
  return
}

// -----

func.func @several_conditions(%v: memref<2xi1>) {
  // expected-error @+1 {{needs one i1, not 'memref<2xi1>'}}
  glow_inst.require %v {message = "no"} : memref<2xi1>
  return
}

// -----

func.func @no_number(%n: memref<2xi64>, %c: memref<i1>) {
  // expected-error @+1 {{needs one i64, not 'memref<2xi64>'}}
  glow_inst.loop @body while %c : memref<i1> number(%n : memref<2xi64>)
  return
}
func.func private @body(memref<2xi64>, memref<i1>)

// -----

func.func @other_body(%n: memref<i64>, %c: memref<i1>) {
  // expected-error @+1 {{does not fit the type of its body}}
  glow_inst.loop @body while %c : memref<i1> number(%n : memref<i64>)
  return
}
// expected-note @+1 {{which is '(memref<2xi64>, memref<i1>) -> ()'}}
func.func private @body(memref<2xi64>, memref<i1>)

// -----

func.func @repeat_on_a_number(%n: memref<i64>) {
  glow_inst.enter_loop %n : memref<i64>
  // expected-error @+1 {{needs one i1, not 'memref<i64>'}}
  glow_inst.repeat while %n : memref<i64> reads(%n : memref<i64>)
  return
}

// -----

func.func @limits_without_symbols(%x: memref<8xf32>, %y: memref<8xf32>) {
  // expected-error @+1 {{'glow_inst.extents' is a map from the symbols of the function around it, one of whose arguments has 'glow.symbols'}}
  glow_inst.fill %y with 0.0 : f32 {glow_inst.extents = affine_map<()[s0] -> (s0)>} : memref<8xf32>
  return
}

// -----

func.func @limits_that_are_no_map(%x: memref<8xf32>, %y: memref<8xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]}) {
  // expected-error @+1 {{'glow_inst.extents' is a map from the symbols}}
  glow_inst.fill %y with 0.0 : f32 {glow_inst.extents = 8 : i64} : memref<8xf32>
  return
}

// -----

func.func @limits_of_more_symbols(%x: memref<8xf32>, %y: memref<8xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]}) {
  // expected-error @+1 {{which is no map from 1 symbols}}
  glow_inst.fill %y with 0.0 : f32 {glow_inst.extents = affine_map<()[s0, s1] -> (s1)>} : memref<8xf32>
  return
}

// -----

func.func @limits_by_zero(%x: memref<8xf32>, %y: memref<8xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]}) {
  // expected-error @+1 {{which is no map from 1 symbols}}
  glow_inst.fill %y with 0.0 : f32 {glow_inst.extents = affine_map<()[s0] -> (8 floordiv s0)>} : memref<8xf32>
  return
}

// -----

func.func @point_outside_of_a_loop(%x: memref<8xf32>, %y: memref<8xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]}) {
  // expected-error @+1 {{which is no map from 1 symbols}}
  glow_inst.fill %y with 0.0 : f32 {glow_inst.extents = affine_map<(d0)[s0] -> (s0 - d0)>} : memref<8xf32>
  return
}

// -----

func.func @loop_without_points(%x: memref<8xf32>, %y: memref<8xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]}) {
  glow_inst.forall [2] ins(%x, %n : memref<8xf32>, memref<1xi64>) outs(%y : memref<8xf32>) steps = [array<i64: 4>, array<i64: 0>, array<i64: 4>] {
  ^bb0(%a: memref<4xf32>, %m: memref<1xi64>, %b: memref<4xf32>):
    // expected-error @+1 {{needs the values of 1 symbols as the last input of the loop, and the index of the point before it}}
    glow_inst.fill %b with 0.0 : f32 {glow_inst.extents = affine_map<(d0)[s0] -> (s0 - d0 * 4)>} : memref<4xf32>
  }
  return
}

// -----

func.func @limited_loop_without_symbols(%y: memref<8xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]}) {
  // expected-error @+1 {{needs the values of 1 symbols as the last input of the loop}}
  glow_inst.forall [2] outs(%y : memref<8xf32>) steps = [array<i64: 4>] attributes {glow_inst.extents = affine_map<()[s0] -> (s0)>} {
  ^bb0(%b: memref<4xf32>):
    glow_inst.fill %b with 3.0 : f32 : memref<4xf32>
  }
  return
}

// -----

func.func @symbols_in_one_place(%y: memref<8xf32>, %k: memref<1xi64>, %n: memref<2xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}, {name = "m", lower = 1 : i64, upper = 8 : i64}]}) {
  glow_inst.forall [2] ins(%k : memref<1xi64>) outs(%y : memref<8xf32>) steps = [array<i64: 0>, array<i64: 4>] {
  ^bb0(%m: memref<2xi64, strided<[0]>>, %b: memref<4xf32>):
    // expected-error @+1 {{needs the values of 2 symbols as the last input of the loop}}
    glow_inst.fill %b with 0.0 : f32 {glow_inst.extents = affine_map<()[s0, s1] -> (s1)>} : memref<4xf32>
  }
  return
}

// -----

func.func @limits_in_sections(%x: memref<8xf32>, %y: memref<8xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]}) {
  glow_inst.sections outs(%x, %y : memref<8xf32>, memref<8xf32>) {
  ^bb0(%a: memref<8xf32>, %b: memref<8xf32>):
    // expected-error @+1 {{'glow_inst.extents' has no meaning in glow_inst.sections}}
    glow_inst.fill %a with 1.0 : f32 {glow_inst.extents = affine_map<()[s0] -> (s0)>} : memref<8xf32>
    glow_inst.fill %b with 2.0 : f32 : memref<8xf32>
  }
  return
}

// -----

func.func @more_elements_than_addresses(%y: memref<4611686018427387904x4xf32, strided<[0, 1]>>) {
  // expected-error @+1 {{of at most 2^40 elements}}
  glow_inst.fill %y with 0.0 : f32 : memref<4611686018427387904x4xf32, strided<[0, 1]>>
  return
}

// -----

func.func @strides_beyond_addresses(%y: memref<3xf32, strided<[9223372036854775807]>>) {
  // expected-error @+1 {{of at most 2^40 elements}}
  glow_inst.fill %y with 0.0 : f32 : memref<3xf32, strided<[9223372036854775807]>>
  return
}

// -----

func.func @links_of_other_nodes(%x: memref<9x4xf32>, %t: memref<31xf32>, %l: memref<30x3xi32>, %r: memref<2x2xi32>, %y: memref<9x2xi32>) {
  // expected-error @+1 {{table of links}}
  glow_inst.walk_trees ins(%x, %t, %l, %r : memref<9x4xf32>, memref<31xf32>, memref<30x3xi32>, memref<2x2xi32>) outs(%y : memref<9x2xi32>)
  return
}

// -----

func.func @extents_of_points(%x: memref<9x4xf32>, %i: memref<2xi64>, %y: memref<2x4xf32>) {
  // expected-error @+1 {{index_extents needs a function of symbols for each of 1 axes of the indices}}
  glow_inst.gather ins(%x, %i : memref<9x4xf32>, memref<2xi64>) outs(%y : memref<2x4xf32>) axis = 0 {index_extents = affine_map<(d0)[s0] -> (s0 - d0)>}
  return
}

// -----

func.func @suppression_room(%b: memref<1x4x9xf32>, %m: memref<i64>, %t: memref<f32>, %s: memref<1x2x9xf32>, %i: memref<1x2x3xi64>, %n: memref<1x2xi64>, %o: memref<1x2x9xi32>, %c: memref<1x2x4x3xf32>) {
  // expected-error @+1 {{chosen has type 'memref<1x2x4x3xf32>', but its shape must be [1, 2, 4, 16]}}
  glow_inst.non_max_suppression ins(%b, %m, %t : memref<1x4x9xf32>, memref<i64>, memref<f32>) update(%s : memref<1x2x9xf32>) outs(%i, %n, %o, %c : memref<1x2x3xi64>, memref<1x2xi64>, memref<1x2x9xi32>, memref<1x2x4x3xf32>)
  return
}

// -----

func.func @suppression_boxes(%b: memref<1x9x4xf32>, %m: memref<i64>, %t: memref<f32>, %s: memref<1x2x9xf32>, %i: memref<1x2x3xi64>, %n: memref<1x2xi64>, %o: memref<1x2x9xi32>, %c: memref<1x2x4x16xf32>) {
  // expected-error @+1 {{boxes has type 'memref<1x9x4xf32>', but its shape must be [1, 4, 9]}}
  glow_inst.non_max_suppression ins(%b, %m, %t : memref<1x9x4xf32>, memref<i64>, memref<f32>) update(%s : memref<1x2x9xf32>) outs(%i, %n, %o, %c : memref<1x2x3xi64>, memref<1x2xi64>, memref<1x2x9xi32>, memref<1x2x4x16xf32>)
  return
}

// -----

func.func @suppression_order(%b: memref<1x4x9xf32>, %m: memref<i64>, %t: memref<f32>, %s: memref<1x2x9xf32>, %i: memref<1x2x3xi64>, %n: memref<1x2xi64>, %o: memref<1x2x9xi64>, %c: memref<1x2x4x16xf32>) {
  // expected-error @+1 {{order must be i32}}
  glow_inst.non_max_suppression ins(%b, %m, %t : memref<1x4x9xf32>, memref<i64>, memref<f32>) update(%s : memref<1x2x9xf32>) outs(%i, %n, %o, %c : memref<1x2x3xi64>, memref<1x2xi64>, memref<1x2x9xi64>, memref<1x2x4x16xf32>)
  return
}

// -----

func.func @few_rows_without_pieces(%a: memref<4x32xf32>, %b: memref<1x32x32xf32>, %c: memref<4x32xf32>) {
  // expected-error @+1 {{'few_rows' is positive and needs 'pieces'}}
  glow_inst.matmul ins(%a, %b : memref<4x32xf32>, memref<1x32x32xf32>) outs(%c : memref<4x32xf32>) {few_rows = 2 : i64, packed = 32 : i64}
  return
}

// -----

func.func @no_few_rows(%a: memref<4x64xbf16>, %b: memref<1x32x64xbf16>, %c: memref<4x32xf32>) {
  // expected-error @+1 {{'few_rows' is positive and needs 'pieces'}}
  glow_inst.matmul ins(%a, %b : memref<4x64xbf16>, memref<1x32x64xbf16>) outs(%c : memref<4x32xf32>) {few_rows = 0 : i64, packed = 32 : i64, pieces = 2 : i64}
  return
}
