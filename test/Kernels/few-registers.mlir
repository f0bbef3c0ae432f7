// RUN: glow-opt %s "--glow-test-emit-kernels=target=vector-bits=256,vector-registers=16,fma=1" --canonicalize --cse | FileCheck %s
// RUN: glow-opt %s "--glow-test-emit-kernels=target=vector-bits=128,vector-registers=16" | FileCheck %s --check-prefix=PLAIN

// Of processors without multiply-adds it is not known what assembler may name.
// PLAIN-NOT: inline_asm

// Column by column, factors come from memory too: eight rows of sums for three
// taps.
// CHECK-LABEL: func.func @depthwise(
//       CHECK: scf.for {{.+}} -> (vector<8xf32>
// CHECK-COUNT-24: vector.fma
//   CHECK-NOT: vector.fma
//       CHECK: scf.yield
func.func @depthwise(%x: memref<1x10x10x8xf32>, %w: memref<3x3x1x8xf32>, %y: memref<1x8x8x8xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x10x10x8xf32>, memref<3x3x1x8xf32>) outs(%y : memref<1x8x8x8xf32>) {dilations = array<i64: 1, 1>, group = 8 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}

// 28 rows are four tiles of six and one of four rather than seven of four, whose
// eight sums a core that has another thread would wait for. Four steps, one
// after the other, are one turn of the loop.
// CHECK-LABEL: func.func @sums(
//       CHECK: scf.for {{.+}} iter_args
// CHECK-COUNT-12: vector.fma
//   CHECK-NOT: vector.fma
//       CHECK: llvm.inline_asm has_side_effects "", "X,
// CHECK-COUNT-36: vector.fma
//   CHECK-NOT: vector.fma
//       CHECK: scf.yield
func.func @sums(%x: memref<28x2048xf32>, %w: memref<1x2048x16xf32>, %y: memref<28x16xf32>) {
  glow_inst.matmul ins(%x, %w : memref<28x2048xf32>, memref<1x2048x16xf32>) outs(%y : memref<28x16xf32>) {packed = 16 : i64}
  return
}

// One vector by twelve rows has one step.
// CHECK-LABEL: func.func @narrow(
//       CHECK: scf.for {{.+}} iter_args
// CHECK-COUNT-12: vector.fma
//   CHECK-NOT: inline_asm
//       CHECK: return
func.func @narrow(%x: memref<12x2048xf32>, %w: memref<1x2048x8xf32>, %y: memref<12x8xf32>) {
  glow_inst.matmul ins(%x, %w : memref<12x2048xf32>, memref<1x2048x8xf32>) outs(%y : memref<12x8xf32>) {packed = 8 : i64}
  return
}

// No register for vectors could hold what an empty piece of assembler reads of
// these.
// CHECK-LABEL: func.func @integers(
//   CHECK-NOT: inline_asm
//       CHECK: return
func.func @integers(%x: memref<24x64xi32>, %w: memref<1x64x16xi32>, %y: memref<24x16xi32>) {
  glow_inst.matmul ins(%x, %w : memref<24x64xi32>, memref<1x64x16xi32>) outs(%y : memref<24x16xi32>) {packed = 16 : i64}
  return
}
