// RUN: glow-opt %s -split-input-file -verify-diagnostics | glow-opt -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @two
// CHECK: glow_inst.sections ins(%arg0, %{{.*}} : memref<8xf32>, memref<4xf32, strided<[1], offset: 4>>) outs(%arg1, %arg2 : memref<8xf32>, memref<4xf32>) {
// CHECK: ^bb0(%[[X:.+]]: memref<8xf32>, %[[V:.+]]: memref<4xf32>, %[[A:.+]]: memref<8xf32>, %[[B:.+]]: memref<4xf32>):
// CHECK: glow_inst.copy %[[X]] -> %[[A]]
// CHECK: glow_inst.copy %[[V]] -> %[[B]]
func.func @two(%x: memref<8xf32>, %a: memref<8xf32>, %b: memref<4xf32>) {
  %v = glow_inst.view %x : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  glow_inst.sections ins(%x, %v : memref<8xf32>, memref<4xf32, strided<[1], offset: 4>>) outs(%a, %b : memref<8xf32>, memref<4xf32>) {
  ^bb0(%0: memref<8xf32>, %1: memref<4xf32>, %2: memref<8xf32>, %3: memref<4xf32>):
    glow_inst.copy %0 -> %2 : memref<8xf32> -> memref<8xf32>
    glow_inst.copy %1 -> %3 : memref<4xf32> -> memref<4xf32>
  }
  return
}

// -----

func.func @missing_argument(%x: memref<8xf32>, %a: memref<8xf32>) {
  // expected-error @+1 {{needs an argument of the body for each of its 2 operands}}
  glow_inst.sections ins(%x : memref<8xf32>) outs(%a : memref<8xf32>) {
  ^bb0(%0: memref<8xf32>):
  }
  return
}

// -----

func.func @other_shape(%x: memref<8xf32>, %a: memref<8xf32>) {
  // expected-error @+1 {{argument 'memref<4xf32>' of the body is not operand 'memref<8xf32>' without its offset}}
  glow_inst.sections ins(%x : memref<8xf32>) outs(%a : memref<8xf32>) {
  ^bb0(%0: memref<4xf32>, %1: memref<8xf32>):
  }
  return
}

// -----

func.func @other_strides(%a: memref<8x8xf32>) {
  // expected-error @+1 {{is not operand 'memref<8x8xf32>' without its offset}}
  glow_inst.sections outs(%a : memref<8x8xf32>) {
  ^bb0(%0: memref<8x8xf32, strided<[1, 8]>>):
  }
  return
}

// -----

func.func @no_instruction(%a: memref<8xf32>) {
  glow_inst.sections outs(%a : memref<8xf32>) {
  ^bb0(%0: memref<8xf32>):
    // expected-error @+1 {{cannot be part of a glow_inst.sections}}
    %1 = glow_inst.alloc : memref<8xf32>
  }
  return
}

// -----

func.func @negative(%a: memref<8xf32>) {
  // expected-error @+1 {{has a negative scratch_bytes}}
  glow_inst.sections outs(%a : memref<8xf32>) attributes {scratch_bytes = -64 : i64, scratch_offset = 0 : i64} {
  ^bb0(%0: memref<8xf32>):
  }
  return
}
