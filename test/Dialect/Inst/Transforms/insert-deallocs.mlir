// RUN: glow-opt %s -glow-inst-insert-deallocs | FileCheck %s

// CHECK-LABEL: func.func @lifetimes
// CHECK-NEXT: glow_inst.fill %arg1
// CHECK-NEXT: %[[A:.+]] = glow_inst.alloc
// CHECK-NEXT: glow_inst.copy %arg0 -> %[[A]]
// CHECK-NEXT: %[[V:.+]] = glow_inst.view %[[A]]
// CHECK-NEXT: glow_inst.copy %[[V]] -> %arg2
// CHECK-NEXT: glow_inst.dealloc %[[A]]
// CHECK-NEXT: glow_inst.fill
// CHECK-NEXT: return
func.func @lifetimes(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<2xf32>) {
  %unused = glow_inst.alloc : memref<4xf32>
  %a = glow_inst.alloc : memref<4xf32>
  %v = glow_inst.view %a : memref<4xf32> to memref<2xf32>
  glow_inst.fill %y with 1.0 : f32 : memref<4xf32>
  glow_inst.copy %x -> %a : memref<4xf32> -> memref<4xf32>
  glow_inst.copy %v -> %z : memref<2xf32> -> memref<2xf32>
  glow_inst.fill %y with 1.0 : f32 : memref<4xf32>
  glow_inst.dealloc %a : memref<4xf32>
  return
}
