// RUN: glow-opt %s -glow-inst-eliminate-copies | FileCheck %s

// What has been joined takes all of both places: nothing is computed into its
// second half beforehand.
// CHECK-LABEL: func.func @joined_before
// CHECK: %[[U:.+]] = glow_inst.alloc
// CHECK: glow_inst.map {{.*}} outs(%[[U]] :
// CHECK: glow_inst.copy %arg0 ->
// CHECK: glow_inst.copy %[[U]] ->
func.func @joined_before(%s: memref<8xf32>, %x: memref<2xf32>, %t: memref<8xf32> {glow_inst.output}) {
  %u = glow_inst.alloc : memref<2xf32>
  glow_inst.map ins(%x : memref<2xf32>) outs(%u : memref<2xf32>) {
  ^bb0(%a: f32):
    %0 = arith.addf %a, %a : f32
    glow.yield %0 : f32
  }
  %s0 = glow_inst.view %s : memref<8xf32> to memref<4xf32, strided<[1]>>
  %t0 = glow_inst.view %t : memref<8xf32> to memref<4xf32, strided<[1]>>
  glow_inst.copy %s0 -> %t0 : memref<4xf32, strided<[1]>> -> memref<4xf32, strided<[1]>>
  %s1 = glow_inst.view %s : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  %t1 = glow_inst.view %t : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  glow_inst.copy %s1 -> %t1 : memref<4xf32, strided<[1], offset: 4>> -> memref<4xf32, strided<[1], offset: 4>>
  %t2 = glow_inst.view %t : memref<8xf32> to memref<2xf32, strided<[1], offset: 5>>
  glow_inst.copy %u -> %t2 : memref<2xf32> -> memref<2xf32, strided<[1], offset: 5>>
  return
}
