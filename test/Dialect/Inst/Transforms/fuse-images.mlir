// RUN: glow-opt %s "-glow-inst-fuse-images=target=vector-bits=512,l2=64K,l3=256K" | FileCheck %s
// RUN: glow-opt %s "-glow-inst-fuse-images=target=vector-bits=512,l2=8M,l3=8M" | FileCheck %s --check-prefix=STAYS
// RUN: glow-opt %s "-glow-inst-fuse-images=target=vector-bits=512,l2=64K,l3=256K" -glow-inst-share-buffers -glow-inst-plan-memory -glow-inst-verify-plan | FileCheck %s --check-prefix=PLAN
// RUN: glow-opt %s "-glow-inst-fuse-images=target=vector-bits=512,l2=64K,l3=256K" -glow-inst-limit-work | FileCheck %s --check-prefix=LIMIT

// Where everything stays in the cache, nothing is to be gained.
// STAYS-NOT: glow_inst.forall [8] ins(

// Of each image two buffers are scratch memory: the second one's border is filled in
// the loop. The bias and the weights are whole.
// CHECK-LABEL: func.func @block(
// CHECK-NOT: glow_inst.alloc : memref<8
// CHECK: glow_inst.forall [8] ins(%arg0, %arg1, %arg2, %arg3 : {{.*}}) outs(%arg4 : memref<8x16x16x32xf32>)
// CHECK-SAME: steps = [array<i64: 8192>, array<i64: 0>, array<i64: 0>, array<i64: 0>, array<i64: 8192>]
// CHECK: ^bb0(%[[X:.+]]: memref<1x16x16x32xf32>, %[[W:.+]]: memref<1x32x32xf32>, %[[B:.+]]: memref<32xf32>, %[[WD:.+]]: memref<3x3x1x32xf32>, %[[Y:.+]]: memref<1x16x16x32xf32>):
// CHECK: %[[P:.+]] = glow_inst.alloc : memref<1x18x18x32xf32>
// CHECK: %[[D:.+]] = glow_inst.alloc : memref<1x16x16x32xf32>
// CHECK: %[[TOP:.+]] = glow_inst.view %[[P]] {{.*}} to memref<1x1x18x32xf32, strided<[10368, 576, 32, 1]>>
// CHECK: glow_inst.fill %[[TOP]]
// CHECK: %[[IN:.+]] = glow_inst.view %[[P]] {{.*}} to memref<1x16x16x32xf32, strided<[10368, 576, 32, 1], offset: 608>>
// CHECK: glow_inst.conv ins(%[[X]], %[[W]] {{.*}} epilogue(%[[B]] {{.*}} outs(%[[IN]] :
// CHECK: glow_inst.conv ins(%[[P]], %[[WD]] {{.*}} outs(%[[D]] :
// CHECK: glow_inst.conv ins(%[[D]], %[[W]] {{.*}} outs(%[[Y]] :
// CHECK-NOT: glow_inst.conv
// PLAN-LABEL: func.func @block(
// PLAN: scratch_bytes = 74240
func.func @block(%x: memref<8x16x16x32xf32>, %w: memref<1x32x32xf32>, %b: memref<32xf32>, %wd: memref<3x3x1x32xf32>, %y: memref<8x16x16x32xf32> {glow_inst.output}) {
  %p = glow_inst.alloc : memref<8x18x18x32xf32>
  %top = glow_inst.view %p : memref<8x18x18x32xf32> to memref<8x1x18x32xf32, strided<[10368, 576, 32, 1]>>
  glow_inst.fill %top with 0.0 : f32 : memref<8x1x18x32xf32, strided<[10368, 576, 32, 1]>>
  %rest = glow_inst.view %p : memref<8x18x18x32xf32> to memref<8x17x18x32xf32, strided<[10368, 576, 32, 1], offset: 576>>
  glow_inst.fill %rest with 0.0 : f32 : memref<8x17x18x32xf32, strided<[10368, 576, 32, 1], offset: 576>>
  %in = glow_inst.view %p : memref<8x18x18x32xf32> to memref<8x16x16x32xf32, strided<[10368, 576, 32, 1], offset: 608>>
  glow_inst.conv ins(%x, %w : memref<8x16x16x32xf32>, memref<1x32x32xf32>) epilogue(%b : memref<32xf32>) outs(%in : memref<8x16x16x32xf32, strided<[10368, 576, 32, 1], offset: 608>>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} do {
  ^bb0(%a: f32, %c: f32):
    %s = arith.addf %a, %c : f32
    glow.yield %s : f32
  }
  %d = glow_inst.alloc : memref<8x16x16x32xf32>
  glow_inst.conv ins(%p, %wd : memref<8x18x18x32xf32>, memref<3x3x1x32xf32>) outs(%d : memref<8x16x16x32xf32>) {dilations = array<i64: 1, 1>, group = 32 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  glow_inst.conv ins(%d, %w : memref<8x16x16x32xf32>, memref<1x32x32xf32>) outs(%y : memref<8x16x16x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}

// A loop over images and bands becomes one over the bands of an image, whose
// scratch memory is part of that of the loop around it.
// CHECK-LABEL: func.func @loop_in_loop(
// CHECK: glow_inst.forall [8] ins(
// CHECK: %[[T:.+]] = glow_inst.alloc : memref<1x16x16x32xf32>
// CHECK: glow_inst.conv {{.*}} outs(%[[T]] :
// CHECK: glow_inst.forall [1, 4] ins(%[[T]] : memref<1x16x16x32xf32>) outs(%{{.+}} : memref<1x16x16x32xf32>) steps = [array<i64: 8192, 2048>, array<i64: 8192, 2048>]
// PLAN-LABEL: func.func @loop_in_loop(
// PLAN: scratch_bytes = 40960
// PLAN: scratch_bytes = 8192
func.func @loop_in_loop(%x: memref<8x16x16x32xf32>, %w: memref<1x32x32xf32>, %y: memref<8x16x16x32xf32> {glow_inst.output}) {
  %t = glow_inst.alloc : memref<8x16x16x32xf32>
  glow_inst.conv ins(%x, %w : memref<8x16x16x32xf32>, memref<1x32x32xf32>) outs(%t : memref<8x16x16x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  glow_inst.forall [8, 4] ins(%t : memref<8x16x16x32xf32>) outs(%y : memref<8x16x16x32xf32>) steps = [array<i64: 8192, 2048>, array<i64: 8192, 2048>] {
  ^bb0(%a: memref<1x4x16x32xf32, strided<[8192, 512, 32, 1]>>, %c: memref<1x4x16x32xf32, strided<[8192, 512, 32, 1]>>):
    %s = glow_inst.alloc : memref<1x4x16x32xf32>
    glow_inst.copy %a -> %s : memref<1x4x16x32xf32, strided<[8192, 512, 32, 1]>> -> memref<1x4x16x32xf32>
    glow_inst.copy %s -> %c : memref<1x4x16x32xf32> -> memref<1x4x16x32xf32, strided<[8192, 512, 32, 1]>>
  }
  return
}

// What something else needs, too, is read where it has been written.
// CHECK-LABEL: func.func @both(
// CHECK: glow_inst.forall [8] ins(%arg0, %arg1 : {{.*}}) outs(%arg2, %arg3 :
// CHECK: ^bb0(%{{.+}}: memref<1x16x16x32xf32>, %{{.+}}: memref<1x32x32xf32>, %[[R:.+]]: memref<1x16x16x32xf32>, %[[Y:.+]]: memref<1x16x16x32xf32>):
// CHECK: glow_inst.conv {{.*}} outs(%[[R]] :
// CHECK: glow_inst.conv ins(%[[R]],
// CHECK: glow_inst.conv {{.*}} outs(%[[Y]] :
func.func @both(%x: memref<8x16x16x32xf32>, %w: memref<1x32x32xf32>, %r: memref<8x16x16x32xf32> {glow_inst.output}, %y: memref<8x16x16x32xf32> {glow_inst.output}) {
  %t = glow_inst.alloc : memref<8x16x16x32xf32>
  glow_inst.conv ins(%x, %w : memref<8x16x16x32xf32>, memref<1x32x32xf32>) outs(%r : memref<8x16x16x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  glow_inst.conv ins(%r, %w : memref<8x16x16x32xf32>, memref<1x32x32xf32>) outs(%t : memref<8x16x16x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  glow_inst.conv ins(%t, %w : memref<8x16x16x32xf32>, memref<1x32x32xf32>) outs(%y : memref<8x16x16x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}

// Of five images on two threads both share the last one.
// CHECK-LABEL: func.func @five(
// CHECK: glow_inst.forall [5] ins({{.*}} attributes {shared} {
func.func @five(%x: memref<5x16x16x32xf32>, %w: memref<1x32x32xf32>, %y: memref<5x16x16x32xf32> {glow_inst.output}) {
  %t = glow_inst.alloc : memref<5x16x16x32xf32>
  glow_inst.conv ins(%x, %w : memref<5x16x16x32xf32>, memref<1x32x32xf32>) outs(%t : memref<5x16x16x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  glow_inst.conv ins(%t, %w : memref<5x16x16x32xf32>, memref<1x32x32xf32>) outs(%y : memref<5x16x16x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}

// The second convolution reads an image and its neighbour, as if they were one of
// twice the height.
// CHECK-LABEL: func.func @neighbours(
// CHECK-NOT: glow_inst.forall
func.func @neighbours(%x: memref<8x16x16x32xf32>, %w: memref<1x32x32xf32>, %y: memref<8x32x16x32xf32> {glow_inst.output}) {
  %t = glow_inst.alloc : memref<9x16x16x32xf32>
  %most = glow_inst.view %t : memref<9x16x16x32xf32> to memref<8x16x16x32xf32>
  glow_inst.conv ins(%x, %w : memref<8x16x16x32xf32>, memref<1x32x32xf32>) outs(%most : memref<8x16x16x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  %last = glow_inst.view %t : memref<9x16x16x32xf32> to memref<1x16x16x32xf32, strided<[8192, 512, 32, 1], offset: 65536>>
  glow_inst.fill %last with 0.0 : f32 : memref<1x16x16x32xf32, strided<[8192, 512, 32, 1], offset: 65536>>
  %pairs = glow_inst.view %t : memref<9x16x16x32xf32> to memref<8x32x16x32xf32, strided<[8192, 512, 32, 1]>>
  glow_inst.conv ins(%pairs, %w : memref<8x32x16x32xf32, strided<[8192, 512, 32, 1]>>, memref<1x32x32xf32>) outs(%y : memref<8x32x16x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}

// A number that is filled has no images. It has no axis at all.
// CHECK-LABEL: func.func @number(
// CHECK: glow_inst.fill %{{.+}} with {{.*}} : memref<f32>
// CHECK: glow_inst.forall [8] ins(
func.func @number(%x: memref<8x16x16x32xf32>, %w: memref<1x32x32xf32>, %n: memref<f32> {glow_inst.output}, %y: memref<8x16x16x32xf32> {glow_inst.output}) {
  glow_inst.fill %n with 0.0 : f32 : memref<f32>
  %t = glow_inst.alloc : memref<8x16x16x32xf32>
  glow_inst.conv ins(%x, %w : memref<8x16x16x32xf32>, memref<1x32x32xf32>) outs(%t : memref<8x16x16x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  glow_inst.conv ins(%t, %w : memref<8x16x16x32xf32>, memref<1x32x32xf32>) outs(%y : memref<8x16x16x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}

// Part of the result is something else before. As two outputs of a loop these
// would look as if they were not one buffer, so the loop begins after that.
// CHECK-LABEL: func.func @twice(
// CHECK: glow_inst.fill %{{.+}} with 2.0
// CHECK: glow_inst.copy
// CHECK: glow_inst.forall [8] ins(
// CHECK-NOT: glow_inst.fill
// CHECK: return
func.func @twice(%x: memref<8x16x16x32xf32>, %w: memref<1x32x32xf32>, %u: memref<8x4x16x32xf32> {glow_inst.output}, %y: memref<8x16x16x32xf32> {glow_inst.output}) {
  %v = glow_inst.view %y : memref<8x16x16x32xf32> to memref<8x4x16x32xf32, strided<[8192, 512, 32, 1]>>
  glow_inst.fill %v with 2.0 : f32 : memref<8x4x16x32xf32, strided<[8192, 512, 32, 1]>>
  glow_inst.copy %v -> %u : memref<8x4x16x32xf32, strided<[8192, 512, 32, 1]>> -> memref<8x4x16x32xf32>
  %t = glow_inst.alloc : memref<8x16x16x32xf32>
  glow_inst.conv ins(%x, %w : memref<8x16x16x32xf32>, memref<1x32x32xf32>) outs(%t : memref<8x16x16x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  glow_inst.conv ins(%t, %w : memref<8x16x16x32xf32>, memref<1x32x32xf32>) outs(%y : memref<8x16x16x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}

// Of an open number of images there are as many points, also where the body has a
// loop. The border that is filled
// is padding where the image is.
// LIMIT: #[[POINTS:.+]] = affine_map<()[s0] -> (s0)>
// CHECK-LABEL: func.func @open(
// CHECK-NOT: glow_inst.conv
// CHECK: glow_inst.forall [8] ins({{.*}} attributes {shared} {
// CHECK: glow_inst.forall [1, 4]
// LIMIT-LABEL: func.func @open(
// LIMIT: glow_inst.forall [8] ins({{.*}}, memref<1xi64>) outs({{.*}} attributes {glow_inst.extents = #[[POINTS]], shared} {
// LIMIT-NOT: glow_inst.extents
// LIMIT: return
func.func @open(
    %x: memref<8x16x16x32xf32> {glow.extents = affine_map<()[s0] -> (s0, 16, 16, 32)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %w: memref<1x32x32xf32>, %wd: memref<3x3x1x32xf32>,
    %y: memref<8x16x16x32xf32> {glow_inst.output, glow.extents = affine_map<()[s0] -> (s0, 16, 16, 32)>}) {
  %p = glow_inst.alloc : memref<8x18x18x32xf32>
  glow_inst.fill %p with 0.0 : f32 : memref<8x18x18x32xf32>
  %in = glow_inst.view %p : memref<8x18x18x32xf32> to memref<8x16x16x32xf32, strided<[10368, 576, 32, 1], offset: 608>>
  glow_inst.conv ins(%x, %w : memref<8x16x16x32xf32>, memref<1x32x32xf32>) outs(%in : memref<8x16x16x32xf32, strided<[10368, 576, 32, 1], offset: 608>>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  %t = glow_inst.alloc : memref<8x16x16x32xf32>
  glow_inst.conv ins(%p, %wd : memref<8x18x18x32xf32>, memref<3x3x1x32xf32>) outs(%t : memref<8x16x16x32xf32>) {dilations = array<i64: 1, 1>, group = 32 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  glow_inst.forall [8, 4] ins(%t : memref<8x16x16x32xf32>) outs(%y : memref<8x16x16x32xf32>) steps = [array<i64: 8192, 2048>, array<i64: 8192, 2048>] {
  ^bb0(%a: memref<1x4x16x32xf32, strided<[8192, 512, 32, 1]>>, %c: memref<1x4x16x32xf32, strided<[8192, 512, 32, 1]>>):
    glow_inst.copy %a -> %c : memref<1x4x16x32xf32, strided<[8192, 512, 32, 1]>> -> memref<1x4x16x32xf32, strided<[8192, 512, 32, 1]>>
  }
  return
}

// Lines of images that are open, too, would have to be followed.
// CHECK-LABEL: func.func @open_height(
// CHECK-NOT: glow_inst.forall
func.func @open_height(
    %x: memref<8x16x16x32xf32> {glow.extents = affine_map<()[s0, s1] -> (s0, s1, 16, 32)>},
    %s: memref<2xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}, {name = "h", lower = 1 : i64, upper = 16 : i64}]},
    %w: memref<1x32x32xf32>,
    %y: memref<8x16x16x32xf32> {glow_inst.output, glow.extents = affine_map<()[s0, s1] -> (s0, s1, 16, 32)>}) {
  %t = glow_inst.alloc : memref<8x16x16x32xf32>
  glow_inst.conv ins(%x, %w : memref<8x16x16x32xf32>, memref<1x32x32xf32>) outs(%t : memref<8x16x16x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  glow_inst.conv ins(%t, %w : memref<8x16x16x32xf32>, memref<1x32x32xf32>) outs(%y : memref<8x16x16x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}
