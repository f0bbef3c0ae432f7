// RUN: glow-opt %s -glow-inst-fuse-outputs | FileCheck %s

// Two halves of the product's result, which nothing else reads. Zeros that fill
// up the second one come in between.
// CHECK-LABEL: func.func @halves(
// CHECK-DAG: %[[T:.+]] = glow_inst.alloc : memref<4x32xbf16>
// CHECK-DAG: %[[A:.+]] = glow_inst.view %[[T]] : memref<4x32xbf16> to memref<4x8xbf16, strided<[32, 1]>>
// CHECK-DAG: %[[B:.+]] = glow_inst.view %[[T]] : memref<4x32xbf16> to memref<4x8xbf16, strided<[32, 1], offset: 16>>
// CHECK: glow_inst.matmul ins(%arg0, %arg1 : memref<4x6xf32>, memref<6x8xf32>) outs(%[[A]] : memref<4x8xbf16, strided<[32, 1]>>) also(%[[B]] : memref<4x8xbf16, strided<[32, 1], offset: 16>>) do {
// CHECK: ^bb0(%[[X:.+]]: f32):
// CHECK: %[[HIGH:.+]] = arith.truncf %[[X]] : f32 to bf16
// CHECK: %[[WIDE:.+]] = arith.extf %[[HIGH]] : bf16 to f32
// CHECK: %[[REST:.+]] = arith.subf %[[X]], %[[WIDE]] : f32
// CHECK: %[[LOW:.+]] = arith.truncf %[[REST]] : f32 to bf16
// CHECK: glow.yield %[[HIGH]], %[[LOW]] : bf16, bf16
// CHECK: glow_inst.fill
// CHECK-NOT: glow_inst.map
func.func @halves(%a: memref<4x6xf32>, %b: memref<6x8xf32>, %y: memref<4x32xbf16> {glow_inst.output}) {
  %t = glow_inst.alloc : memref<4x8xf32>
  glow_inst.matmul ins(%a, %b : memref<4x6xf32>, memref<6x8xf32>) outs(%t : memref<4x8xf32>)
  %p = glow_inst.alloc : memref<4x32xbf16>
  %high = glow_inst.view %p : memref<4x32xbf16> to memref<4x8xbf16, strided<[32, 1]>>
  %low = glow_inst.view %p : memref<4x32xbf16> to memref<4x8xbf16, strided<[32, 1], offset: 16>>
  %rest = glow_inst.view %p : memref<4x32xbf16> to memref<4x8xbf16, strided<[32, 1], offset: 24>>
  glow_inst.fill %rest with 0.0 : bf16 : memref<4x8xbf16, strided<[32, 1], offset: 24>>
  glow_inst.map ins(%t : memref<4x8xf32>) outs(%high, %low : memref<4x8xbf16, strided<[32, 1]>>, memref<4x8xbf16, strided<[32, 1], offset: 16>>) {
  ^bb0(%x: f32):
    %0 = arith.truncf %x : f32 to bf16
    %1 = arith.extf %0 : bf16 to f32
    %2 = arith.subf %x, %1 : f32
    %3 = arith.truncf %2 : f32 to bf16
    glow.yield %0, %3 : bf16, bf16
  }
  glow_inst.copy %p -> %y : memref<4x32xbf16> -> memref<4x32xbf16>
  return
}

// The map takes what comes out of an epilogue.
// CHECK-LABEL: func.func @epilogue(
// CHECK: glow_inst.matmul {{.*}} epilogue(%arg2 : memref<8xf32>) outs(%{{.*}} : memref<4x8xf64>) also(%{{.*}} : memref<4x8xf32>) do {
// CHECK: ^bb0(%[[X:.+]]: f32, %[[BIAS:.+]]: f32):
// CHECK: %[[SUM:.+]] = arith.addf %[[X]], %[[BIAS]] : f32
// CHECK: %[[WIDE:.+]] = arith.extf %[[SUM]] : f32 to f64
// CHECK: %[[EXP:.+]] = math.exp %[[SUM]] : f32
// CHECK: glow.yield %[[WIDE]], %[[EXP]] : f64, f32
// CHECK-NOT: glow_inst.map
func.func @epilogue(%a: memref<4x6xf32>, %b: memref<6x8xf32>, %bias: memref<8xf32>, %y: memref<4x8xf64> {glow_inst.output}, %z: memref<4x8xf32> {glow_inst.output}) {
  %t = glow_inst.alloc : memref<4x8xf32>
  glow_inst.matmul ins(%a, %b : memref<4x6xf32>, memref<6x8xf32>) epilogue(%bias : memref<8xf32>) outs(%t : memref<4x8xf32>) do {
  ^bb0(%x: f32, %c: f32):
    %0 = arith.addf %x, %c : f32
    glow.yield %0 : f32
  }
  glow_inst.map ins(%t : memref<4x8xf32>) outs(%y, %z : memref<4x8xf64>, memref<4x8xf32>) {
  ^bb0(%x: f32):
    %0 = arith.extf %x : f32 to f64
    %1 = math.exp %x : f32
    glow.yield %0, %1 : f64, f32
  }
  return
}

// Others read the result too.
// CHECK-LABEL: func.func @two_readers(
// CHECK: glow_inst.map
func.func @two_readers(%a: memref<4x6xf32>, %b: memref<6x8xf32>, %y: memref<4x8xf32> {glow_inst.output}, %z: memref<4x8xf32> {glow_inst.output}) {
  %t = glow_inst.alloc : memref<4x8xf32>
  glow_inst.matmul ins(%a, %b : memref<4x6xf32>, memref<6x8xf32>) outs(%t : memref<4x8xf32>)
  glow_inst.copy %t -> %y : memref<4x8xf32> -> memref<4x8xf32>
  glow_inst.map ins(%t : memref<4x8xf32>) outs(%z : memref<4x8xf32>) {
  ^bb0(%x: f32):
    %0 = math.exp %x : f32
    glow.yield %0 : f32
  }
  return
}

// What the map writes is read in between.
// CHECK-LABEL: func.func @in_use(
// CHECK-NOT: also
// CHECK: glow_inst.map
func.func @in_use(%a: memref<4x6xf32>, %b: memref<6x8xf32>, %y: memref<4x8xf32> {glow_inst.output}, %z: memref<4x8xf32> {glow_inst.output}) {
  %t = glow_inst.alloc : memref<4x8xf32>
  %u = glow_inst.alloc : memref<4x8xf32>
  glow_inst.fill %u with 1.0 : f32 : memref<4x8xf32>
  glow_inst.matmul ins(%a, %b : memref<4x6xf32>, memref<6x8xf32>) outs(%t : memref<4x8xf32>)
  glow_inst.copy %u -> %y : memref<4x8xf32> -> memref<4x8xf32>
  glow_inst.map ins(%t : memref<4x8xf32>) outs(%u : memref<4x8xf32>) {
  ^bb0(%x: f32):
    %0 = math.exp %x : f32
    glow.yield %0 : f32
  }
  glow_inst.copy %u -> %z : memref<4x8xf32> -> memref<4x8xf32>
  return
}

// Half of what the map reads is somebody else's.
// CHECK-LABEL: func.func @two_writers(
// CHECK-NOT: also
// CHECK: glow_inst.map
func.func @two_writers(%a: memref<4x6xf32>, %b: memref<6x8xf32>, %y: memref<8x8xf32> {glow_inst.output}) {
  %t = glow_inst.alloc : memref<8x8xf32>
  %u = glow_inst.alloc : memref<8x8xf32>
  %half = glow_inst.view %t : memref<8x8xf32> to memref<4x8xf32>
  %rest = glow_inst.view %t : memref<8x8xf32> to memref<4x8xf32, strided<[8, 1], offset: 32>>
  glow_inst.matmul ins(%a, %b : memref<4x6xf32>, memref<6x8xf32>) outs(%half : memref<4x8xf32>)
  glow_inst.fill %rest with 1.0 : f32 : memref<4x8xf32, strided<[8, 1], offset: 32>>
  glow_inst.map ins(%t : memref<8x8xf32>) outs(%u : memref<8x8xf32>) {
  ^bb0(%x: f32):
    %0 = math.exp %x : f32
    glow.yield %0 : f32
  }
  glow_inst.copy %u -> %y : memref<8x8xf32> -> memref<8x8xf32>
  return
}

// A product of bf16 is rounded before the map takes it.
// CHECK-LABEL: func.func @rounded(
// CHECK: glow_inst.matmul {{.*}} do {
// CHECK: %[[R:.+]] = arith.truncf
// CHECK: %[[E:.+]] = arith.extf %[[R]]
// CHECK: glow.yield %[[E]] : f32
// CHECK-NOT: glow_inst.map
func.func @rounded(%a: memref<4x6xbf16>, %b: memref<6x8xbf16>, %z: memref<4x8xf32> {glow_inst.output}) {
  %t = glow_inst.alloc : memref<4x8xbf16>
  glow_inst.matmul ins(%a, %b : memref<4x6xbf16>, memref<6x8xbf16>) outs(%t : memref<4x8xbf16>) do {
  ^bb0(%x: f32):
    %0 = arith.truncf %x : f32 to bf16
    glow.yield %0 : bf16
  }
  glow_inst.map ins(%t : memref<4x8xbf16>) outs(%z : memref<4x8xf32>) {
  ^bb0(%x: bf16):
    %0 = arith.extf %x : bf16 to f32
    glow.yield %0 : f32
  }
  return
}
