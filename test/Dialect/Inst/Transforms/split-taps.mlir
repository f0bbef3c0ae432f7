// RUN: glow-opt %s -glow-inst-split-taps=target=l2=48K | FileCheck %s

// Blocks of two lines and all columns, in three rows of taps.
// CHECK-LABEL: func.func @lines(
// CHECK: glow_inst.forall [1, 8, 1] ins(%arg0, %arg1, %arg2, %arg3 : memref<1x18x18x64xf32>, memref<3x576x16xf32>, memref<48xf32>, memref<1x16x16x48xf32>) outs(%arg4 : memref<1x16x16x48xf32>)
// CHECK-SAME: steps = [array<i64: 20736, 2304, 0>, array<i64: 0, 0, 27648>, array<i64: 0, 0, 48>, array<i64: 0, 1536, 48>, array<i64: 0, 1536, 48>]
// CHECK: ^bb0(%[[X:.+]]: memref<1x4x18x64xf32, {{.+}}>, %[[W:.+]]: memref<3x576x16xf32>, %[[B:.+]]: memref<48xf32>, %[[R:.+]]: memref<1x2x16x48xf32, {{.+}}>, %[[Y:.+]]: memref<1x2x16x48xf32, {{.+}}>):
// CHECK: %[[SUMS:.+]] = glow_inst.alloc : memref<1x2x16x48xf32>
// CHECK: %[[X0:.+]] = glow_inst.view %[[X]] : {{.+}} to memref<1x2x18x64xf32, strided<[20736, 1152, 64, 1]>>
// CHECK: %[[W0:.+]] = glow_inst.view %[[W]] : {{.+}} to memref<3x192x16xf32, strided<[9216, 16, 1]>>
// CHECK: glow_inst.conv ins(%[[X0]], %[[W0]] : {{.+}}) outs(%[[SUMS]] : {{.+}}kernel_shape = array<i64: 1, 3>{{.+}}}{{$}}
// CHECK: %[[X1:.+]] = glow_inst.view %[[X]] : {{.+}} to memref<1x2x18x64xf32, strided<[20736, 1152, 64, 1], offset: 1152>>
// CHECK: %[[W1:.+]] = glow_inst.view %[[W]] : {{.+}} to memref<3x192x16xf32, strided<[9216, 16, 1], offset: 3072>>
// CHECK: glow_inst.conv ins(%[[X1]], %[[W1]] : {{.+}}) epilogue(%[[SUMS]] : {{.+}}) outs(%[[SUMS]] :
// CHECK: ^bb0(%[[P:.+]]: f32, %[[S:.+]]: f32):
// CHECK: %[[SUM:.+]] = arith.addf %[[S]], %[[P]] : f32
// CHECK: glow.yield %[[SUM]] : f32
// CHECK: glow_inst.conv {{.+}} epilogue(%[[B]], %[[R]], %[[SUMS]] : {{.+}}) outs(%[[Y]] :
// CHECK: ^bb0(%[[P:.+]]: f32, %[[Q:.+]]: f32, %[[T:.+]]: f32, %[[S:.+]]: f32):
// CHECK: %[[SUM:.+]] = arith.addf %[[S]], %[[P]] : f32
// CHECK: arith.addf %[[SUM]], %[[Q]] : f32
func.func @lines(%x: memref<1x18x18x64xf32>, %w: memref<3x576x16xf32>, %b: memref<48xf32>, %r: memref<1x16x16x48xf32>, %y: memref<1x16x16x48xf32> {glow_inst.output}) {
  glow_inst.conv ins(%x, %w : memref<1x18x18x64xf32>, memref<3x576x16xf32>) epilogue(%b, %r : memref<48xf32>, memref<1x16x16x48xf32>) outs(%y : memref<1x16x16x48xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 16 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} do {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %0 = arith.addf %p, %q : f32
    %1 = arith.addf %0, %s : f32
    glow.yield %1 : f32
  }
  return
}

// Strides and dilations; the last line of both images is no block of two. What
// is updated in place is the output's window.
// CHECK-LABEL: func.func @rest(
// CHECK: glow_inst.forall [2, 5, 1] ins(%{{.+}}, %arg1 : memref<2x25x19x64xf32, {{.+}}>, memref<3x576x16xf32>) outs(%{{.+}} : memref<2x10x15x48xf32, {{.+}}>) steps = [array<i64: 34048, 4864, 0>, array<i64: 0, 0, 27648>, array<i64: 7920, 1440, 48>]
// CHECK: ^bb0(%[[X:.+]]: memref<1x9x19x64xf32, {{.+}}>, %{{.+}}: memref<3x576x16xf32>, %[[Y:.+]]: memref<1x2x15x48xf32, {{.+}}>):
// CHECK: glow_inst.view %[[X]] : {{.+}} to memref<1x3x19x64xf32, strided<[34048, 1216, 64, 1]>>
// CHECK: glow_inst.view %[[X]] : {{.+}} to memref<1x3x19x64xf32, strided<[34048, 1216, 64, 1], offset: 3648>>
// CHECK: glow_inst.conv {{.+}} epilogue(%[[Y]], %{{.+}} : {{.+}}) outs(%[[Y]] : {{.+}}dilations = array<i64: 3, 2>
// CHECK: glow_inst.view %arg0 : {{.+}} to memref<2x7x19x64xf32, strided<[34048, 1216, 64, 1], offset: 24320>>
// CHECK: glow_inst.view %arg2 : {{.+}} to memref<2x1x15x48xf32, strided<[7920, 720, 48, 1], offset: 7200>>
// CHECK: glow_inst.forall [2, 1, 1]
func.func @rest(%x: memref<2x27x19x64xf32, strided<[34048, 1216, 64, 1]>>, %w: memref<3x576x16xf32>, %y: memref<2x11x15x48xf32> {glow_inst.output}) {
  glow_inst.conv ins(%x, %w : memref<2x27x19x64xf32, strided<[34048, 1216, 64, 1]>>, memref<3x576x16xf32>) epilogue(%y : memref<2x11x15x48xf32>) outs(%y : memref<2x11x15x48xf32>) {dilations = array<i64: 3, 2>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 16 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 1>} do {
  ^bb0(%p: f32, %q: f32):
    %0 = arith.addf %p, %q : f32
    glow.yield %0 : f32
  }
  return
}

// A few blocks of lines with many columns are cut along those too.
// CHECK-LABEL: func.func @columns(
// CHECK: glow_inst.forall [1, 8, 2] ins(%arg0, %arg1, %arg2 : {{.+}}) outs(%arg3 : memref<1x8x32x256xf32>) steps = [array<i64: 21760, 2176, 0>, array<i64: 0, 0, 73728>, array<i64: 0, 32, 0>, array<i64: 0, 8192, 128>]
// CHECK: ^bb0(%{{.+}}: memref<1x3x34x64xf32, {{.+}}>, %{{.+}}: memref<8x576x16xf32>, %{{.+}}: memref<1x1x32x1xf32, {{.+}}>, %{{.+}}: memref<1x1x32x128xf32, {{.+}}>):
func.func @columns(%x: memref<1x10x34x64xf32>, %w: memref<16x576x16xf32>, %m: memref<1x8x32x1xf32>, %y: memref<1x8x32x256xf32> {glow_inst.output}) {
  glow_inst.conv ins(%x, %w : memref<1x10x34x64xf32>, memref<16x576x16xf32>) epilogue(%m : memref<1x8x32x1xf32>) outs(%y : memref<1x8x32x256xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 16 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} do {
  ^bb0(%p: f32, %q: f32):
    %0 = arith.mulf %p, %q : f32
    glow.yield %0 : f32
  }
  return
}

// Planes are lines of a volume.
// CHECK-LABEL: func.func @planes(
// CHECK: glow_inst.forall [1, 8, 1] {{.+}} steps = [array<i64: 20480, 2048, 0>, array<i64: 0, 0, 41472>, array<i64: 0, 1728, 48>]
// CHECK: ^bb0(%{{.+}}: memref<1x3x8x8x32xf32, {{.+}}>,
// CHECK-COUNT-3: glow_inst.conv {{.+}}kernel_shape = array<i64: 1, 3, 3>
func.func @planes(%x0: memref<1x10x8x8x32xf32>, %w0: memref<3x864x16xf32>, %y0: memref<1x8x6x6x48xf32> {glow_inst.output}) {
  glow_inst.conv ins(%x0, %w0 : memref<1x10x8x8x32xf32>, memref<3x864x16xf32>) outs(%y0 : memref<1x8x6x6x48xf32>) {dilations = array<i64: 1, 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3, 3>, layout = #glow.layout<channels_last>, packed = 16 : i64, pads = array<i64: 0, 0, 0, 0, 0, 0>, strides = array<i64: 1, 1, 1>}
  return
}

// CHECK-LABEL: func.func @as_before(
// CHECK-COUNT-6: glow_inst.conv
// CHECK-NOT: glow_inst.forall
func.func @as_before(%x0: memref<1x16x16x64xf32>, %w0: memref<3x576x16xf32>, %y0: memref<1x14x14x48xf32> {glow_inst.output}, %x1: memref<1x18x18x64xf32>, %w1: memref<3x576x16xf32>, %y1: memref<1x18x18x48xf32> {glow_inst.output}, %x2: memref<1x34x34x20xf32>, %w2: memref<3x60x16xf32>, %y2: memref<1x32x34x48xf32> {glow_inst.output}, %x3: memref<1x18x18x64xf32>, %w3: memref<3x192x16xf32>, %y3: memref<1x18x16x48xf32> {glow_inst.output}, %x4: memref<1x18x18x64xf32>, %w4: memref<2x576x16xf32>, %y4: memref<1x16x16x32xf32> {glow_inst.output}, %x5: memref<1x4x130x64xf32>, %w5: memref<3x576x16xf32>, %y5: memref<1x2x8x48xf32> {glow_inst.output}) {
  // An image that stays in the cache.
  glow_inst.conv ins(%x0, %w0 : memref<1x16x16x64xf32>, memref<3x576x16xf32>) outs(%y0 : memref<1x14x14x48xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 16 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  // Borders.
  glow_inst.conv ins(%x1, %w1 : memref<1x18x18x64xf32>, memref<3x576x16xf32>) outs(%y1 : memref<1x18x18x48xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 16 : i64, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>}
  // A panel that is a small part of it.
  glow_inst.conv ins(%x2, %w2 : memref<1x34x34x20xf32>, memref<3x60x16xf32>) outs(%y2 : memref<1x32x34x48xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 1>, layout = #glow.layout<channels_last>, packed = 16 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  // One row of taps.
  glow_inst.conv ins(%x3, %w3 : memref<1x18x18x64xf32>, memref<3x192x16xf32>) outs(%y3 : memref<1x18x16x48xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 3>, layout = #glow.layout<channels_last>, packed = 16 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  // Two panels, between which lines stay.
  glow_inst.conv ins(%x4, %w4 : memref<1x18x18x64xf32>, memref<2x576x16xf32>) outs(%y4 : memref<1x16x16x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 16 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  // Two lines, which are too few for what they read of the filter.
  glow_inst.conv ins(%x5, %w5 : memref<1x4x130x64xf32>, memref<3x576x16xf32>) outs(%y5 : memref<1x2x8x48xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 16 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 16>}
  return
}
