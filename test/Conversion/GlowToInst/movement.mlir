// RUN: glow-opt %s -convert-glow-to-inst | FileCheck %s

// CHECK-LABEL: func.func @reshape(
// CHECK: %[[A:.+]] = glow_inst.alloc : memref<2x6xf32>
// CHECK: glow_inst.view %[[A]] : memref<2x6xf32> to memref<3x4xf32>
// CHECK-NOT: glow_inst.copy
func.func @reshape(%x: tensor<2x6xf32>) -> tensor<3x4xf32> {
  %shape = glow.constant dense<[3, 4]> : tensor<2xi64>
  %0 = glow.exp %x : (tensor<2x6xf32>) -> tensor<2x6xf32>
  %1 = glow.reshape %0, %shape : (tensor<2x6xf32>, tensor<2xi64>) -> tensor<3x4xf32>
  %2 = glow.neg %1 : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %2 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @transpose(
// CHECK: %[[V:.+]] = glow_inst.view %arg0 : memref<2x3xf32> to memref<3x2xf32, strided<[1, 3]>>
// CHECK: glow_inst.copy %[[V]] -> %arg1
func.func @transpose(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = glow.transpose %x {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// Backwards from element 6 in steps of 2.
// CHECK-LABEL: func.func @slice(
// CHECK: glow_inst.view %arg0 : memref<8xf32> to memref<3xf32, strided<[-2], offset: 6>>
func.func @slice(%x: tensor<8xf32>) -> tensor<3xf32> {
  %start = glow.constant dense<6> : tensor<1xi64>
  %end = glow.constant dense<0> : tensor<1xi64>
  %step = glow.constant dense<-2> : tensor<1xi64>
  %0 = glow.slice %x, %start, %end, %step {axes = array<i64: 0>} : (tensor<8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @concat(
// CHECK: glow_inst.copy %arg0 -> %{{.+}} : memref<2x3xf32> -> memref<2x3xf32, strided<[5, 1]>>
// CHECK: glow_inst.copy %arg1 -> %{{.+}} : memref<2x2xf32> -> memref<2x2xf32, strided<[5, 1], offset: 3>>
func.func @concat(%x: tensor<2x3xf32>, %y: tensor<2x2xf32>) -> tensor<2x5xf32> {
  %0 = glow.concat %x, %y {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// CHECK-LABEL: func.func @expand(
// CHECK: glow_inst.view %arg0 : memref<3x1xf32> to memref<2x3x6xf32, strided<[0, 1, 0]>>
func.func @expand(%x: tensor<3x1xf32>) -> tensor<2x3x6xf32> {
  %shape = glow.constant dense<[2, 3, 6]> : tensor<3xi64>
  %0 = glow.expand %x, %shape : (tensor<3x1xf32>, tensor<3xi64>) -> tensor<2x3x6xf32>
  return %0 : tensor<2x3x6xf32>
}

// CHECK-LABEL: func.func @tile(
// CHECK: glow_inst.copy %{{.+}} -> %{{.+}} : memref<2x2x1x3xf32, strided<[0, 3, 0, 1]>> -> memref<2x2x1x3xf32>
func.func @tile(%x: tensor<2x3xf32>) -> tensor<4x3xf32> {
  %repeats = glow.constant dense<[2, 1]> : tensor<2xi64>
  %0 = glow.tile %x, %repeats : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// The first axis grows by one before, the second loses its last element.
// CHECK-LABEL: func.func @pad_constant(
// CHECK: %[[ROW:.+]] = glow_inst.view %arg1 : memref<3x2xf32> to memref<1x2xf32>
// CHECK: glow_inst.fill %[[ROW]] with 0.0
// CHECK-NOT: glow_inst.fill
// CHECK: glow_inst.copy %{{.+}} -> %{{.+}} : memref<2x2xf32, strided<[3, 1]>> -> memref<2x2xf32, strided<[2, 1], offset: 2>>
func.func @pad_constant(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %pads = glow.constant dense<[1, 0, 0, -1]> : tensor<4xi64>
  %0 = glow.pad constant %x, %pads : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// The inside is copied, and borders repeat what of the result is written: those
// of the last axis first, then whole rows.
// CHECK-LABEL: func.func @pad_reflect(
// CHECK-DAG: %[[TWO_ONE:.+]] = glow_inst.constant dense<[2, 1]> : tensor<2xi64>
// CHECK-DAG: %[[ONE:.+]] = glow_inst.constant dense<1> : tensor<1xi64>
// CHECK: %[[ROWS:.+]] = glow_inst.view %arg1 : memref<1x2x5x7xf32> to memref<1x2x4x7xf32, strided<[70, 35, 7, 1], offset: 7>>
// CHECK: %[[INSIDE:.+]] = glow_inst.view %arg1 : memref<1x2x5x7xf32> to memref<1x2x4x5xf32, strided<[70, 35, 7, 1], offset: 9>>
// CHECK: glow_inst.copy %arg0 -> %[[INSIDE]]
// CHECK: %[[LEFT:.+]] = glow_inst.view %arg1 : memref<1x2x5x7xf32> to memref<1x2x4x2xf32, strided<[70, 35, 7, 1], offset: 7>>
// CHECK: glow_inst.gather ins(%[[INSIDE]], %[[TWO_ONE]] : {{.*}}) outs(%[[LEFT]] : {{.*}}) axis = 3
// CHECK: %[[TOP:.+]] = glow_inst.view %arg1 : memref<1x2x5x7xf32> to memref<1x2x1x7xf32, strided<[70, 35, 7, 1]>>
// CHECK: glow_inst.gather ins(%[[ROWS]], %[[ONE]] : {{.*}}) outs(%[[TOP]] : {{.*}}) axis = 2
// CHECK-NOT: glow_inst.gather
func.func @pad_reflect(%x: tensor<1x2x4x5xf32>) -> tensor<1x2x5x7xf32> {
  %pads = glow.constant dense<[0, 0, 1, 2, 0, 0, 0, 0]> : tensor<8xi64>
  %0 = glow.pad reflect %x, %pads : (tensor<1x2x4x5xf32>, tensor<8xi64>) -> tensor<1x2x5x7xf32>
  return %0 : tensor<1x2x5x7xf32>
}

// What is cut off at one end does not stand in the border at the other.
// CHECK-LABEL: func.func @pad_reflect_cropped(
// CHECK: %[[ONE:.+]] = glow_inst.constant dense<1> : tensor<1xi64>
// CHECK: %[[CUT:.+]] = glow_inst.view %arg0 : memref<2x4xf32> to memref<2x3xf32, strided<[4, 1], offset: 1>>
// CHECK: %[[ROWS:.+]] = glow_inst.view %arg1 : memref<3x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 4>>
// CHECK: %[[INSIDE:.+]] = glow_inst.view %arg1 : memref<3x4xf32> to memref<2x3xf32, strided<[4, 1], offset: 4>>
// CHECK: glow_inst.copy %[[CUT]] -> %[[INSIDE]]
// CHECK: glow_inst.gather ins(%[[INSIDE]], %[[ONE]] : {{.*}}) outs(%{{.+}} : memref<2x1xf32, {{.*}}>) axis = 1
// CHECK: glow_inst.gather ins(%[[ROWS]], %[[ONE]] : {{.*}}) outs(%{{.+}} : memref<1x4xf32>) axis = 0
func.func @pad_reflect_cropped(%x: tensor<2x4xf32>) -> tensor<3x4xf32> {
  %pads = glow.constant dense<[1, -1, 0, 1]> : tensor<4xi64>
  %0 = glow.pad reflect %x, %pads : (tensor<2x4xf32>, tensor<4xi64>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
