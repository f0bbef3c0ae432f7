// RUN: glow-opt %s -glow-inst-plan-memory -glow-inst-verify-plan | FileCheck %s
// RUN: glow-opt %s -glow-inst-plan-memory -glow-outline-kernels -glow-kernel-pipeline | FileCheck %s --check-prefix=CODE

// Scratch memory of a loop in a loop lies beside what is in use in that one, which
// hands it on: the inner one's kernel takes itself to be run by the first thread.
// CHECK-LABEL: func.func @inner
// CHECK-SAME: glow_inst.worker_bytes = 384 : i64
// CHECK: glow_inst.forall [4] {{.*}} attributes {scratch_bytes = 384 : i64, scratch_offset = 0 : i64}
// CHECK: glow_inst.alloc {offset = 0 : i64} : memref<4x16xf32>
// CHECK: glow_inst.forall [2] {{.*}} attributes {scratch_bytes = 128 : i64, scratch_offset = 256 : i64}
// CHECK: glow_inst.alloc {offset = 0 : i64} : memref<2x16xf32>

// CODE-LABEL: func.func @inner
// CODE: glow_inst.launch @[[OUTER:forall_[0-9]+]]({{.*}}) tickets = 4 {{.*}} op = "copy", scratch_bytes = 384 : i64, scratch_offset = 0 : i64}
// CODE: llvm.func @[[OUTER]](
// CODE: %[[SCRATCH:.+]] = llvm.select
// CODE: %[[PART:.+]] = llvm.getelementptr %[[SCRATCH]][256]
// CODE: llvm.store %[[PART]]
// CODE: llvm.store %[[PART]]
// CODE: llvm.call @forall_{{[0-9]+}}(%{{.+}}, %{{.+}}, %{{.+}}, %[[FIRST:.+]]) :
func.func @inner(%x: memref<16x16xf32>, %y: memref<16x16xf32> {glow_inst.output}) {
  glow_inst.forall [4] ins(%x : memref<16x16xf32>) outs(%y : memref<16x16xf32>) steps = [array<i64: 64>, array<i64: 64>] {
  ^bb0(%a: memref<4x16xf32>, %b: memref<4x16xf32>):
    %t = glow_inst.alloc : memref<4x16xf32>
    glow_inst.copy %a -> %t : memref<4x16xf32> -> memref<4x16xf32>
    glow_inst.forall [2] ins(%t : memref<4x16xf32>) outs(%b : memref<4x16xf32>) steps = [array<i64: 32>, array<i64: 32>] {
    ^bb1(%c: memref<2x16xf32>, %d: memref<2x16xf32>):
      %u = glow_inst.alloc : memref<2x16xf32>
      glow_inst.copy %c -> %u : memref<2x16xf32> -> memref<2x16xf32>
      glow_inst.copy %u -> %d : memref<2x16xf32> -> memref<2x16xf32>
    }
  }
  return
}
