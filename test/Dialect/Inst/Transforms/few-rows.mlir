// RUN: glow-opt %s -glow-inst-few-rows -split-input-file -mlir-print-elementsattrs-with-hex-if-larger=-1 | FileCheck %s
// RUN: glow-opt %s -glow-inst-few-rows -glow-inst-few-rows -split-input-file -mlir-print-elementsattrs-with-hex-if-larger=-1 | FileCheck %s

// Of 2 to 40 rows fewer than 12 are multiplied in single precision: the sums of
// the pieces, by those of the weights, with the same epilogue into the same rows.
// CHECK-DAG: [[FEW:#.+]] = affine_map<()[s0] -> (s0 + ((s0 - 12) floordiv 1099511627776) * -1099511627776 - 1099511627776, 64)>
// CHECK-DAG: [[SUMS:#.+]] = affine_map<()[s0] -> (s0 + ((s0 - 12) floordiv 1099511627776) * -1099511627776 - 1099511627776, 32)>
// CHECK-DAG: [[MANY:#.+]] = affine_map<()[s0] -> (s0 + ((s0 - 12) floordiv 1099511627776) * 1099511627776, 64)>
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<40x64xbf16>, %[[Z:[a-z0-9]+]]: memref<40x64xf32>, {{.*}} %[[Y:[a-z0-9]+]]: memref<40x64xf32>
// CHECK-DAG: %[[W:.+]] = glow_inst.constant dense<2.500000e+00> : tensor<2x32x32xf32>
// CHECK-DAG: %[[P:.+]] = glow_inst.constant dense<1.250000e+00> : tensor<2x32x64xbf16>
// CHECK-DAG: %[[FIRST:.+]] = glow_inst.view %[[X]] : memref<40x64xbf16> to memref<11x32xbf16, strided<[64, 1]>>
// CHECK-DAG: %[[SECOND:.+]] = glow_inst.view %[[X]] : memref<40x64xbf16> to memref<11x32xbf16, strided<[64, 1], offset: 32>>
// CHECK: glow_inst.map ins(%[[FIRST]], %[[SECOND]] : {{.*}} outs(%[[SUM:.+]] : memref<11x32xf32>) attributes {glow_inst.extents = [[SUMS]]}
// CHECK: arith.addf
// CHECK-DAG: %[[OWN_Z:.+]] = glow_inst.view %[[Z]] : memref<40x64xf32> to memref<11x64xf32>
// CHECK-DAG: %[[OWN_Y:.+]] = glow_inst.view %[[Y]] : memref<40x64xf32> to memref<11x64xf32>
// CHECK: glow_inst.matmul ins(%[[SUM]], %[[W]] : {{.*}} epilogue(%[[OWN_Z]] : {{.*}} outs(%[[OWN_Y]] : {{.*}} {glow_inst.extents = [[FEW]], packed = 32 : i64} do {
// CHECK: glow_inst.matmul ins(%[[X]], %[[P]] : {{.*}} epilogue(%[[Z]] : {{.*}} outs(%[[Y]] : {{.*}} {few_rows = 12 : i64, glow_inst.extents = [[MANY]], packed = 32 : i64, pieces = 2 : i64} do {
// CHECK-NOT: glow_inst.matmul
#rows = affine_map<()[s0] -> (s0, 64)>
func.func @rows(%x: memref<40x64xbf16>, %z: memref<40x64xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 2 : i64, upper = 40 : i64}]}, %y: memref<40x64xf32> {glow_inst.output}) {
  %w = glow_inst.constant dense<1.25> : tensor<2x32x64xbf16> -> memref<2x32x64xbf16>
  glow_inst.matmul ins(%x, %w : memref<40x64xbf16>, memref<2x32x64xbf16>) epilogue(%z : memref<40x64xf32>) outs(%y : memref<40x64xf32>) {few_rows = 12 : i64, glow_inst.extents = #rows, packed = 32 : i64, pieces = 2 : i64} do {
  ^bb0(%sum: f32, %other: f32):
    %0 = arith.addf %sum, %other : f32
    glow.yield %0 : f32
  }
  return
}

// -----

// Two texts of 5 rows are few, and nothing else. They are there in single
// precision, and are taken apart only where there are more.
// CHECK-DAG: [[FEW:#.+]] = affine_map<()[s0] -> (s0 + ((s0 * 5 - 12) floordiv 1099511627776) * -1099511627776 - 1099511627776, 5, 32)>
// CHECK-DAG: [[MANY:#.+]] = affine_map<()[s0] -> (s0 + ((s0 * 5 - 12) floordiv 1099511627776) * 1099511627776, 5, 32)>
// CHECK-LABEL: func.func @texts(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<8x5x32xf32>
// CHECK: glow_inst.map ins(%[[X]] : {{.*}} attributes {glow_inst.extents = [[MANY]]}
// CHECK: %[[TWO:.+]] = glow_inst.view %[[X]] : memref<8x5x32xf32> to memref<2x5x32xf32>
// CHECK: glow_inst.matmul ins(%[[TWO]], {{.*}} {glow_inst.extents = [[FEW]], packed = 32 : i64}
// CHECK: glow_inst.matmul {{.*}} {few_rows = 12 : i64, glow_inst.extents = [[MANY]], packed = 32 : i64, pieces = 2 : i64}
#texts = affine_map<()[s0] -> (s0, 5, 32)>
func.func @texts(%x: memref<8x5x32xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]}, %y: memref<8x5x32xf32> {glow_inst.output}) {
  %w = glow_inst.constant dense<1.25> : tensor<1x32x64xbf16> -> memref<1x32x64xbf16>
  %a = glow_inst.alloc : memref<8x5x64xbf16>
  %0 = glow_inst.view %a : memref<8x5x64xbf16> to memref<8x5x32xbf16, strided<[320, 64, 1]>>
  %1 = glow_inst.view %a : memref<8x5x64xbf16> to memref<8x5x32xbf16, strided<[320, 64, 1], offset: 32>>
  glow_inst.map ins(%x : memref<8x5x32xf32>) outs(%0, %1 : memref<8x5x32xbf16, strided<[320, 64, 1]>>, memref<8x5x32xbf16, strided<[320, 64, 1], offset: 32>>) attributes {glow_inst.extents = #texts} {
  ^bb0(%e: f32):
    %2 = arith.truncf %e : f32 to bf16
    %3 = arith.extf %2 : bf16 to f32
    %4 = arith.subf %e, %3 : f32
    %5 = arith.truncf %4 : f32 to bf16
    glow.yield %2, %5 : bf16, bf16
  }
  glow_inst.matmul ins(%a, %w : memref<8x5x64xbf16>, memref<1x32x64xbf16>) outs(%y : memref<8x5x32xf32>) {few_rows = 12 : i64, glow_inst.extents = #texts, packed = 32 : i64, pieces = 2 : i64}
  return
}

// -----

// What was taken apart has been overwritten, and there is more to read the pieces.
// CHECK-DAG: [[ALL:#.+]] = affine_map<()[s0] -> (s0, 32)>
// CHECK-LABEL: func.func @overwritten(
// CHECK: glow_inst.map ins(%arg0 : {{.*}} attributes {glow_inst.extents = [[ALL]]}
// CHECK: glow_inst.map ins(%{{.+}}, %{{.+}} : memref<11x32xbf16
// CHECK: arith.addf
#some = affine_map<()[s0] -> (s0, 32)>
func.func @overwritten(%x: memref<40x32xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 40 : i64}]}, %y: memref<40x32xf32> {glow_inst.output}) {
  %w = glow_inst.constant dense<1.25> : tensor<1x32x64xbf16> -> memref<1x32x64xbf16>
  %a = glow_inst.alloc : memref<40x64xbf16>
  %0 = glow_inst.view %a : memref<40x64xbf16> to memref<40x32xbf16, strided<[64, 1]>>
  %1 = glow_inst.view %a : memref<40x64xbf16> to memref<40x32xbf16, strided<[64, 1], offset: 32>>
  glow_inst.map ins(%x : memref<40x32xf32>) outs(%0, %1 : memref<40x32xbf16, strided<[64, 1]>>, memref<40x32xbf16, strided<[64, 1], offset: 32>>) attributes {glow_inst.extents = #some} {
  ^bb0(%e: f32):
    %2 = arith.truncf %e : f32 to bf16
    %3 = arith.extf %2 : bf16 to f32
    %4 = arith.subf %e, %3 : f32
    %5 = arith.truncf %4 : f32 to bf16
    glow.yield %2, %5 : bf16, bf16
  }
  glow_inst.fill %x with 0.0 : f32 : memref<40x32xf32>
  glow_inst.matmul ins(%a, %w : memref<40x64xbf16>, memref<1x32x64xbf16>) outs(%y : memref<40x32xf32>) {few_rows = 12 : i64, glow_inst.extents = #some, packed = 32 : i64, pieces = 2 : i64}
  return
}

// -----

// The result takes the place of what was taken apart.
// CHECK-LABEL: func.func @in_place(
// CHECK-COUNT-2: glow_inst.map
// CHECK: arith.addf
#some = affine_map<()[s0] -> (s0, 32)>
func.func @in_place(%x: memref<40x32xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 40 : i64}]}) {
  %w = glow_inst.constant dense<1.25> : tensor<1x32x64xbf16> -> memref<1x32x64xbf16>
  %a = glow_inst.alloc : memref<40x64xbf16>
  %0 = glow_inst.view %a : memref<40x64xbf16> to memref<40x32xbf16, strided<[64, 1]>>
  %1 = glow_inst.view %a : memref<40x64xbf16> to memref<40x32xbf16, strided<[64, 1], offset: 32>>
  glow_inst.map ins(%x : memref<40x32xf32>) outs(%0, %1 : memref<40x32xbf16, strided<[64, 1]>>, memref<40x32xbf16, strided<[64, 1], offset: 32>>) attributes {glow_inst.extents = #some} {
  ^bb0(%e: f32):
    %2 = arith.truncf %e : f32 to bf16
    %3 = arith.extf %2 : bf16 to f32
    %4 = arith.subf %e, %3 : f32
    %5 = arith.truncf %4 : f32 to bf16
    glow.yield %2, %5 : bf16, bf16
  }
  glow_inst.matmul ins(%a, %w : memref<40x64xbf16>, memref<1x32x64xbf16>) outs(%x : memref<40x32xf32>) {few_rows = 12 : i64, glow_inst.extents = #some, packed = 32 : i64, pieces = 2 : i64}
  return
}

// -----

// Rows of each text count, as texts have tiles of their own.
// CHECK-DAG: [[FEW:#.+]] = affine_map<()[s0, s1] -> (s0, s1 + ((s1 - 12) floordiv 1099511627776) * -1099511627776 - 1099511627776, 32)>
// CHECK-LABEL: func.func @open_texts(
// CHECK: glow_inst.map {{.*}} outs(%{{.+}} : memref<8x11x32xf32>) attributes {glow_inst.extents = [[FEW]]}
// CHECK: glow_inst.matmul {{.*}} {glow_inst.extents = [[FEW]], packed = 32 : i64}
#open = affine_map<()[s0, s1] -> (s0, s1, 32)>
func.func @open_texts(%x: memref<8x40x64xbf16>, %n: memref<2xi64> {glow.symbols = [{name = "b", lower = 1 : i64, upper = 8 : i64}, {name = "n", lower = 1 : i64, upper = 40 : i64}]}, %y: memref<8x40x32xf32> {glow_inst.output}) {
  %w = glow_inst.constant dense<1.25> : tensor<1x32x64xbf16> -> memref<1x32x64xbf16>
  glow_inst.matmul ins(%x, %w : memref<8x40x64xbf16>, memref<1x32x64xbf16>) outs(%y : memref<8x40x32xf32>) {few_rows = 12 : i64, glow_inst.extents = #open, packed = 32 : i64, pieces = 2 : i64}
  return
}

// -----

// There are never few rows, or it is known how many there are.
// CHECK-LABEL: func.func @many(
// CHECK-COUNT-2: glow_inst.matmul
// CHECK-NOT: glow_inst.matmul
#many = affine_map<()[s0] -> (s0, 32)>
func.func @many(%x: memref<40x64xbf16>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 12 : i64, upper = 40 : i64}]}, %y: memref<40x32xf32> {glow_inst.output}, %z: memref<40x32xf32> {glow_inst.output}) {
  %w = glow_inst.constant dense<1.25> : tensor<1x32x64xbf16> -> memref<1x32x64xbf16>
  glow_inst.matmul ins(%x, %w : memref<40x64xbf16>, memref<1x32x64xbf16>) outs(%y : memref<40x32xf32>) {few_rows = 12 : i64, glow_inst.extents = #many, packed = 32 : i64, pieces = 2 : i64}
  glow_inst.matmul ins(%x, %w : memref<40x64xbf16>, memref<1x32x64xbf16>) outs(%z : memref<40x32xf32>) {few_rows = 12 : i64, packed = 32 : i64, pieces = 2 : i64}
  return
}

// -----

// Of one text there would be one place, which kernels have no axis for: it would
// be added to the rows in each run.
// CHECK-LABEL: func.func @one_text(
// CHECK-COUNT-1: glow_inst.matmul
// CHECK-NOT: glow_inst.matmul
// CHECK: return
#long_texts = affine_map<()[s0] -> (s0, 8, 32)>
func.func @one_text(%x: memref<4x8x64xbf16>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 4 : i64}]}, %y: memref<4x8x32xf32>) {
  %w = glow_inst.constant dense<1.0> : tensor<1x32x64xbf16> -> memref<1x32x64xbf16>
  glow_inst.matmul ins(%x, %w : memref<4x8x64xbf16>, memref<1x32x64xbf16>) outs(%y : memref<4x8x32xf32>) {few_rows = 12 : i64, glow_inst.extents = #long_texts, packed = 32 : i64, pieces = 2 : i64}
  return
}

// -----

// Vectors read the panels of two registers as one. The last has none beside it.
// CHECK-LABEL: func.func @narrow_panels(
// CHECK: glow_inst.constant dense<{{.*}}[1.500000e+00, 2.500000e+00, 3.500000e+00, 4.500000e+00, 5.500000e+00, 6.500000e+00, 7.500000e+00, 8.500000e+00, 9.500000e+00, 1.050000e+01, 1.150000e+01, 1.250000e+01, 1.350000e+01, 1.450000e+01, 1.550000e+01, 1.650000e+01, 1.750000e+01, 1.850000e+01, 1.950000e+01, 2.050000e+01, 2.150000e+01, 2.250000e+01, 2.350000e+01, 2.450000e+01, 2.550000e+01, 2.650000e+01, 2.750000e+01, 2.850000e+01, 2.950000e+01, 3.050000e+01, 3.150000e+01, 3.250000e+01], [3.000000e+00, 5.000000e+00, 7.000000e+00, 9.000000e+00, 1.100000e+01, 1.300000e+01, 1.500000e+01, 1.700000e+01, 1.900000e+01, 2.100000e+01, 2.300000e+01, 2.500000e+01, 2.700000e+01, 2.900000e+01, 3.100000e+01, 3.300000e+01, 3.500000e+01, 3.700000e+01, 3.900000e+01, 4.100000e+01, 4.300000e+01, 4.500000e+01, 4.700000e+01, 4.900000e+01, 5.100000e+01, 5.300000e+01, 5.500000e+01, 5.700000e+01, 5.900000e+01, 6.100000e+01, 6.300000e+01, 6.500000e+01]{{.*}}[3.350000e+01, 3.450000e+01, 3.550000e+01, 3.650000e+01, 3.750000e+01, 3.850000e+01, 3.950000e+01, 4.050000e+01, 4.150000e+01, 4.250000e+01, 4.350000e+01, 4.450000e+01, 4.550000e+01, 4.650000e+01, 4.750000e+01, 4.850000e+01, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [6.700000e+01, 6.900000e+01, 7.100000e+01, 7.300000e+01, 7.500000e+01, 7.700000e+01, 7.900000e+01, 8.100000e+01, 8.300000e+01, 8.500000e+01, 8.700000e+01, 8.900000e+01, 9.100000e+01, 9.300000e+01, 9.500000e+01, 9.700000e+01, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]{{.*}}> : tensor<2x2x32xf32>
// CHECK: glow_inst.matmul {{.*}} memref<2x2x32xf32>{{.*}} {glow_inst.extents = {{.*}}, packed = 32 : i64}
// CHECK: glow_inst.matmul {{.*}} memref<3x2x32xbf16>{{.*}} {few_rows = 12 : i64, {{.*}} packed = 16 : i64, pieces = 2 : i64}
#narrow = affine_map<()[s0] -> (s0, 48)>
func.func @narrow_panels(%x: memref<40x4xbf16>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 2 : i64, upper = 40 : i64}]}, %y: memref<40x48xf32> {glow_inst.output}) {
  %w = glow_inst.constant dense<[[[1.0, 2.0, 2.0, 4.0, 3.0, 6.0, 4.0, 8.0, 5.0, 10.0, 6.0, 12.0, 7.0, 14.0, 8.0, 16.0, 9.0, 18.0, 10.0, 20.0, 11.0, 22.0, 12.0, 24.0, 13.0, 26.0, 14.0, 28.0, 15.0, 30.0, 16.0, 32.0], [0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0]], [[17.0, 34.0, 18.0, 36.0, 19.0, 38.0, 20.0, 40.0, 21.0, 42.0, 22.0, 44.0, 23.0, 46.0, 24.0, 48.0, 25.0, 50.0, 26.0, 52.0, 27.0, 54.0, 28.0, 56.0, 29.0, 58.0, 30.0, 60.0, 31.0, 62.0, 32.0, 64.0], [0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0]], [[33.0, 66.0, 34.0, 68.0, 35.0, 70.0, 36.0, 72.0, 37.0, 74.0, 38.0, 76.0, 39.0, 78.0, 40.0, 80.0, 41.0, 82.0, 42.0, 84.0, 43.0, 86.0, 44.0, 88.0, 45.0, 90.0, 46.0, 92.0, 47.0, 94.0, 48.0, 96.0], [0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 1.0]]]> : tensor<3x2x32xbf16> -> memref<3x2x32xbf16>
  glow_inst.matmul ins(%x, %w : memref<40x4xbf16>, memref<3x2x32xbf16>) outs(%y : memref<40x48xf32>) {few_rows = 12 : i64, glow_inst.extents = #narrow, packed = 16 : i64, pieces = 2 : i64}
  return
}
