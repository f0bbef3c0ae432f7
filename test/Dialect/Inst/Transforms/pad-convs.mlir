// RUN: glow-opt %s -glow-inst-pad-convs | FileCheck %s
// RUN: glow-opt %s "-glow-inst-pad-convs=target=vector-bits=512,features=avx512bf16+amx-tile+amx-bf16" | FileCheck %s --check-prefix=TILES
// RUN: glow-opt %s "-glow-inst-pad-convs=target=vector-registers=32" | FileCheck %s --check-prefix=MANY

// Only the border is filled: rows before and after, then columns between them.
// CHECK-LABEL: func.func @pad
// CHECK: %[[P:.+]] = glow_inst.alloc : memref<1x34x7x3xf32>
// CHECK: glow_inst.fill {{.*}} : memref<1x1x7x3xf32, strided<[714, 21, 3, 1]>>
// CHECK: glow_inst.fill {{.*}} : memref<1x1x7x3xf32, strided<[714, 21, 3, 1], offset: 693>>
// CHECK: glow_inst.fill {{.*}} : memref<1x32x2x3xf32, strided<[714, 21, 3, 1], offset: 21>>
// CHECK: glow_inst.fill {{.*}} : memref<1x32x1x3xf32, strided<[714, 21, 3, 1], offset: 39>>
// CHECK: %[[INTERIOR:.+]] = glow_inst.view %[[P]] : {{.*}} to memref<1x32x4x3xf32, strided<[714, 21, 3, 1], offset: 27>>
// CHECK: glow_inst.copy %arg0 -> %[[INTERIOR]]
// CHECK: glow_inst.conv ins(%[[P]], %arg1 {{.*}} pads = array<i64: 0, 0, 0, 0>
func.func @pad(%x: memref<1x32x4x3xf32>, %w: memref<3x3x3x4xf32>, %y: memref<1x32x5x4xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x32x4x3xf32>, memref<3x3x3x4xf32>) outs(%y : memref<1x32x5x4xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>,
     pads = array<i64: 1, 2, 1, 1>, strides = array<i64: 1, 1>}
  return
}

// CHECK-LABEL: func.func @no_pads
// CHECK-NOT: glow_inst.alloc
func.func @no_pads(%x: memref<1x4x4x3xf32>, %w: memref<1x1x3x4xf32>, %y: memref<1x4x4x4xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x4x4x3xf32>, memref<1x1x3x4xf32>) outs(%y : memref<1x4x4x4xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>,
     pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}

// Of two frames a third of the products would be with zeros, so along this axis
// the kernel leaves taps out; along the rows all windows should be alike.
// CHECK-LABEL: func.func @few_frames
// CHECK: glow_inst.alloc : memref<1x2x34x4x8xf32>
// CHECK: glow_inst.conv {{.*}} pads = array<i64: 1, 0, 0, 1, 0, 0>
func.func @few_frames(%x: memref<1x2x32x2x8xf32>, %w: memref<3x3x3x8x4xf32>, %y: memref<1x2x32x2x4xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x2x32x2x8xf32>, memref<3x3x3x8x4xf32>) outs(%y : memref<1x2x32x2x4xf32>)
    {dilations = array<i64: 1, 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3, 3>, layout = #glow.layout<channels_last>,
     pads = array<i64: 1, 1, 1, 1, 1, 1>, strides = array<i64: 1, 1, 1>}
  return
}

// Tile registers hold neighbouring lines, and of lines of seven places so do
// tiles of 16 registers, so all windows should be alike.
// TILES-LABEL: func.func @small(
//       TILES: glow_inst.alloc : memref<1x9x9x32xbf16>
// CHECK-LABEL: func.func @small(
//       CHECK: glow_inst.alloc : memref<1x9x9x32xbf16>
//  MANY-LABEL: func.func @small(
//        MANY: glow_inst.alloc : memref<1x7x9x32xbf16>
func.func @small(%x: memref<1x7x7x32xbf16>, %w: memref<3x3x32x4xbf16>, %y: memref<1x7x7x4xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x7x7x32xbf16>, memref<3x3x32x4xbf16>) outs(%y : memref<1x7x7x4xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>,
     pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>}
  return
}

// Column by column, lines are not joined.
// CHECK-LABEL: func.func @small_depthwise(
//       CHECK: glow_inst.alloc : memref<1x7x9x32xf32>
func.func @small_depthwise(%x: memref<1x7x7x32xf32>, %w: memref<3x3x1x32xf32>, %y: memref<1x7x7x32xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x7x7x32xf32>, memref<3x3x1x32xf32>) outs(%y : memref<1x7x7x32xf32>)
    {dilations = array<i64: 1, 1>, group = 32 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>,
     pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>}
  return
}

// Two convolutions read the halves of a tensor's channels, which is padded once.
// CHECK-LABEL: func.func @groups
//       CHECK: %[[T:.+]] = glow_inst.alloc : memref<1x4x4x6xf32>
//       CHECK: %[[P:.+]] = glow_inst.alloc : memref<1x6x6x6xf32>
//       CHECK: glow_inst.copy %[[T]] -> %{{.*}} -> memref<1x4x4x6xf32, strided<[216, 36, 6, 1], offset: 42>>
//       CHECK: %[[A:.+]] = glow_inst.view %[[P]] : memref<1x6x6x6xf32> to memref<1x6x6x3xf32, strided<[216, 36, 6, 1]>>
//       CHECK: glow_inst.conv ins(%[[A]], %arg1
//   CHECK-NOT: glow_inst.fill
//       CHECK: %[[B:.+]] = glow_inst.view %[[P]] : memref<1x6x6x6xf32> to memref<1x6x6x3xf32, strided<[216, 36, 6, 1], offset: 3>>
//       CHECK: glow_inst.conv ins(%[[B]], %arg1
func.func @groups(%x: memref<1x4x4x6xf32>, %w: memref<16x3x4xf32>, %y: memref<1x4x4x4xf32>, %z: memref<1x4x4x4xf32>) {
  %t = glow_inst.alloc : memref<1x4x4x6xf32>
  glow_inst.copy %x -> %t : memref<1x4x4x6xf32> -> memref<1x4x4x6xf32>
  %0 = glow_inst.view %t : memref<1x4x4x6xf32> to memref<1x4x4x3xf32, strided<[96, 24, 6, 1]>>
  %a = glow_inst.alloc : memref<1x4x4x3xf32>
  glow_inst.copy %0 -> %a : memref<1x4x4x3xf32, strided<[96, 24, 6, 1]>> -> memref<1x4x4x3xf32>
  glow_inst.conv ins(%a, %w : memref<1x4x4x3xf32>, memref<16x3x4xf32>) outs(%y : memref<1x4x4x4xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>,
     pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 1>}
  %1 = glow_inst.view %t : memref<1x4x4x6xf32> to memref<1x4x4x3xf32, strided<[96, 24, 6, 1], offset: 3>>
  %b = glow_inst.alloc : memref<1x4x4x3xf32>
  glow_inst.copy %1 -> %b : memref<1x4x4x3xf32, strided<[96, 24, 6, 1], offset: 3>> -> memref<1x4x4x3xf32>
  glow_inst.conv ins(%b, %w : memref<1x4x4x3xf32>, memref<16x3x4xf32>) outs(%z : memref<1x4x4x4xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>,
     pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 1>}
  return
}

// Of a tensor of which other channels are read elsewhere, only these are padded.
// CHECK-LABEL: func.func @half
//       CHECK: glow_inst.alloc : memref<1x6x6x3xf32>
func.func @half(%x: memref<1x4x4x6xf32>, %w: memref<16x3x4xf32>, %y: memref<1x4x4x4xf32>) {
  %t = glow_inst.alloc : memref<1x4x4x6xf32>
  glow_inst.copy %x -> %t : memref<1x4x4x6xf32> -> memref<1x4x4x6xf32>
  %0 = glow_inst.view %t : memref<1x4x4x6xf32> to memref<1x4x4x3xf32, strided<[96, 24, 6, 1]>>
  %a = glow_inst.alloc : memref<1x4x4x3xf32>
  glow_inst.copy %0 -> %a : memref<1x4x4x3xf32, strided<[96, 24, 6, 1]>> -> memref<1x4x4x3xf32>
  glow_inst.conv ins(%a, %w : memref<1x4x4x3xf32>, memref<16x3x4xf32>) outs(%y : memref<1x4x4x4xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>,
     pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 1>}
  return
}

// The border is as wide as the larger window wants; the smaller one reads less of
// it.
// CHECK-LABEL: func.func @two_borders
//       CHECK: %[[P:.+]] = glow_inst.alloc : memref<1x36x8x6xf32>
//       CHECK: %[[A:.+]] = glow_inst.view %{{.*}} to memref<1x34x6x3xf32, strided<[1728, 48, 6, 1], offset: 54>>
//       CHECK: glow_inst.conv ins(%[[A]], %arg1 {{.*}} pads = array<i64: 0, 0, 0, 0>
//   CHECK-NOT: glow_inst.fill
//       CHECK: %[[B:.+]] = glow_inst.view %[[P]] : memref<1x36x8x6xf32> to memref<1x36x8x3xf32, strided<[1728, 48, 6, 1], offset: 3>>
//       CHECK: glow_inst.conv ins(%[[B]], %arg2 {{.*}} pads = array<i64: 0, 0, 0, 0>
func.func @two_borders(%x: memref<1x32x4x6xf32>, %w: memref<3x3x3x4xf32>, %v: memref<5x5x3x4xf32>, %y: memref<1x32x4x4xf32>, %z: memref<1x32x4x4xf32>) {
  %t = glow_inst.alloc : memref<1x32x4x6xf32>
  glow_inst.copy %x -> %t : memref<1x32x4x6xf32> -> memref<1x32x4x6xf32>
  %0 = glow_inst.view %t : memref<1x32x4x6xf32> to memref<1x32x4x3xf32, strided<[768, 24, 6, 1]>>
  %a = glow_inst.alloc : memref<1x32x4x3xf32>
  glow_inst.copy %0 -> %a : memref<1x32x4x3xf32, strided<[768, 24, 6, 1]>> -> memref<1x32x4x3xf32>
  glow_inst.conv ins(%a, %w : memref<1x32x4x3xf32>, memref<3x3x3x4xf32>) outs(%y : memref<1x32x4x4xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>,
     pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>}
  %1 = glow_inst.view %t : memref<1x32x4x6xf32> to memref<1x32x4x3xf32, strided<[768, 24, 6, 1], offset: 3>>
  %b = glow_inst.alloc : memref<1x32x4x3xf32>
  glow_inst.copy %1 -> %b : memref<1x32x4x3xf32, strided<[768, 24, 6, 1], offset: 3>> -> memref<1x32x4x3xf32>
  glow_inst.conv ins(%b, %v : memref<1x32x4x3xf32>, memref<5x5x3x4xf32>) outs(%z : memref<1x32x4x4xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 5, 5>, layout = #glow.layout<channels_last>,
     pads = array<i64: 2, 2, 2, 2>, strides = array<i64: 1, 1>}
  return
}

// What is written between the two copies is not in both.
// CHECK-LABEL: func.func @changed
// CHECK-COUNT-2: glow_inst.alloc : memref<1x34x6x3xf32>
func.func @changed(%x: memref<1x32x4x6xf32>, %w: memref<3x3x3x4xf32>, %y: memref<1x32x4x4xf32>, %z: memref<1x32x4x4xf32>) {
  %t = glow_inst.alloc : memref<1x32x4x6xf32>
  glow_inst.copy %x -> %t : memref<1x32x4x6xf32> -> memref<1x32x4x6xf32>
  %0 = glow_inst.view %t : memref<1x32x4x6xf32> to memref<1x32x4x3xf32, strided<[768, 24, 6, 1]>>
  %a = glow_inst.alloc : memref<1x32x4x3xf32>
  glow_inst.copy %0 -> %a : memref<1x32x4x3xf32, strided<[768, 24, 6, 1]>> -> memref<1x32x4x3xf32>
  glow_inst.conv ins(%a, %w : memref<1x32x4x3xf32>, memref<3x3x3x4xf32>) outs(%y : memref<1x32x4x4xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>,
     pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>}
  glow_inst.fill %t with 1.0 : f32 : memref<1x32x4x6xf32>
  %1 = glow_inst.view %t : memref<1x32x4x6xf32> to memref<1x32x4x3xf32, strided<[768, 24, 6, 1], offset: 3>>
  %b = glow_inst.alloc : memref<1x32x4x3xf32>
  glow_inst.copy %1 -> %b : memref<1x32x4x3xf32, strided<[768, 24, 6, 1], offset: 3>> -> memref<1x32x4x3xf32>
  glow_inst.conv ins(%b, %w : memref<1x32x4x3xf32>, memref<3x3x3x4xf32>) outs(%z : memref<1x32x4x4xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>,
     pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>}
  return
}

// Both read the same half, which is padded once.
// CHECK-LABEL: func.func @same_half
//       CHECK: glow_inst.alloc : memref<1x34x6x3xf32>
//   CHECK-NOT: glow_inst.alloc
func.func @same_half(%x: memref<1x32x4x6xf32>, %w: memref<3x3x3x4xf32>, %y: memref<1x32x4x4xf32>, %z: memref<1x32x4x4xf32>) {
  %t = glow_inst.alloc : memref<1x32x4x6xf32>
  glow_inst.copy %x -> %t : memref<1x32x4x6xf32> -> memref<1x32x4x6xf32>
  %0 = glow_inst.view %t : memref<1x32x4x6xf32> to memref<1x32x4x3xf32, strided<[768, 24, 6, 1]>>
  %a = glow_inst.alloc : memref<1x32x4x3xf32>
  glow_inst.copy %0 -> %a : memref<1x32x4x3xf32, strided<[768, 24, 6, 1]>> -> memref<1x32x4x3xf32>
  glow_inst.conv ins(%a, %w : memref<1x32x4x3xf32>, memref<3x3x3x4xf32>) outs(%y : memref<1x32x4x4xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>,
     pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>}
  glow_inst.conv ins(%a, %w : memref<1x32x4x3xf32>, memref<3x3x3x4xf32>) outs(%z : memref<1x32x4x4xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>,
     pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>}
  return
}

// Two convolutions read all of a tensor, which is padded once; the third one
// reads what has changed since.
// CHECK-LABEL: func.func @shared
//       CHECK: %[[P:.+]] = glow_inst.alloc : memref<1x34x6x3xf32>
//       CHECK: glow_inst.copy %arg0 -> %{{.*}} -> memref<1x32x4x3xf32, strided<[612, 18, 3, 1], offset: 21>>
//       CHECK: %[[A:.+]] = glow_inst.view %{{.*}} to memref<1x33x5x3xf32, strided<[612, 18, 3, 1]>>
//       CHECK: glow_inst.conv ins(%[[A]], %arg1 {{.*}} pads = array<i64: 0, 0, 0, 0>
//   CHECK-NOT: glow_inst.alloc
//       CHECK: %[[B:.+]] = glow_inst.view %{{.*}} to memref<1x33x5x3xf32, strided<[612, 18, 3, 1], offset: 21>>
//       CHECK: glow_inst.conv ins(%[[B]], %arg1 {{.*}} pads = array<i64: 0, 0, 0, 0>
//       CHECK: glow_inst.fill %arg2
//       CHECK: %[[C:.+]] = glow_inst.alloc : memref<1x33x5x3xf32>
//       CHECK: glow_inst.copy %arg2 -> %{{.*}} -> memref<1x32x4x3xf32, strided<[495, 15, 3, 1]>>
//       CHECK: glow_inst.conv ins(%[[C]], %arg1
func.func @shared(%x: memref<1x32x4x3xf32>, %w: memref<2x2x3x4xf32>, %t: memref<1x32x4x3xf32>, %y: memref<1x32x4x4xf32>, %z: memref<1x32x4x4xf32>, %u: memref<1x32x4x4xf32>, %v: memref<1x32x4x4xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x32x4x3xf32>, memref<2x2x3x4xf32>) outs(%y : memref<1x32x4x4xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 2, 2>, layout = #glow.layout<channels_last>,
     pads = array<i64: 1, 1, 0, 0>, strides = array<i64: 1, 1>}
  glow_inst.conv ins(%x, %w : memref<1x32x4x3xf32>, memref<2x2x3x4xf32>) outs(%z : memref<1x32x4x4xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 2, 2>, layout = #glow.layout<channels_last>,
     pads = array<i64: 0, 0, 1, 1>, strides = array<i64: 1, 1>}
  glow_inst.conv ins(%t, %w : memref<1x32x4x3xf32>, memref<2x2x3x4xf32>) outs(%u : memref<1x32x4x4xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 2, 2>, layout = #glow.layout<channels_last>,
     pads = array<i64: 1, 1, 0, 0>, strides = array<i64: 1, 1>}
  glow_inst.fill %t with 1.0 : f32 : memref<1x32x4x3xf32>
  glow_inst.conv ins(%t, %w : memref<1x32x4x3xf32>, memref<2x2x3x4xf32>) outs(%v : memref<1x32x4x4xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 2, 2>, layout = #glow.layout<channels_last>,
     pads = array<i64: 0, 0, 1, 1>, strides = array<i64: 1, 1>}
  return
}
