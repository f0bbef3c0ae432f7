// RUN: glow-opt %s "--glow-test-emit-kernels=target=vector-bits=512,vector-registers=32,fma=1,l1=48K,features=avx512bf16+amx-tile+amx-bf16" --canonicalize --cse | FileCheck %s

// 32 rows and a panel of 32 columns take 96 KiB: each panel stays for all tiles
// of rows, which pass the first level by.
// CHECK-LABEL: func @rows_pass(
// CHECK-COUNT-2: amx.tile_load {{.*}} {glow.streamed} : memref<98304xbf16> into
// CHECK-COUNT-2: amx.tile_load %{{[^{]*}} : memref<589824xbf16> into
//   CHECK-NOT: amx.tile_load
func.func @rows_pass(%a: memref<128x768xbf16>, %b: memref<24x384x64xbf16>, %c: memref<128x768xbf16>) {
  glow_inst.matmul ins(%a, %b : memref<128x768xbf16>, memref<24x384x64xbf16>) outs(%c : memref<128x768xbf16>) {packed = 32 : i64} do {
  ^bb0(%sum: f32):
    %0 = arith.truncf %sum : f32 to bf16
    glow.yield %0 : bf16
  }
  return
}

// A panel does not stay either if it is longer than the first level.
// CHECK-LABEL: func @both_pass(
// CHECK-COUNT-4: amx.tile_load {{.*}} {glow.streamed} :
//   CHECK-NOT: amx.tile_load
func.func @both_pass(%a: memref<128x1024xbf16>, %b: memref<8x512x64xbf16>, %c: memref<128x256xbf16>) {
  glow_inst.matmul ins(%a, %b : memref<128x1024xbf16>, memref<8x512x64xbf16>) outs(%c : memref<128x256xbf16>) {packed = 32 : i64} do {
  ^bb0(%sum: f32):
    %0 = arith.truncf %sum : f32 to bf16
    glow.yield %0 : bf16
  }
  return
}

// Both fit.
// CHECK-LABEL: func @all_stay(
// CHECK-COUNT-4: amx.tile_load %{{[^{]*}} : memref
//   CHECK-NOT: amx.tile_load
func.func @all_stay(%a: memref<128x256xbf16>, %b: memref<24x128x64xbf16>, %c: memref<128x768xbf16>) {
  glow_inst.matmul ins(%a, %b : memref<128x256xbf16>, memref<24x128x64xbf16>) outs(%c : memref<128x768xbf16>) {packed = 32 : i64} do {
  ^bb0(%sum: f32):
    %0 = arith.truncf %sum : f32 to bf16
    glow.yield %0 : bf16
  }
  return
}

// Windows come back to their rows, so that it is the panel that passes.
// CHECK-LABEL: func @windows(
// CHECK-COUNT-2: amx.tile_load %{{[^{]*}} : memref<115200xbf16> into
// CHECK-COUNT-2: amx.tile_load {{.*}} {glow.streamed} : memref<147456xbf16> into
func.func @windows(%a: memref<1x30x30x128xbf16>, %b: memref<4x576x64xbf16>, %c: memref<1x28x28x128xbf16>) {
  glow_inst.conv ins(%a, %b : memref<1x30x30x128xbf16>, memref<4x576x64xbf16>) outs(%c : memref<1x28x28x128xbf16>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32):
    %0 = arith.truncf %sum : f32 to bf16
    glow.yield %0 : bf16
  }
  return
}

// Products of pieces come back to their columns.
// CHECK-LABEL: func @pieces(
// CHECK-COUNT-2: amx.tile_load {{.*}} {glow.streamed} : memref<262144xbf16> into
// CHECK-COUNT-2: amx.tile_load %{{[^{]*}} : memref<524288xbf16> into
func.func @pieces(%a: memref<128x2048xbf16>, %b: memref<8x1024x64xbf16>, %c: memref<128x256xf32>) {
  glow_inst.matmul ins(%a, %b : memref<128x2048xbf16>, memref<8x1024x64xbf16>) outs(%c : memref<128x256xf32>) {packed = 32 : i64, pieces = 2 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}
