// RUN: glow-opt %s -glow-split-borders -canonicalize -cse | FileCheck %s
// RUN: glow-opt %s -glow-winograd-convs=target=l2=1M | FileCheck %s --check-prefix=COST

// Of 24 x 20 places windows reach 10 to each side: the taps beside the image are
// two of three for 10 columns at each side, and none is left of the pads. What
// the epilogue reads of the places is that of each part, but for the bias.
// CHECK-LABEL: func.func @corners
// CHECK-SAME: %[[X:[^:]+]]: tensor<1x24x20x64xf32>, %[[R:[^:]+]]: tensor<1x24x20x64xf32>, %[[B:[^:]+]]: tensor<64xf32>
// The upper left one: rows and columns 0 to 9 of the results read the taps that
// are in the middle and below or to the right of it.
// CHECK: %[[ROWS:.+]] = glow.slice %[[X]], {{.*}} -> tensor<1x20x20x64xf32>
// CHECK: %[[OTHER:.+]] = glow.slice %{{.+}} {axes = array<i64: 2>} : {{.*}} -> tensor<1x10x10x64xf32>
// CHECK: %[[A:.+]] = glow.conv %[[ROWS]], %{{.+}} epilogue(%[[B]], %[[OTHER]])
// CHECK-SAME: dilations = array<i64: 10, 10>
// CHECK-SAME: kernel_shape = array<i64: 2, 2>
// CHECK-SAME: pads = array<i64: 0, 0, 0, 0>
// CHECK: (tensor<1x20x20x64xf32>, tensor<2x2x64x64xf32>, tensor<64xf32>, tensor<1x10x10x64xf32>) -> tensor<1x10x10x64xf32>
// CHECK: glow.concat %[[A]], %{{.+}} {axis = 2 : i64} : (tensor<1x10x10x64xf32>, tensor<1x10x10x64xf32>) -> tensor<1x10x20x64xf32>
// Four rows in the middle have all taps of a column of the window.
// CHECK: kernel_shape = array<i64: 3, 2>
// CHECK: -> tensor<1x4x10x64xf32>
// CHECK: glow.concat {{.*}} {axis = 1 : i64} : (tensor<1x10x20x64xf32>, tensor<1x4x20x64xf32>, tensor<1x10x20x64xf32>) -> tensor<1x24x20x64xf32>
func.func @corners(%x: tensor<1x24x20x64xf32>, %r: tensor<1x24x20x64xf32>, %b: tensor<64xf32>) -> tensor<1x24x20x64xf32> {
  %w = glow.constant dense<1.0> : tensor<3x3x64x64xf32>
  %0 = glow.conv %x, %w epilogue(%b, %r) {dilations = array<i64: 10, 10>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 10, 10, 10, 10>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32, %bias: f32, %other: f32):
    %1 = arith.addf %sum, %bias : f32
    %2 = arith.addf %1, %other : f32
    glow.yield %2 : f32
  } : (tensor<1x24x20x64xf32>, tensor<3x3x64x64xf32>, tensor<64xf32>, tensor<1x24x20x64xf32>) -> tensor<1x24x20x64xf32>
  return %0 : tensor<1x24x20x64xf32>
}

// Windows that reach further than the image is wide have one column of taps. Few
// zeros below the image stay.
// CHECK-LABEL: func.func @middle_column
// CHECK: kernel_shape = array<i64: 3, 1>, {{.*}} pads = array<i64: 0, 0, 0, 0>
// CHECK: kernel_shape = array<i64: 3, 1>, {{.*}} pads = array<i64: 0, 0, 2, 0>
// CHECK-NOT: glow.conv
func.func @middle_column(%x: tensor<4x64x16x64xf32>) -> tensor<4x60x16x64xf32> {
  %w = glow.constant dense<1.0> : tensor<3x3x64x64xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 2, 16>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 16, 0, 16>, strides = array<i64: 1, 1>} : (tensor<4x64x16x64xf32>, tensor<3x3x64x64xf32>) -> tensor<4x60x16x64xf32>
  %1 = glow.conv %0, %w {dilations = array<i64: 1, 17>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 17, 2, 17>, strides = array<i64: 1, 1>} : (tensor<4x60x16x64xf32>, tensor<3x3x64x64xf32>) -> tensor<4x60x16x64xf32>
  return %1 : tensor<4x60x16x64xf32>
}

// Few of these columns' products are with zeros; these have few products; and
// here some results have none at all.
// CHECK-LABEL: func.func @left_alone
// CHECK-COUNT-3: kernel_shape = array<i64: 3, 3>
func.func @left_alone(%x: tensor<1x40x40x64xf32>, %y: tensor<1x8x8x8xf32>, %z: tensor<4x40x40x64xf32>) -> (tensor<1x40x40x64xf32>, tensor<1x8x8x8xf32>, tensor<4x40x60x64xf32>) {
  %w = glow.constant dense<1.0> : tensor<3x3x64x64xf32>
  %v = glow.constant dense<1.0> : tensor<3x3x8x8xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 2, 2>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 2, 2, 2, 2>, strides = array<i64: 1, 1>} : (tensor<1x40x40x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x40x40x64xf32>
  %1 = glow.conv %y, %v {dilations = array<i64: 4, 4>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 4, 4, 4, 4>, strides = array<i64: 1, 1>} : (tensor<1x8x8x8xf32>, tensor<3x3x8x8xf32>) -> tensor<1x8x8x8xf32>
  %2 = glow.conv %z, %w {dilations = array<i64: 1, 50>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 1, 60, 1, 60>, strides = array<i64: 1, 1>} : (tensor<4x40x40x64xf32>, tensor<3x3x64x64xf32>) -> tensor<4x40x60x64xf32>
  return %0, %1, %2 : tensor<1x40x40x64xf32>, tensor<1x8x8x8xf32>, tensor<4x40x60x64xf32>
}

// Rows of five taps that are side by side would be five parts, and stay together.
// CHECK-LABEL: func.func @rows_together
// CHECK-COUNT-2: kernel_shape = array<i64: 5, 2>, {{.*}} pads = array<i64: 2, 0, 2, 0>
func.func @rows_together(%x: tensor<4x40x40x64xf32>) -> tensor<4x40x40x64xf32> {
  %w = glow.constant dense<1.0> : tensor<5x3x64x64xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 20>, group = 1 : i64, kernel_shape = array<i64: 5, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 2, 20, 2, 20>, strides = array<i64: 1, 1>} : (tensor<4x40x40x64xf32>, tensor<5x3x64x64xf32>) -> tensor<4x40x40x64xf32>
  return %0 : tensor<4x40x40x64xf32>
}

// Winograd's algorithm on phases costs more than what borders leave.
// COST-LABEL: func.func @known_height
// COST-NOT: winograd
// COST: return
// CHECK-LABEL: func.func @known_height
// CHECK: kernel_shape = array<i64: 2, 2>
func.func @known_height(%x: tensor<1x40x40x256xf32>) -> tensor<1x40x40x64xf32> {
  %w = glow.constant dense<1.0> : tensor<3x3x256x64xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 12, 12>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 12, 12, 12, 12>, strides = array<i64: 1, 1>} : (tensor<1x40x40x256xf32>, tensor<3x3x256x64xf32>) -> tensor<1x40x40x64xf32>
  return %0 : tensor<1x40x40x64xf32>
}

// Where an image of any height ends is not known, so there are no borders, nor
// do they count as cheaper.
// COST-LABEL: func.func @open_height
// COST: winograd
// CHECK-LABEL: func.func @open_height
// CHECK: glow.conv %arg0, {{.*}} kernel_shape = array<i64: 3, 3>
func.func @open_height(%x: tensor<1x40x40x256xf32> {glow.extents = affine_map<()[s0] -> (1, s0, 40, 256)>}, %s: tensor<1xi64> {glow.symbols = [{name = "h", lower = 1 : i64, upper = 40 : i64}]}) -> (tensor<1x40x40x64xf32> {glow.extents = affine_map<()[s0] -> (1, s0, 40, 64)>}) {
  %w = glow.constant dense<1.0> : tensor<3x3x256x64xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 12, 12>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 12, 12, 12, 12>, strides = array<i64: 1, 1>} : (tensor<1x40x40x256xf32>, tensor<3x3x256x64xf32>) -> tensor<1x40x40x64xf32>
  return %0 : tensor<1x40x40x64xf32>
}
