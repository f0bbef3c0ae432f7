// RUN: glow-opt %s -glow-inst-share-buffers | FileCheck %s

// CHECK-LABEL: func.func @map_in_place
// CHECK: %[[A:.+]] = glow_inst.alloc : memref<4xf32>
// CHECK-NOT: glow_inst.alloc
// CHECK: glow_inst.map ins(%[[A]], %arg0 : {{.*}}) outs(%[[A]] :
// CHECK: glow_inst.copy %[[A]] -> %arg1
func.func @map_in_place(%x: memref<4xf32>, %y: memref<4xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<4xf32>
  %b = glow_inst.alloc : memref<4xf32>
  glow_inst.copy %x -> %a : memref<4xf32> -> memref<4xf32>
  glow_inst.map ins(%a, %x : memref<4xf32>, memref<4xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%e: f32, %f: f32):
    %n = arith.addf %e, %f : f32
    glow.yield %n : f32
  }
  glow_inst.copy %b -> %y : memref<4xf32> -> memref<4xf32>
  return
}

// The scratch input moves to the output of the function.
// CHECK-LABEL: func.func @output
// CHECK-NOT: glow_inst.alloc
// CHECK: glow_inst.copy %arg0 -> %arg1
// CHECK: glow_inst.map ins(%arg1 : {{.*}}) outs(%arg1 :
func.func @output(%x: memref<4xf32>, %y: memref<4xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<4xf32>
  glow_inst.copy %x -> %a : memref<4xf32> -> memref<4xf32>
  glow_inst.map ins(%a : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%e: f32):
    %n = arith.negf %e : f32
    glow.yield %n : f32
  }
  return
}

// CHECK-LABEL: func.func @used_later
// CHECK-COUNT-2: glow_inst.alloc
func.func @used_later(%x: memref<4xf32>, %y: memref<4xf32> {glow_inst.output}, %z: memref<4xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<4xf32>
  %b = glow_inst.alloc : memref<4xf32>
  glow_inst.copy %x -> %a : memref<4xf32> -> memref<4xf32>
  glow_inst.map ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%e: f32):
    %n = arith.negf %e : f32
    glow.yield %n : f32
  }
  glow_inst.copy %b -> %y : memref<4xf32> -> memref<4xf32>
  glow_inst.copy %a -> %z : memref<4xf32> -> memref<4xf32>
  return
}

// The same input is also read in another order.
// CHECK-LABEL: func.func @two_views
// CHECK-COUNT-2: glow_inst.alloc
func.func @two_views(%x: memref<4x4xf32>, %y: memref<4x4xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<4x4xf32>
  %b = glow_inst.alloc : memref<4x4xf32>
  glow_inst.copy %x -> %a : memref<4x4xf32> -> memref<4x4xf32>
  %t = glow_inst.view %a : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
  glow_inst.map ins(%a, %t : memref<4x4xf32>, memref<4x4xf32, strided<[1, 4]>>) outs(%b : memref<4x4xf32>) {
  ^bb0(%e: f32, %f: f32):
    %n = arith.addf %e, %f : f32
    glow.yield %n : f32
  }
  glow_inst.copy %b -> %y : memref<4x4xf32> -> memref<4x4xf32>
  return
}

// The residual of a product, but not its factors.
// CHECK-LABEL: func.func @residual
// CHECK: %[[A:.+]] = glow_inst.alloc
// CHECK: glow_inst.matmul ins(%arg0, %arg0 : {{.*}}) epilogue(%[[A]] : {{.*}}) outs(%[[A]] :
// CHECK: %[[B:.+]] = glow_inst.alloc
// CHECK: glow_inst.matmul ins(%[[A]], %[[A]] : {{.*}}) epilogue(%[[A]] : {{.*}}) outs(%[[B]] :
func.func @residual(%x: memref<4x4xf32>, %y: memref<4x4xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<4x4xf32>
  glow_inst.copy %x -> %a : memref<4x4xf32> -> memref<4x4xf32>
  %b = glow_inst.alloc : memref<4x4xf32>
  glow_inst.matmul ins(%x, %x : memref<4x4xf32>, memref<4x4xf32>) epilogue(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) do {
  ^bb0(%e: f32, %f: f32):
    %n = arith.addf %e, %f : f32
    glow.yield %n : f32
  }
  %c = glow_inst.alloc : memref<4x4xf32>
  glow_inst.matmul ins(%b, %b : memref<4x4xf32>, memref<4x4xf32>) epilogue(%b : memref<4x4xf32>) outs(%c : memref<4x4xf32>) do {
  ^bb0(%e: f32, %f: f32):
    %n = arith.addf %e, %f : f32
    glow.yield %n : f32
  }
  glow_inst.copy %c -> %y : memref<4x4xf32> -> memref<4x4xf32>
  return
}

// What a loop's body makes of a state takes its place, if nothing reads that later.
// CHECK-LABEL: func.func @state
// CHECK-NEXT: glow_inst.map ins(%arg0, %arg1 : {{.*}}) outs(%arg0 :
// CHECK: glow_inst.copy %arg0 -> %arg2
func.func @state(%s: memref<4xf32> {glow_inst.output}, %x: memref<4xf32>, %y: memref<4xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<4xf32>
  glow_inst.map ins(%s, %x : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>) {
  ^bb0(%e: f32, %f: f32):
    %n = arith.addf %e, %f : f32
    glow.yield %n : f32
  }
  glow_inst.copy %a -> %s : memref<4xf32> -> memref<4xf32>
  glow_inst.copy %a -> %y : memref<4xf32> -> memref<4xf32>
  return
}

// CHECK-LABEL: func.func @state_read_later
// CHECK: glow_inst.map ins(%arg0, %arg1 : {{.*}}) outs(%[[A:.+]] :
// CHECK: glow_inst.copy %arg0 -> %arg2
// CHECK: glow_inst.copy %[[A]] -> %arg0
func.func @state_read_later(%s: memref<4xf32> {glow_inst.output}, %x: memref<4xf32>, %y: memref<4xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<4xf32>
  glow_inst.map ins(%s, %x : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>) {
  ^bb0(%e: f32, %f: f32):
    %n = arith.addf %e, %f : f32
    glow.yield %n : f32
  }
  glow_inst.copy %s -> %y : memref<4xf32> -> memref<4xf32>
  glow_inst.copy %a -> %s : memref<4xf32> -> memref<4xf32>
  return
}
