// RUN: glow-opt %s --glow-test-emit-kernels=target=vector-bits=512,vector-registers=32,fma=1,features=avx512vbmi --canonicalize --cse | FileCheck %s

// Three bytes of each weight are loaded and moved to the upper ones of four;
// shifted down, with the sign, they become the lower bits of an f32.
// CHECK-LABEL: func @one_row(
//       CHECK: %[[BYTES:.+]] = vector.maskedload {{.*}} memref<6144xi8>, vector<64xi1>, vector<64xi8> into vector<64xi8>
//       CHECK: %[[MOVED:.+]] = vector.shuffle %[[BYTES]], %[[BYTES]] [48, 0, 1, 2, 48, 3, 4, 5,
//       CHECK: %[[UPPER:.+]] = vector.bitcast %[[MOVED]] : vector<64xi8> to vector<16xi32>
//       CHECK: %[[MOVED:.+]] = arith.shrsi %[[UPPER]]
//       CHECK: %[[OWN:.+]] = arith.andi %[[MOVED]]
//       CHECK: %[[BITS:.+]] = arith.ori %[[OWN]]
//       CHECK: vector.bitcast %[[BITS]] : vector<16xi32> to vector<16xf32>
//       CHECK: vector.fma
func.func @one_row(%a: memref<1x64xf32>, %b: memref<1x64x32xi24>, %c: memref<1x32xf32>) {
  glow_inst.matmul ins(%a, %b : memref<1x64xf32>, memref<1x64x32xi24>) outs(%c : memref<1x32xf32>) {accumulator = f32, packed = 32 : i64}
  return
}

// One column has no vector.
// CHECK-LABEL: func @one_column(
//       CHECK: vector.maskedload {{.*}} into vector<4xi8>
//       CHECK: vector.extract {{.*}} f32 from vector<1xf32>
func.func @one_column(%a: memref<1x64xf32>, %b: memref<1x64x32xi24>, %c: memref<1x1xf32>) {
  glow_inst.matmul ins(%a, %b : memref<1x64xf32>, memref<1x64x32xi24>) outs(%c : memref<1x1xf32>) {accumulator = f32, packed = 32 : i64}
  return
}
