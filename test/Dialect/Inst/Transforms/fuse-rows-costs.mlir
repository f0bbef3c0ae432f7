// RUN: glow-opt %s "-glow-inst-fuse-rows=target=vector-bits=512,l2=2M" | FileCheck %s
// RUN: glow-opt %s "-glow-inst-fuse-rows=target=vector-bits=512,l2=8M" | FileCheck %s --check-prefix=STAYS

// The 1.6 MB between the two would have room in the cache, but not beside what
// else passes through it: as much is read before, half of it written after.
// CHECK: glow_inst.forall
// STAYS-NOT: glow_inst.forall
func.func @separable(%x: memref<1x114x114x32xf32>, %wd: memref<3x3x1x32xf32>, %wp: memref<1x32x32xf32>, %y: memref<1x112x112x16xf32> {glow_inst.output}) {
  %d = glow_inst.alloc : memref<1x112x112x32xf32>
  glow_inst.conv ins(%x, %wd : memref<1x114x114x32xf32>, memref<3x3x1x32xf32>) outs(%d : memref<1x112x112x32xf32>) {dilations = array<i64: 1, 1>, group = 32 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  glow_inst.conv ins(%d, %wp : memref<1x112x112x32xf32>, memref<1x32x32xf32>) outs(%y : memref<1x112x112x16xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}

// Of eight images of 300 KB an expansion and a depthwise convolution have one
// after the other: bands of some rows would compute a quarter of them twice.
// CHECK-LABEL: func.func @images(
// CHECK-NOT: glow_inst.fill
// CHECK: glow_inst.forall [8, 1] ins(
// CHECK: %[[E:.+]] = glow_inst.alloc : memref<1x16x14x384xf32>
// CHECK: glow_inst.fill
// CHECK: glow_inst.fill
// CHECK: glow_inst.conv ins({{.*}} : memref<1x14x14x64xf32>, {{.*}} outs({{.*}} : memref<1x14x14x384xf32
// CHECK: glow_inst.conv ins(%[[E]], {{.*}} outs({{.*}} : memref<1x14x12x384xf32
// STAYS-LABEL: func.func @images(
func.func @images(%x: memref<8x14x14x64xf32>, %we: memref<12x64x32xf32>, %wd: memref<3x3x1x384xf32>, %y: memref<8x14x12x384xf32> {glow_inst.output}) {
  %e = glow_inst.alloc : memref<8x16x14x384xf32>
  %top = glow_inst.view %e : memref<8x16x14x384xf32> to memref<8x1x14x384xf32, strided<[86016, 5376, 384, 1]>>
  glow_inst.fill %top with 0.0 : f32 : memref<8x1x14x384xf32, strided<[86016, 5376, 384, 1]>>
  %bottom = glow_inst.view %e : memref<8x16x14x384xf32> to memref<8x1x14x384xf32, strided<[86016, 5376, 384, 1], offset: 80640>>
  glow_inst.fill %bottom with 0.0 : f32 : memref<8x1x14x384xf32, strided<[86016, 5376, 384, 1], offset: 80640>>
  %inner = glow_inst.view %e : memref<8x16x14x384xf32> to memref<8x14x14x384xf32, strided<[86016, 5376, 384, 1], offset: 5376>>
  glow_inst.conv ins(%x, %we : memref<8x14x14x64xf32>, memref<12x64x32xf32>) outs(%inner : memref<8x14x14x384xf32, strided<[86016, 5376, 384, 1], offset: 5376>>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  glow_inst.conv ins(%e, %wd : memref<8x16x14x384xf32>, memref<3x3x1x384xf32>) outs(%y : memref<8x14x12x384xf32>) {dilations = array<i64: 1, 1>, group = 384 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}
