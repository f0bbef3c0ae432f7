// RUN: glow-opt %s -convert-glow-to-inst | FileCheck %s

// States advance in the memory of their results, and the first row of a history
// is put in its place. The body has views of the steps' places.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[X:.+]]: memref<2x8x4xf32>, %[[S:.+]]: memref<2x4xf32>, %[[H:.+]]: memref<2x4xf32>, %[[LAST:.+]]: memref<2x4xf32> {glow_inst.output}, %[[ALL:.+]]: memref<2x9x4xf32> {glow_inst.output}
// CHECK: %[[RUNS:.+]] = glow_inst.constant dense<8> : tensor<1xi64>
// CHECK: glow_inst.copy %[[S]] -> %[[LAST]]
// CHECK: %[[FIRST:.+]] = glow_inst.view %[[ALL]] : memref<2x9x4xf32> to memref<2x1x4xf32, strided<[36, 4, 1]>>
// CHECK: glow_inst.copy %{{.+}} -> %[[FIRST]]
// CHECK: %[[N:.+]] = glow_inst.view %[[RUNS]] : memref<1xi64> to memref<i64>
// CHECK: glow_inst.for_steps @body number(%[[N]] : memref<i64>) states(%[[LAST]] : memref<2x4xf32>) histories(%[[ALL]] : memref<2x9x4xf32>) rows(%[[X]] : memref<2x8x4xf32>)
func.func @forward(%x: tensor<2x8x4xf32>, %s: tensor<2x4xf32>, %h: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x9x4xf32>) {
  %r:2 = glow.for_steps @body states(%s : tensor<2x4xf32>) histories(%h : tensor<2x4xf32>) rows(%x : tensor<2x8x4xf32>) -> tensor<2x4xf32>, tensor<2x9x4xf32>
  return %r#0, %r#1 : tensor<2x4xf32>, tensor<2x9x4xf32>
}

// CHECK-LABEL: func.func private @body(
// CHECK-SAME: %[[S:.+]]: memref<2x4xf32> {glow_inst.output}, %[[H:.+]]: memref<2x4xf32, strided<[36, 1]>>, %[[X:.+]]: memref<2x4xf32, strided<[32, 1]>>, %[[NEXT:.+]]: memref<2x4xf32, strided<[36, 1]>> {glow_inst.output})
// CHECK-DAG: glow_inst.copy %[[X]] -> %[[DENSE_X:.+]] :
// CHECK-DAG: glow_inst.copy %[[H]] -> %[[DENSE_H:.+]] :
// CHECK: glow_inst.map ins(%[[DENSE_H]], %[[DENSE_X]] : {{.*}}) outs(%[[SUM:.+]] : memref<2x4xf32>)
// CHECK: glow_inst.copy %[[SUM]] -> %[[NEXT]]
// CHECK: glow_inst.copy %{{.+}} -> %[[S]]
func.func private @body(%s: tensor<2x4xf32>, %h: tensor<2x4xf32>, %x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) attributes {glow.steps = array<i64: 1, 1, 1, 8, 9>} {
  %sum = glow.add %h, %x : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %next = glow.mul %s, %sum : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %next, %sum : tensor<2x4xf32>, tensor<2x4xf32>
}

// Where the last of so many rows is is known when they are.
// CHECK-LABEL: func.func @reversed(
// CHECK-SAME: %[[X:.+]]: memref<1x8x4xf32>, %[[H:.+]]: memref<1x4xf32>, %[[N:.+]]: memref<i64>, %[[ALL:.+]]: memref<1x8x4xf32>
// CHECK-NOT: glow_inst.copy
// CHECK: glow_inst.for_steps @one reversed number(%[[N]] : memref<i64>) histories(%[[ALL]] : memref<1x8x4xf32>) initial(%[[H]] : memref<1x4xf32>) rows(%[[X]] : memref<1x8x4xf32>)
func.func @reversed(%x: tensor<1x8x4xf32>, %h: tensor<1x4xf32>, %n: tensor<i64>) -> tensor<1x8x4xf32> {
  %r = glow.for_steps @one reversed steps %n : tensor<i64> histories(%h : tensor<1x4xf32>) rows(%x : tensor<1x8x4xf32>) -> tensor<1x8x4xf32>
  return %r : tensor<1x8x4xf32>
}

// One sequence is dense.
// CHECK-LABEL: func.func private @one(
// CHECK-SAME: %{{.+}}: memref<1x4xf32>, %{{.+}}: memref<1x4xf32>, %{{.+}}: memref<1x4xf32> {glow_inst.output})
func.func private @one(%h: tensor<1x4xf32>, %x: tensor<1x4xf32>) -> tensor<1x4xf32> attributes {glow.steps = array<i64: 0, 1, 1, 8, 8>} {
  %sum = glow.add %h, %x : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  return %sum : tensor<1x4xf32>
}
