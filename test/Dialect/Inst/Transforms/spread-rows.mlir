// RUN: glow-opt %s --glow-inst-spread-rows | FileCheck %s
// RUN: glow-opt %s --glow-inst-spread-rows=target=l2=32K | FileCheck %s --check-prefix=FAR

// A row's line is needed for 16 steps, and sets hold eight.
// CHECK-LABEL: func @one_set(
//       CHECK: glow_inst.alloc : memref<64x1040xf32>
//       CHECK: glow_inst.alloc : memref<64x512xf32>
//       CHECK: glow_inst.alloc : memref<8x1024xf32>
func.func @one_set(%x: memref<64x1024xf32>, %w: memref<2x1024x32xf32>, %v: memref<2x512x32xf32>, %y: memref<64x64xf32>, %z: memref<8x64xf32>) {
  %rows = glow_inst.alloc : memref<64x1024xf32>
  %half = glow_inst.alloc : memref<64x512xf32>
  %few = glow_inst.alloc : memref<8x1024xf32>
  %x_half = glow_inst.view %x : memref<64x1024xf32> to memref<64x512xf32, strided<[1024, 1]>>
  %x_few = glow_inst.view %x : memref<64x1024xf32> to memref<8x1024xf32, strided<[1024, 1]>>
  glow_inst.copy %x -> %rows : memref<64x1024xf32> -> memref<64x1024xf32>
  glow_inst.copy %x_half -> %half : memref<64x512xf32, strided<[1024, 1]>> -> memref<64x512xf32>
  glow_inst.copy %x_few -> %few : memref<8x1024xf32, strided<[1024, 1]>> -> memref<8x1024xf32>
  glow_inst.matmul ins(%rows, %w : memref<64x1024xf32>, memref<2x1024x32xf32>) outs(%y : memref<64x64xf32>) {packed = 32 : i64}
  glow_inst.matmul ins(%half, %v : memref<64x512xf32>, memref<2x512x32xf32>) outs(%y : memref<64x64xf32>) {packed = 32 : i64}
  glow_inst.matmul ins(%few, %w : memref<8x1024xf32>, memref<2x1024x32xf32>) outs(%z : memref<8x64xf32>) {packed = 32 : i64}
  return
}

// An input of the model stays; what many columns are multiplied by is copied once.
// CHECK-LABEL: func @input(
//  CHECK-SAME:   %[[X:[^:]+]]: memref<64x1024xf32>
//       CHECK: %[[ROWS:.+]] = glow_inst.alloc : memref<64x1040xf32>
//       CHECK: %[[COPY:.+]] = glow_inst.view %[[ROWS]] : {{.*}} to memref<64x1024xf32, strided<[1040, 1]>>
//       CHECK: glow_inst.copy %[[X]] -> %[[COPY]]
//       CHECK: glow_inst.matmul ins(%[[COPY]],
//   CHECK-NOT: glow_inst.alloc
//       CHECK: glow_inst.matmul ins(%[[COPY]],
//       CHECK: glow_inst.matmul ins(%[[X]],
func.func @input(%x: memref<64x1024xf32>, %w: memref<8x1024x32xf32>, %v: memref<2x1024x32xf32>, %y: memref<64x256xf32>, %z: memref<64x64xf32>) {
  glow_inst.matmul ins(%x, %w : memref<64x1024xf32>, memref<8x1024x32xf32>) outs(%y : memref<64x256xf32>) {packed = 32 : i64}
  glow_inst.matmul ins(%x, %w : memref<64x1024xf32>, memref<8x1024x32xf32>) outs(%y : memref<64x256xf32>) {packed = 32 : i64}
  glow_inst.matmul ins(%x, %v : memref<64x1024xf32>, memref<2x1024x32xf32>) outs(%z : memref<64x64xf32>) {packed = 32 : i64}
  return
}

// A head of attention is a part of each row.
// CHECK-LABEL: func @heads(
//       CHECK: %[[ROWS:.+]] = glow_inst.alloc : memref<64x1040xf32>
//       CHECK: glow_inst.view %[[ROWS]] : {{.*}} to memref<16x64x64xf32, strided<[64, 1040, 1]>>
func.func @heads(%x: memref<64x1024xf32>, %w: memref<16x64x32xf32>, %y: memref<16x64x32xf32>) {
  %rows = glow_inst.alloc : memref<64x1024xf32>
  glow_inst.copy %x -> %rows : memref<64x1024xf32> -> memref<64x1024xf32>
  %heads = glow_inst.view %rows : memref<64x1024xf32> to memref<16x64x64xf32, strided<[64, 1024, 1]>>
  glow_inst.matmul ins(%heads, %w : memref<16x64x64xf32, strided<[64, 1024, 1]>>, memref<16x64x32xf32>) outs(%y : memref<16x64x32xf32>)
  return
}

// Every other pixel: rows of 2048 bytes are 4096 apart.
// CHECK-LABEL: func @every_other(
//       CHECK: glow_inst.alloc : memref<1x28x28x528xf32>
func.func @every_other(%x: memref<1x28x28x512xf32>, %w: memref<2x512x32xf32>, %y: memref<1x14x14x64xf32>) {
  %rows = glow_inst.alloc : memref<1x28x28x512xf32>
  glow_inst.copy %x -> %rows : memref<1x28x28x512xf32> -> memref<1x28x28x512xf32>
  glow_inst.conv ins(%rows, %w : memref<1x28x28x512xf32>, memref<2x512x32xf32>) outs(%y : memref<1x14x14x64xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>}
  return
}

// A 1 x 1 window has rows of all lines in a tile, here 49; a wider one those of
// a line, here 7.
// CHECK-LABEL: func @lines(
//       CHECK: glow_inst.alloc : memref<1x7x7x1040xf32>
//       CHECK: glow_inst.conv {{.*}}kernel_shape = array<i64: 1, 1>
//       CHECK: glow_inst.alloc : memref<1x7x7x1024xf32>
//       CHECK: glow_inst.conv {{.*}}kernel_shape = array<i64: 3, 3>
func.func @lines(%x: memref<1x7x7x1024xf32>, %p: memref<1x1024x32xf32>, %w: memref<1x9216x32xf32>, %y: memref<1x7x7x32xf32>, %z: memref<1x5x5x32xf32>) {
  %a = glow_inst.alloc : memref<1x7x7x1024xf32>
  glow_inst.copy %x -> %a : memref<1x7x7x1024xf32> -> memref<1x7x7x1024xf32>
  glow_inst.conv ins(%a, %p : memref<1x7x7x1024xf32>, memref<1x1024x32xf32>) outs(%y : memref<1x7x7x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  %b = glow_inst.alloc : memref<1x7x7x1024xf32>
  glow_inst.copy %x -> %b : memref<1x7x7x1024xf32> -> memref<1x7x7x1024xf32>
  glow_inst.conv ins(%b, %w : memref<1x7x7x1024xf32>, memref<1x9216x32xf32>) outs(%z : memref<1x5x5x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Channel by channel: places 512 bytes apart are in eight sets, whatever is read
// and written.
// CHECK-LABEL: func @depthwise(
//       CHECK: glow_inst.alloc : memref<1x16x16x144xf32>
//       CHECK: glow_inst.alloc : memref<1x14x14x144xf32>
func.func @depthwise(%x: memref<1x16x16x128xf32>, %w: memref<3x3x1x128xf32>, %y: memref<1x14x14x128xf32>) {
  %in = glow_inst.alloc : memref<1x16x16x128xf32>
  %out = glow_inst.alloc : memref<1x14x14x128xf32>
  glow_inst.copy %x -> %in : memref<1x16x16x128xf32> -> memref<1x16x16x128xf32>
  glow_inst.conv ins(%in, %w : memref<1x16x16x128xf32>, memref<3x3x1x128xf32>) outs(%out : memref<1x14x14x128xf32>) {dilations = array<i64: 1, 1>, group = 128 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  glow_inst.copy %out -> %y : memref<1x14x14x128xf32> -> memref<1x14x14x128xf32>
  return
}

// More L2 caches of places than the window has taps, as here with l2=32K, come
// from memory.
// CHECK-LABEL: func @far_depthwise(
//       CHECK: glow_inst.alloc : memref<1x18x18x144xf32>
//       CHECK: glow_inst.alloc : memref<1x16x16x144xf32>
// FAR-LABEL: func @far_depthwise(
//       FAR: glow_inst.alloc : memref<1x18x18x128xf32>
//       FAR: glow_inst.alloc : memref<1x16x16x128xf32>
func.func @far_depthwise(%x: memref<1x18x18x128xf32>, %w: memref<3x3x1x128xf32>, %y: memref<1x16x16x128xf32>) {
  %in = glow_inst.alloc : memref<1x18x18x128xf32>
  %out = glow_inst.alloc : memref<1x16x16x128xf32>
  glow_inst.copy %x -> %in : memref<1x18x18x128xf32> -> memref<1x18x18x128xf32>
  glow_inst.conv ins(%in, %w : memref<1x18x18x128xf32>, memref<3x3x1x128xf32>) outs(%out : memref<1x16x16x128xf32>) {dilations = array<i64: 1, 1>, group = 128 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  glow_inst.copy %out -> %y : memref<1x16x16x128xf32> -> memref<1x16x16x128xf32>
  return
}

// Windows at every other place still read those in between, 256 bytes apart.
// CHECK-LABEL: func @strided_depthwise(
//       CHECK: glow_inst.alloc : memref<1x17x17x64xf32>
//   CHECK-NOT: glow_inst.alloc
func.func @strided_depthwise(%x: memref<1x17x17x64xf32>, %w: memref<3x3x1x64xf32>, %y: memref<1x8x8x64xf32>) {
  %in = glow_inst.alloc : memref<1x17x17x64xf32>
  glow_inst.copy %x -> %in : memref<1x17x17x64xf32> -> memref<1x17x17x64xf32>
  glow_inst.conv ins(%in, %w : memref<1x17x17x64xf32>, memref<3x3x1x64xf32>) outs(%y : memref<1x8x8x64xf32>) {dilations = array<i64: 1, 1>, group = 64 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>}
  return
}

// Attention: a row of the right-hand side, of scores and of what a map makes of
// them begins with a line; both of the map's alike. Sums of rows stay short.
// CHECK-LABEL: func @attention(
//       CHECK: glow_inst.alloc : memref<2x64x208xf32>
//       CHECK: glow_inst.alloc : memref<2x200x208xf32>
//       CHECK: glow_inst.alloc : memref<2x200x208xf32>
//       CHECK: glow_inst.alloc : memref<2x200x1xf32>
//   CHECK-NOT: glow_inst.alloc
func.func @attention(%q: memref<2x200x64xf32>, %k: memref<2x64x200xf32>, %m: memref<2x200x1xf32>, %v: memref<2x200x64xf32>, %y: memref<2x200x64xf32>) {
  %keys = glow_inst.alloc : memref<2x64x200xf32>
  glow_inst.copy %k -> %keys : memref<2x64x200xf32> -> memref<2x64x200xf32>
  %scores = glow_inst.alloc : memref<2x200x200xf32>
  %powers = glow_inst.alloc : memref<2x200x200xf32>
  %most = glow_inst.alloc : memref<2x200x1xf32>
  glow_inst.copy %m -> %most : memref<2x200x1xf32> -> memref<2x200x1xf32>
  glow_inst.matmul ins(%q, %keys : memref<2x200x64xf32>, memref<2x64x200xf32>) outs(%scores : memref<2x200x200xf32>)
  glow_inst.map ins(%scores, %most : memref<2x200x200xf32>, memref<2x200x1xf32>) outs(%powers : memref<2x200x200xf32>) {
  ^bb0(%a: f32, %b: f32):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    glow.yield %e : f32
  }
  glow_inst.matmul ins(%powers, %v : memref<2x200x200xf32>, memref<2x200x64xf32>) outs(%y : memref<2x200x64xf32>)
  return
}

// A map that is in place with what a product reads stays so.
// CHECK-LABEL: func @neighbours(
//       CHECK: glow_inst.alloc : memref<2x64x272xf32>
//       CHECK: glow_inst.alloc : memref<2x64x272xf32>
//   CHECK-NOT: glow_inst.alloc
func.func @neighbours(%k: memref<2x64x256xf32>, %q: memref<2x16x64xf32>, %y: memref<2x16x256xf32>) {
  %x = glow_inst.alloc : memref<2x64x256xf32>
  %keys = glow_inst.alloc : memref<2x64x256xf32>
  glow_inst.copy %k -> %x : memref<2x64x256xf32> -> memref<2x64x256xf32>
  glow_inst.map ins(%x : memref<2x64x256xf32>) outs(%keys : memref<2x64x256xf32>) {
  ^bb0(%a: f32):
    %n = arith.negf %a : f32
    glow.yield %n : f32
  }
  glow_inst.matmul ins(%q, %keys : memref<2x16x64xf32>, memref<2x64x256xf32>) outs(%y : memref<2x16x256xf32>)
  return
}

// Fewer than three lines would grow by too much.
// CHECK-LABEL: func @short_rows(
//       CHECK: glow_inst.alloc : memref<2x64x40xf32>
func.func @short_rows(%k: memref<2x64x40xf32>, %q: memref<2x16x64xf32>, %y: memref<2x16x40xf32>) {
  %keys = glow_inst.alloc : memref<2x64x40xf32>
  glow_inst.copy %k -> %keys : memref<2x64x40xf32> -> memref<2x64x40xf32>
  glow_inst.matmul ins(%q, %keys : memref<2x16x64xf32>, memref<2x64x40xf32>) outs(%y : memref<2x16x40xf32>)
  return
}

// Heads of an input, 2048 bytes from row to row: so many rows pay for a copy.
// CHECK-LABEL: func @columns_of_heads(
//       CHECK: %[[V:.+]] = glow_inst.view %arg1
//       CHECK: %[[OWN:.+]] = glow_inst.alloc : memref<8x192x64xf32>
//       CHECK: %[[COPY:.+]] = glow_inst.view %[[OWN]]
//       CHECK: glow_inst.copy %[[V]] -> %[[COPY]]
//       CHECK: glow_inst.matmul ins(%arg0, %[[COPY]] :
func.func @columns_of_heads(%p: memref<8x192x192xf32>, %v: memref<192x512xf32>, %y: memref<8x192x64xf32>) {
  %heads = glow_inst.view %v : memref<192x512xf32> to memref<8x192x64xf32, strided<[64, 512, 1]>>
  glow_inst.matmul ins(%p, %heads : memref<8x192x192xf32>, memref<8x192x64xf32, strided<[64, 512, 1]>>) outs(%y : memref<8x192x64xf32>)
  return
}

// Of few rows, not.
// CHECK-LABEL: func @columns_for_few_rows(
//   CHECK-NOT: glow_inst.copy
func.func @columns_for_few_rows(%p: memref<8x16x192xf32>, %v: memref<192x512xf32>, %y: memref<8x16x64xf32>) {
  %heads = glow_inst.view %v : memref<192x512xf32> to memref<8x192x64xf32, strided<[64, 512, 1]>>
  glow_inst.matmul ins(%p, %heads : memref<8x16x192xf32>, memref<8x192x64xf32, strided<[64, 512, 1]>>) outs(%y : memref<8x16x64xf32>)
  return
}

// Every 16th place of 256 bytes: a line more changes that, though rows are lines
// already and no multiple of 512 bytes.
// CHECK-LABEL: func @far_places(
//       CHECK: glow_inst.alloc : memref<1x1x160x80xf32>
func.func @far_places(%x: memref<1x1x160x64xf32>, %w: memref<1x64x32xf32>, %y: memref<1x1x10x32xf32>) {
  %in = glow_inst.alloc : memref<1x1x160x64xf32>
  glow_inst.copy %x -> %in : memref<1x1x160x64xf32> -> memref<1x1x160x64xf32>
  glow_inst.conv ins(%in, %w : memref<1x1x160x64xf32>, memref<1x64x32xf32>) outs(%y : memref<1x1x10x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 16, 16>}
  return
}

// Where fewer texts may come, each word's first one follows the last word's.
// CHECK-LABEL: func @words_of_texts(
//       CHECK: glow_inst.alloc : memref<64x4x1552xf32>
func.func @words_of_texts(
    %x: memref<64x4x1536xf32>, %w: memref<2x1536x32xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "batch", lower = 1 : i64, upper = 4 : i64}]},
    %y: memref<64x4x64xf32> {glow_inst.output}) {
  %rows = glow_inst.alloc : memref<64x4x1536xf32>
  glow_inst.copy %x -> %rows : memref<64x4x1536xf32> -> memref<64x4x1536xf32>
  glow_inst.matmul ins(%rows, %w : memref<64x4x1536xf32>, memref<2x1536x32xf32>) outs(%y : memref<64x4x64xf32>) {packed = 32 : i64}
  return
}

// Longer rows are as far apart: of 128 words a line more each makes whole pages.
// CHECK-LABEL: func @no_help(
//       CHECK: glow_inst.alloc : memref<16x128x768xf32>
func.func @no_help(
    %x: memref<16x128x768xf32>, %w: memref<2x768x32xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "words", lower = 1 : i64, upper = 128 : i64}]},
    %y: memref<16x128x64xf32> {glow_inst.output}) {
  %rows = glow_inst.alloc : memref<16x128x768xf32>
  glow_inst.copy %x -> %rows : memref<16x128x768xf32> -> memref<16x128x768xf32>
  glow_inst.matmul ins(%rows, %w : memref<16x128x768xf32>, memref<2x768x32xf32>) outs(%y : memref<16x128x64xf32>) {packed = 32 : i64}
  return
}
