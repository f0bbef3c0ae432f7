// RUN: glow-opt %s -glow-inst-fuse-bands=target=l2=32K | FileCheck %s

// No band has a number of rows that divides 37: the last one is a loop of its own.
// CHECK-LABEL: func.func @rest(
// CHECK-DAG: %[[X0:.+]] = glow_inst.view %arg0 : memref<37x8xf32> to memref<36x8xf32>
// CHECK-DAG: %[[Y0:.+]] = glow_inst.view %arg1 : memref<37x8xf32> to memref<36x8xf32>
// CHECK: glow_inst.forall [9] ins(%[[X0]] : {{.*}}) outs(%[[Y0]] : {{.*}})
// CHECK: ^bb0(%{{.*}}: memref<4x8xf32>, %{{.*}}: memref<4x8xf32>):
// CHECK-DAG: %[[X:.+]] = glow_inst.view %arg0 : memref<37x8xf32> to memref<1x8xf32, strided<[8, 1], offset: 288>>
// CHECK-DAG: %[[Y:.+]] = glow_inst.view %arg1 : memref<37x8xf32> to memref<1x8xf32, strided<[8, 1], offset: 288>>
// CHECK: glow_inst.forall [1] ins(%[[X]] : {{.*}}) outs(%[[Y]] : {{.*}})
// CHECK: ^bb0(%{{.*}}: memref<1x8xf32>, %{{.*}}: memref<1x8xf32>):
func.func @rest(%x: memref<37x8xf32>, %y: memref<37x8xf32> {glow_inst.output}) {
  %e = glow_inst.alloc : memref<37x8xf32>
  glow_inst.map ins(%x : memref<37x8xf32>) outs(%e : memref<37x8xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  glow_inst.map ins(%e : memref<37x8xf32>) outs(%y : memref<37x8xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  return
}

// No divisor of a prime number of rows makes bands that fit, so three of about
// the same size do: two are points of a loop, the last one of a loop of its own.
// CHECK-LABEL: func.func @prime_rows
//       CHECK: glow_inst.forall [6, 2]
//       CHECK:   glow_inst.matmul {{.*}}outs(%{{.+}} : memref<1x13x256xf32{{.*}}>)
//       CHECK:   glow_inst.reduce max
//       CHECK: glow_inst.forall [6, 1]
//       CHECK:   glow_inst.matmul {{.*}}outs(%{{.+}} : memref<1x11x256xf32{{.*}}>)
//       CHECK:   glow_inst.reduce max
func.func @prime_rows(%x: memref<6x37x8xf32>, %w: memref<6x8x256xf32>, %y: memref<6x37xf32> {glow_inst.output}) {
  %s = glow_inst.alloc : memref<6x37x256xf32>
  glow_inst.matmul ins(%x, %w : memref<6x37x8xf32>, memref<6x8x256xf32>) outs(%s : memref<6x37x256xf32>)
  glow_inst.reduce max ins(%s : memref<6x37x256xf32>) outs(%y : memref<6x37xf32>) axes = [2]
  return
}

// Of rows of which there may be fewer, two loops would write parts that hide how
// many there are.
// CHECK-LABEL: func.func @up_to_37_rows
//   CHECK-NOT: glow_inst.forall
func.func @up_to_37_rows(
    %x: memref<37x8xf32> {glow.extents = affine_map<()[s0] -> (s0, 8)>},
    %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 37 : i64}]},
    %y: memref<37x8xf32> {glow_inst.output}) {
  %e = glow_inst.alloc : memref<37x8xf32>
  glow_inst.map ins(%x : memref<37x8xf32>) outs(%e : memref<37x8xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  glow_inst.map ins(%e : memref<37x8xf32>) outs(%y : memref<37x8xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  return
}

// All of these few rows fit.
// CHECK-LABEL: func.func @few_rows
//   CHECK-NOT: glow_inst.forall
func.func @few_rows(%x: memref<2x11x8xf32>, %w: memref<2x8x100xf32>, %y: memref<2x11xf32> {glow_inst.output}) {
  %s = glow_inst.alloc : memref<2x11x100xf32>
  glow_inst.matmul ins(%x, %w : memref<2x11x8xf32>, memref<2x8x100xf32>) outs(%s : memref<2x11x100xf32>)
  glow_inst.reduce max ins(%s : memref<2x11x100xf32>) outs(%y : memref<2x11xf32>) axes = [2]
  return
}

// Nor where the rows follow from another extent.
// CHECK-LABEL: func.func @rows_of_a_recording
//   CHECK-NOT: glow_inst.forall
func.func @rows_of_a_recording(
    %x: memref<1x400xf32> {glow.extents = affine_map<()[s0] -> (1, s0)>},
    %f: memref<37x8xf32>,
    %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 400 : i64}]},
    %y: memref<37x8xf32> {glow_inst.output}) {
  %e = glow_inst.alloc : memref<37x8xf32>
  glow_inst.map ins(%f : memref<37x8xf32>) outs(%e : memref<37x8xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  glow_inst.map ins(%e : memref<37x8xf32>) outs(%y : memref<37x8xf32>) {
  ^bb0(%a: f32):
    %0 = math.exp %a : f32
    glow.yield %0 : f32
  }
  return
}

// In a bounded function what is gathered from is a table that is all there.
// CHECK-LABEL: func.func @open_gathers(
// CHECK: glow_inst.gather ins(%arg0,
// CHECK: glow_inst.map
// CHECK: glow_inst.forall
// CHECK: glow_inst.gather
// CHECK: glow_inst.map
// CHECK: return
func.func @open_gathers(%t: memref<90x64xf32>, %i: memref<512xi64>,
    %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 512 : i64}]},
    %y: memref<512x64xf32>, %z: memref<512x64xf32>) {
  %a = glow_inst.alloc : memref<512x64xf32>
  glow_inst.gather ins(%t, %i : memref<90x64xf32>, memref<512xi64>) outs(%a : memref<512x64xf32>) axis = 0
  glow_inst.map ins(%a : memref<512x64xf32>) outs(%y : memref<512x64xf32>) {
  ^bb0(%x: f32):
    %s = math.exp %x : f32
    glow.yield %s : f32
  }
  %table = glow_inst.constant dense<1.0> : tensor<90x64xf32> -> memref<90x64xf32>
  %b = glow_inst.alloc : memref<512x64xf32>
  glow_inst.gather ins(%table, %i : memref<90x64xf32>, memref<512xi64>) outs(%b : memref<512x64xf32>) axis = 0
  glow_inst.map ins(%b : memref<512x64xf32>) outs(%z : memref<512x64xf32>) {
  ^bb0(%x: f32):
    %s = math.exp %x : f32
    glow.yield %s : f32
  }
  return
}
