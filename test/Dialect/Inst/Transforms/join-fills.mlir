// RUN: glow-opt %s -glow-inst-join-fills | FileCheck %s

// CHECK-LABEL: func.func @borders(
// CHECK: glow_inst.copy
// CHECK: glow_inst.fill %[[C:.+]] also(%[[B:.+]], %[[A:.+]] : memref<1x8xf32>, memref<1x8xf32, strided<[8, 1], offset: 24>>) with 0.000000e+00 : f32 : memref<2x1xf32, strided<[8, 1], offset: 8>>
// CHECK-NOT: glow_inst.fill
// CHECK: return
func.func @borders(%x: memref<2x7xf32>, %y: memref<4x8xf32> {glow_inst.output}, %z: memref<2x7xf32> {glow_inst.output}) {
  %a = glow_inst.view %y : memref<4x8xf32> to memref<1x8xf32, strided<[8, 1], offset: 24>>
  glow_inst.fill %a with 0.0 : f32 : memref<1x8xf32, strided<[8, 1], offset: 24>>
  glow_inst.copy %x -> %z : memref<2x7xf32> -> memref<2x7xf32>
  %b = glow_inst.view %y : memref<4x8xf32> to memref<1x8xf32>
  glow_inst.fill %b with 0.0 : f32 : memref<1x8xf32>
  %c = glow_inst.view %y : memref<4x8xf32> to memref<2x1xf32, strided<[8, 1], offset: 8>>
  glow_inst.fill %c with 0.0 : f32 : memref<2x1xf32, strided<[8, 1], offset: 8>>
  return
}

// Another value, another buffer, and a reader in between.
// CHECK-LABEL: func.func @apart(
// CHECK-COUNT-4: glow_inst.fill %{{[a-z0-9]+}} with
func.func @apart(%y: memref<4xf32> {glow_inst.output}, %z: memref<4xf32> {glow_inst.output}) {
  glow_inst.fill %y with 0.0 : f32 : memref<4xf32>
  glow_inst.fill %y with 1.0 : f32 : memref<4xf32>
  glow_inst.copy %y -> %z : memref<4xf32> -> memref<4xf32>
  glow_inst.fill %y with 1.0 : f32 : memref<4xf32>
  glow_inst.fill %z with 1.0 : f32 : memref<4xf32>
  return
}

// Those that stop at one limit, whatever their other extents are.
// CHECK-LABEL: func.func @limited(
// CHECK: glow_inst.fill %{{.+}} with 0.000000e+00 : f32 : memref<4x2xf32
// CHECK: glow_inst.fill %{{.+}} also(%{{.+}} : memref<4x1xf32, {{.+}}>) with 0.000000e+00 : f32 {glow_inst.extents = #{{.+}}} : memref<4x3xf32
// CHECK-NOT: glow_inst.fill
func.func @limited(%n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 4 : i64}]},
                   %y: memref<4x6xf32> {glow_inst.output}) {
  %a = glow_inst.view %y : memref<4x6xf32> to memref<4x2xf32, strided<[6, 1]>>
  glow_inst.fill %a with 0.0 : f32 : memref<4x2xf32, strided<[6, 1]>>
  %b = glow_inst.view %y : memref<4x6xf32> to memref<4x1xf32, strided<[6, 1], offset: 2>>
  glow_inst.fill %b with 0.0 : f32 {glow_inst.extents = affine_map<()[s0] -> (s0, 1)>} : memref<4x1xf32, strided<[6, 1], offset: 2>>
  %c = glow_inst.view %y : memref<4x6xf32> to memref<4x3xf32, strided<[6, 1], offset: 3>>
  glow_inst.fill %c with 0.0 : f32 {glow_inst.extents = affine_map<()[s0] -> (s0, 3)>} : memref<4x3xf32, strided<[6, 1], offset: 3>>
  return
}

// What was joined before stays.
// CHECK-LABEL: func.func @again(
// CHECK: glow_inst.fill %{{.+}} also(%{{.+}} : memref<4x2xf32, {{.+}}>) with 0.000000e+00 : f32 : memref<4x3xf32
// CHECK-NOT: glow_inst.fill
func.func @again(%y: memref<4x6xf32> {glow_inst.output}) {
  %a = glow_inst.view %y : memref<4x6xf32> to memref<4x2xf32, strided<[6, 1]>>
  %b = glow_inst.view %y : memref<4x6xf32> to memref<4x3xf32, strided<[6, 1], offset: 3>>
  glow_inst.fill %b also(%a : memref<4x2xf32, strided<[6, 1]>>) with 0.0 : f32 : memref<4x3xf32, strided<[6, 1], offset: 3>>
  return
}
