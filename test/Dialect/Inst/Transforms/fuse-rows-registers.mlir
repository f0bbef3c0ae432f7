// RUN: glow-opt %s "-glow-inst-fuse-rows=target=vector-bits=256,vector-registers=16,l2=512K" | FileCheck %s
// RUN: glow-opt %s "-glow-inst-fuse-rows=target=vector-bits=256,vector-registers=32,l2=512K" | FileCheck %s --check-prefix=APART

// Two multiply-adds in a cycle make rows that are computed twice cheaper than
// the traffic of 4.8 MB.
// CHECK: glow_inst.forall
// APART-NOT: glow_inst.forall
func.func @expansion(%x: memref<1x112x112x32xf32>, %we: memref<6x32x16xf32>, %wd: memref<3x3x1x96xf32>, %y: memref<1x56x56x96xf32> {glow_inst.output}) {
  %e = glow_inst.alloc : memref<1x113x113x96xf32>
  %bottom = glow_inst.view %e : memref<1x113x113x96xf32> to memref<1x1x113x96xf32, strided<[1225824, 10848, 96, 1], offset: 1214976>>
  glow_inst.fill %bottom with 0.0 : f32 : memref<1x1x113x96xf32, strided<[1225824, 10848, 96, 1], offset: 1214976>>
  %right = glow_inst.view %e : memref<1x113x113x96xf32> to memref<1x112x1x96xf32, strided<[1225824, 10848, 96, 1], offset: 10752>>
  glow_inst.fill %right with 0.0 : f32 : memref<1x112x1x96xf32, strided<[1225824, 10848, 96, 1], offset: 10752>>
  %inner = glow_inst.view %e : memref<1x113x113x96xf32> to memref<1x112x112x96xf32, strided<[1225824, 10848, 96, 1]>>
  glow_inst.conv ins(%x, %we : memref<1x112x112x32xf32>, memref<6x32x16xf32>) outs(%inner : memref<1x112x112x96xf32, strided<[1225824, 10848, 96, 1]>>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 16 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  glow_inst.conv ins(%e, %wd : memref<1x113x113x96xf32>, memref<3x3x1x96xf32>) outs(%y : memref<1x56x56x96xf32>) {dilations = array<i64: 1, 1>, group = 96 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>}
  return
}
