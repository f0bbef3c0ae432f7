// RUN: glow-opt %s -glow-inst-fuse-gates=target=l2=1M | FileCheck %s

// Two gates of 128 units. The state is updated in place; the gates stay in
// scratch memory, and each point has the panels of its units for both.
// CHECK-LABEL: func.func @cell(
// CHECK-NOT: glow_inst.alloc
// CHECK-DAG: %[[ADDED:.+]] = glow_inst.view %arg2 : memref<4x256xf32> to memref<4x128xf32, strided<[256, 1]>>
// CHECK-DAG: %[[R0:.+]] = glow_inst.view %arg1 : memref<8x256x32xf32> to memref<4x256x32xf32>
// CHECK-DAG: %[[OTHER:.+]] = glow_inst.view %arg2 : memref<4x256xf32> to memref<4x128xf32, strided<[256, 1], offset: 128>>
// CHECK-DAG: %[[R1:.+]] = glow_inst.view %arg1 : memref<8x256x32xf32> to memref<4x256x32xf32, strided<[8192, 32, 1], offset: 32768>>
// CHECK: glow_inst.forall [4] ins(%arg0, %[[R1]], %[[OTHER]], %[[R0]], %[[ADDED]], %arg5 : {{.*}}) outs(%arg3, %arg4 : memref<4x128xf32>, memref<4x128xf32>)
// CHECK-SAME: steps = [array<i64: 0>, array<i64: 8192>, array<i64: 32>, array<i64: 8192>, array<i64: 32>, array<i64: 0>, array<i64: 32>, array<i64: 32>] {
// CHECK: ^bb0(%[[H:.+]]: memref<4x256xf32>, %[[P1:.+]]: memref<1x256x32xf32>, %[[X1:.+]]: memref<4x32xf32, strided<[256, 1]>>, %[[P0:.+]]: memref<1x256x32xf32>, %[[X0:.+]]: memref<4x32xf32, strided<[256, 1]>>, %[[ONE:.+]]: memref<f32>, %[[C:.+]]: memref<4x32xf32, strided<[128, 1]>>, %[[Y:.+]]: memref<4x32xf32, strided<[128, 1]>>):
// CHECK: %[[G1:.+]] = glow_inst.alloc : memref<4x32xf32>
// CHECK: glow_inst.matmul ins(%[[H]], %[[P1]] : {{.*}}) epilogue(%[[X1]] : {{.*}}) outs(%[[G1]] : memref<4x32xf32>)
// CHECK: %[[G0:.+]] = glow_inst.alloc : memref<4x32xf32>
// CHECK: glow_inst.matmul ins(%[[H]], %[[P0]] : {{.*}}) epilogue(%[[X0]] : {{.*}}) outs(%[[G0]] : memref<4x32xf32>)
// CHECK: glow_inst.map ins(%[[G1]], %[[C]], %[[G0]], %[[ONE]] : {{.*}}) outs(%[[C]], %[[Y]] :
func.func @cell(%h: memref<4x256xf32>, %r: memref<8x256x32xf32>, %x: memref<4x256xf32>, %c: memref<4x128xf32> {glow_inst.output}, %y: memref<4x128xf32> {glow_inst.output}, %one: memref<f32>) {
  %gates = glow_inst.alloc : memref<4x256xf32>
  glow_inst.matmul ins(%h, %r : memref<4x256xf32>, memref<8x256x32xf32>) epilogue(%x : memref<4x256xf32>) outs(%gates : memref<4x256xf32>) {packed = 32 : i64} do {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    glow.yield %0 : f32
  }
  %g1 = glow_inst.view %gates : memref<4x256xf32> to memref<4x128xf32, strided<[256, 1], offset: 128>>
  %g0 = glow_inst.view %gates : memref<4x256xf32> to memref<4x128xf32, strided<[256, 1]>>
  glow_inst.map ins(%g1, %c, %g0, %one : memref<4x128xf32, strided<[256, 1], offset: 128>>, memref<4x128xf32>, memref<4x128xf32, strided<[256, 1]>>, memref<f32>) outs(%c, %y : memref<4x128xf32>, memref<4x128xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32, %t: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.addf %0, %s : f32
    %2 = arith.mulf %1, %t : f32
    glow.yield %1, %2 : f32, f32
  }
  return
}

// Columns from the last to the first one are points in that order.
// CHECK-LABEL: func.func @backwards(
// CHECK: glow_inst.forall [4] {{.*}} attributes {backwards} {
// CHECK-NOT: backwards
// CHECK: return
func.func @backwards(%h: memref<4x256xf32>, %r: memref<8x256x32xf32>, %y: memref<4x128xf32> {glow_inst.output}) {
  %gates = glow_inst.alloc : memref<4x256xf32>
  glow_inst.matmul ins(%h, %r : memref<4x256xf32>, memref<8x256x32xf32>) outs(%gates : memref<4x256xf32>) {backwards, packed = 32 : i64}
  %g1 = glow_inst.view %gates : memref<4x256xf32> to memref<4x128xf32, strided<[256, 1], offset: 128>>
  %g0 = glow_inst.view %gates : memref<4x256xf32> to memref<4x128xf32, strided<[256, 1]>>
  glow_inst.map ins(%g1, %g0 : memref<4x128xf32, strided<[256, 1], offset: 128>>, memref<4x128xf32, strided<[256, 1]>>) outs(%y : memref<4x128xf32>) {
  ^bb0(%p: f32, %q: f32):
    %0 = arith.mulf %p, %q : f32
    glow.yield %0 : f32
  }
  return
}

// Of 1 to 4 rows those that are there are computed at each point.
// CHECK-LABEL: func.func @bounded(
// CHECK: glow_inst.forall [4] ins({{.*}}, %arg3 : {{.*}}, memref<1xi64>) outs(%arg2 : memref<4x128xf32>)
// CHECK: glow_inst.matmul {{.*}} outs({{.*}} : memref<4x32xf32>) {glow_inst.extents = [[ROWS:#.+]], packed = 32 : i64}
// CHECK: glow_inst.map {{.*}} attributes {glow_inst.extents = [[ROWS]]}
func.func @bounded(%h: memref<4x256xf32> {glow.extents = affine_map<()[s0] -> (s0, 256)>}, %r: memref<8x256x32xf32>, %y: memref<4x128xf32> {glow.extents = affine_map<()[s0] -> (s0, 128)>, glow_inst.output}, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 4 : i64}]}) {
  %gates = glow_inst.alloc : memref<4x256xf32>
  glow_inst.matmul ins(%h, %r : memref<4x256xf32>, memref<8x256x32xf32>) outs(%gates : memref<4x256xf32>) {glow_inst.extents = affine_map<()[s0] -> (s0, 256)>, packed = 32 : i64}
  %g1 = glow_inst.view %gates : memref<4x256xf32> to memref<4x128xf32, strided<[256, 1], offset: 128>>
  %g0 = glow_inst.view %gates : memref<4x256xf32> to memref<4x128xf32, strided<[256, 1]>>
  glow_inst.map ins(%g1, %g0 : memref<4x128xf32, strided<[256, 1], offset: 128>>, memref<4x128xf32, strided<[256, 1]>>) outs(%y : memref<4x128xf32>) attributes {glow_inst.extents = affine_map<()[s0] -> (s0, 128)>} {
  ^bb0(%p: f32, %q: f32):
    %0 = arith.mulf %p, %q : f32
    glow.yield %0 : f32
  }
  return
}

// A map of some of the units is no loop over all of them.
// CHECK-LABEL: func.func @bounded_units(
// CHECK-NOT: glow_inst.forall
func.func @bounded_units(%h: memref<4x256xf32>, %r: memref<8x256x32xf32>, %y: memref<4x128xf32> {glow.extents = affine_map<()[s0] -> (4, s0)>, glow_inst.output}, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 128 : i64}]}) {
  %gates = glow_inst.alloc : memref<4x256xf32>
  glow_inst.matmul ins(%h, %r : memref<4x256xf32>, memref<8x256x32xf32>) outs(%gates : memref<4x256xf32>) {packed = 32 : i64}
  %g1 = glow_inst.view %gates : memref<4x256xf32> to memref<4x128xf32, strided<[256, 1], offset: 128>>
  %g0 = glow_inst.view %gates : memref<4x256xf32> to memref<4x128xf32, strided<[256, 1]>>
  glow_inst.map ins(%g1, %g0 : memref<4x128xf32, strided<[256, 1], offset: 128>>, memref<4x128xf32, strided<[256, 1]>>) outs(%y : memref<4x128xf32>) attributes {glow_inst.extents = affine_map<()[s0] -> (4, s0)>} {
  ^bb0(%p: f32, %q: f32):
    %0 = arith.mulf %p, %q : f32
    glow.yield %0 : f32
  }
  return
}

// Nor is a product of which a limit says nothing of the columns, or that only
// numbers limit.
// CHECK-LABEL: func.func @odd_limits(
// CHECK-NOT: glow_inst.forall
func.func @odd_limits(%h: memref<4x256xf32>, %r: memref<8x256x32xf32>, %y: memref<4x128xf32> {glow.extents = affine_map<()[s0] -> (4, s0)>, glow_inst.output}, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 128 : i64}]}) {
  %gates = glow_inst.alloc : memref<4x256xf32>
  glow_inst.matmul ins(%h, %r : memref<4x256xf32>, memref<8x256x32xf32>) outs(%gates : memref<4x256xf32>) {glow_inst.extents = affine_map<()[s0] -> (s0)>, packed = 32 : i64}
  %g1 = glow_inst.view %gates : memref<4x256xf32> to memref<4x128xf32, strided<[256, 1], offset: 128>>
  %g0 = glow_inst.view %gates : memref<4x256xf32> to memref<4x128xf32, strided<[256, 1]>>
  glow_inst.map ins(%g1, %g0 : memref<4x128xf32, strided<[256, 1], offset: 128>>, memref<4x128xf32, strided<[256, 1]>>) outs(%y : memref<4x128xf32>) attributes {glow_inst.extents = affine_map<()[s0] -> (4, 128)>} {
  ^bb0(%p: f32, %q: f32):
    %0 = arith.mulf %p, %q : f32
    glow.yield %0 : f32
  }
  return
}

// The map writes where the product still reads; another one reads a gate; a
// gate begins within a group; the matrix is too small,
// or there are too few rows.
// CHECK-LABEL: func.func @apart(
// CHECK-NOT: glow_inst.forall
func.func @apart(%h: memref<4x256xf32> {glow_inst.output}, %r: memref<8x256x32xf32>, %y: memref<4x128xf32> {glow_inst.output}, %z: memref<4x128xf32> {glow_inst.output}, %small: memref<8x16x32xf32>, %k: memref<4x16xf32>, %few: memref<3x256xf32>, %w: memref<3x128xf32> {glow_inst.output}) {
  %t0 = glow_inst.alloc : memref<4x256xf32>
  glow_inst.matmul ins(%h, %r : memref<4x256xf32>, memref<8x256x32xf32>) outs(%t0 : memref<4x256xf32>) {packed = 32 : i64}
  %a0 = glow_inst.view %t0 : memref<4x256xf32> to memref<4x128xf32, strided<[256, 1]>>
  %part = glow_inst.view %h : memref<4x256xf32> to memref<4x128xf32, strided<[256, 1]>>
  glow_inst.map ins(%a0 : memref<4x128xf32, strided<[256, 1]>>) outs(%part : memref<4x128xf32, strided<[256, 1]>>) {
  ^bb0(%p: f32):
    %0 = math.exp %p : f32
    glow.yield %0 : f32
  }
  %t1 = glow_inst.alloc : memref<4x256xf32>
  glow_inst.matmul ins(%h, %r : memref<4x256xf32>, memref<8x256x32xf32>) outs(%t1 : memref<4x256xf32>) {packed = 32 : i64}
  %a1 = glow_inst.view %t1 : memref<4x256xf32> to memref<4x128xf32, strided<[256, 1]>>
  glow_inst.map ins(%a1 : memref<4x128xf32, strided<[256, 1]>>) outs(%y : memref<4x128xf32>) {
  ^bb0(%p: f32):
    %0 = math.exp %p : f32
    glow.yield %0 : f32
  }
  glow_inst.copy %a1 -> %z : memref<4x128xf32, strided<[256, 1]>> -> memref<4x128xf32>
  %t2 = glow_inst.alloc : memref<4x256xf32>
  glow_inst.matmul ins(%h, %r : memref<4x256xf32>, memref<8x256x32xf32>) outs(%t2 : memref<4x256xf32>) {packed = 32 : i64}
  %a2 = glow_inst.view %t2 : memref<4x256xf32> to memref<4x128xf32, strided<[256, 1], offset: 64>>
  glow_inst.map ins(%a2 : memref<4x128xf32, strided<[256, 1], offset: 64>>) outs(%y : memref<4x128xf32>) {
  ^bb0(%p: f32):
    %0 = math.exp %p : f32
    glow.yield %0 : f32
  }
  %t3 = glow_inst.alloc : memref<4x256xf32>
  glow_inst.matmul ins(%k, %small : memref<4x16xf32>, memref<8x16x32xf32>) outs(%t3 : memref<4x256xf32>) {packed = 32 : i64}
  %a3 = glow_inst.view %t3 : memref<4x256xf32> to memref<4x128xf32, strided<[256, 1]>>
  glow_inst.map ins(%a3 : memref<4x128xf32, strided<[256, 1]>>) outs(%y : memref<4x128xf32>) {
  ^bb0(%p: f32):
    %0 = math.exp %p : f32
    glow.yield %0 : f32
  }
  %t4 = glow_inst.alloc : memref<3x256xf32>
  glow_inst.matmul ins(%few, %r : memref<3x256xf32>, memref<8x256x32xf32>) outs(%t4 : memref<3x256xf32>) {packed = 32 : i64}
  %a4 = glow_inst.view %t4 : memref<3x256xf32> to memref<3x128xf32, strided<[256, 1]>>
  glow_inst.map ins(%a4 : memref<3x128xf32, strided<[256, 1]>>) outs(%w : memref<3x128xf32>) {
  ^bb0(%p: f32):
    %0 = math.exp %p : f32
    glow.yield %0 : f32
  }
  return
}
