// RUN: glow-opt %s "-glow-split-products=pieces=3 target=vector-bits=512,l2=1M,features=avx512bf16+amx-tile+amx-bf16" | FileCheck %s
// RUN: glow-opt %s "-glow-split-products=pieces=3 target=vector-bits=512,features=avx512bf16" | FileCheck %s --check-prefix=NONE

// NONE-NOT: glow.bf16_pieces

// Both factors are taken apart along the depth, each piece a whole number of
// registers; the result stays f32.
// CHECK-LABEL: func @product(
// CHECK-SAME: %[[X:.+]]: tensor<
// CHECK-DAG: %[[A:.+]] = glow.bf16_pieces %[[X]] {axis = 1 : i64, multiple = 32 : i64, pieces = 3 : i64} : (tensor<512x100xf32>) -> tensor<512x384xbf16>
// CHECK-DAG: %[[B:.+]] = glow.bf16_pieces %{{.*}} {axis = 0 : i64, multiple = 32 : i64, pieces = 3 : i64} : (tensor<100x512xf32>) -> tensor<384x512xbf16>
// CHECK: glow.matmul %[[A]], %[[B]] {pieces = 3 : i64} do
// CHECK: -> tensor<512x512xf32>
func.func @product(%x: tensor<512x100xf32>) -> tensor<512x512xf32> {
  %w = glow.constant dense<0.5> : tensor<100x512xf32>
  %0 = glow.matmul %x, %w : (tensor<512x100xf32>, tensor<100x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

// CHECK-LABEL: func @conv(
// CHECK: glow.bf16_pieces %{{.*}} {axis = 3 : i64, multiple = 32 : i64, pieces = 3 : i64} : (tensor<1x28x28x64xf32>) -> tensor<1x28x28x192xbf16>
// CHECK: glow.conv {{.*}} pieces = 3
func.func @conv(%x: tensor<1x28x28x64xf32>) -> tensor<1x28x28x128xf32> {
  %w = glow.constant dense<0.5> : tensor<3x3x64x128xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x28x28x64xf32>, tensor<3x3x64x128xf32>) -> tensor<1x28x28x128xf32>
  return %0 : tensor<1x28x28x128xf32>
}

// Few columns do not pay for taking the rows apart, few rows not for tiles.
// CHECK-LABEL: func @narrow(
// CHECK-NOT: glow.bf16_pieces
func.func @narrow(%x: tensor<128x100xf32>) -> tensor<128x16xf32> {
  %w = glow.constant dense<0.5> : tensor<100x16xf32>
  %0 = glow.matmul %x, %w : (tensor<128x100xf32>, tensor<100x16xf32>) -> tensor<128x16xf32>
  return %0 : tensor<128x16xf32>
}

// CHECK-LABEL: func @row(
// CHECK-NOT: glow.bf16_pieces
func.func @row(%x: tensor<1x768xf32>) -> tensor<1x768xf32> {
  %w = glow.constant dense<0.5> : tensor<768x768xf32>
  %0 = glow.matmul %x, %w : (tensor<1x768xf32>, tensor<768x768xf32>) -> tensor<1x768xf32>
  return %0 : tensor<1x768xf32>
}

// Of two activations neither is taken apart.
// CHECK-LABEL: func @activations(
// CHECK-NOT: glow.bf16_pieces
func.func @activations(%x: tensor<128x100xf32>, %w: tensor<100x512xf32>) -> tensor<128x512xf32> {
  %0 = glow.matmul %x, %w : (tensor<128x100xf32>, tensor<100x512xf32>) -> tensor<128x512xf32>
  return %0 : tensor<128x512xf32>
}

// The rows of a part of the depth stay in the second-level cache; its sums are
// the first summand of what follows.
// CHECK-LABEL: func @deep(
// CHECK: glow.bf16_pieces {{.*}} : (tensor<128x768xf32>) -> tensor<128x2304xbf16>
// CHECK: %[[FIRST:.+]] = glow.matmul
// CHECK: glow.matmul {{.*}} epilogue(%[[FIRST]])
// CHECK: ^bb0(%[[SUM:.+]]: f32, %[[OTHER:.+]]: f32):
// CHECK: arith.addf %[[OTHER]], %[[SUM]]
// CHECK-COUNT-2: glow.matmul {{.*}} epilogue(%{{.*}}) {pieces = 3 : i64} do
// CHECK-NOT: glow.matmul
// CHECK: return
func.func @deep(%x: tensor<128x3072xf32>) -> tensor<128x768xf32> {
  %w = glow.constant dense<0.5> : tensor<3072x768xf32>
  %0 = glow.matmul %x, %w : (tensor<128x3072xf32>, tensor<3072x768xf32>) -> tensor<128x768xf32>
  return %0 : tensor<128x768xf32>
}

// So many rows fit no cache whatever the depth: short parts read the weights a
// few times instead of for every few rows.
// CHECK-LABEL: func @deep_and_high(
// CHECK-COUNT-8: glow.bf16_pieces {{.*}} : (tensor<1536x352xf32>) -> tensor<1536x1056xbf16>
// CHECK: return
func.func @deep_and_high(%x: tensor<1536x3072xf32>) -> tensor<1536x768xf32> {
  %w = glow.constant dense<0.5> : tensor<3072x768xf32>
  %0 = glow.matmul %x, %w : (tensor<1536x3072xf32>, tensor<3072x768xf32>) -> tensor<1536x768xf32>
  return %0 : tensor<1536x768xf32>
}

// One row of each line takes as long as eight, and most are too few for tiles.
// CHECK-LABEL: func @few_rows_of_a_range(
// CHECK-NOT: glow.bf16_pieces
// CHECK: return
func.func @few_rows_of_a_range(%x: tensor<100x8x256xf32>, %n: tensor<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]}) -> tensor<100x8x1024xf32> {
  %w = glow.constant dense<0.5> : tensor<256x1024xf32>
  %0 = glow.matmul %x, %w : (tensor<100x8x256xf32>, tensor<256x1024xf32>) -> tensor<100x8x1024xf32>
  return %0 : tensor<100x8x1024xf32>
}

// CHECK-LABEL: func @rows_of_a_text(
// CHECK: glow.matmul {{.*}} {few_rows = 58 : i64, pieces = 3 : i64}
func.func @rows_of_a_text(%x: tensor<1x384x768xf32>, %n: tensor<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 384 : i64}]}) -> tensor<1x384x768xf32> {
  %w = glow.constant dense<0.5> : tensor<768x768xf32>
  %0 = glow.matmul %x, %w : (tensor<1x384x768xf32>, tensor<768x768xf32>) -> tensor<1x384x768xf32>
  return %0 : tensor<1x384x768xf32>
}

// The rows of one line are enough.
// CHECK-LABEL: func @few_lines_of_a_range(
// CHECK: glow.matmul {{.*}}pieces = 3
func.func @few_lines_of_a_range(%x: tensor<8x128x256xf32>, %n: tensor<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]}) -> tensor<8x128x1024xf32> {
  %w = glow.constant dense<0.5> : tensor<256x1024xf32>
  %0 = glow.matmul %x, %w : (tensor<8x128x256xf32>, tensor<256x1024xf32>) -> tensor<8x128x1024xf32>
  return %0 : tensor<8x128x1024xf32>
}

// Lines of one image lie one behind the other as those of eight do: two
// registers of rows have two of its lines.
// CHECK-LABEL: func @lines_of_an_image(
// CHECK: glow.conv {{.*}}pieces = 3
func.func @lines_of_an_image(%x: tensor<8x14x14x1024xf32>, %n: tensor<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]}) -> tensor<8x14x14x256xf32> {
  %w = glow.constant dense<0.5> : tensor<1x1x1024x256xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<8x14x14x1024xf32>, tensor<1x1x1024x256xf32>) -> tensor<8x14x14x256xf32>
  return %0 : tensor<8x14x14x256xf32>
}
