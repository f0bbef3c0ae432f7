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
