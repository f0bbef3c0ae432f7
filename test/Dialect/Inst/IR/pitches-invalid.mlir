// RUN: glow-opt %s --split-input-file --verify-diagnostics

func.func @no_unit(%x: memref<2x8xf32>, %y: memref<2x8xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]}) {
  // expected-error @+1 {{'glow_inst.pitches' is array<i64: 0, 8, 1, 0, 0>, not five numbers for each operand, in units that 'glow_inst.unit' states}}
  glow_inst.copy %x -> %y {glow_inst.pitches = array<i64: 0, 8, 1, 0, 0>} : memref<2x8xf32> -> memref<2x8xf32>
  return
}

// -----

func.func @four_numbers(%x: memref<2x8xf32>, %y: memref<2x8xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]}) {
  // expected-error @+1 {{not five numbers for each operand}}
  glow_inst.copy %x -> %y {glow_inst.unit = affine_map<()[s0] -> (s0)>, glow_inst.pitches = array<i64: 0, 8, 1, 0>} : memref<2x8xf32> -> memref<2x8xf32>
  return
}

// -----

func.func @two_units(%x: memref<2x8xf32>, %y: memref<2x8xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]}) {
  // expected-error @+1 {{'glow_inst.unit' is affine_map<()[s0] -> (s0, s0)>, which is not one number for all points}}
  glow_inst.copy %x -> %y {glow_inst.unit = affine_map<()[s0] -> (s0, s0)>} : memref<2x8xf32> -> memref<2x8xf32>
  return
}

// -----

func.func @unit_without_symbols(%x: memref<2x8xf32>, %y: memref<2x8xf32>) {
  // expected-error @+1 {{'glow_inst.unit' is a map from the symbols of the function around it}}
  glow_inst.copy %x -> %y {glow_inst.unit = affine_map<()[s0] -> (s0)>} : memref<2x8xf32> -> memref<2x8xf32>
  return
}

// -----

func.func @no_operand(%x: memref<2x8xf32>, %y: memref<2x8xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]}) {
  // expected-error @+1 {{which describes no strides of operand 2}}
  glow_inst.copy %x -> %y {glow_inst.unit = affine_map<()[s0] -> (s0)>, glow_inst.pitches = array<i64: 2, 8, 1, 0, 0>} : memref<2x8xf32> -> memref<2x8xf32>
  return
}

// -----

func.func @no_rows(%x: memref<2x8xf32>, %y: memref<2x8xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]}) {
  // expected-error @+1 {{which describes no strides of operand 0}}
  glow_inst.copy %x -> %y {glow_inst.unit = affine_map<()[s0] -> (s0)>, glow_inst.pitches = array<i64: 0, 0, 1, 0, 0>} : memref<2x8xf32> -> memref<2x8xf32>
  return
}

// -----

// Rows that are too far apart for a sum of strides to be counted.
func.func @too_far(%x: memref<2x8xf32>, %y: memref<2x8xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]}) {
  // expected-error @+1 {{which describes no strides of operand 1}}
  glow_inst.copy %x -> %y {glow_inst.unit = affine_map<()[s0] -> (s0)>, glow_inst.pitches = array<i64: 1, 8, 1048576, 0, 0>} : memref<2x8xf32> -> memref<2x8xf32>
  return
}

// -----

func.func @parts_of_places(%x: memref<2x8xf32>, %y: memref<2x8xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]}) {
  // expected-error @+1 {{which describes no strides of operand 0}}
  glow_inst.copy %x -> %y {glow_inst.unit = affine_map<()[s0] -> (s0)>, glow_inst.pitches = array<i64: 0, 8, 4, 0, 3>} : memref<2x8xf32> -> memref<2x8xf32>
  return
}

// -----

// A place is along an axis.
func.func @places_of_no_axis(%x: memref<2x8xf32>, %y: memref<2x8xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]}) {
  // expected-error @+1 {{which describes no strides of operand 0}}
  glow_inst.copy %x -> %y {glow_inst.unit = affine_map<()[s0] -> (s0)>, glow_inst.pitches = array<i64: 0, 8, 4, 0, 2>} : memref<2x8xf32> -> memref<2x8xf32>
  return
}

// -----

// What is written is not there again.
func.func @places_of_an_output(%x: memref<2x8xf32>, %y: memref<2x8xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]}) {
  // expected-error @+1 {{which describes no strides of operand 1}}
  glow_inst.copy %x -> %y {glow_inst.unit = affine_map<()[s0] -> (s0)>, glow_inst.pitches = array<i64: 1, 8, 1, 0, 1>} : memref<2x8xf32> -> memref<2x8xf32>
  return
}
