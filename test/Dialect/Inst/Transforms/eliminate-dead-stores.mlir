// RUN: glow-opt %s -glow-inst-eliminate-dead-stores | FileCheck %s

// CHECK-LABEL: func.func @chain
// CHECK-NOT: glow_inst
// CHECK: return
func.func @chain(%x: memref<4xf32>) {
  %a = glow_inst.alloc : memref<4xf32>
  %b = glow_inst.alloc : memref<4xf32>
  glow_inst.copy %x -> %a : memref<4xf32> -> memref<4xf32>
  glow_inst.copy %a -> %b : memref<4xf32> -> memref<4xf32>
  return
}

// CHECK-LABEL: func.func @written_again
// CHECK-NOT: glow_inst.fill
// CHECK: glow_inst.copy %arg0 -> %arg1
func.func @written_again(%x: memref<4xf32>, %y: memref<4xf32> {glow_inst.output}) {
  glow_inst.fill %y with 0.0 : f32 : memref<4xf32>
  glow_inst.copy %x -> %y : memref<4xf32> -> memref<4xf32>
  return
}

// Half of the fill is still read.
// CHECK-LABEL: func.func @partly_written_again
// CHECK: glow_inst.fill
func.func @partly_written_again(%x: memref<2xf32>, %y: memref<4xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<4xf32>
  glow_inst.fill %a with 0.0 : f32 : memref<4xf32>
  %v = glow_inst.view %a : memref<4xf32> to memref<2xf32>
  glow_inst.copy %x -> %v : memref<2xf32> -> memref<2xf32>
  glow_inst.copy %a -> %y : memref<4xf32> -> memref<4xf32>
  return
}

// One of two outputs is enough to stay.
// CHECK-LABEL: func.func @one_output
// CHECK: glow_inst.top_k
func.func @one_output(%x: memref<8xf32>, %y: memref<3xf32> {glow_inst.output}) {
  %i = glow_inst.alloc : memref<3xi64>
  glow_inst.top_k ins(%x : memref<8xf32>) outs(%y, %i : memref<3xf32>, memref<3xi64>) axis = 0 {largest}
  return
}
