// RUN: glow-opt %s "-glow-inst-spread-rows=target=vector-bits=512,features=avx512bf16+amx-tile+amx-bf16" | FileCheck %s

// 512 bytes of two pieces become 576. What writes the pieces does so there.
// CHECK-LABEL: func @pieces(
//       CHECK: %[[ROWS:.+]] = glow_inst.alloc : memref<64x288xbf16>
//       CHECK: %[[HIGH:.+]] = glow_inst.view %[[ROWS]] : {{.*}} to memref<64x128xbf16, strided<[288, 1]>>
//       CHECK: %[[LOW:.+]] = glow_inst.view %[[ROWS]] : {{.*}} to memref<64x128xbf16, strided<[288, 1], offset: 128>>
//       CHECK: glow_inst.map {{.*}} outs(%[[HIGH]], %[[LOW]] :
//       CHECK: %[[BOTH:.+]] = glow_inst.view %[[ROWS]] : {{.*}} to memref<64x256xbf16, strided<[288, 1]>>
//       CHECK: glow_inst.matmul ins(%[[BOTH]],
//   CHECK-NOT: glow_inst.copy
func.func @pieces(%x: memref<64x128xf32>, %w: memref<1x128x64xbf16>, %y: memref<64x32xf32>) {
  %rows = glow_inst.alloc : memref<64x256xbf16>
  %high = glow_inst.view %rows : memref<64x256xbf16> to memref<64x128xbf16, strided<[256, 1]>>
  %low = glow_inst.view %rows : memref<64x256xbf16> to memref<64x128xbf16, strided<[256, 1], offset: 128>>
  glow_inst.map ins(%x : memref<64x128xf32>) outs(%high, %low : memref<64x128xbf16, strided<[256, 1]>>, memref<64x128xbf16, strided<[256, 1], offset: 128>>) {
  ^bb0(%a: f32):
    %h = arith.truncf %a : f32 to bf16
    %wide = arith.extf %h : bf16 to f32
    %rest = arith.subf %a, %wide : f32
    %l = arith.truncf %rest : f32 to bf16
    glow.yield %h, %l : bf16, bf16
  }
  glow_inst.matmul ins(%rows, %w : memref<64x256xbf16>, memref<1x128x64xbf16>) outs(%y : memref<64x32xf32>) {packed = 32 : i64, pieces = 2 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Tile registers read rows of one piece alike.
// CHECK-LABEL: func @one_piece(
//       CHECK: %[[LONG:.+]] = glow_inst.alloc : memref<64x288xbf16>
//       CHECK: %[[ROWS:.+]] = glow_inst.view %[[LONG]] : {{.*}} to memref<64x256xbf16, strided<[288, 1]>>
//       CHECK: glow_inst.map {{.*}} outs(%[[ROWS]] :
//       CHECK: %[[READ:.+]] = glow_inst.view %[[LONG]] : {{.*}} to memref<64x256xbf16, strided<[288, 1]>>
//       CHECK: glow_inst.matmul ins(%[[READ]],
func.func @one_piece(%x: memref<64x256xf32>, %w: memref<1x128x64xbf16>, %y: memref<64x32xf32>) {
  %rows = glow_inst.alloc : memref<64x256xbf16>
  glow_inst.map ins(%x : memref<64x256xf32>) outs(%rows : memref<64x256xbf16>) {
  ^bb0(%a: f32):
    %h = arith.truncf %a : f32 to bf16
    glow.yield %h : bf16
  }
  glow_inst.matmul ins(%rows, %w : memref<64x256xbf16>, memref<1x128x64xbf16>) outs(%y : memref<64x32xf32>) {packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// A row is what four heads have of it, 512 bytes.
// CHECK-LABEL: func @joined_heads(
//       CHECK: %[[LONG:.+]] = glow_inst.alloc : memref<64x288xbf16>
//       CHECK: %[[HEADS:.+]] = glow_inst.view %[[LONG]] : {{.*}} to memref<4x64x64xbf16, strided<[64, 288, 1]>>
//       CHECK: glow_inst.matmul {{.*}} outs(%[[HEADS]] :
//       CHECK: %[[ROWS:.+]] = glow_inst.view %[[LONG]] : {{.*}} to memref<64x256xbf16, strided<[288, 1]>>
//       CHECK: glow_inst.matmul ins(%[[ROWS]],
func.func @joined_heads(%p: memref<4x64x48xbf16>, %v: memref<4x48x64xbf16>, %w: memref<1x128x64xbf16>, %y: memref<64x32xf32>) {
  %heads = glow_inst.alloc : memref<64x4x64xbf16>
  %each = glow_inst.view %heads : memref<64x4x64xbf16> to memref<4x64x64xbf16, strided<[64, 256, 1]>>
  glow_inst.matmul ins(%p, %v : memref<4x64x48xbf16>, memref<4x48x64xbf16>) outs(%each : memref<4x64x64xbf16, strided<[64, 256, 1]>>) do {
  ^bb0(%sum: f32):
    %h = arith.truncf %sum : f32 to bf16
    glow.yield %h : bf16
  }
  %rows = glow_inst.view %heads : memref<64x4x64xbf16> to memref<64x256xbf16>
  glow_inst.matmul ins(%rows, %w : memref<64x256xbf16>, memref<1x128x64xbf16>) outs(%y : memref<64x32xf32>) {packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Rows of 320 bytes are in many sets already.
// CHECK-LABEL: func @odd(
//       CHECK: glow_inst.alloc : memref<64x160xbf16>
func.func @odd(%x: memref<64x160xbf16>, %w: memref<1x80x64xbf16>, %y: memref<64x32xf32>) {
  %rows = glow_inst.alloc : memref<64x160xbf16>
  glow_inst.copy %x -> %rows : memref<64x160xbf16> -> memref<64x160xbf16>
  glow_inst.matmul ins(%rows, %w : memref<64x160xbf16>, memref<1x80x64xbf16>) outs(%y : memref<64x32xf32>) {packed = 32 : i64, pieces = 2 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// All elements as one row cannot be seen in longer ones.
// CHECK-LABEL: func @flat(
//       CHECK: glow_inst.alloc : memref<64x256xbf16>
//   CHECK-NOT: glow_inst.alloc
func.func @flat(%x: memref<16384xbf16>, %w: memref<1x128x64xbf16>, %y: memref<64x32xf32>) {
  %rows = glow_inst.alloc : memref<64x256xbf16>
  %all = glow_inst.view %rows : memref<64x256xbf16> to memref<16384xbf16>
  glow_inst.map ins(%x : memref<16384xbf16>) outs(%all : memref<16384xbf16>) {
  ^bb0(%a: bf16):
    %p = math.absf %a : bf16
    glow.yield %p : bf16
  }
  glow_inst.matmul ins(%rows, %w : memref<64x256xbf16>, memref<1x128x64xbf16>) outs(%y : memref<64x32xf32>) {packed = 32 : i64, pieces = 2 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// What has wider elements is not computed in place, and stays.
// CHECK-LABEL: func @wider_neighbour(
//       CHECK: glow_inst.alloc : memref<64x256xf32>
//       CHECK: glow_inst.alloc : memref<64x288xbf16>
func.func @wider_neighbour(%x: memref<64x256xf32>, %w: memref<1x128x64xbf16>, %y: memref<64x32xf32>, %z: memref<64x256xf32>) {
  %sums = glow_inst.alloc : memref<64x256xf32>
  glow_inst.map ins(%x : memref<64x256xf32>) outs(%sums : memref<64x256xf32>) {
  ^bb0(%a: f32):
    %b = arith.addf %a, %a : f32
    glow.yield %b : f32
  }
  %rows = glow_inst.alloc : memref<64x256xbf16>
  glow_inst.map ins(%sums : memref<64x256xf32>) outs(%rows : memref<64x256xbf16>) {
  ^bb0(%a: f32):
    %h = arith.truncf %a : f32 to bf16
    glow.yield %h : bf16
  }
  glow_inst.matmul ins(%rows, %w : memref<64x256xbf16>, memref<1x128x64xbf16>) outs(%y : memref<64x32xf32>) {packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  glow_inst.copy %sums -> %z : memref<64x256xf32> -> memref<64x256xf32>
  return
}

// One row for each product is not gone through again.
// CHECK-LABEL: func @single_rows(
//       CHECK: glow_inst.alloc : memref<16x1x256xbf16>
func.func @single_rows(%x: memref<16x1x256xf32>, %k: memref<16x256x32xbf16>, %y: memref<16x1x32xf32>) {
  %rows = glow_inst.alloc : memref<16x1x256xbf16>
  glow_inst.map ins(%x : memref<16x1x256xf32>) outs(%rows : memref<16x1x256xbf16>) {
  ^bb0(%a: f32):
    %h = arith.truncf %a : f32 to bf16
    glow.yield %h : bf16
  }
  glow_inst.matmul ins(%rows, %k : memref<16x1x256xbf16>, memref<16x256x32xbf16>) outs(%y : memref<16x1x32xf32>) do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Products of each of two texts and of the rows of both want different rows of
// the buffer: the inner ones serve both.
// CHECK-LABEL: func @two_axes(
//       CHECK: %[[LONG:.+]] = glow_inst.alloc : memref<64x2x288xbf16>
//       CHECK: glow_inst.matmul ins(%{{.*}}: memref<2x64x256xbf16, strided<[288, 576, 1]>>
//       CHECK: glow_inst.matmul ins(%{{.*}}: memref<128x256xbf16, strided<[288, 1]>>
func.func @two_axes(%x: memref<64x2x256xf32>, %k: memref<2x256x64xbf16>, %s: memref<2x64x64xf32>, %w: memref<1x128x64xbf16>, %y: memref<128x32xf32>) {
  %rows = glow_inst.alloc : memref<64x2x256xbf16>
  glow_inst.map ins(%x : memref<64x2x256xf32>) outs(%rows : memref<64x2x256xbf16>) {
  ^bb0(%a: f32):
    %h = arith.truncf %a : f32 to bf16
    glow.yield %h : bf16
  }
  %texts = glow_inst.view %rows : memref<64x2x256xbf16> to memref<2x64x256xbf16, strided<[256, 512, 1]>>
  glow_inst.matmul ins(%texts, %k : memref<2x64x256xbf16, strided<[256, 512, 1]>>, memref<2x256x64xbf16>) outs(%s : memref<2x64x64xf32>) do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  %all = glow_inst.view %rows : memref<64x2x256xbf16> to memref<128x256xbf16>
  glow_inst.matmul ins(%all, %w : memref<128x256xbf16>, memref<1x128x64xbf16>) outs(%y : memref<128x32xf32>) {packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}
