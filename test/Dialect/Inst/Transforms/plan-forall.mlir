// RUN: glow-opt %s -glow-inst-plan-memory -glow-inst-verify-plan | FileCheck %s
// RUN: glow-opt %s -glow-inst-plan-memory -glow-outline-kernels -glow-kernel-pipeline | FileCheck %s --check-prefix=CODE

// The first thread's scratch memory lies in the arena, beside what is in use; the
// others' behind it. The body's allocations have places of their own.
// CHECK-LABEL: func.func @loop
// CHECK-SAME: glow_inst.arena_bytes = 768 : i64
// CHECK-SAME: glow_inst.worker_bytes = 256 : i64
// CHECK: %[[T:.+]] = glow_inst.alloc {offset = 0 : i64} : memref<8x16xf32>
// CHECK: glow_inst.forall [4] {{.*}} attributes {scratch_bytes = 256 : i64, scratch_offset = 512 : i64}
// CHECK: glow_inst.alloc {offset = 0 : i64} : memref<2x16xf32>
// CHECK: glow_inst.alloc {offset = 128 : i64} : memref<2x16xf32>

// CODE-LABEL: func.func @loop
// CODE: glow_inst.launch @forall_0({{.*}}) tickets = 4 {bytes = 1024 : i64, flops = 0 : i64, op = "copy", scratch_bytes = 256 : i64, scratch_offset = 512 : i64}
// CODE: llvm.func @forall_0(%[[ARGS:.+]]: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %[[WORKER:.+]]: i32)
// CODE: llvm.select
// CODE: llvm.call @copy_{{[0-9]+}}(
// CODE: llvm.call @copy_{{[0-9]+}}(
func.func @loop(%x: memref<8x16xf32>, %y: memref<8x16xf32> {glow_inst.output}) {
  %t = glow_inst.alloc : memref<8x16xf32>
  glow_inst.copy %x -> %t : memref<8x16xf32> -> memref<8x16xf32>
  glow_inst.forall [4] ins(%t : memref<8x16xf32>) outs(%y : memref<8x16xf32>) steps = [array<i64: 32>, array<i64: 32>] {
  ^bb0(%a: memref<2x16xf32>, %b: memref<2x16xf32>):
    %u = glow_inst.alloc : memref<2x16xf32>
    %v = glow_inst.alloc : memref<2x16xf32>
    glow_inst.copy %a -> %u : memref<2x16xf32> -> memref<2x16xf32>
    glow_inst.copy %u -> %v : memref<2x16xf32> -> memref<2x16xf32>
    glow_inst.copy %v -> %b : memref<2x16xf32> -> memref<2x16xf32>
  }
  return
}
