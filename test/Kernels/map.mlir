// RUN: glow-opt %s --glow-test-emit-kernels | FileCheck %s

// Whole vectors, then a masked rest.
// CHECK-LABEL: func @row(
//       CHECK: vector.load {{.*}} : memref<37xf32>, vector<16xf32>
//       CHECK: arith.mulf {{.*}} : vector<16xf32>
//       CHECK: vector.maskedload
//       CHECK: vector.maskedstore
func.func @row(%a: memref<37xf32>, %b: memref<37xf32>) {
  glow_inst.map ins(%a : memref<37xf32>) outs(%b : memref<37xf32>) {
  ^bb0(%x: f32):
    %0 = arith.mulf %x, %x : f32
    glow.yield %0 : f32
  }
  return
}

// Contiguous axes become one.
// CHECK-LABEL: func @merged(
//       CHECK: scf.for
//   CHECK-NOT: scf.for
func.func @merged(%a: memref<4x8x16xf32>, %b: memref<4x8x16xf32>) {
  glow_inst.copy %a -> %b : memref<4x8x16xf32> -> memref<4x8x16xf32>
  return
}

// Booleans take a byte each in memory.
// CHECK-LABEL: func @bool(
//       CHECK: arith.cmpf {{.*}} : vector<16xf32>
//       CHECK: arith.extui {{.*}} : vector<16xi1> to vector<16xi8>
//       CHECK: vector.store {{.*}} : memref<16xi8>, vector<16xi8>
func.func @bool(%a: memref<16xf32>, %b: memref<16xi1>) {
  glow_inst.map ins(%a : memref<16xf32>) outs(%b : memref<16xi1>) {
  ^bb0(%x: f32):
    %zero = arith.constant 0.0 : f32
    %0 = arith.cmpf ogt, %x, %zero : f32
    glow.yield %0 : i1
  }
  return
}

// The steps of a long body wait for each other: four vectors take them side by
// side.
// CHECK-LABEL: func @long_body(
//       CHECK: scf.for {{.*}} step %c64
// CHECK-COUNT-4: vector.load {{.*}}, vector<16xf32>
//       CHECK: math.exp {{.*}} : vector<64xf32>
// CHECK-COUNT-4: vector.store {{.*}}, vector<16xf32>
func.func @long_body(%a: memref<4096xf32>, %b: memref<4096xf32>) {
  glow_inst.map ins(%a : memref<4096xf32>) outs(%b : memref<4096xf32>) {
  ^bb0(%x: f32):
    %0 = math.exp %x : f32
    glow.yield %0 : f32
  }
  return
}

// Short rows have fewer.
// CHECK-LABEL: func @short_rows(
// CHECK-COUNT-2: vector.load {{.*}}, vector<16xf32>
//       CHECK: math.exp {{.*}} : vector<32xf32>
func.func @short_rows(%a: memref<8x32xf32>, %b: memref<8x32xf32, strided<[256, 1]>>) {
  glow_inst.map ins(%a : memref<8x32xf32>) outs(%b : memref<8x32xf32, strided<[256, 1]>>) {
  ^bb0(%x: f32):
    %0 = math.exp %x : f32
    glow.yield %0 : f32
  }
  return
}

// Rows that are limited behind another axis: each line of them stops by itself, and
// none that is not needed is looked at.
// CHECK-LABEL: func @lines(
//       CHECK: %[[LIMIT:.+]] = arith.maxsi
//       CHECK: scf.for
//       CHECK:   %[[LENGTH:.+]] = arith.minsi %[[LIMIT]],
//       CHECK:   %[[HIGH:.+]] = arith.minsi %{{.+}}, %[[LENGTH]]
//       CHECK:   scf.for %{{.+}} = %{{.+}} to %[[HIGH]]
func.func @lines(%a: memref<4x2048x64xf32>, %m: memref<2048x1xf32>, %b: memref<4x2048x64xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 2048 : i64}]}) {
  glow_inst.map ins(%a, %m : memref<4x2048x64xf32>, memref<2048x1xf32>) outs(%b : memref<4x2048x64xf32>) attributes {glow_inst.extents = affine_map<()[s0] -> (4, s0, 64)>} {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.mulf %x, %y : f32
    glow.yield %0 : f32
  }
  return
}

// Past the caches if the output begins with a line, but for a rest.
// CHECK-LABEL: func @nontemporal(
//       CHECK: memref.extract_aligned_pointer_as_index
//       CHECK: scf.if
//       CHECK: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true} : memref<37xf32>, vector<16xf32>
//       CHECK: vector.maskedstore
//       CHECK: llvm.fence seq_cst
//       CHECK: else
//   CHECK-NOT: nontemporal = true
//       CHECK: return
func.func @nontemporal(%a: memref<37xf32>, %b: memref<37xf32>) {
  glow_inst.copy %a -> %b {nontemporal} : memref<37xf32> -> memref<37xf32>
  return
}

// What only a run knows the size of, if it has three quarters of the last cache.
// CHECK-LABEL: func @nontemporal_rows(
//       CHECK: %[[LEAST:.+]] = arith.constant 196607 : index
//       CHECK: %[[ALIGNED:.+]] = arith.cmpi eq
//       CHECK: %[[LARGE:.+]] = arith.cmpi sgt, %{{.+}}, %[[LEAST]] : index
//       CHECK: %[[PAYS:.+]] = arith.andi %[[ALIGNED]], %[[LARGE]] : i1
//       CHECK: scf.if %[[PAYS]]
//       CHECK: vector.store {{.*}} nontemporal = true
//       CHECK: else
//   CHECK-NOT: nontemporal = true
//       CHECK: return
func.func @nontemporal_rows(%a: memref<64x8192xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 64 : i64}]},
                            %b: memref<64x8192xf32>) {
  glow_inst.copy %a -> %b {nontemporal, glow_inst.extents = affine_map<()[s0] -> (s0, 8192)>} : memref<64x8192xf32> -> memref<64x8192xf32>
  return
}

// Rows that begin within a vector are stored as ever.
// CHECK-LABEL: func @unaligned_rows(
//   CHECK-NOT: nontemporal = true
//       CHECK: return
func.func @unaligned_rows(%a: memref<4x32xf32>, %b: memref<4x32xf32, strided<[40, 1]>>) {
  glow_inst.copy %a -> %b {nontemporal} : memref<4x32xf32> -> memref<4x32xf32, strided<[40, 1]>>
  return
}

// What a condition chooses is loaded as a whole.
// CHECK-LABEL: func @chosen(
//       CHECK: %[[BITS:.+]] = arith.trunci {{.*}} : vector<16xi8> to vector<16xi1>
//       CHECK: %[[X:.+]] = vector.load {{.*}}, vector<16xf32>
//       CHECK: %[[WHOLE:.+]] = llvm.freeze %[[X]] : vector<16xf32>
//       CHECK: %[[Y:.+]] = vector.load {{.*}}, vector<16xf32>
//   CHECK-NOT: llvm.freeze
//       CHECK: arith.select %[[BITS]], %[[WHOLE]],
func.func @chosen(%c: memref<16xi1>, %a: memref<16xf32>, %b: memref<16xf32>, %d: memref<16xf32>) {
  glow_inst.map ins(%c, %a, %b : memref<16xi1>, memref<16xf32>, memref<16xf32>) outs(%d : memref<16xf32>) {
  ^bb0(%p: i1, %x: f32, %y: f32):
    %double = arith.addf %y, %y : f32
    %0 = arith.select %p, %x, %double : f32
    glow.yield %0 : f32
  }
  return
}
