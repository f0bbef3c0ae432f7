// RUN: glow-opt %s -glow-inst-alternate-columns=target=l2=32K | FileCheck %s

// The matrix of 64 KB that one product has left is read from its end by the next.
// CHECK-LABEL: func.func @steps(
//  CHECK-SAME: %[[W:[a-z0-9]+]]: memref<128x128xf32>, %[[V:[a-z0-9]+]]: memref<128x128xf32>
//       CHECK: ins(%{{.+}}, %[[W]] :
//   CHECK-NOT: backwards
//       CHECK: ins(%{{.+}}, %[[V]] :
//   CHECK-NOT: backwards
//       CHECK: ins(%{{.+}}, %[[W]] : {{.*}} {backwards}
//       CHECK: ins(%{{.+}}, %[[W]] :
//   CHECK-NOT: backwards
//       CHECK: ins(%{{.+}}, %[[V]] : {{.*}} {backwards}
func.func @steps(%w: memref<128x128xf32>, %v: memref<128x128xf32>, %x: memref<2x128xf32>, %y: memref<2x128xf32> {glow_inst.output}) {
  glow_inst.matmul ins(%x, %w : memref<2x128xf32>, memref<128x128xf32>) outs(%y : memref<2x128xf32>)
  glow_inst.matmul ins(%x, %v : memref<2x128xf32>, memref<128x128xf32>) outs(%y : memref<2x128xf32>)
  glow_inst.matmul ins(%x, %w : memref<2x128xf32>, memref<128x128xf32>) outs(%y : memref<2x128xf32>)
  glow_inst.matmul ins(%x, %w : memref<2x128xf32>, memref<128x128xf32>) outs(%y : memref<2x128xf32>)
  glow_inst.matmul ins(%x, %v : memref<2x128xf32>, memref<128x128xf32>) outs(%y : memref<2x128xf32>)
  return
}

// A small matrix stays as a whole; many rows do not wait for a large one.
// CHECK-LABEL: func.func @others(
//   CHECK-NOT: backwards
//       CHECK: return
func.func @others(%small: memref<64x64xf32>, %large: memref<128x128xf32>, %x: memref<1x64xf32>, %y: memref<17x128xf32>, %s: memref<1x64xf32> {glow_inst.output}, %t: memref<17x128xf32> {glow_inst.output}) {
  glow_inst.matmul ins(%x, %small : memref<1x64xf32>, memref<64x64xf32>) outs(%s : memref<1x64xf32>)
  glow_inst.matmul ins(%x, %small : memref<1x64xf32>, memref<64x64xf32>) outs(%s : memref<1x64xf32>)
  glow_inst.matmul ins(%y, %large : memref<17x128xf32>, memref<128x128xf32>) outs(%t : memref<17x128xf32>)
  glow_inst.matmul ins(%y, %large : memref<17x128xf32>, memref<128x128xf32>) outs(%t : memref<17x128xf32>)
  return
}

// A step of sequences reads the same in each: every other one goes backwards.
// CHECK-LABEL: func.func private @one_step(
//       CHECK: glow_inst.matmul {{.*}} {backwards}
func.func private @one_step(%h: memref<1x128xf32>, %x: memref<1x128xf32>, %w: memref<128x128xf32>, %y: memref<1x128xf32> {glow_inst.output}) attributes {glow.steps = array<i64: 0, 1, 1, 8, 8>} {
  glow_inst.matmul ins(%h, %w : memref<1x128xf32>, memref<128x128xf32>) outs(%y : memref<1x128xf32>)
  return
}

// CHECK-LABEL: func.func private @small_step(
//   CHECK-NOT: backwards
//       CHECK: return
func.func private @small_step(%h: memref<1x64xf32>, %x: memref<1x64xf32>, %w: memref<64x64xf32>, %y: memref<1x64xf32> {glow_inst.output}) attributes {glow.steps = array<i64: 0, 1, 1, 8, 8>} {
  glow_inst.matmul ins(%h, %w : memref<1x64xf32>, memref<64x64xf32>) outs(%y : memref<1x64xf32>)
  return
}
