// RUN: glow-opt %s -glow-inst-eliminate-copies | FileCheck %s

// Both producers write into the concatenation.
// CHECK-LABEL: func.func @concat
// CHECK-NOT: glow_inst.alloc
// CHECK-NOT: glow_inst.copy
// CHECK: glow_inst.map ins(%arg0 : {{.*}}) outs(%{{.+}} : memref<2x3xf32, strided<[6, 1]>>)
// CHECK: glow_inst.map ins(%arg0 : {{.*}}) outs(%{{.+}} : memref<2x3xf32, strided<[6, 1], offset: 3>>)
// CHECK-NOT: glow_inst.copy
func.func @concat(%x: memref<2x3xf32>, %y: memref<2x6xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<2x3xf32>
  %b = glow_inst.alloc : memref<2x3xf32>
  glow_inst.map ins(%x : memref<2x3xf32>) outs(%a : memref<2x3xf32>) {
  ^bb0(%e: f32):
    %n = arith.negf %e : f32
    glow.yield %n : f32
  }
  glow_inst.map ins(%x : memref<2x3xf32>) outs(%b : memref<2x3xf32>) {
  ^bb0(%e: f32):
    %n = arith.negf %e : f32
    glow.yield %n : f32
  }
  %0 = glow_inst.view %y : memref<2x6xf32> to memref<2x3xf32, strided<[6, 1]>>
  glow_inst.copy %a -> %0 : memref<2x3xf32> -> memref<2x3xf32, strided<[6, 1]>>
  %1 = glow_inst.view %y : memref<2x6xf32> to memref<2x3xf32, strided<[6, 1], offset: 3>>
  glow_inst.copy %b -> %1 : memref<2x3xf32> -> memref<2x3xf32, strided<[6, 1], offset: 3>>
  return
}

// A slice of an argument is read in place.
// CHECK-LABEL: func.func @slice
// CHECK: %[[V:.+]] = glow_inst.view %arg0 : memref<4x8xf32> to memref<4x3xf32, strided<[8, 1], offset: 2>>
// CHECK-NOT: glow_inst.copy
// CHECK: glow_inst.map ins(%[[V]]
func.func @slice(%x: memref<4x8xf32>, %y: memref<4x3xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<4x3xf32>
  %0 = glow_inst.view %x : memref<4x8xf32> to memref<4x3xf32, strided<[8, 1], offset: 2>>
  glow_inst.copy %0 -> %a : memref<4x3xf32, strided<[8, 1], offset: 2>> -> memref<4x3xf32>
  glow_inst.map ins(%a : memref<4x3xf32>) outs(%y : memref<4x3xf32>) {
  ^bb0(%e: f32):
    %n = arith.negf %e : f32
    glow.yield %n : f32
  }
  return
}

// The argument changes between the copy and the read.
// CHECK-LABEL: func.func @source_changes
// CHECK: glow_inst.copy
func.func @source_changes(%x: memref<4xf32>, %y: memref<4xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<4xf32>
  glow_inst.copy %x -> %a : memref<4xf32> -> memref<4xf32>
  glow_inst.fill %x with 0.0 : f32 : memref<4xf32>
  glow_inst.map ins(%a : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%e: f32):
    %n = arith.negf %e : f32
    glow.yield %n : f32
  }
  return
}

// The destination holds something else while the source is in use.
// CHECK-LABEL: func.func @destination_in_use
// CHECK: glow_inst.copy
func.func @destination_in_use(%x: memref<4xf32>, %y: memref<4xf32> {glow_inst.output}, %z: memref<4xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<4xf32>
  glow_inst.fill %y with 1.0 : f32 : memref<4xf32>
  glow_inst.fill %a with 2.0 : f32 : memref<4xf32>
  glow_inst.map ins(%y : memref<4xf32>) outs(%z : memref<4xf32>) {
  ^bb0(%e: f32):
    %n = arith.negf %e : f32
    glow.yield %n : f32
  }
  glow_inst.copy %a -> %y : memref<4xf32> -> memref<4xf32>
  return
}

// Heads of attention: both the split and the merge keep unit stride inside.
// CHECK-LABEL: func.func @heads
// CHECK-NOT: glow_inst.copy
// CHECK: glow_inst.matmul ins(%{{.+}}, %arg1 : memref<2x5x4xf32, strided<[4, 8, 1]>>, {{.*}}) outs(%{{.+}} : memref<2x5x4xf32, strided<[4, 8, 1]>>)
func.func @heads(%x: memref<5x8xf32>, %w: memref<2x4x4xf32>, %y: memref<5x8xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<2x5x4xf32>
  %b = glow_inst.alloc : memref<2x5x4xf32>
  %0 = glow_inst.view %x : memref<5x8xf32> to memref<2x5x4xf32, strided<[4, 8, 1]>>
  glow_inst.copy %0 -> %a : memref<2x5x4xf32, strided<[4, 8, 1]>> -> memref<2x5x4xf32>
  glow_inst.matmul ins(%a, %w : memref<2x5x4xf32>, memref<2x4x4xf32>) outs(%b : memref<2x5x4xf32>)
  %1 = glow_inst.view %b : memref<2x5x4xf32> to memref<5x2x4xf32, strided<[4, 20, 1]>>
  %2 = glow_inst.view %y : memref<5x8xf32> to memref<5x2x4xf32>
  glow_inst.copy %1 -> %2 : memref<5x2x4xf32, strided<[4, 20, 1]>> -> memref<5x2x4xf32>
  return
}

// A transpose that would take unit stride from the reader stays.
// CHECK-LABEL: func.func @transpose
// CHECK: glow_inst.copy
func.func @transpose(%x: memref<5x8xf32>, %y: memref<8x5xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<8x5xf32>
  %0 = glow_inst.view %x : memref<5x8xf32> to memref<8x5xf32, strided<[1, 8]>>
  glow_inst.copy %0 -> %a : memref<8x5xf32, strided<[1, 8]>> -> memref<8x5xf32>
  glow_inst.map ins(%a : memref<8x5xf32>) outs(%y : memref<8x5xf32>) {
  ^bb0(%e: f32):
    %n = arith.negf %e : f32
    glow.yield %n : f32
  }
  return
}

// A map broadcasts by itself.
// CHECK-LABEL: func.func @expand
// CHECK: %[[V:.+]] = glow_inst.view %arg0 : memref<8xf32> to memref<1x8xf32
// CHECK-NOT: glow_inst.copy
// CHECK: glow_inst.map ins(%[[V]]
func.func @expand(%x: memref<8xf32>, %y: memref<4x8xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<4x8xf32>
  %0 = glow_inst.view %x : memref<8xf32> to memref<4x8xf32, strided<[0, 1]>>
  glow_inst.copy %0 -> %a : memref<4x8xf32, strided<[0, 1]>> -> memref<4x8xf32>
  glow_inst.map ins(%a : memref<4x8xf32>) outs(%y : memref<4x8xf32>) {
  ^bb0(%e: f32):
    %n = arith.negf %e : f32
    glow.yield %n : f32
  }
  return
}

// The producer writes the interior of a padded buffer, which its other reader
// then reads as well.
// CHECK-LABEL: func.func @padded
// CHECK: %[[P:.+]] = glow_inst.alloc : memref<6x6xf32>
// CHECK-NOT: glow_inst.alloc
// CHECK: glow_inst.map ins(%arg0 : {{.*}}) outs(%{{.+}} : memref<4x4xf32, strided<[6, 1], offset: 7>>)
// CHECK-NOT: glow_inst.copy
// CHECK: glow_inst.map ins(%[[P]]
// CHECK: glow_inst.map ins(%{{.+}} : memref<4x4xf32, strided<[6, 1], offset: 7>>) outs(%arg2
func.func @padded(%x: memref<4x4xf32>, %y: memref<6x6xf32> {glow_inst.output}, %z: memref<4x4xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<4x4xf32>
  %p = glow_inst.alloc : memref<6x6xf32>
  glow_inst.map ins(%x : memref<4x4xf32>) outs(%a : memref<4x4xf32>) {
  ^bb0(%e: f32):
    %n = arith.negf %e : f32
    glow.yield %n : f32
  }
  %top = glow_inst.view %p : memref<6x6xf32> to memref<1x6xf32>
  glow_inst.fill %top with 0.0 : f32 : memref<1x6xf32>
  %0 = glow_inst.view %p : memref<6x6xf32> to memref<4x4xf32, strided<[6, 1], offset: 7>>
  glow_inst.copy %a -> %0 : memref<4x4xf32> -> memref<4x4xf32, strided<[6, 1], offset: 7>>
  glow_inst.map ins(%p : memref<6x6xf32>) outs(%y : memref<6x6xf32>) {
  ^bb0(%e: f32):
    %n = arith.negf %e : f32
    glow.yield %n : f32
  }
  glow_inst.map ins(%a : memref<4x4xf32>) outs(%z : memref<4x4xf32>) {
  ^bb0(%e: f32):
    %n = arith.negf %e : f32
    glow.yield %n : f32
  }
  return
}

// A scatter updates its input's own buffer if that is not used again.
// CHECK-LABEL: func.func @scatter
// CHECK-NOT: glow_inst.copy
// CHECK: glow_inst.scatter_nd none ins(%arg1, %arg2 : {{.*}}) outs(%arg3
func.func @scatter(%x: memref<8xf32>, %i: memref<4x1xi64>, %u: memref<4xf32>, %y: memref<8xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<8xf32>
  glow_inst.map ins(%x : memref<8xf32>) outs(%a : memref<8xf32>) {
  ^bb0(%e: f32):
    %n = arith.negf %e : f32
    glow.yield %n : f32
  }
  glow_inst.copy %a -> %y : memref<8xf32> -> memref<8xf32>
  glow_inst.scatter_nd none ins(%i, %u : memref<4x1xi64>, memref<4xf32>) outs(%y : memref<8xf32>)
  return
}

// Two concatenations that share a prefix are one buffer.
// CHECK-LABEL: func.func @prefix
// CHECK-NOT: glow_inst.alloc
// CHECK-NOT: glow_inst.copy
// CHECK: glow_inst.fill %{{.+}} with 1.0{{.*}} : memref<2x2xf32, strided<[6, 1]>>
// CHECK: glow_inst.fill %{{.+}} with 2.0{{.*}} : memref<2x3xf32, strided<[6, 1], offset: 2>>
// CHECK: glow_inst.map ins(%{{.+}} : memref<2x5xf32, strided<[6, 1]>>)
// CHECK: glow_inst.fill %{{.+}} with 3.0{{.*}} : memref<2x1xf32, strided<[6, 1], offset: 5>>
// CHECK-NOT: glow_inst.copy
func.func @prefix(%y: memref<2x5xf32> {glow_inst.output}, %z: memref<2x6xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<2x2xf32>
  %b = glow_inst.alloc : memref<2x3xf32>
  %c = glow_inst.alloc : memref<2x1xf32>
  %ab = glow_inst.alloc : memref<2x5xf32>
  glow_inst.fill %a with 1.0 : f32 : memref<2x2xf32>
  glow_inst.fill %b with 2.0 : f32 : memref<2x3xf32>
  %0 = glow_inst.view %ab : memref<2x5xf32> to memref<2x2xf32, strided<[5, 1]>>
  glow_inst.copy %a -> %0 : memref<2x2xf32> -> memref<2x2xf32, strided<[5, 1]>>
  %1 = glow_inst.view %ab : memref<2x5xf32> to memref<2x3xf32, strided<[5, 1], offset: 2>>
  glow_inst.copy %b -> %1 : memref<2x3xf32> -> memref<2x3xf32, strided<[5, 1], offset: 2>>
  glow_inst.map ins(%ab : memref<2x5xf32>) outs(%y : memref<2x5xf32>) {
  ^bb0(%e: f32):
    %n = arith.negf %e : f32
    glow.yield %n : f32
  }
  glow_inst.fill %c with 3.0 : f32 : memref<2x1xf32>
  %2 = glow_inst.view %z : memref<2x6xf32> to memref<2x2xf32, strided<[6, 1]>>
  glow_inst.copy %a -> %2 : memref<2x2xf32> -> memref<2x2xf32, strided<[6, 1]>>
  %3 = glow_inst.view %z : memref<2x6xf32> to memref<2x3xf32, strided<[6, 1], offset: 2>>
  glow_inst.copy %b -> %3 : memref<2x3xf32> -> memref<2x3xf32, strided<[6, 1], offset: 2>>
  %4 = glow_inst.view %z : memref<2x6xf32> to memref<2x1xf32, strided<[6, 1], offset: 5>>
  glow_inst.copy %c -> %4 : memref<2x1xf32> -> memref<2x1xf32, strided<[6, 1], offset: 5>>
  return
}

// The output keeps what the source held when it was copied.
// CHECK-LABEL: func.func @source_changes_after_output
// CHECK: glow_inst.copy %{{.+}} -> %arg0
func.func @source_changes_after_output(%y: memref<4xf32> {glow_inst.output}, %z: memref<2xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<4xf32>
  glow_inst.fill %a with 1.0 : f32 : memref<4xf32>
  glow_inst.copy %a -> %y : memref<4xf32> -> memref<4xf32>
  glow_inst.fill %a with 2.0 : f32 : memref<4xf32>
  %v = glow_inst.view %a : memref<4xf32> to memref<2xf32>
  glow_inst.copy %v -> %z : memref<2xf32> -> memref<2xf32>
  return
}

// Functions of the runtime take dense buffers only: of the two copies the
// second stays.
// CHECK-LABEL: func.func @call_host
// CHECK: glow_inst.copy
// CHECK: %[[PART:.+]] = glow_inst.view %arg0 : memref<4x2xi128> to memref<2x2xi128, strided<[2, 1], offset: 4>>
// CHECK: glow_inst.call_host "f" ins(%[[PART]], %{{.+}} : memref<2x2xi128, strided<[2, 1], offset: 4>>, memref<2x2xi128>)
func.func @call_host(%x: memref<4x2xi128>, %y: memref<2x2xi1> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<2x2xi128>
  %b = glow_inst.alloc : memref<2x2xi128>
  %u = glow_inst.view %x : memref<4x2xi128> to memref<2x2xi128, strided<[2, 1], offset: 4>>
  %v = glow_inst.view %x : memref<4x2xi128> to memref<2x2xi128, strided<[1, 2]>>
  glow_inst.copy %u -> %a : memref<2x2xi128, strided<[2, 1], offset: 4>> -> memref<2x2xi128>
  glow_inst.copy %v -> %b : memref<2x2xi128, strided<[1, 2]>> -> memref<2x2xi128>
  glow_inst.call_host "f" ins(%a, %b : memref<2x2xi128>, memref<2x2xi128>) outs(%y : memref<2x2xi1>) {config = {}}
  return
}

// What is updated in a copy and put back is updated in place.
// CHECK-LABEL: func.func @update
// CHECK-NOT: glow_inst.copy
// CHECK: glow_inst.scatter_nd none ins(%arg1, %arg2 {{.*}} outs(%arg0
// CHECK-NOT: glow_inst.copy
func.func @update(%x: memref<8xf32> {glow_inst.output}, %i: memref<4x1xi64>, %u: memref<4xf32>) {
  %a = glow_inst.alloc : memref<8xf32>
  glow_inst.copy %x -> %a : memref<8xf32> -> memref<8xf32>
  glow_inst.scatter_nd none ins(%i, %u : memref<4x1xi64>, memref<4xf32>) outs(%a : memref<8xf32>)
  glow_inst.copy %a -> %x : memref<8xf32> -> memref<8xf32>
  return
}

// Not if what was before is read after the update.
// CHECK-LABEL: func.func @old_is_read
// CHECK: glow_inst.copy %arg0 ->
// CHECK: glow_inst.scatter_nd
// CHECK: glow_inst.copy %{{.+}} -> %arg0
func.func @old_is_read(%x: memref<8xf32> {glow_inst.output}, %i: memref<4x1xi64>, %u: memref<4xf32>, %y: memref<8xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<8xf32>
  glow_inst.copy %x -> %a : memref<8xf32> -> memref<8xf32>
  glow_inst.scatter_nd none ins(%i, %u : memref<4x1xi64>, memref<4xf32>) outs(%a : memref<8xf32>)
  glow_inst.map ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%e: f32):
    %n = arith.negf %e : f32
    glow.yield %n : f32
  }
  glow_inst.copy %a -> %x : memref<8xf32> -> memref<8xf32>
  return
}

// A product of few columns whose depth is contiguous then is summed along it, and
// its rows lie where they are wanted.
// CHECK-LABEL: func.func @few_columns(
// CHECK: %[[Q:.+]] = glow_inst.view %arg1 : memref<2x3x16xf32> to memref<2x16x3xf32, strided<[48, 1, 16]>>
// CHECK: %[[Y:.+]] = glow_inst.view %arg2 : memref<2x3x9xf32> to memref<2x9x3xf32, strided<[27, 1, 9]>>
// CHECK: glow_inst.matmul ins(%arg0, %[[Q]] : {{.+}}) outs(%[[Y]] :
// CHECK-NOT: glow_inst.copy
func.func @few_columns(%k: memref<2x9x16xf32>, %q: memref<2x3x16xf32>, %y: memref<2x3x9xf32> {glow_inst.output}) {
  %turned = glow_inst.view %q : memref<2x3x16xf32> to memref<2x16x3xf32, strided<[48, 1, 16]>>
  %columns = glow_inst.alloc : memref<2x16x3xf32>
  glow_inst.copy %turned -> %columns : memref<2x16x3xf32, strided<[48, 1, 16]>> -> memref<2x16x3xf32>
  %t = glow_inst.alloc : memref<2x9x3xf32>
  glow_inst.matmul ins(%k, %columns : memref<2x9x16xf32>, memref<2x16x3xf32>) outs(%t : memref<2x9x3xf32>)
  %back = glow_inst.view %t : memref<2x9x3xf32> to memref<2x3x9xf32, strided<[27, 1, 3]>>
  glow_inst.copy %back -> %y : memref<2x3x9xf32, strided<[27, 1, 3]>> -> memref<2x3x9xf32>
  return
}
