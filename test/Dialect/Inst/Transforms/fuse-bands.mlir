// RUN: glow-opt %s -glow-inst-fuse-bands=target=l2=32K | FileCheck %s

// Eight bands of rows. The sums are read with another shape than they are written
// with.
// CHECK-LABEL: func.func @softmax(
// CHECK: glow_inst.forall [8] ins(%arg0 : memref<32x64xf32>) outs(%arg1 : memref<32x64xf32>) steps = [array<i64: 256>, array<i64: 256>] {
// CHECK: ^bb0(%[[X:.+]]: memref<4x64xf32>, %[[Y:.+]]: memref<4x64xf32>):
// CHECK: %[[E:.+]] = glow_inst.alloc : memref<256xf32>
// CHECK: %[[S:.+]] = glow_inst.alloc : memref<4xf32>
// CHECK: %[[EV:.+]] = glow_inst.view %[[E]] : memref<256xf32> to memref<4x64xf32>
// CHECK: glow_inst.map ins(%[[X]] : memref<4x64xf32>) outs(%[[EV]] : memref<4x64xf32>)
// CHECK: glow_inst.reduce sum ins({{.*}}) outs(%[[S]] : memref<4xf32>)
// CHECK: glow_inst.view %[[S]] : memref<4xf32> to memref<4x1xf32>
// CHECK: glow_inst.map ins({{.*}}) outs(%[[Y]] : memref<4x64xf32>)
// CHECK-NOT: glow_inst.alloc
func.func @softmax(%x: memref<32x64xf32>, %y: memref<32x64xf32> {glow_inst.output}) {
  %e = glow_inst.alloc : memref<32x64xf32>
  glow_inst.map ins(%x : memref<32x64xf32>) outs(%e : memref<32x64xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  %s = glow_inst.alloc : memref<32xf32>
  glow_inst.reduce sum ins(%e : memref<32x64xf32>) outs(%s : memref<32xf32>) axes = [1]
  %v = glow_inst.view %s : memref<32xf32> to memref<32x1xf32>
  glow_inst.map ins(%e, %v : memref<32x64xf32>, memref<32x1xf32>) outs(%y : memref<32x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.divf %a, %b : f32
    glow.yield %0 : f32
  }
  return
}

// Heads are columns of the tokens' matrix; rows go last, whatever the order of the
// axes. The instruction between the two products does not depend on them.
// CHECK-LABEL: func.func @attention(
// CHECK: glow_inst.fill %arg4
// CHECK: glow_inst.forall [4, 2] ins(%{{.*}}, %arg1, %{{.*}} : memref<4x8x16xf32, strided<[16, 64, 1]>>, memref<4x16x8xf32>, memref<4x8x16xf32, strided<[16, 64, 1]>>) outs(%{{.*}} : memref<4x8x16xf32, strided<[16, 64, 1]>>) steps = [array<i64: 16, 256>, array<i64: 128, 0>, array<i64: 16, 0>, array<i64: 16, 256>] {
// CHECK: ^bb0(%[[Q:.+]]: memref<1x4x16xf32, strided<[16, 64, 1]>>, %[[K:.+]]: memref<1x16x8xf32>, %[[V:.+]]: memref<1x8x16xf32, strided<[16, 64, 1]>>, %[[O:.+]]: memref<1x4x16xf32, strided<[16, 64, 1]>>):
// CHECK: glow_inst.matmul ins(%[[Q]], %[[K]]
// CHECK: glow_inst.matmul ins(%{{.*}}, %[[V]] {{.*}} outs(%[[O]]
func.func @attention(%q: memref<8x64xf32>, %k: memref<4x16x8xf32>, %v: memref<8x64xf32>, %y: memref<8x64xf32> {glow_inst.output}, %z: memref<4xf32> {glow_inst.output}) {
  %s = glow_inst.alloc : memref<4x8x8xf32>
  %qv = glow_inst.view %q : memref<8x64xf32> to memref<4x8x16xf32, strided<[16, 64, 1]>>
  glow_inst.matmul ins(%qv, %k : memref<4x8x16xf32, strided<[16, 64, 1]>>, memref<4x16x8xf32>) outs(%s : memref<4x8x8xf32>)
  glow_inst.fill %z with 0.0 : f32 : memref<4xf32>
  %vv = glow_inst.view %v : memref<8x64xf32> to memref<4x8x16xf32, strided<[16, 64, 1]>>
  %yv = glow_inst.view %y : memref<8x64xf32> to memref<4x8x16xf32, strided<[16, 64, 1]>>
  glow_inst.matmul ins(%s, %vv : memref<4x8x8xf32>, memref<4x8x16xf32, strided<[16, 64, 1]>>) outs(%yv : memref<4x8x16xf32, strided<[16, 64, 1]>>)
  return
}

// Every band would read the product's right-hand side, which is half the cache.
// CHECK-LABEL: func.func @large_weights(
// CHECK-NOT: glow_inst.forall
func.func @large_weights(%x: memref<32x64xf32>, %w: memref<64x64xf32>, %y: memref<32x64xf32> {glow_inst.output}) {
  %e = glow_inst.alloc : memref<32x64xf32>
  glow_inst.map ins(%x : memref<32x64xf32>) outs(%e : memref<32x64xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  glow_inst.matmul ins(%e, %w : memref<32x64xf32>, memref<64x64xf32>) outs(%y : memref<32x64xf32>)
  return
}

// A band of the transpose would need all of the first map's result.
// CHECK-LABEL: func.func @other_axes(
// CHECK-NOT: glow_inst.forall
func.func @other_axes(%x: memref<32x32xf32>, %y: memref<32x32xf32> {glow_inst.output}) {
  %e = glow_inst.alloc : memref<32x32xf32>
  glow_inst.map ins(%x : memref<32x32xf32>) outs(%e : memref<32x32xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  %t = glow_inst.view %e : memref<32x32xf32> to memref<32x32xf32, strided<[1, 32]>>
  glow_inst.copy %t -> %y : memref<32x32xf32, strided<[1, 32]>> -> memref<32x32xf32>
  return
}

// What others read, before the loop's end or after it, stays in memory; an
// instruction that reads it in between cannot be passed.
// CHECK-LABEL: func.func @read_between(
// CHECK-NOT: glow_inst.forall
func.func @read_between(%x: memref<32x8xf32>, %y: memref<32x8xf32> {glow_inst.output}, %z: memref<8xf32> {glow_inst.output}) {
  %e = glow_inst.alloc : memref<32x8xf32>
  glow_inst.map ins(%x : memref<32x8xf32>) outs(%e : memref<32x8xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  glow_inst.reduce sum ins(%e : memref<32x8xf32>) outs(%z : memref<8xf32>) axes = [0]
  glow_inst.map ins(%e : memref<32x8xf32>) outs(%y : memref<32x8xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  return
}

// A result of the function that the chain reads itself: the body reads its window.
// CHECK-LABEL: func.func @kept(
// CHECK: glow_inst.forall [8] ins(%arg0 : memref<32x8xf32>) outs(%arg1, %arg2 : memref<32x8xf32>, memref<32xf32>)
// CHECK: ^bb0(%[[X:.+]]: memref<4x8xf32>, %[[Y:.+]]: memref<4x8xf32>, %[[Z:.+]]: memref<4xf32>):
// CHECK: glow_inst.map ins(%[[X]] : memref<4x8xf32>) outs(%{{.*}} : memref<4x8xf32>)
// CHECK: glow_inst.map ins(%{{.*}} : memref<4x8xf32>) outs(%[[Y]] : memref<4x8xf32>)
// CHECK: glow_inst.reduce sum ins(%[[Y]] : memref<4x8xf32>) outs(%[[Z]] : memref<4xf32>)
func.func @kept(%x: memref<32x8xf32>, %y: memref<32x8xf32> {glow_inst.output}, %z: memref<32xf32> {glow_inst.output}) {
  %e = glow_inst.alloc : memref<32x8xf32>
  glow_inst.map ins(%x : memref<32x8xf32>) outs(%e : memref<32x8xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  glow_inst.map ins(%e : memref<32x8xf32>) outs(%y : memref<32x8xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  glow_inst.reduce sum ins(%y : memref<32x8xf32>) outs(%z : memref<32xf32>) axes = [1]
  return
}

// The copy reads other elements of the buffer than it writes: no window of its
// result holds them.
// CHECK-LABEL: func.func @within_a_buffer(
// CHECK: glow_inst.copy
// CHECK: glow_inst.forall
// CHECK-NOT: glow_inst.copy
func.func @within_a_buffer(%x: memref<32x8xf32>, %y: memref<32x8xf32> {glow_inst.output}) {
  %b = glow_inst.alloc : memref<64x8xf32>
  %low = glow_inst.view %b : memref<64x8xf32> to memref<32x8xf32>
  glow_inst.fill %low with 1.0 : f32 : memref<32x8xf32>
  %high = glow_inst.view %b : memref<64x8xf32> to memref<32x8xf32, strided<[8, 1], offset: 256>>
  glow_inst.copy %low -> %high : memref<32x8xf32> -> memref<32x8xf32, strided<[8, 1], offset: 256>>
  %e = glow_inst.alloc : memref<32x8xf32>
  glow_inst.map ins(%high : memref<32x8xf32, strided<[8, 1], offset: 256>>) outs(%e : memref<32x8xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  glow_inst.map ins(%e : memref<32x8xf32>) outs(%y : memref<32x8xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  return
}

// One query: the keys of a band of heads are turned where they are used.
// CHECK-LABEL: func.func @decode(
// CHECK-NOT: glow_inst.copy
// CHECK: glow_inst.forall [2, 4]
// CHECK: glow_inst.copy
// CHECK: glow_inst.matmul
// CHECK: glow_inst.matmul
// CHECK: return
func.func @decode(%q: memref<2x16x1x16xf32>, %k: memref<2x16x8x16xf32>, %v: memref<2x16x8x16xf32>, %y: memref<2x16x1x16xf32> {glow_inst.output}) {
  %t = glow_inst.alloc : memref<2x16x16x8xf32>
  %kv = glow_inst.view %k : memref<2x16x8x16xf32> to memref<2x16x16x8xf32, strided<[2048, 128, 1, 16]>>
  glow_inst.copy %kv -> %t : memref<2x16x16x8xf32, strided<[2048, 128, 1, 16]>> -> memref<2x16x16x8xf32>
  %s = glow_inst.alloc : memref<2x16x1x8xf32>
  glow_inst.matmul ins(%q, %t : memref<2x16x1x16xf32>, memref<2x16x16x8xf32>) outs(%s : memref<2x16x1x8xf32>)
  glow_inst.matmul ins(%s, %v : memref<2x16x1x8xf32>, memref<2x16x8x16xf32>) outs(%y : memref<2x16x1x16xf32>)
  return
}

// Of several queries, the rows are cut, which the copy does not follow.
// CHECK-LABEL: func.func @prefill(
// CHECK: glow_inst.copy
// CHECK: glow_inst.forall
// CHECK-NOT: glow_inst.copy
// CHECK: return
func.func @prefill(%q: memref<2x16x8x16xf32>, %k: memref<2x16x8x16xf32>, %v: memref<2x16x8x16xf32>, %y: memref<2x16x8x16xf32> {glow_inst.output}) {
  %t = glow_inst.alloc : memref<2x16x16x8xf32>
  %kv = glow_inst.view %k : memref<2x16x8x16xf32> to memref<2x16x16x8xf32, strided<[2048, 128, 1, 16]>>
  glow_inst.copy %kv -> %t : memref<2x16x16x8xf32, strided<[2048, 128, 1, 16]>> -> memref<2x16x16x8xf32>
  %s = glow_inst.alloc : memref<2x16x8x8xf32>
  glow_inst.matmul ins(%q, %t : memref<2x16x8x16xf32>, memref<2x16x16x8xf32>) outs(%s : memref<2x16x8x8xf32>)
  glow_inst.matmul ins(%s, %v : memref<2x16x8x8xf32>, memref<2x16x8x16xf32>) outs(%y : memref<2x16x8x16xf32>)
  return
}

// All bands read the same columns, so they are of 24 rows or more: four, since
// there are not enough for eight.
// CHECK-LABEL: func.func @shared_columns(
// CHECK: glow_inst.forall [4] ins(%arg0, %arg1 : memref<128x16xf32>, memref<16x8xf32>)
func.func @shared_columns(%x: memref<128x16xf32>, %w: memref<16x8xf32>, %y: memref<128x8xf32> {glow_inst.output}) {
  %e = glow_inst.alloc : memref<128x16xf32>
  glow_inst.map ins(%x : memref<128x16xf32>) outs(%e : memref<128x16xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  glow_inst.matmul ins(%e, %w : memref<128x16xf32>, memref<16x8xf32>) outs(%y : memref<128x8xf32>)
  return
}

// Bands of 16 rows would take longer for the columns than the loop saves.
// CHECK-LABEL: func.func @few_shared_columns(
// CHECK-NOT: glow_inst.forall
func.func @few_shared_columns(%x: memref<64x16xf32>, %w: memref<16x8xf32>, %y: memref<64x8xf32> {glow_inst.output}) {
  %e = glow_inst.alloc : memref<64x16xf32>
  glow_inst.map ins(%x : memref<64x16xf32>) outs(%e : memref<64x16xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  glow_inst.matmul ins(%e, %w : memref<64x16xf32>, memref<16x8xf32>) outs(%y : memref<64x8xf32>)
  return
}

// Rows that were made longer are so in the loop's memory; gaps between heads are
// not kept.
// CHECK-LABEL: func.func @longer_rows(
// CHECK: glow_inst.forall [8]
// CHECK: %[[E:.+]] = glow_inst.alloc : memref<256xf32>
// CHECK: glow_inst.view %[[E]] : memref<256xf32> to memref<4x50xf32, strided<[64, 1]>>
// CHECK-LABEL: func.func @far_rows(
// CHECK: glow_inst.alloc : memref<200xf32>
func.func @longer_rows(%x: memref<32x50xf32>, %y: memref<32xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<32x64xf32>
  %e = glow_inst.view %a : memref<32x64xf32> to memref<32x50xf32, strided<[64, 1]>>
  glow_inst.map ins(%x : memref<32x50xf32>) outs(%e : memref<32x50xf32, strided<[64, 1]>>) {
  ^bb0(%b: f32):
    %0 = math.exp %b : f32
    glow.yield %0 : f32
  }
  glow_inst.reduce sum ins(%e : memref<32x50xf32, strided<[64, 1]>>) outs(%y : memref<32xf32>) axes = [1]
  return
}
func.func @far_rows(%x: memref<32x50xf32>, %y: memref<32xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<32x128xf32>
  %e = glow_inst.view %a : memref<32x128xf32> to memref<32x50xf32, strided<[128, 1]>>
  glow_inst.map ins(%x : memref<32x50xf32>) outs(%e : memref<32x50xf32, strided<[128, 1]>>) {
  ^bb0(%b: f32):
    %0 = math.exp %b : f32
    glow.yield %0 : f32
  }
  glow_inst.reduce sum ins(%e : memref<32x50xf32, strided<[128, 1]>>) outs(%y : memref<32xf32>) axes = [1]
  return
}

// Two gathers of one shape and the sum of what they find: slices of all that is
// gathered are in the core's cache. Of the tables all points see all.
// CHECK-LABEL: func.func @gathers(
// CHECK: glow_inst.forall [{{[0-9]+}}] ins(%arg0, %{{.+}}, %arg2, %{{.+}} : memref<90x64xf32>,
// CHECK-NEXT: ^bb0
// CHECK: glow_inst.gather
// CHECK: glow_inst.gather
// CHECK: glow_inst.map
// CHECK-NOT: glow_inst.map
// CHECK: return
func.func @gathers(%t: memref<90x64xf32>, %i: memref<512xi64>, %p: memref<70x64xf32>, %j: memref<512xi64>, %y: memref<512x64xf32>) {
  %a = glow_inst.alloc : memref<512x64xf32>
  glow_inst.gather ins(%t, %i : memref<90x64xf32>, memref<512xi64>) outs(%a : memref<512x64xf32>) axis = 0
  %b = glow_inst.alloc : memref<512x64xf32>
  glow_inst.gather ins(%p, %j : memref<70x64xf32>, memref<512xi64>) outs(%b : memref<512x64xf32>) axis = 0
  glow_inst.map ins(%a, %b : memref<512x64xf32>, memref<512x64xf32>) outs(%y : memref<512x64xf32>) {
  ^bb0(%x: f32, %z: f32):
    %s = arith.addf %x, %z : f32
    glow.yield %s : f32
  }
  return
}

// Points of four short rows would take as long to start as to run.
// CHECK-LABEL: func.func @short_rows(
// CHECK: glow_inst.forall [32] {{.*}} steps = [array<i64: 4608>, array<i64: 2048>] {
// CHECK: ^bb0(%{{.+}}: memref<32x4x16xf32, strided<[144, 16, 1]>>,
func.func @short_rows(%x: memref<1024x4x16xf32, strided<[144, 16, 1]>>, %y: memref<1024x4x16xf32> {glow_inst.output}) {
  %m = glow_inst.alloc : memref<1024x4xf32>
  glow_inst.reduce max ins(%x : memref<1024x4x16xf32, strided<[144, 16, 1]>>) outs(%m : memref<1024x4xf32>) axes = [2]
  %v = glow_inst.view %m : memref<1024x4xf32> to memref<1024x4x1xf32>
  glow_inst.map ins(%x, %v : memref<1024x4x16xf32, strided<[144, 16, 1]>>, memref<1024x4x1xf32>) outs(%y : memref<1024x4x16xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.subf %a, %b : f32
    glow.yield %0 : f32
  }
  return
}
