// RUN: glow-opt %s --glow-outline-kernels | FileCheck %s
// Strides of arrays without padding are multiples of a value of the table, which
// layers of one shape share with their limits.

#extents = affine_map<()[s0] -> (2, s0, 4)>
#unit = affine_map<()[s0] -> (s0)>

// CHECK-LABEL: func.func @rows(
// CHECK: %[[TABLE:.+]] = glow_inst.alloc {offset = 0 : i64} : memref<3xi64>
// CHECK: %[[VALUES:.+]] = glow_inst.view %[[TABLE]] : memref<3xi64> to memref<2xi64>
// CHECK: glow_inst.launch @map_0(%arg0, %arg2, %[[VALUES]] :
// CHECK-NOT: glow_inst.pitches
// CHECK: glow_inst.launch @forall_0(

// One unit is 2^40 in types.
// CHECK-LABEL: module @map_0
// CHECK: func.func @map_0(%{{.+}}: memref<2x8x4xf32, strided<[4398046511104, 4, 1]>>, %{{.+}}: memref<2x8x4xf32, strided<[4398046511104, 4, 1]>>, %[[V:.+]]: memref<2xi64>,
// CHECK: %[[N:.+]] = memref.load %{{.+}}[%c1] : memref<2xi64>
// CHECK: %[[UNIT:.+]] = arith.index_cast %[[N]]
// CHECK: %[[FOUR:.+]] = arith.constant 4 : index
// CHECK: arith.muli %[[UNIT]], %[[FOUR]]

// The steps of a loop are that many bytes.
// CHECK-LABEL: module @forall_0
// CHECK: %[[LENGTH:.+]] = llvm.load %{{.+}} : !llvm.ptr -> i64
// CHECK: %[[INDEX:.+]] = arith.index_cast %[[LENGTH]] : i64 to index
// CHECK: %[[UNIT:.+]] = arith.index_cast %[[INDEX]] : index to i64
// CHECK: %[[BYTES:.+]] = arith.constant 16 : i64
// CHECK: arith.muli %[[UNIT]], %[[BYTES]]
func.func @rows(
    %x: memref<2x8x4xf32> {glow.extents = #extents, glow_inst.compact},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 0 : i64, upper = 8 : i64}]},
    %y: memref<2x8x4xf32> {glow.extents = #extents, glow_inst.compact, glow_inst.output},
    %z: memref<2x8x4xf32> {glow.extents = #extents, glow_inst.compact, glow_inst.output}) attributes {glow_inst.arena_bytes = 0 : i64} {
  glow_inst.map ins(%x : memref<2x8x4xf32>) outs(%y : memref<2x8x4xf32>) attributes {glow_inst.extents = #extents, glow_inst.pitches = array<i64: 0, 32, 4, 0, 0, 1, 32, 4, 0, 0>, glow_inst.unit = #unit} {
  ^bb0(%a: f32):
    %b = arith.negf %a : f32
    glow.yield %b : f32
  }
  glow_inst.forall [2] ins(%x, %s : memref<2x8x4xf32>, memref<1xi64>) outs(%z : memref<2x8x4xf32>) steps = [array<i64: 32>, array<i64: 0>, array<i64: 32>] attributes {glow_inst.pitches = array<i64: 0, 32, 4, 0, 0, 2, 32, 4, 0, 0>, glow_inst.unit = #unit, scratch_bytes = 0 : i64, scratch_offset = 0 : i64} {
  ^bb0(%a: memref<8x4xf32>, %n: memref<1xi64>, %b: memref<8x4xf32>):
    glow_inst.copy %a -> %b {glow_inst.extents = affine_map<()[s0] -> (s0, 4)>} : memref<8x4xf32> -> memref<8x4xf32>
  }
  return
}
