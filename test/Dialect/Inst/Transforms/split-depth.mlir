// RUN: glow-opt %s -glow-inst-split-depth=target=l2=256K | FileCheck %s

// Blocks of 16 rows and all columns, in three parts of the depth. What the
// product updates in place is its output's window.
// CHECK-LABEL: func.func @in_place(
// CHECK: glow_inst.forall [8, 1] ins(%arg0, %arg1, %arg2 : memref<128x3072xf32>, memref<2x3072x32xf32>, memref<64xf32>) outs(%arg3 : memref<128x64xf32>)
// CHECK-SAME: steps = [array<i64: 49152, 0>, array<i64: 0, 196608>, array<i64: 0, 64>, array<i64: 1024, 64>]
// CHECK: ^bb0(%[[A:.+]]: memref<16x3072xf32>, %[[B:.+]]: memref<2x3072x32xf32>, %[[BIAS:.+]]: memref<64xf32>, %[[C:.+]]: memref<16x64xf32>):
// CHECK: %[[SUMS:.+]] = glow_inst.alloc : memref<16x64xf32>
// CHECK: %[[A0:.+]] = glow_inst.view %[[A]] : memref<16x3072xf32> to memref<16x1024xf32, strided<[3072, 1]>>
// CHECK: %[[B0:.+]] = glow_inst.view %[[B]] : memref<2x3072x32xf32> to memref<2x1024x32xf32, strided<[98304, 32, 1]>>
// CHECK: glow_inst.matmul ins(%[[A0]], %[[B0]] : {{.*}}) outs(%[[SUMS]] : memref<16x64xf32>) {packed = 32 : i64}{{$}}
// CHECK: %[[A1:.+]] = glow_inst.view %[[A]] : memref<16x3072xf32> to memref<16x1024xf32, strided<[3072, 1], offset: 1024>>
// CHECK: %[[B1:.+]] = glow_inst.view %[[B]] : memref<2x3072x32xf32> to memref<2x1024x32xf32, strided<[98304, 32, 1], offset: 32768>>
// CHECK: glow_inst.matmul ins(%[[A1]], %[[B1]] : {{.*}}) epilogue(%[[SUMS]] : memref<16x64xf32>) outs(%[[SUMS]] : memref<16x64xf32>) {packed = 32 : i64} do {
// CHECK: ^bb0(%[[P:.+]]: f32, %[[S:.+]]: f32):
// CHECK: %[[SUM:.+]] = arith.addf %[[S]], %[[P]] : f32
// CHECK: glow.yield %[[SUM]] : f32
// CHECK: glow_inst.matmul {{.*}} epilogue(%[[BIAS]], %[[C]], %[[SUMS]] : {{.*}}) outs(%[[C]] : memref<16x64xf32>) {packed = 32 : i64} do {
// CHECK: ^bb0(%[[P:.+]]: f32, %[[Y:.+]]: f32, %[[Z:.+]]: f32, %[[S:.+]]: f32):
// CHECK: %[[SUM:.+]] = arith.addf %[[S]], %[[P]] : f32
// CHECK: %[[BIASED:.+]] = arith.addf %[[SUM]], %[[Y]] : f32
// CHECK: arith.addf %[[BIASED]], %[[Z]] : f32
func.func @in_place(%a: memref<128x3072xf32>, %b: memref<2x3072x32xf32>, %bias: memref<64xf32>, %c: memref<128x64xf32> {glow_inst.output}) {
  glow_inst.matmul ins(%a, %b : memref<128x3072xf32>, memref<2x3072x32xf32>) epilogue(%bias, %c : memref<64xf32>, memref<128x64xf32>) outs(%c : memref<128x64xf32>) {packed = 32 : i64} do {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.addf %x, %y : f32
    %1 = arith.addf %0, %z : f32
    glow.yield %1 : f32
  }
  return
}

// Batches of rows at one distance are rows of one matrix. Those that are left
// are a product as before.
// CHECK-LABEL: func.func @rest(
// CHECK: glow_inst.forall [5, 1] {{.*}} outs(%{{.*}} : memref<90x128xf32>) steps = [array<i64: 37152, 0>, array<i64: 0, 262144>, array<i64: 2304, 128>]
// CHECK: }
// CHECK: %[[C:.+]] = glow_inst.view %arg2 : memref<2x53x128xf32> to memref<16x128xf32, strided<[128, 1], offset: 11520>>
// CHECK: glow_inst.matmul ins(%{{.*}}, %arg1 : memref<16x2048xf32, strided<[2064, 1], offset: 185760>>, memref<4x2048x32xf32>) outs(%[[C]] :
func.func @rest(%a: memref<2x53x2048xf32, strided<[109392, 2064, 1]>>, %b: memref<4x2048x32xf32>, %c: memref<2x53x128xf32> {glow_inst.output}) {
  glow_inst.matmul ins(%a, %b : memref<2x53x2048xf32, strided<[109392, 2064, 1]>>, memref<4x2048x32xf32>) outs(%c : memref<2x53x128xf32>) {packed = 32 : i64}
  return
}

// Enough blocks for many threads.
// CHECK-LABEL: func.func @columns(
// CHECK: glow_inst.forall [6, 2] {{.*}} steps = [array<i64: 32768, 0>, array<i64: 0, 262144>, array<i64: 4096, 128>, array<i64: 4096, 128>] {
// CHECK: ^bb0(%{{.*}}: memref<16x2048xf32>, %{{.*}}: memref<4x2048x32xf32>, %{{.*}}: memref<16x128xf32, strided<[256, 1]>>, %{{.*}}: memref<16x128xf32, strided<[256, 1]>>):
func.func @columns(%a: memref<96x2048xf32>, %b: memref<8x2048x32xf32>, %d: memref<96x256xf32>, %c: memref<96x256xf32> {glow_inst.output}) {
  glow_inst.matmul ins(%a, %b : memref<96x2048xf32>, memref<8x2048x32xf32>) epilogue(%d : memref<96x256xf32>) outs(%c : memref<96x256xf32>) {packed = 32 : i64} do {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.mulf %x, %y : f32
    glow.yield %0 : f32
  }
  return
}

// Both sides have the same type; columns are cut on one of them.
// CHECK-LABEL: func.func @square(
// CHECK: glow_inst.forall [6, 4] {{.*}} steps = [array<i64: 32768, 0>, array<i64: 0, 1048576>, array<i64: 32768, 512>] {
// CHECK: ^bb0(%{{.*}}: memref<16x2048xf32>, %{{.*}}: memref<16x2048x32xf32>, %{{.*}}: memref<16x512xf32, strided<[2048, 1]>>):
func.func @square(%a: memref<96x2048xf32>, %b: memref<64x2048x32xf32>, %c: memref<96x2048xf32> {glow_inst.output}) {
  glow_inst.matmul ins(%a, %b : memref<96x2048xf32>, memref<64x2048x32xf32>) outs(%c : memref<96x2048xf32>) {packed = 32 : i64}
  return
}

// Rows that stay in the cache, a short depth, batches of matrices, and rows that
// several batches share.
// CHECK-LABEL: func.func @stay(
// CHECK-COUNT-4: glow_inst.matmul
// CHECK-NOT: glow_inst.forall
func.func @stay(%a: memref<16x2048xf32>, %b: memref<4x2048x32xf32>, %c: memref<96x512xf32>, %d: memref<8x512x32xf32>, %e: memref<96x2048xf32>, %f: memref<1x4x2048x32xf32>, %x: memref<16x128xf32> {glow_inst.output}, %y: memref<96x256xf32> {glow_inst.output}, %z: memref<1x96x128xf32> {glow_inst.output}, %shared: memref<1x96x2048xf32>, %w: memref<2x96x128xf32> {glow_inst.output}) {
  glow_inst.matmul ins(%a, %b : memref<16x2048xf32>, memref<4x2048x32xf32>) outs(%x : memref<16x128xf32>) {packed = 32 : i64}
  glow_inst.matmul ins(%c, %d : memref<96x512xf32>, memref<8x512x32xf32>) outs(%y : memref<96x256xf32>) {packed = 32 : i64}
  glow_inst.matmul ins(%e, %f : memref<96x2048xf32>, memref<1x4x2048x32xf32>) outs(%z : memref<1x96x128xf32>) {packed = 32 : i64}
  glow_inst.matmul ins(%shared, %b : memref<1x96x2048xf32>, memref<4x2048x32xf32>) outs(%w : memref<2x96x128xf32>) {packed = 32 : i64}
  return
}
