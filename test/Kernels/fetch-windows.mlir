// RUN: glow-opt %s "--glow-test-emit-kernels=target=vector-bits=256,vector-registers=16,fma=1,l2=512K" --canonicalize --cse | FileCheck %s

// Channel by channel, a tile of eight places asks for the lowest line of places
// that a tile two tiles ahead reads: one for each place with stride 1, two with
// stride 2.
// CHECK-LABEL: func.func @near_lines(
// CHECK-COUNT-8: memref.prefetch {{.+}}, read, locality<3>, data
//   CHECK-NOT: memref.prefetch
//       CHECK: return
func.func @near_lines(%x: memref<1x34x34x80xf32>, %w: memref<3x3x1x80xf32>, %y: memref<1x32x32x80xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x34x34x80xf32>, memref<3x3x1x80xf32>) outs(%y : memref<1x32x32x80xf32>) {dilations = array<i64: 1, 1>, group = 80 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}

// CHECK-LABEL: func.func @strided(
// CHECK-COUNT-16: memref.prefetch {{.+}}, read, locality<3>, data
//   CHECK-NOT: memref.prefetch
//       CHECK: return
func.func @strided(%x: memref<1x67x67x80xf32>, %w: memref<3x3x1x80xf32>, %y: memref<1x32x32x80xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x67x67x80xf32>, memref<3x3x1x80xf32>) outs(%y : memref<1x32x32x80xf32>) {dilations = array<i64: 1, 1>, group = 80 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>}
  return
}

// What may stay in the second level is not asked for.
// CHECK-LABEL: func.func @stays(
//   CHECK-NOT: memref.prefetch
//       CHECK: return
func.func @stays(%x: memref<1x18x18x80xf32>, %w: memref<3x3x1x80xf32>, %y: memref<1x16x16x80xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x18x18x80xf32>, memref<3x3x1x80xf32>) outs(%y : memref<1x16x16x80xf32>) {dilations = array<i64: 1, 1>, group = 80 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}

// Neither is what many taps have to be multiplied with.
// CHECK-LABEL: func.func @many_taps(
//   CHECK-NOT: memref.prefetch
//       CHECK: return
func.func @many_taps(%x: memref<1x38x38x80xf32>, %w: memref<5x5x1x80xf32>, %y: memref<1x34x34x80xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x38x38x80xf32>, memref<5x5x1x80xf32>) outs(%y : memref<1x34x34x80xf32>) {dilations = array<i64: 1, 1>, group = 80 : i64, kernel_shape = array<i64: 5, 5>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}

// Nor what windows that are far apart have to themselves.
// CHECK-LABEL: func.func @apart(
//   CHECK-NOT: memref.prefetch
//       CHECK: return
func.func @apart(%x: memref<1x123x123x80xf32>, %w: memref<3x3x1x80xf32>, %y: memref<1x25x25x80xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x123x123x80xf32>, memref<3x3x1x80xf32>) outs(%y : memref<1x25x25x80xf32>) {dilations = array<i64: 1, 1>, group = 80 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 5, 5>}
  return
}
