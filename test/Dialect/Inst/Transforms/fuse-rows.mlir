// RUN: glow-opt %s -glow-inst-fuse-rows=height=6 | FileCheck %s
// RUN: glow-opt %s -glow-inst-fuse-rows=target=vector-bits=512,l2=1M | FileCheck %s --check-prefix=LARGE
// RUN: glow-opt %s -glow-inst-fuse-rows=height=6 -glow-inst-plan-memory -glow-inst-verify-plan -o /dev/null
// RUN: glow-opt %s "-glow-inst-fuse-rows=target=vector-bits=512,l2=32K" | FileCheck %s --check-prefix=SMALL

// Where everything stays in the cache, nothing is to be gained.
// LARGE-NOT: glow_inst.forall

// What gains most is the pool: its input is eight times the cache.
// SMALL-LABEL: func.func @pooled(
// SMALL: glow_inst.forall [8]

// The first of four bands begins in the padding above the image, of which each band's
// scratch memory has a row; the last one ends in that below. All compute eight
// rows of the expansion. The residual is read as it is.
// CHECK-LABEL: func.func @block(
// CHECK-NOT: glow_inst.fill
// CHECK: glow_inst.forall [2, 4] ins(%arg0, %{{.*}}, %arg0 : {{.*}}) outs(%arg1 : memref<2x24x16x8xf32>)
// CHECK-SAME: steps = [array<i64: 3072, 0>, array<i64: 0, 0>, array<i64: 0, 0>, array<i64: 0, 0>, array<i64: 3072, 768>, array<i64: 3072, 768>] {
// CHECK: ^bb0(%[[X:.+]]: memref<1x24x16x8xf32>, %{{.*}}, %[[R:.+]]: memref<1x6x16x8xf32, strided<[3072, 128, 8, 1]>>, %[[Y:.+]]: memref<1x6x16x8xf32, strided<[3072, 128, 8, 1]>>):
// CHECK: %[[E:.+]] = glow_inst.alloc : memref<1x10x18x32xf32>
// CHECK: %[[D:.+]] = glow_inst.alloc : memref<1x6x16x32xf32>
// CHECK: %[[TOP:.+]] = glow_inst.view %[[E]] : memref<1x10x18x32xf32> to memref<1x1x18x32xf32, strided<[5760, 576, 32, 1]>>
// CHECK: glow_inst.fill %[[TOP]]
// CHECK: glow_inst.view %[[E]] {{.*}} to memref<1x1x18x32xf32, strided<[5760, 576, 32, 1], offset: 5184>>
// CHECK: glow_inst.fill
// CHECK: glow_inst.view %[[E]] {{.*}} to memref<1x8x1x32xf32, strided<[5760, 576, 32, 1], offset: 576>>
// CHECK: glow_inst.fill
// CHECK: glow_inst.view %[[E]] {{.*}} to memref<1x8x1x32xf32, strided<[5760, 576, 32, 1], offset: 1120>>
// CHECK: glow_inst.fill
// CHECK: %[[XS:.+]] = glow_inst.slide %[[X]] at [array<i64>, array<i64: 0, 640, 1408, 2048>] : memref<1x24x16x8xf32> to memref<1x8x16x8xf32, strided<[3072, 128, 8, 1]>>
// CHECK: %[[EV:.+]] = glow_inst.view %[[E]] {{.*}} to memref<1x8x16x32xf32, strided<[5760, 576, 32, 1], offset: 608>>
// CHECK: glow_inst.conv ins(%[[XS]], {{.*}} outs(%[[EV]] :
// CHECK: %[[ES:.+]] = glow_inst.slide %[[E]] at [array<i64>, array<i64: 0, 576, 576, 1152>] : memref<1x10x18x32xf32> to memref<1x8x18x32xf32, strided<[5760, 576, 32, 1]>>
// CHECK: glow_inst.conv ins(%[[ES]], {{.*}} outs(%[[D]] :
// CHECK: glow_inst.conv ins(%[[D]], {{.*}} epilogue(%[[R]] : {{.*}} outs(%[[Y]] :
// CHECK-NOT: glow_inst.conv
func.func @block(%x: memref<2x24x16x8xf32>, %y: memref<2x24x16x8xf32> {glow_inst.output}, %we: memref<1x8x32xf32>, %wd: memref<3x3x1x32xf32>, %wp: memref<1x32x32xf32>) {
  %e = glow_inst.alloc : memref<2x26x18x32xf32>
  %top = glow_inst.view %e : memref<2x26x18x32xf32> to memref<2x1x18x32xf32, strided<[14976, 576, 32, 1]>>
  glow_inst.fill %top with 0.0 : f32 : memref<2x1x18x32xf32, strided<[14976, 576, 32, 1]>>
  %bottom = glow_inst.view %e : memref<2x26x18x32xf32> to memref<2x1x18x32xf32, strided<[14976, 576, 32, 1], offset: 14400>>
  glow_inst.fill %bottom with 0.0 : f32 : memref<2x1x18x32xf32, strided<[14976, 576, 32, 1], offset: 14400>>
  %left = glow_inst.view %e : memref<2x26x18x32xf32> to memref<2x24x1x32xf32, strided<[14976, 576, 32, 1], offset: 576>>
  glow_inst.fill %left with 0.0 : f32 : memref<2x24x1x32xf32, strided<[14976, 576, 32, 1], offset: 576>>
  %right = glow_inst.view %e : memref<2x26x18x32xf32> to memref<2x24x1x32xf32, strided<[14976, 576, 32, 1], offset: 1120>>
  glow_inst.fill %right with 0.0 : f32 : memref<2x24x1x32xf32, strided<[14976, 576, 32, 1], offset: 1120>>
  %inner = glow_inst.view %e : memref<2x26x18x32xf32> to memref<2x24x16x32xf32, strided<[14976, 576, 32, 1], offset: 608>>
  glow_inst.conv ins(%x, %we : memref<2x24x16x8xf32>, memref<1x8x32xf32>) outs(%inner : memref<2x24x16x32xf32, strided<[14976, 576, 32, 1], offset: 608>>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  %d = glow_inst.alloc : memref<2x24x16x32xf32>
  glow_inst.conv ins(%e, %wd : memref<2x26x18x32xf32>, memref<3x3x1x32xf32>) outs(%d : memref<2x24x16x32xf32>) {dilations = array<i64: 1, 1>, group = 32 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  glow_inst.conv ins(%d, %wp : memref<2x24x16x32xf32>, memref<1x32x32xf32>) epilogue(%x : memref<2x24x16x8xf32>) outs(%y : memref<2x24x16x8xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} do {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    glow.yield %s : f32
  }
  return
}

// Windows of a pool, without padding: bands are evenly apart.
// CHECK-LABEL: func.func @pooled(
// CHECK: glow_inst.forall [{{[0-9]+}}] ins(%arg0, {{.*}}) outs(%arg1
// CHECK-NOT: glow_inst.slide
// CHECK: glow_inst.conv
// CHECK: glow_inst.pool max
// CHECK-NOT: glow_inst.alloc
func.func @pooled(%x: memref<1x48x32x4xf32>, %y: memref<1x24x16x32xf32> {glow_inst.output}, %w: memref<1x4x32xf32>) {
  %e = glow_inst.alloc : memref<1x48x32x32xf32>
  glow_inst.conv ins(%x, %w : memref<1x48x32x4xf32>, memref<1x4x32xf32>) outs(%e : memref<1x48x32x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  glow_inst.pool max ins(%e : memref<1x48x32x32xf32>) outs(%y : memref<1x24x16x32xf32>) {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 2, 2>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>}
  return
}

// The expansion is needed behind the chain too.
// CHECK-LABEL: func.func @used_later(
// CHECK-NOT: glow_inst.forall
func.func @used_later(%x: memref<1x48x32x4xf32>, %y: memref<1x24x16x32xf32> {glow_inst.output}, %z: memref<1x32xf32> {glow_inst.output}, %w: memref<1x4x32xf32>) {
  %e = glow_inst.alloc : memref<1x48x32x32xf32>
  glow_inst.conv ins(%x, %w : memref<1x48x32x4xf32>, memref<1x4x32xf32>) outs(%e : memref<1x48x32x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  glow_inst.pool max ins(%e : memref<1x48x32x32xf32>) outs(%y : memref<1x24x16x32xf32>) {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 2, 2>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>}
  glow_inst.reduce sum ins(%e : memref<1x48x32x32xf32>) outs(%z : memref<1x32xf32>) axes = [1, 2]
  return
}
