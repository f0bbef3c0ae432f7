// RUN: glow-opt %s -glow-inst-form-sections | FileCheck %s

// Both read one buffer and write parts of another.
// CHECK-LABEL: func.func @groups
//       CHECK: glow_inst.sections ins(%arg0, %arg1, %arg2 : memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) outs(%{{.*}}, %{{.*}} : memref<64x64xf32, strided<[128, 1]>>, memref<64x64xf32, strided<[128, 1], offset: 64>>) {
//       CHECK: ^bb0(%[[X:.+]]: memref<64x64xf32>, %[[V:.+]]: memref<64x64xf32>, %[[W:.+]]: memref<64x64xf32>, %[[A:.+]]: memref<64x64xf32, strided<[128, 1]>>, %[[B:.+]]: memref<64x64xf32, strided<[128, 1]>>):
//       CHECK: glow_inst.matmul ins(%[[X]], %[[V]] : {{.*}}) outs(%[[A]] :
//       CHECK: glow_inst.matmul ins(%[[X]], %[[W]] : {{.*}}) outs(%[[B]] :
func.func @groups(%x: memref<64x64xf32>, %v: memref<64x64xf32>, %w: memref<64x64xf32>, %y: memref<64x128xf32>) {
  %a = glow_inst.view %y : memref<64x128xf32> to memref<64x64xf32, strided<[128, 1]>>
  glow_inst.matmul ins(%x, %v : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32, strided<[128, 1]>>)
  %b = glow_inst.view %y : memref<64x128xf32> to memref<64x64xf32, strided<[128, 1], offset: 64>>
  glow_inst.matmul ins(%x, %w : memref<64x64xf32>, memref<64x64xf32>) outs(%b : memref<64x64xf32, strided<[128, 1], offset: 64>>)
  return
}

// The second one reads what the first one writes.
// CHECK-LABEL: func.func @chain
//   CHECK-NOT: glow_inst.sections
func.func @chain(%x: memref<64x64xf32>, %y: memref<64x64xf32>, %z: memref<64x64xf32>) {
  glow_inst.matmul ins(%x, %x : memref<64x64xf32>, memref<64x64xf32>) outs(%y : memref<64x64xf32>)
  glow_inst.matmul ins(%x, %y : memref<64x64xf32>, memref<64x64xf32>) outs(%z : memref<64x64xf32>)
  return
}

// The second one overwrites what the first one reads.
// CHECK-LABEL: func.func @overwritten
//   CHECK-NOT: glow_inst.sections
func.func @overwritten(%x: memref<64x64xf32>, %y: memref<64x64xf32>, %z: memref<64x64xf32>) {
  glow_inst.matmul ins(%x, %y : memref<64x64xf32>, memref<64x64xf32>) outs(%z : memref<64x64xf32>)
  glow_inst.matmul ins(%x, %x : memref<64x64xf32>, memref<64x64xf32>) outs(%y : memref<64x64xf32>)
  return
}

// They take less time than a thread needs to come.
// CHECK-LABEL: func.func @small
//   CHECK-NOT: glow_inst.sections
func.func @small(%x: memref<8x8xf32>, %y: memref<8x8xf32>, %z: memref<8x8xf32>) {
  glow_inst.matmul ins(%x, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%y : memref<8x8xf32>)
  glow_inst.matmul ins(%x, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%z : memref<8x8xf32>)
  return
}

// Each keeps all threads busy for long.
// CHECK-LABEL: func.func @large
//   CHECK-NOT: glow_inst.sections
func.func @large(%x: memref<512x512xf32>, %y: memref<512x512xf32>, %z: memref<512x512xf32>) {
  glow_inst.matmul ins(%x, %x : memref<512x512xf32>, memref<512x512xf32>) outs(%y : memref<512x512xf32>)
  glow_inst.matmul ins(%x, %x : memref<512x512xf32>, memref<512x512xf32>) outs(%z : memref<512x512xf32>)
  return
}

// Copies are divided as the instructions around them divide the elements.
// CHECK-LABEL: func.func @moves
//   CHECK-NOT: glow_inst.sections
func.func @moves(%x: memref<512x512xf32>, %y: memref<512x512xf32>, %z: memref<512x512xf32>) {
  glow_inst.copy %x -> %y : memref<512x512xf32> -> memref<512x512xf32>
  glow_inst.copy %x -> %z : memref<512x512xf32> -> memref<512x512xf32>
  return
}

// The result of the second one can take the place of what the first one is the
// last to read.
// CHECK-LABEL: func.func @memory
//   CHECK-NOT: glow_inst.sections
func.func @memory(%x: memref<64x64xf32>, %y: memref<64x64xf32>, %z: memref<64x64xf32>) {
  %t = glow_inst.alloc : memref<64x64xf32>
  glow_inst.copy %x -> %t : memref<64x64xf32> -> memref<64x64xf32>
  glow_inst.matmul ins(%t, %x : memref<64x64xf32>, memref<64x64xf32>) outs(%y : memref<64x64xf32>)
  %u = glow_inst.alloc : memref<64x64xf32>
  glow_inst.matmul ins(%x, %x : memref<64x64xf32>, memref<64x64xf32>) outs(%u : memref<64x64xf32>)
  glow_inst.copy %u -> %z : memref<64x64xf32> -> memref<64x64xf32>
  return
}

// What may end the run comes between what is before and what is behind it.
// CHECK-LABEL: func.func @requirement
//   CHECK-NOT: glow_inst.sections
func.func @requirement(%x: memref<64x64xf32>, %y: memref<64x64xf32>, %z: memref<64x64xf32>, %violated: memref<i1>) {
  glow_inst.matmul ins(%x, %x : memref<64x64xf32>, memref<64x64xf32>) outs(%y : memref<64x64xf32>)
  glow_inst.require %violated {message = "an index is out of range"} : memref<i1>
  glow_inst.matmul ins(%x, %x : memref<64x64xf32>, memref<64x64xf32>) outs(%z : memref<64x64xf32>)
  return
}

// Loops of one point are long for one thread; and an operand may have no elements.
// CHECK-LABEL: func.func @single_points
//       CHECK: glow_inst.sections
//       CHECK: glow_inst.forall [1]
//       CHECK: glow_inst.forall [1]
func.func @single_points(%x: memref<512x512xf32>, %e: memref<3x0x4xf32>, %y: memref<512x512xf32>, %z: memref<512x512xf32>) {
  glow_inst.forall [1] ins(%x, %e : memref<512x512xf32>, memref<3x0x4xf32>) outs(%y : memref<512x512xf32>) steps = [array<i64: 0>, array<i64: 0>, array<i64: 0>] {
  ^bb0(%a: memref<512x512xf32>, %f: memref<3x0x4xf32>, %b: memref<512x512xf32>):
    glow_inst.matmul ins(%a, %a : memref<512x512xf32>, memref<512x512xf32>) outs(%b : memref<512x512xf32>)
  }
  glow_inst.forall [1] ins(%x : memref<512x512xf32>) outs(%z : memref<512x512xf32>) steps = [array<i64: 0>, array<i64: 0>] {
  ^bb0(%a: memref<512x512xf32>, %b: memref<512x512xf32>):
    glow_inst.matmul ins(%a, %a : memref<512x512xf32>, memref<512x512xf32>) outs(%b : memref<512x512xf32>)
  }
  return
}

// Loops that end at a limit know it from their own last input.
// CHECK-LABEL: func.func @limited_loops
//       CHECK: glow_inst.sections
//       CHECK: glow_inst.forall {{.*}}glow_inst.extents
//       CHECK: glow_inst.forall {{.*}}glow_inst.extents
func.func @limited_loops(%x: memref<4x64x64xf32>, %v: memref<64x64xf32>, %y: memref<4x64x64xf32>, %z: memref<4x64x64xf32>,
                         %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 4 : i64}]}) {
  glow_inst.forall [4] ins(%x, %v, %n : memref<4x64x64xf32>, memref<64x64xf32>, memref<1xi64>) outs(%y : memref<4x64x64xf32>) steps = [array<i64: 4096>, array<i64: 0>, array<i64: 0>, array<i64: 4096>] attributes {glow_inst.extents = affine_map<()[s0] -> (s0)>} {
  ^bb0(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %m: memref<1xi64>, %c: memref<64x64xf32>):
    glow_inst.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  }
  glow_inst.forall [4] ins(%x, %v, %n : memref<4x64x64xf32>, memref<64x64xf32>, memref<1xi64>) outs(%z : memref<4x64x64xf32>) steps = [array<i64: 4096>, array<i64: 0>, array<i64: 0>, array<i64: 4096>] attributes {glow_inst.extents = affine_map<()[s0] -> (s0)>} {
  ^bb0(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %m: memref<1xi64>, %c: memref<64x64xf32>):
    glow_inst.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  }
  return
}
