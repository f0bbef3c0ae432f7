// RUN: glow-opt %s -convert-glow-to-inst | FileCheck %s

// The states advance in the results' memory; rows that are not written are zeros.
// CHECK-LABEL: func.func @run(
// CHECK-SAME: %[[X:.+]]: memref<2xf32>, %[[W:.+]]: memref<2xf32>, %[[C:.+]]: memref<i1>, %[[Y:.+]]: memref<2xf32> {{.*}}, %[[ALL:.+]]: memref<4x2xf32>
// CHECK: %[[N:.+]] = glow_inst.alloc : memref<i64>
// CHECK: %[[GO:.+]] = glow_inst.alloc : memref<i1>
// CHECK: glow_inst.fill %[[N]] with 0
// CHECK: glow_inst.copy %[[C]] -> %[[GO]]
// CHECK: glow_inst.copy %[[X]] -> %[[Y]]
// CHECK: glow_inst.fill %[[ALL]] with 0.0
// CHECK: glow_inst.loop @body while %[[GO]] : memref<i1> number(%[[N]] : memref<i64>) states(%[[Y]] : memref<2xf32>) reads(%[[W]] : memref<2xf32>) collected(%[[ALL]] : memref<4x2xf32>)
func.func @run(%x: tensor<2xf32>, %w: tensor<2xf32>, %c: tensor<i1>) -> (tensor<2xf32>, tensor<4x2xf32>) {
  %r:2 = glow.loop @body while %c : tensor<i1> states(%x : tensor<2xf32>) reads(%w : tensor<2xf32>) -> tensor<2xf32>, tensor<4x2xf32>
  return %r#0, %r#1 : tensor<2xf32>, tensor<4x2xf32>
}

// A row goes to the place of its iteration before that is counted up.
// CHECK-LABEL: func.func private @body(
// CHECK-SAME: %[[I:.+]]: memref<i64> {glow_inst.output}, %[[S:.+]]: memref<2xf32> {glow_inst.output}, %[[R:.+]]: memref<2xf32>, %[[MORE:.+]]: memref<i1> {glow_inst.output}, %[[ROWS:.+]]: memref<4x2xf32> {glow_inst.output})
// CHECK: %[[NEXT:.+]] = glow_inst.alloc : memref<2xf32>
// CHECK: glow_inst.map ins(%[[S]], %[[R]] : {{.*}} outs(%[[NEXT]]
// CHECK: glow_inst.map ins(%[[I]], {{.*}} outs(%[[MORE]]
// CHECK: %[[ROW:.+]] = glow_inst.view %[[I]] : memref<i64> to memref<1xi64>
// CHECK: glow_inst.scatter_nd none ins(%[[ROW]], %[[NEXT]] {{.*}} outs(%[[ROWS]]
// CHECK: glow_inst.copy %[[NEXT]] -> %[[S]]
// CHECK: glow_inst.map ins(%[[I]] : memref<i64>) outs(%[[I]] : memref<i64>)
func.func private @body(%i: tensor<i64>, %x: tensor<2xf32>, %w: tensor<2xf32>) -> (tensor<i1>, tensor<2xf32>, tensor<2xf32>) attributes {glow.loop = array<i64: 1, 4>} {
  %y = glow.add %x, %w : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %three = glow.constant dense<3> : tensor<i64>
  %c = glow.less %i, %three : (tensor<i64>, tensor<i64>) -> tensor<i1>
  return %c, %y, %y : tensor<i1>, tensor<2xf32>, tensor<2xf32>
}

// States that change places are both read before one is written.
// CHECK-LABEL: func.func private @swap(
// CHECK-SAME: %{{.+}}: memref<i64> {{.*}}, %[[A:.+]]: memref<2xf32> {{.*}}, %[[B:.+]]: memref<2xf32> {{.*}}, %[[C:.+]]: memref<i1>
// CHECK: glow_inst.copy %[[B]] -> %[[KEPT_B:.+]] : memref<2xf32>
// CHECK: glow_inst.copy %[[A]] -> %[[KEPT_A:.+]] : memref<2xf32>
// CHECK: glow_inst.copy %[[KEPT_B]] -> %[[A]]
// CHECK: glow_inst.copy %[[KEPT_A]] -> %[[B]]
func.func private @swap(%i: tensor<i64>, %a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<i1>, tensor<2xf32>, tensor<2xf32>) attributes {glow.loop = array<i64: 2, 0>} {
  %c = glow.constant dense<false> : tensor<i1>
  return %c, %b, %a : tensor<i1>, tensor<2xf32>, tensor<2xf32>
}

// What only moves may be a state, and be collected: zeros are empty strings.
// CHECK-LABEL: func.func @moved(
// CHECK: glow_inst.fill %[[ROWS:.+]] with 0 : i128
// CHECK: glow_inst.loop @moving {{.*}} states(%{{.+}} : memref<2xi128>) collected(%[[ROWS]]
func.func @moved(%x: tensor<2x!glow.string>, %c: tensor<i1>) -> (tensor<2x!glow.string>, tensor<4x2x!glow.string>) {
  %r:2 = glow.loop @moving while %c : tensor<i1> states(%x : tensor<2x!glow.string>) -> tensor<2x!glow.string>, tensor<4x2x!glow.string>
  return %r#0, %r#1 : tensor<2x!glow.string>, tensor<4x2x!glow.string>
}
func.func private @moving(%i: tensor<i64>, %x: tensor<2x!glow.string>) -> (tensor<i1>, tensor<2x!glow.string>, tensor<2x!glow.string>) attributes {glow.loop = array<i64: 1, 4>} {
  %c = glow.constant dense<false> : tensor<i1>
  return %c, %x, %x : tensor<i1>, tensor<2x!glow.string>, tensor<2x!glow.string>
}
