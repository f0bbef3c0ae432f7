// RUN: glow-opt %s "--glow-test-emit-kernels=target=vector-bits=256,vector-registers=16,fma=1" --canonicalize --cse | FileCheck %s

// Vectors of eight are half a line: two squares side by side read whole ones.
// CHECK-LABEL: func.func @lines(
//       CHECK: scf.for %{{.+}} = %c0 to %c4
// CHECK-COUNT-16: vector.load {{.+}} vector<8xf32>
//   CHECK-NOT: vector.load
//       CHECK: return
func.func @lines(%x: memref<40x64xf32>, %y: memref<64x40xf32>) {
  %t = glow_inst.view %y : memref<64x40xf32> to memref<40x64xf32, strided<[1, 40]>>
  glow_inst.copy %x -> %t : memref<40x64xf32> -> memref<40x64xf32, strided<[1, 40]>>
  return
}

// A block of a whole line is the last one: four of its places are known, and
// its first square has been stored.
// CHECK-LABEL: func.func @rest(
// CHECK-COUNT-16: vector.load {{.+}} vector<8xf32>
//       CHECK: } else {
// CHECK-COUNT-8: vector.load {{.+}} vector<8xf32>
// CHECK-COUNT-4: vector.store
//   CHECK-NOT: vector.store
//       CHECK: return
func.func @rest(%x: memref<40x36xf32>, %y: memref<36x40xf32>) {
  %t = glow_inst.view %y : memref<36x40xf32> to memref<40x36xf32, strided<[1, 40]>>
  glow_inst.copy %x -> %t : memref<40x36xf32> -> memref<40x36xf32, strided<[1, 40]>>
  return
}

// Sixteen rows of the destination would be in two sets of the first level.
// CHECK-LABEL: func.func @sets(
// CHECK-COUNT-8: vector.load {{.+}} vector<8xf32>
//   CHECK-NOT: vector.load
//       CHECK: return
func.func @sets(%x: memref<512x64xf32>, %y: memref<64x512xf32>) {
  %t = glow_inst.view %y : memref<64x512xf32> to memref<512x64xf32, strided<[1, 512]>>
  glow_inst.copy %x -> %t : memref<512x64xf32> -> memref<512x64xf32, strided<[1, 512]>>
  return
}

// So would those of the source.
// CHECK-LABEL: func.func @both(
// CHECK-COUNT-16: vector.load {{.+}} vector<8xf32>
//   CHECK-NOT: vector.load
//       CHECK: return
func.func @both(%x: memref<32x32xf32, strided<[512, 1]>>, %y: memref<32x32xf32, strided<[1, 512]>>) {
  glow_inst.copy %x -> %y : memref<32x32xf32, strided<[512, 1]>> -> memref<32x32xf32, strided<[1, 512]>>
  return
}
