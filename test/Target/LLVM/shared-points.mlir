// RUN: glow-opt %s --glow-outline-kernels --split-input-file | FileCheck %s
// A loop whose points threads share stays behind its launch, with the launches of a
// point for what the other leaves. Its kernel is told how many points to run, so it
// reads no limit.

#points = affine_map<()[s0] -> (s0)>

// CHECK-LABEL: func.func @open(
//       CHECK: %[[N:.+]] = glow_inst.view %{{.+}} to memref<1xi64>
//       CHECK: glow_inst.launch @forall_0(%arg0, %[[N]], %arg2 :
//       CHECK: glow_inst.forall [4] ins(%arg0, %[[N]] : {{.*}}) outs(%arg2 : {{.*}} shared} {
//       CHECK:   glow_inst.launch @copy_0(
// CHECK-LABEL: func.func @forall_0(
//   CHECK-NOT: arith.minsi
//   CHECK-NOT: llvm.load %{{.+}} : !llvm.ptr -> i64
//       CHECK: return
func.func @open(
    %x: memref<4x8xf32> {glow.extents = affine_map<()[s0] -> (s0, 8)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 4 : i64}]},
    %y: memref<4x8xf32> {glow_inst.output}) attributes {glow_inst.arena_bytes = 0 : i64} {
  glow_inst.forall [4] ins(%x, %s : memref<4x8xf32>, memref<1xi64>) outs(%y : memref<4x8xf32>) steps = [array<i64: 8>, array<i64: 0>, array<i64: 8>] attributes {glow_inst.extents = #points, scratch_bytes = 0 : i64, scratch_offset = 0 : i64, shared} {
  ^bb0(%a: memref<1x8xf32>, %v: memref<1xi64>, %b: memref<1x8xf32>):
    glow_inst.copy %a -> %b : memref<1x8xf32> -> memref<1x8xf32>
  }
  return
}

// -----

// Among sections other instructions keep threads busy.
// CHECK-LABEL: func.func @among_sections(
//       CHECK: glow_inst.launch @sections_0(
//   CHECK-NOT: glow_inst.forall
//       CHECK: return
func.func @among_sections(%x: memref<4x8xf32>, %y: memref<4x8xf32> {glow_inst.output}) attributes {glow_inst.arena_bytes = 0 : i64} {
  glow_inst.sections ins(%x : memref<4x8xf32>) outs(%y : memref<4x8xf32>) attributes {scratch_bytes = 0 : i64, scratch_offset = 0 : i64} {
  ^bb0(%u: memref<4x8xf32>, %w: memref<4x8xf32>):
    glow_inst.forall [4] ins(%u : memref<4x8xf32>) outs(%w : memref<4x8xf32>) steps = [array<i64: 8>, array<i64: 8>] attributes {scratch_bytes = 0 : i64, scratch_offset = 0 : i64, shared} {
    ^bb0(%a: memref<1x8xf32>, %b: memref<1x8xf32>):
      glow_inst.copy %a -> %b : memref<1x8xf32> -> memref<1x8xf32>
    }
  }
  return
}
