// RUN: glow-opt %s -glow-inst-eliminate-copies | FileCheck %s

// Columns whose depth is contiguous are turned on their way into panels.
// CHECK-LABEL: func.func @turned_columns(
// CHECK: %[[K:.+]] = glow_inst.view %arg1
// CHECK: glow_inst.matmul ins(%arg0, %[[K]] :
// CHECK-NOT: glow_inst.copy
func.func @turned_columns(%q: memref<24x16xf32>, %k: memref<9x16xf32>, %y: memref<24x9xf32> {glow_inst.output}) {
  %turned = glow_inst.view %k : memref<9x16xf32> to memref<16x9xf32, strided<[1, 16]>>
  %columns = glow_inst.alloc : memref<16x9xf32>
  glow_inst.copy %turned -> %columns : memref<16x9xf32, strided<[1, 16]>> -> memref<16x9xf32>
  glow_inst.matmul ins(%q, %columns : memref<24x16xf32>, memref<16x9xf32>) outs(%y : memref<24x9xf32>)
  return
}

// Bands of many rows would each turn them.
// CHECK-LABEL: func.func @many_rows(
// CHECK: glow_inst.copy
func.func @many_rows(%q: memref<300x16xf32>, %k: memref<9x16xf32>, %y: memref<300x9xf32> {glow_inst.output}) {
  %turned = glow_inst.view %k : memref<9x16xf32> to memref<16x9xf32, strided<[1, 16]>>
  %columns = glow_inst.alloc : memref<16x9xf32>
  glow_inst.copy %turned -> %columns : memref<16x9xf32, strided<[1, 16]>> -> memref<16x9xf32>
  glow_inst.matmul ins(%q, %columns : memref<300x16xf32>, memref<16x9xf32>) outs(%y : memref<300x9xf32>)
  return
}
