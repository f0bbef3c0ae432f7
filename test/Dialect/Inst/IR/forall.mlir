// RUN: glow-opt %s -split-input-file -verify-diagnostics | glow-opt -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @rows
// CHECK: glow_inst.forall [4] ins(%arg0 : memref<8x16xf32>) outs(%arg1 : memref<8x16xf32>) steps = [array<i64: 32>, array<i64: 32>] {
// CHECK: ^bb0(%[[A:.+]]: memref<2x16xf32>, %[[B:.+]]: memref<2x16xf32>):
// CHECK: glow_inst.copy %[[A]] -> %[[B]]
func.func @rows(%x: memref<8x16xf32>, %y: memref<8x16xf32>) {
  glow_inst.forall [4] ins(%x : memref<8x16xf32>) outs(%y : memref<8x16xf32>) steps = [array<i64: 32>, array<i64: 32>] {
  ^bb0(%a: memref<2x16xf32>, %b: memref<2x16xf32>):
    glow_inst.copy %a -> %b : memref<2x16xf32> -> memref<2x16xf32>
  }
  return
}

// -----

func.func @empty_space(%y: memref<8xf32>) {
  // expected-error @+1 {{iteration space [0] is empty or too large}}
  glow_inst.forall [0] outs(%y : memref<8xf32>) steps = [array<i64: 1>] {
  ^bb0(%b: memref<8xf32>):
  }
  return
}

// -----

func.func @huge_space(%y: memref<8xf32>) {
  // expected-error @+1 {{is empty or too large}}
  glow_inst.forall [4611686018427387904, 4] outs(%y : memref<8xf32>) steps = [array<i64: 0, 0>] {
  ^bb0(%b: memref<8xf32>):
  }
  return
}

// -----

func.func @missing_steps(%x: memref<8xf32>, %y: memref<8xf32>) {
  // expected-error @+1 {{needs an argument of the body and steps for each of its 2 operands}}
  glow_inst.forall [4] ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) steps = [array<i64: 2>] {
  ^bb0(%a: memref<2xf32>, %b: memref<2xf32>):
  }
  return
}

// -----

func.func @step_per_axis(%y: memref<8xf32>) {
  // expected-error @+1 {{needs a step for each axis of the iteration space}}
  glow_inst.forall [2, 2] outs(%y : memref<8xf32>) steps = [array<i64: 2>] {
  ^bb0(%b: memref<2xf32>):
  }
  return
}

// -----

func.func @outside(%x: memref<8xf32>, %y: memref<8xf32>) {
  // expected-error @+1 {{window 'memref<3xf32>' of operand 0 leaves 'memref<8xf32>'}}
  glow_inst.forall [4] ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) steps = [array<i64: 2>, array<i64: 2>] {
  ^bb0(%a: memref<3xf32>, %b: memref<2xf32>):
  }
  return
}

// -----

// The elements of all windows have more than 64 bits.
func.func @many_windows(%y: memref<0xf32>) {
  // expected-error @+1 {{do not partition output}}
  glow_inst.forall [16777216] outs(%y : memref<0xf32>) steps = [array<i64: 0>] {
  ^bb0(%b: memref<1099511627776xf32>):
  }
  return
}

// -----

// So has the way of all steps.
func.func @around(%y: memref<8xf32>) {
  // expected-error @+1 {{has a step that is negative or too large}}
  glow_inst.forall [16777217] outs(%y : memref<8xf32>) steps = [array<i64: 1099511627776>] {
  ^bb0(%b: memref<2xf32>):
  }
  return
}

// -----

func.func @backwards(%y: memref<8xf32>) {
  // expected-error @+1 {{has a step that is negative or too large}}
  glow_inst.forall [4] outs(%y : memref<8xf32>) steps = [array<i64: -2>] {
  ^bb0(%b: memref<2xf32>):
  }
  return
}

// -----

func.func @other_element(%y: memref<8xf32>) {
  // expected-error @+1 {{needs the operand's element type and space}}
  glow_inst.forall [4] outs(%y : memref<8xf32>) steps = [array<i64: 2>] {
  ^bb0(%b: memref<2xi32>):
  }
  return
}

// -----

func.func @overlapping_outputs(%y: memref<8xf32>) {
  // expected-error @+1 {{windows 'memref<5xf32>' do not partition output 'memref<8xf32>'}}
  glow_inst.forall [2] outs(%y : memref<8xf32>) steps = [array<i64: 3>] {
  ^bb0(%b: memref<5xf32>):
  }
  return
}

// -----

func.func @foreign_op(%y: memref<8xf32>) {
  glow_inst.forall [4] outs(%y : memref<8xf32>) steps = [array<i64: 2>] {
  ^bb0(%b: memref<2xf32>):
    // expected-error @+1 {{cannot be part of a glow_inst.forall}}
    %0 = arith.constant 1 : i32
  }
  return
}

// -----

// CHECK-LABEL: func.func @slide
// CHECK: glow_inst.slide %{{.*}} at [array<i64>, array<i64: 0, 16, 16>] : memref<4x16xf32> to memref<3x16xf32>
func.func @slide(%x: memref<2x4x16xf32>, %y: memref<2x9x16xf32>) {
  glow_inst.forall [2, 3] ins(%x : memref<2x4x16xf32>) outs(%y : memref<2x9x16xf32>) steps = [array<i64: 64, 0>, array<i64: 144, 48>] {
  ^bb0(%a: memref<4x16xf32>, %b: memref<3x16xf32>):
    %s = glow_inst.slide %a at [array<i64>, array<i64: 0, 16, 16>] : memref<4x16xf32> to memref<3x16xf32>
    glow_inst.copy %s -> %b : memref<3x16xf32> -> memref<3x16xf32>
  }
  return
}

// -----

func.func @slide_outside(%x: memref<4x16xf32>) {
  // expected-error @+1 {{has no place outside of a glow_inst.forall}}
  %s = glow_inst.slide %x at [array<i64: 0, 16>] : memref<4x16xf32> to memref<3x16xf32>
  return
}

// -----

func.func @slide_of_a_view(%x: memref<4x16xf32>, %y: memref<6x16xf32>) {
  glow_inst.forall [2] ins(%x : memref<4x16xf32>) outs(%y : memref<6x16xf32>) steps = [array<i64: 0>, array<i64: 48>] {
  ^bb0(%a: memref<4x16xf32>, %b: memref<3x16xf32>):
    %v = glow_inst.view %a : memref<4x16xf32> to memref<64xf32>
    // expected-error @+1 {{moves along an argument or an allocation, not a view}}
    %s = glow_inst.slide %v at [array<i64: 0, 16>] : memref<64xf32> to memref<3x16xf32>
  }
  return
}

// -----

func.func @slide_axes(%x: memref<4x16xf32>, %y: memref<6x16xf32>) {
  glow_inst.forall [2] ins(%x : memref<4x16xf32>) outs(%y : memref<6x16xf32>) steps = [array<i64: 0>, array<i64: 48>] {
  ^bb0(%a: memref<4x16xf32>, %b: memref<3x16xf32>):
    // expected-error @+1 {{needs a list of starts for each of the 1 axes of the loop}}
    %s = glow_inst.slide %a at [] : memref<4x16xf32> to memref<3x16xf32>
  }
  return
}

// -----

func.func @slide_starts(%x: memref<4x16xf32>, %y: memref<6x16xf32>) {
  glow_inst.forall [2] ins(%x : memref<4x16xf32>) outs(%y : memref<6x16xf32>) steps = [array<i64: 0>, array<i64: 48>] {
  ^bb0(%a: memref<4x16xf32>, %b: memref<3x16xf32>):
    // expected-error @+1 {{has 3 starts along axis 0, which has 2}}
    %s = glow_inst.slide %a at [array<i64: 0, 16, 16>] : memref<4x16xf32> to memref<3x16xf32>
  }
  return
}

// -----

func.func @slide_back(%x: memref<4x16xf32>, %y: memref<6x16xf32>) {
  glow_inst.forall [2] ins(%x : memref<4x16xf32>) outs(%y : memref<6x16xf32>) steps = [array<i64: 0>, array<i64: 48>] {
  ^bb0(%a: memref<4x16xf32>, %b: memref<3x16xf32>):
    // expected-error @+1 {{has a start that is negative or too large}}
    %s = glow_inst.slide %a at [array<i64: -16, 0>] : memref<4x16xf32> to memref<3x16xf32>
  }
  return
}

// -----

func.func @slide_leaves(%x: memref<4x16xf32>, %y: memref<6x16xf32>) {
  glow_inst.forall [2] ins(%x : memref<4x16xf32>) outs(%y : memref<6x16xf32>) steps = [array<i64: 0>, array<i64: 48>] {
  ^bb0(%a: memref<4x16xf32>, %b: memref<3x16xf32>):
    // expected-error @+1 {{'memref<3x16xf32>' leaves 'memref<4x16xf32>'}}
    %s = glow_inst.slide %a at [array<i64: 0, 32>] : memref<4x16xf32> to memref<3x16xf32>
  }
  return
}

// -----

func.func @slide_type(%x: memref<4x16xf32>, %y: memref<6x16xf32>) {
  glow_inst.forall [2] ins(%x : memref<4x16xf32>) outs(%y : memref<6x16xf32>) steps = [array<i64: 0>, array<i64: 48>] {
  ^bb0(%a: memref<4x16xf32>, %b: memref<3x16xf32>):
    // expected-error @+1 {{needs the element type and space of}}
    %s = glow_inst.slide %a at [array<i64: 0, 16>] : memref<4x16xf32> to memref<3x16xi32>
  }
  return
}

// -----

func.func @sections(%y: memref<8xf32>) {
  glow_inst.forall [4] outs(%y : memref<8xf32>) steps = [array<i64: 2>] {
  ^bb0(%a: memref<2xf32>):
    // expected-error @+1 {{cannot be part of a glow_inst.forall}}
    glow_inst.sections outs(%a : memref<2xf32>) {
    ^bb1(%b: memref<2xf32>):
    }
  }
  return
}

// -----

func.func @negative_place(%y: memref<8xf32>) {
  // expected-error @+1 {{has a negative scratch_offset}}
  glow_inst.forall [4] outs(%y : memref<8xf32>) steps = [array<i64: 2>] attributes {scratch_bytes = 64 : i64, scratch_offset = -64 : i64} {
  ^bb0(%a: memref<2xf32>):
  }
  return
}

// -----

func.func @far_place(%y: memref<8xf32>) {
  // expected-error @+1 {{has too large a scratch_offset}}
  glow_inst.forall [4] outs(%y : memref<8xf32>) steps = [array<i64: 2>] attributes {scratch_bytes = 64 : i64, scratch_offset = 9223372036854775807 : i64} {
  ^bb0(%a: memref<2xf32>):
  }
  return
}

// -----

func.func @no_axes(%y: memref<8xf32>) {
  // expected-error @+1 {{has an iteration space without axes}}
  glow_inst.forall [] outs(%y : memref<8xf32>) steps = [array<i64>] {
  ^bb0(%a: memref<8xf32>):
  }
  return
}

// -----

func.func @far_buffer() {
  // expected-error @+1 {{offset must not be so large}}
  %a = glow_inst.alloc {offset = 9223372036854775807 : i64} : memref<8xf32>
  return
}

// -----

func.func @launch(%y: memref<8xf32>) {
  // expected-error @+1 {{has a negative scratch_offset}}
  glow_inst.launch @k(%y : memref<8xf32>) tickets = 1 {op = "copy", flops = 0 : i64, bytes = 1 : i64, scratch_bytes = 16 : i64, scratch_offset = -64 : i64}
  return
}
