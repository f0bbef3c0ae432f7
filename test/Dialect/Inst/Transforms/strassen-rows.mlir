// RUN: glow-opt %s -glow-inst-strassen-products=target=l2=1M,l3=16M,vector-bits=512,vector-registers=32 --mlir-elide-resource-strings-if-larger=16 | FileCheck %s
// How many rows there are is known at run time: s1 of each of s0 texts.

// Parts of seven pairs, and blocks of 33: none of fewer than 32 rows.
// CHECK-DAG: [[PARTS:#.+]] = affine_map<()[s0, s1] -> (s0, s1 ceildiv 14 + ((s1 - 32) floordiv 1099511627776) * 1099511627776)>
// CHECK-DAG: [[LOWER:#.+]] = affine_map<(d0)[s0, s1] -> (7, d0 * -14 + s1)>
// CHECK-DAG: [[PAIRS:#.+]] = affine_map<(d0)[s0, s1] -> ((d0 * -14 + s1) ceildiv 2)>
// CHECK-DAG: [[BLOCKS:#.+]] = affine_map<()[s0, s1] -> (s1 ceildiv 66 + ((s1 - 32) floordiv 1099511627776) * 1099511627776, 8, s0)>
// CHECK-DAG: [[PRODUCTS:#.+]] = affine_map<(d0)[s0, s1] -> (7, (d0 * -66 + s1) ceildiv 2, 64)>
// CHECK-DAG: [[UPPER:#.+]] = affine_map<(d0)[s0, s1] -> ((d0 * -66 + s1) ceildiv 2, 64)>
// CHECK-DAG: [[ODD:#.+]] = affine_map<(d0)[s0, s1] -> (d0 * -33 + s1 floordiv 2, 64)>
// CHECK-DAG: [[SUMS:#.+]] = affine_map<()[s0, s1] -> (s0, s1 - ((s1 - 32) floordiv 1099511627776) * 1099511627776 - 1099511627776, 256)>
// CHECK-DAG: [[FEW:#.+]] = affine_map<()[s0, s1] -> (2, s0, s1 - ((s1 - 32) floordiv 1099511627776) * 1099511627776 - 1099511627776, 512)>

// CHECK-LABEL: func.func @texts(
// CHECK-SAME: %[[A:.+]]: memref<2x129x512xf32>, {{.*}} %[[S:.+]]: memref<2xi64>
// CHECK: %[[B:.+]] = glow_inst.constant {{.*}} -> memref<7x16x256x32xf32>
// Even rows are paired with odd ones.
// CHECK: %[[EVEN:.+]] = glow_inst.view %[[A]] : memref<2x129x512xf32> to memref<2x28x512xf32, strided<[66048, 1024, 1]>>
// CHECK: %[[ODDS:.+]] = glow_inst.view %[[A]] : memref<2x129x512xf32> to memref<2x28x512xf32, strided<[66048, 1024, 1], offset: 512>>
// CHECK: glow_inst.forall [2, 4] ins(%[[EVEN]], %[[ODDS]], {{.*}}, %[[S]] : {{.*}} attributes {glow_inst.extents = [[PARTS]]}
// A pair without an odd row: what lies in its place is left out.
// CHECK: glow_inst.reduce sum ins(%{{.+}} : memref<7x14xf32>) outs(%[[ROWS:.+]] : memref<7xf32>) axes = [1] {glow_inst.extents = [[LOWER]]}
// CHECK: glow_inst.reduce max {{.*}} {glow_inst.extents = [[PAIRS]]}
// CHECK: glow_inst.map ins(%{{.+}} : memref<7xf32>)
// CHECK: glow_inst.reduce max {{.*}} {glow_inst.extents = [[PAIRS]]}
// CHECK: glow_inst.map ins(%{{.+}}, %[[ROWS]] : memref<7xf32>, memref<7xf32>)
// CHECK: glow_inst.forall [1, 8, 2] {{.*}} attributes {glow_inst.extents = [[BLOCKS]]}
// CHECK-COUNT-2: glow_inst.matmul {{.*}} {glow_inst.extents = [[PRODUCTS]], packed = 32 : i64}
// CHECK: glow_inst.map {{.*}} memref<33x64xf32, {{.*}} attributes {glow_inst.extents = [[UPPER]]}
// CHECK: glow_inst.map {{.*}} memref<33x64xf32, {{.*}} attributes {glow_inst.extents = [[ODD]]}
// Of 129 rows the last one is both of a pair.
// CHECK: glow_inst.forall [2, 1] ins(%[[LAST:.+]], %[[SAME:.+]], {{.*}} : memref<2x1x512xf32, strided<[66048, 1024, 1], offset: 65536>>, memref<2x1x512xf32, strided<[66048, 1024, 1], offset: 65536>>
// CHECK: glow_inst.forall [1, 8, 2] {{.*}} outs(%{{.+}}, %{{.+}} : memref<1x2x32x2x512xf32, {{.*}}, memref<1x2x31x2x512xf32,
// Few rows are multiplied as they are, by four of the seven sums: by two, one for
// each half of the columns, then by those of the lower half of the depth.
// CHECK: glow_inst.map {{.*}} attributes {glow_inst.extents = [[SUMS]]}
// CHECK: glow.yield %{{.+}}, %{{.+}}, %{{.+}} : f32, f32, f32
// CHECK: %[[LEFT:.+]] = glow_inst.view %{{.+}} : memref<2x32x784xf32> to memref<2x2x32x256xf32, strided<[256, 25088, 784, 1]>>
// CHECK: %[[TWO:.+]] = glow_inst.view %[[B]] : memref<7x16x256x32xf32> to memref<2x1x16x256x32xf32, strided<[262144, 0, 8192, 32, 1]>>
// CHECK: glow_inst.matmul ins(%[[LEFT]], %[[TWO]] : {{.*}} outs(%[[UPPER:.+]] : memref<2x2x32x512xf32>) {glow_inst.extents = [[FEW]], packed = 32 : i64}
// CHECK: %[[NEXT:.+]] = glow_inst.view %{{.+}} : memref<2x32x784xf32> to memref<2x2x32x256xf32, strided<[256, 25088, 784, 1], offset: 256>>
// CHECK: %[[OTHERS:.+]] = glow_inst.view %[[B]] : memref<7x16x256x32xf32> to memref<2x1x16x256x32xf32, strided<[262144, 0, 8192, 32, 1], offset: 131072>>
// CHECK: glow_inst.matmul ins(%[[NEXT]], %[[OTHERS]] : {{.*}} epilogue(%[[UPPER]], {{.*}} {glow_inst.extents = [[FEW]], packed = 32 : i64} do {
// CHECK-NEXT: ^bb0(%[[SUM:.+]]: f32, %[[FIRST:.+]]: f32, %[[SCALE:.+]]: f32, %{{.+}}: f32, %{{.+}}: f32):
// CHECK-NEXT: %[[ALL:.+]] = arith.addf %[[SUM]], %[[FIRST]]
// CHECK-NEXT: arith.mulf %[[ALL]], %[[SCALE]]
// CHECK-NOT: glow_inst.matmul
#rows = affine_map<()[s0, s1] -> (s0, s1, 1024)>
func.func @texts(%a: memref<2x129x512xf32>, %bias: memref<1024xf32>, %s: memref<2xi64> {glow.symbols = [{name = "b", lower = 1 : i64, upper = 2 : i64}, {name = "n", lower = 1 : i64, upper = 129 : i64}]}, %c: memref<2x129x1024xf32> {glow_inst.output}) {
  %b = glow_inst.constant dense<0.75> : tensor<32x512x32xf32> -> memref<32x512x32xf32>
  glow_inst.matmul ins(%a, %b : memref<2x129x512xf32>, memref<32x512x32xf32>) epilogue(%bias, %c : memref<1024xf32>, memref<2x129x1024xf32>) outs(%c : memref<2x129x1024xf32>) {glow_inst.extents = #rows, packed = 32 : i64} do {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.addf %x, %y : f32
    %1 = arith.addf %0, %z : f32
    glow.yield %1 : f32
  }
  return
}

// There are rows enough whenever the program runs, of a number that is known.
// CHECK-LABEL: func.func @batch(
// CHECK-NOT: floordiv
// CHECK: glow_inst.forall [3, {{[0-9]+}}]
// CHECK-NOT: memref<2x3x32x512xf32
#batch = affine_map<()[s0] -> (s0, 100, 1024)>
func.func @batch(%a: memref<3x100x512xf32>, %s: memref<1xi64> {glow.symbols = [{name = "b", lower = 1 : i64, upper = 3 : i64}]}, %c: memref<3x100x1024xf32> {glow_inst.output}) {
  %b = glow_inst.constant dense<0.75> : tensor<32x512x32xf32> -> memref<32x512x32xf32>
  glow_inst.matmul ins(%a, %b : memref<3x100x512xf32>, memref<32x512x32xf32>) outs(%c : memref<3x100x1024xf32>) {glow_inst.extents = #batch, packed = 32 : i64}
  return
}

// What is computed of the columns is left to the kernel.
// CHECK-LABEL: func.func @columns(
// CHECK-NOT: forall
#columns = affine_map<()[s0] -> (100, s0)>
func.func @columns(%a: memref<100x512xf32>, %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 1024 : i64}]}, %c: memref<100x1024xf32> {glow_inst.output}) {
  %b = glow_inst.constant dense<0.75> : tensor<32x512x32xf32> -> memref<32x512x32xf32>
  glow_inst.matmul ins(%a, %b : memref<100x512xf32>, memref<32x512x32xf32>) outs(%c : memref<100x1024xf32>) {glow_inst.extents = #columns, packed = 32 : i64}
  return
}

// Never more than some rows, whatever the type says.
// CHECK-LABEL: func.func @never_many(
// CHECK-NOT: forall
#few = affine_map<()[s0] -> (s0, 1024)>
func.func @never_many(%a: memref<100x512xf32>, %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 31 : i64}]}, %c: memref<100x1024xf32> {glow_inst.output}) {
  %b = glow_inst.constant dense<0.75> : tensor<32x512x32xf32> -> memref<32x512x32xf32>
  glow_inst.matmul ins(%a, %b : memref<100x512xf32>, memref<32x512x32xf32>) outs(%c : memref<100x1024xf32>) {glow_inst.extents = #few, packed = 32 : i64}
  return
}
