// RUN: glow-opt %s -glow-inst-plan-memory -glow-inst-verify-plan | FileCheck %s
// RUN: glow-opt %s -glow-inst-plan-memory -glow-outline-kernels | FileCheck %s --check-prefix=LAUNCH
// RUN: glow-opt %s -glow-inst-plan-memory -glow-outline-kernels -glow-kernel-pipeline | FileCheck %s --check-prefix=CODE

// The loops share the scratch memory of the one that wants most.
// CHECK-LABEL: func.func @loops
// CHECK-SAME: glow_inst.arena_bytes = 128 : i64
// CHECK-SAME: glow_inst.worker_bytes = 128 : i64
// CHECK: glow_inst.sections {{.*}} attributes {scratch_bytes = 128 : i64, scratch_offset = 0 : i64}
// CHECK: glow_inst.forall {{.*}} attributes {scratch_bytes = 64 : i64}
// CHECK: glow_inst.forall {{.*}} attributes {scratch_bytes = 128 : i64}
// CHECK: glow_inst.copy

// Eight tickets, four, and one.
// LAUNCH-LABEL: func.func @loops
// LAUNCH: glow_inst.launch @sections_0({{.*}}) tickets = 13 {bytes = 1664 : i64, flops = 0 : i64, op = "copy", scratch_bytes = 128 : i64, scratch_offset = 0 : i64}
// LAUNCH: module @sections_0
// LAUNCH: func.func @sections_0(%[[ARGS:.+]]: !llvm.ptr, %[[FIRST:.+]]: i64, %[[LAST:.+]]: i64, %[[WORKER:.+]]: i32)
// One that has scratch memory is given this thread's, as if it were the first.
// LAUNCH: %[[SCRATCH:.+]] = arith.select
// LAUNCH: scf.if
// LAUNCH: %[[NONE:.+]] = arith.constant 0 : i32
// LAUNCH: llvm.store %[[SCRATCH]]
// LAUNCH: llvm.store %[[SCRATCH]]
// LAUNCH: call @forall_0(%{{.*}}, %{{.*}}, %{{.*}}, %[[NONE]])
// LAUNCH: scf.if
// LAUNCH: call @forall_1(
// LAUNCH: scf.if
// LAUNCH: call @copy_{{[0-9]+}}(%{{.*}}, %{{.*}}, %{{.*}}, %[[WORKER]])

// CODE: llvm.func @sections_0(%{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i32)
// CODE: llvm.call @forall_0(
// CODE: llvm.call @forall_1(
// CODE: llvm.call @copy_{{[0-9]+}}(
func.func @loops(%x: memref<8x16xf32>, %y: memref<8x16xf32> {glow_inst.output}, %z: memref<8x16xf32> {glow_inst.output}, %c: memref<16xf32> {glow_inst.output}, %d: memref<16xf32>) {
  glow_inst.sections ins(%x, %d : memref<8x16xf32>, memref<16xf32>) outs(%y, %z, %c : memref<8x16xf32>, memref<8x16xf32>, memref<16xf32>) {
  ^bb0(%0: memref<8x16xf32>, %1: memref<16xf32>, %2: memref<8x16xf32>, %3: memref<8x16xf32>, %4: memref<16xf32>):
    glow_inst.forall [8] ins(%0 : memref<8x16xf32>) outs(%2 : memref<8x16xf32>) steps = [array<i64: 16>, array<i64: 16>] {
    ^bb0(%a: memref<1x16xf32>, %b: memref<1x16xf32>):
      %u = glow_inst.alloc : memref<1x16xf32>
      glow_inst.copy %a -> %u : memref<1x16xf32> -> memref<1x16xf32>
      glow_inst.copy %u -> %b : memref<1x16xf32> -> memref<1x16xf32>
    }
    glow_inst.forall [4] ins(%0 : memref<8x16xf32>) outs(%3 : memref<8x16xf32>) steps = [array<i64: 32>, array<i64: 32>] {
    ^bb0(%a: memref<2x16xf32>, %b: memref<2x16xf32>):
      %u = glow_inst.alloc : memref<2x16xf32>
      glow_inst.copy %a -> %u : memref<2x16xf32> -> memref<2x16xf32>
      glow_inst.copy %u -> %b : memref<2x16xf32> -> memref<2x16xf32>
    }
    glow_inst.copy %1 -> %4 : memref<16xf32> -> memref<16xf32>
  }
  return
}
