// RUN: glow-opt %s -convert-glow-to-inst | FileCheck %s

// CHECK-LABEL: func.func @scatter(
// CHECK: glow_inst.copy %arg0 -> %arg3
// CHECK: glow_inst.scatter_nd add ins(%arg1, %arg2 : {{.*}}) outs(%arg3 : memref<8xf32>)
func.func @scatter(%x: tensor<8xf32>, %i: tensor<4x1xi64>, %u: tensor<4xf32>) -> tensor<8xf32> {
  %0 = glow.scatter_nd add %x, %i, %u : (tensor<8xf32>, tensor<4x1xi64>, tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Without updates the copy is all.
// CHECK-LABEL: func.func @scatter_nothing(
// CHECK: glow_inst.copy %arg0 -> %arg3
// CHECK-NOT: glow_inst.scatter
func.func @scatter_nothing(%x: tensor<8x4xf32>, %i: tensor<8x0xi64>, %u: tensor<8x0xf32>) -> tensor<8x4xf32> {
  %0 = glow.scatter_elements add %x, %i, %u {axis = 1 : i64} : (tensor<8x4xf32>, tensor<8x0xi64>, tensor<8x0xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// CHECK-LABEL: func.func @one_hot(
// CHECK: glow_inst.constant dense<[0, 1, 2]>
// CHECK: glow_inst.map ins({{.*}} : memref<4x1xi64>, memref<1x3xi64>, memref<f32>, memref<f32, strided<[], offset: 1>>) outs({{.*}} : memref<4x3xf32>)
func.func @one_hot(%i: tensor<4xi64>, %v: tensor<2xf32>) -> tensor<4x3xf32> {
  %depth = glow.constant dense<3> : tensor<1xi64>
  %0 = glow.one_hot %i, %depth, %v {axis = 1 : i64} : (tensor<4xi64>, tensor<1xi64>, tensor<2xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @trilu(
// CHECK: glow_inst.map ins({{.*}} : memref<2x4x4xf32>, memref<4x1xi64>, memref<1x4xi64>, memref<i64>)
// CHECK: arith.cmpi sge
func.func @trilu(%x: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
  %0 = glow.trilu %x {upper} : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %0 : tensor<2x4x4xf32>
}

// CHECK-LABEL: func.func @range(
// CHECK: glow_inst.map ins({{.*}} : memref<3xi64>, memref<f32>, memref<f32>) outs({{.*}} : memref<3xf32>)
func.func @range(%s: tensor<f32>, %l: tensor<f32>, %d: tensor<f32>) -> tensor<3xf32> {
  %0 = glow.range %s, %l, %d : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @resize_nearest(
// CHECK: %[[I:.+]] = glow_inst.constant dense<[0, 1, 1, 1]>
// CHECK: glow_inst.gather ins(%arg0, %[[I]] : {{.*}}) outs(%arg1 : memref<1x1x4xf32>) axis = 2
func.func @resize_nearest(%x: tensor<1x1x2xf32>) -> tensor<1x1x4xf32> {
  %scales = glow.constant dense<[1.0, 1.0, 2.0]> : tensor<3xf32>
  %sizes = glow.constant dense<[1, 1, 4]> : tensor<3xi64>
  %0 = glow.resize %x, %scales, %sizes {mode = "nearest", coordinate_mode = "asymmetric", nearest_mode = "ceil", cubic_coeff = -0.75 : f64}
    : (tensor<1x1x2xf32>, tensor<3xf32>, tensor<3xi64>) -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}

// Elements that are repeated are two planes of one.
// CHECK-LABEL: func.func @resize_repeats(
// CHECK: %[[Y:.+]] = glow_inst.view %arg1 : memref<1x1x4xf32> to memref<1x1x2x2xf32>
// CHECK: %[[X:.+]] = glow_inst.view %arg0 : memref<1x1x2xf32> to memref<1x1x2x2xf32, strided<[2, 2, 1, 0]>>
// CHECK: glow_inst.copy %[[X]] -> %[[Y]]
func.func @resize_repeats(%x: tensor<1x1x2xf32>) -> tensor<1x1x4xf32> {
  %scales = glow.constant dense<[1.0, 1.0, 2.0]> : tensor<3xf32>
  %sizes = glow.constant dense<[1, 1, 4]> : tensor<3xi64>
  %0 = glow.resize %x, %scales, %sizes {mode = "nearest", coordinate_mode = "asymmetric", nearest_mode = "floor", cubic_coeff = -0.75 : f64}
    : (tensor<1x1x2xf32>, tensor<3xf32>, tensor<3xi64>) -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}

// Rows that become twice as many: two between each two of the input, with
// constant weights, and those at the edges.
// CHECK-LABEL: func.func @resize_rows(
// CHECK-DAG: %[[LESS:.+]] = glow_inst.constant dense<2.500000e-01>
// CHECK-DAG: %[[MORE:.+]] = glow_inst.constant dense<7.500000e-01>
// CHECK: glow_inst.map ins(%{{.+}}, %{{.+}}, %[[LESS]], %[[MORE]] : memref<4x1x3xf32, strided<[3, 0, 1]>>, memref<4x1x3xf32, strided<[3, 0, 1], offset: 3>>, {{.*}}) outs(%{{.+}} : memref<4x1x3xf32, strided<[6, 3, 1], offset: 6>>)
// CHECK: glow_inst.map ins(%{{.+}}, %{{.+}}, %[[LESS]], %[[MORE]] : memref<1x1x3xf32, strided<[3, 0, 1]>>, memref<1x1x3xf32, strided<[3, 0, 1]>>, {{.*}}) outs(%{{.+}} : memref<1x1x3xf32
// CHECK: glow_inst.map ins(%{{.+}}, %{{.+}}, %[[MORE]], %[[LESS]] : {{.*}}) outs(%{{.+}} : memref<4x1x3xf32, strided<[6, 3, 1], offset: 3>>)
// CHECK: glow_inst.map ins(%{{.+}}, %{{.+}}, %[[MORE]], %[[LESS]] : memref<1x1x3xf32, strided<[3, 0, 1], offset: 12>>, memref<1x1x3xf32, strided<[3, 0, 1], offset: 12>>, {{.*}}) outs(%{{.+}} : memref<1x1x3xf32
// CHECK-NOT: glow_inst.gather
func.func @resize_rows(%x: tensor<5x3xf32>) -> tensor<10x3xf32> {
  %scales = glow.constant dense<[2.0, 1.0]> : tensor<2xf32>
  %sizes = glow.constant dense<[10, 3]> : tensor<2xi64>
  %0 = glow.resize %x, %scales, %sizes {mode = "linear", coordinate_mode = "half_pixel", nearest_mode = "floor", cubic_coeff = -0.75 : f64}
    : (tensor<5x3xf32>, tensor<2xf32>, tensor<2xi64>) -> tensor<10x3xf32>
  return %0 : tensor<10x3xf32>
}

// Each row three times: one copy.
// CHECK-LABEL: func.func @repeat_rows(
// CHECK: glow_inst.copy %{{.+}} -> %{{.+}} : memref<5x3x3xf32, strided<[3, 0, 1]>> -> memref<5x3x3xf32>
// CHECK-NEXT: return
func.func @repeat_rows(%x: tensor<5x3xf32>) -> tensor<15x3xf32> {
  %scales = glow.constant dense<[0.0, 0.0]> : tensor<2xf32>
  %sizes = glow.constant dense<[15, 3]> : tensor<2xi64>
  %0 = glow.resize %x, %scales, %sizes {mode = "nearest", coordinate_mode = "half_pixel", nearest_mode = "round_prefer_floor", cubic_coeff = -0.75 : f64}
    : (tensor<5x3xf32>, tensor<2xf32>, tensor<2xi64>) -> tensor<15x3xf32>
  return %0 : tensor<15x3xf32>
}

// Coordinates -0.25, 0.25, 0.75, 1.25 are made of both neighbours, clamped.
// CHECK-LABEL: func.func @resize_linear(
// CHECK-DAG: glow_inst.constant dense<[0, 0, 0, 1]> : tensor<4xi64>
// CHECK-DAG: glow_inst.constant dense<[0, 1, 1, 1]> : tensor<4xi64>
// CHECK-DAG: glow_inst.constant dense<{{.*}}2.500000e-01, 7.500000e-01, 2.500000e-01, 7.500000e-01{{.*}}> : tensor<1x1x4xf32>
// CHECK-COUNT-2: glow_inst.gather
// CHECK: glow_inst.map
func.func @resize_linear(%x: tensor<1x1x2xf32>) -> tensor<1x1x4xf32> {
  %scales = glow.constant dense<[1.0, 1.0, 2.0]> : tensor<3xf32>
  %sizes = glow.constant dense<[1, 1, 4]> : tensor<3xi64>
  %0 = glow.resize %x, %scales, %sizes {mode = "linear", coordinate_mode = "half_pixel", nearest_mode = "floor", cubic_coeff = -0.75 : f64}
    : (tensor<1x1x2xf32>, tensor<3xf32>, tensor<3xi64>) -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}
