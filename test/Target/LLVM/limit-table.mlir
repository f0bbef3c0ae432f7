// RUN: glow-opt %s --glow-outline-kernels | FileCheck %s
// Limits are values: instructions that differ in nothing but how their limits
// depend on the symbols share a kernel.

#one = affine_map<()[s0, s1] -> (s0)>
#two = affine_map<()[s0, s1] -> (s0 * 2 - s1)>
#points = affine_map<()[s0, s1] -> (s1 ceildiv 8)>
#block = affine_map<(d0)[s0, s1] -> (d0 * -8 + s1)>
#others = affine_map<()[s0, s1] -> (s0 ceildiv 8)>
#other = affine_map<(d0)[s0, s1] -> (d0 * -8 + s0 + 1)>

// The table lies behind what was planned.
// CHECK-LABEL: func.func @limits(
//  CHECK-SAME: glow_inst.arena_bytes = 192
//       CHECK: %[[TABLE:.+]] = glow_inst.alloc {offset = 128 : i64} : memref<6xi64>
//       CHECK: glow_inst.launch @limits_0(%arg1, %[[TABLE]] : memref<2xi64>, memref<6xi64>) tickets = 1
//   CHECK-NOT: glow_inst.extents
//       CHECK: %[[A:.+]] = glow_inst.view %[[TABLE]] : memref<6xi64> to memref<1xi64>
//       CHECK: glow_inst.launch @copy_0(%arg0, %{{.+}}, %[[A]] :
//       CHECK: %[[B:.+]] = glow_inst.view %[[TABLE]] : memref<6xi64> to memref<1xi64, strided<[1], offset: 1>>
//       CHECK: glow_inst.launch @copy_0(%{{.+}}, %{{.+}}, %[[B]] :
//       CHECK: %[[C:.+]] = glow_inst.view %[[TABLE]] : memref<6xi64> to memref<2xi64, strided<[1], offset: 2>>
//       CHECK: glow_inst.launch @forall_0({{.*}}%[[C]], %
//       CHECK: %[[D:.+]] = glow_inst.view %[[TABLE]] : memref<6xi64> to memref<2xi64, strided<[1], offset: 4>>
//       CHECK: glow_inst.launch @forall_0({{.*}}%[[D]], %

// CHECK-LABEL: module @limits_0
//       CHECK: func.func @limits_0(%{{.+}}: memref<2xi64>, %{{.+}}: memref<6xi64>,
//   CHECK-NOT: module @copy_2
//   CHECK-NOT: module @forall_1

func.func @limits(
    %x: memref<32xf32>,
    %s: memref<2xi64> {glow.symbols = [{name = "a", lower = 1 : i64, upper = 31 : i64}, {name = "b", lower = 1 : i64, upper = 31 : i64}]},
    %y: memref<32xf32> {glow_inst.output}, %z: memref<32xf32> {glow_inst.output}) attributes {glow_inst.arena_bytes = 128 : i64} {
  %t = glow_inst.alloc {offset = 0 : i64} : memref<32xf32>
  %i = glow_inst.constant dense<[0, 1, 2, 3]> : tensor<4xi64> -> memref<4xi64>
  glow_inst.copy %x -> %t {glow_inst.extents = #one} : memref<32xf32> -> memref<32xf32>
  glow_inst.copy %t -> %y {glow_inst.extents = #two} : memref<32xf32> -> memref<32xf32>
  glow_inst.forall [4] ins(%x, %i, %s : memref<32xf32>, memref<4xi64>, memref<2xi64>) outs(%y : memref<32xf32>) steps = [array<i64: 8>, array<i64: 1>, array<i64: 0>, array<i64: 8>] attributes {glow_inst.extents = #points, scratch_bytes = 0 : i64, scratch_offset = 0 : i64} {
  ^bb0(%a: memref<8xf32>, %n: memref<1xi64>, %v: memref<2xi64>, %b: memref<8xf32>):
    glow_inst.copy %a -> %b {glow_inst.extents = #block} : memref<8xf32> -> memref<8xf32>
  }
  glow_inst.forall [4] ins(%t, %i, %s : memref<32xf32>, memref<4xi64>, memref<2xi64>) outs(%z : memref<32xf32>) steps = [array<i64: 8>, array<i64: 1>, array<i64: 0>, array<i64: 8>] attributes {glow_inst.extents = #others, scratch_bytes = 0 : i64, scratch_offset = 0 : i64} {
  ^bb0(%a: memref<8xf32>, %n: memref<1xi64>, %v: memref<2xi64>, %b: memref<8xf32>):
    glow_inst.copy %a -> %b {glow_inst.extents = #other} : memref<8xf32> -> memref<8xf32>
  }
  return
}
