// RUN: glow-opt %s -glow-inst-join-maps | FileCheck %s

// The state is updated in place, and something is made of the new one.
// CHECK-LABEL: func.func @state(
// CHECK-DAG: %[[A:.+]] = glow_inst.view %arg0 : memref<2x16xf32> to memref<2x8xf32, strided<[16, 1]>>
// CHECK-DAG: %[[B:.+]] = glow_inst.view %arg0 : memref<2x16xf32> to memref<2x8xf32, strided<[16, 1], offset: 8>>
// CHECK: glow_inst.map ins(%[[A]], %arg1, %[[B]] : {{.*}}) outs(%arg1, %arg2 : memref<2x8xf32>, memref<2x8xf32>) {
// CHECK: ^bb0(%[[X:.+]]: f32, %[[OLD:.+]]: f32, %[[Y:.+]]: f32):
// CHECK: %[[NEW:.+]] = arith.addf %[[X]], %[[OLD]] : f32
// CHECK: %[[TANH:.+]] = math.tanh %[[NEW]] : f32
// CHECK: %[[H:.+]] = arith.mulf %[[Y]], %[[TANH]] : f32
// CHECK: glow.yield %[[NEW]], %[[H]] : f32, f32
// CHECK-NOT: glow_inst.map
func.func @state(%gates: memref<2x16xf32>, %c: memref<2x8xf32> {glow_inst.output}, %h: memref<2x8xf32> {glow_inst.output}) {
  %a = glow_inst.view %gates : memref<2x16xf32> to memref<2x8xf32, strided<[16, 1]>>
  glow_inst.map ins(%a, %c : memref<2x8xf32, strided<[16, 1]>>, memref<2x8xf32>) outs(%c : memref<2x8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.addf %x, %y : f32
    glow.yield %0 : f32
  }
  %b = glow_inst.view %gates : memref<2x16xf32> to memref<2x8xf32, strided<[16, 1], offset: 8>>
  glow_inst.map ins(%b, %c : memref<2x8xf32, strided<[16, 1], offset: 8>>, memref<2x8xf32>) outs(%h : memref<2x8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = math.tanh %y : f32
    %1 = arith.mulf %x, %0 : f32
    glow.yield %1 : f32
  }
  return
}

// Three in a row that read the same.
// CHECK-LABEL: func.func @same_input(
// CHECK: glow_inst.map ins(%arg0 : memref<8xf32>) outs(%arg1, %arg2, %arg3 :
// CHECK-NOT: glow_inst.map
func.func @same_input(%x: memref<8xf32>, %p: memref<8xf32> {glow_inst.output}, %q: memref<8xf32> {glow_inst.output}, %r: memref<8xf32> {glow_inst.output}) {
  glow_inst.map ins(%x : memref<8xf32>) outs(%p : memref<8xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  glow_inst.map ins(%x : memref<8xf32>) outs(%q : memref<8xf32>) {
  ^bb0(%a: f32):
    %0 = math.absf %a : f32
    glow.yield %0 : f32
  }
  glow_inst.map ins(%q : memref<8xf32>) outs(%r : memref<8xf32>) {
  ^bb0(%a: f32):
    %0 = math.sqrt %a : f32
    glow.yield %0 : f32
  }
  return
}

// The second one reads other elements of what the first one writes.
// CHECK-LABEL: func.func @other_elements(
// CHECK-COUNT-2: glow_inst.map
func.func @other_elements(%x: memref<2x4xf32>, %y: memref<2x4xf32> {glow_inst.output}, %z: memref<2x4xf32> {glow_inst.output}) {
  glow_inst.map ins(%x : memref<2x4xf32>) outs(%y : memref<2x4xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  %row = glow_inst.view %y : memref<2x4xf32> to memref<4xf32, strided<[1], offset: 4>>
  glow_inst.map ins(%y, %row : memref<2x4xf32>, memref<4xf32, strided<[1], offset: 4>>) outs(%z : memref<2x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    glow.yield %0 : f32
  }
  return
}

// The second one writes what the first one reads elsewhere.
// CHECK-LABEL: func.func @overwritten(
// CHECK-COUNT-2: glow_inst.map
func.func @overwritten(%x: memref<12xf32> {glow_inst.output}, %y: memref<8xf32> {glow_inst.output}) {
  %low = glow_inst.view %x : memref<12xf32> to memref<8xf32>
  %high = glow_inst.view %x : memref<12xf32> to memref<8xf32, strided<[1], offset: 4>>
  glow_inst.map ins(%low : memref<8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  glow_inst.map ins(%y : memref<8xf32>) outs(%high : memref<8xf32, strided<[1], offset: 4>>) {
  ^bb0(%a: f32):
    %0 = math.sqrt %a : f32
    glow.yield %0 : f32
  }
  return
}

// The same elements in another shape.
// CHECK-LABEL: func.func @shapes(
// CHECK-COUNT-2: glow_inst.map
func.func @shapes(%x: memref<8xi32>, %y: memref<8xf32> {glow_inst.output}, %z: memref<4x2xf32> {glow_inst.output}) {
  glow_inst.map ins(%x : memref<8xi32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: i32):
    %0 = arith.sitofp %a : i32 to f32
    glow.yield %0 : f32
  }
  %other = glow_inst.view %y : memref<8xf32> to memref<4x2xf32>
  glow_inst.map ins(%other : memref<4x2xf32>) outs(%z : memref<4x2xf32>) {
  ^bb0(%a: f32):
    %0 = math.sqrt %a : f32
    glow.yield %0 : f32
  }
  return
}

// Something in between reads what the first one writes, and needs it.
// CHECK-LABEL: func.func @between(
// CHECK: glow_inst.map
// CHECK: glow_inst.copy
// CHECK: glow_inst.map
func.func @between(%x: memref<8xf32>, %y: memref<8xf32> {glow_inst.output}, %z: memref<8xf32> {glow_inst.output}, %c: memref<8xf32> {glow_inst.output}) {
  glow_inst.map ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  glow_inst.copy %y -> %c : memref<8xf32> -> memref<8xf32>
  glow_inst.map ins(%y : memref<8xf32>) outs(%z : memref<8xf32>) {
  ^bb0(%a: f32):
    %0 = math.sqrt %a : f32
    glow.yield %0 : f32
  }
  return
}
