// RUN: glow-opt %s -glow-inst-strassen-products=target=l2=1M,l3=16M,vector-bits=512,vector-registers=32 --mlir-elide-resource-strings-if-larger=16 | FileCheck %s
// RUN: glow-opt %s -glow-inst-strassen-products=target=l2=1M,l3=16M,vector-bits=256,vector-registers=16 --mlir-elide-resource-strings-if-larger=16 | FileCheck %s --check-prefix=FEW

// Sixteen registers do not fill the products of a block.
// FEW-NOT: memref<7x

// Of 129 rows the middle one is in both halves; of 1032 columns the last 8 stay
// a product.
// CHECK-LABEL: func.func @in_place(
// Columns and rows of the right-hand side are brought to one size.
// CHECK: %[[D:.+]] = glow_inst.constant dense<1.000000e+00> : tensor<512xf32>
// CHECK: %[[E:.+]] = glow_inst.constant dense<5.000000e-01> : tensor<1024xf32>
// CHECK: %[[B:.+]] = glow_inst.constant {{.*}} -> memref<7x16x256x32xf32>
// An odd number of lines lies between rows, and between sums.
// CHECK: %[[ALL:.+]] = glow_inst.alloc : memref<7x17680xf32>
// Rows are brought to one size and quarters are added up.
// CHECK: glow_inst.forall [8] ins(%{{.+}}, %{{.+}}, %[[D]] : memref<1x64x512xf32, strided<[66560, 512, 1]>>, memref<1x64x512xf32, strided<[66560, 512, 1], offset: 32768>>, memref<512xf32>)
// CHECK: glow_inst.reduce{{ *}}max ins(%[[UPPER:.+]], %[[DW:.+]] : memref<8x512xf32>, memref<512xf32>) outs(%[[LARGEST:.+]] : memref<8xf32>) axes = [1] of {
// CHECK: math.absf
// CHECK: glow_inst.map ins(%[[LARGEST]] : memref<8xf32>) outs(%[[SCALE:.+]], %{{.+}} : memref<8xf32>, memref<8xf32>) {
// CHECK: glow_inst.reduce{{ *}}max ins(%[[LOWER:.+]], %[[DW]] :
// CHECK: glow_inst.map
// CHECK: glow_inst.map
// CHECK: glow.yield %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} : f32, f32, f32, f32, f32, f32, f32
// The last row of each half.
// CHECK: glow_inst.forall [1] ins(%{{.+}}, %{{.+}}, %[[D]] : memref<1x1x512xf32,
// CHECK: %[[SUMS:.+]] = glow_inst.view %[[ALL]] : memref<7x17680xf32> to memref<7x65x256xf32, strided<[17680, 272, 1]>>
// Eight blocks of columns. Of the upper half one row less is stored.
// CHECK: glow_inst.forall [8] ins(%[[SUMS]], %[[B]], %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} : memref<7x65x256xf32, strided<[17680, 272, 1]>>, memref<7x16x256x32xf32>, memref<2x512xf32>, memref<65xf32>, memref<65xf32>, memref<2x512xf32>)
// CHECK-SAME: outs(%{{.+}}, %{{.+}} : memref<1x64x2x512xf32, strided<[134160, 1032, 512, 1]>>, memref<1x65x2x512xf32, strided<[134160, 1032, 512, 1], offset: 66048>>)
// CHECK: %[[ALLP:.+]] = glow_inst.alloc : memref<7x4176xf32>
// CHECK: %[[P:.+]] = glow_inst.view %[[ALLP]] : memref<7x4176xf32> to memref<7x65x64xf32, strided<[4176, 64, 1]>>
// CHECK: glow_inst.matmul ins({{.*}} : memref<7x65x128xf32, strided<[17680, 272, 1]>>, memref<7x2x128x32xf32, strided<[131072, 8192, 32, 1]>>) outs(%[[P]] :
// CHECK: glow_inst.matmul {{.*}} epilogue(%[[P]] : {{.+}}) outs(%[[P]] :
// CHECK: glow_inst.map ins({{.*}}) outs(%{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} : memref<64x64xf32
// CHECK: glow.yield %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} : f32, f32, f32, f32
// CHECK: glow_inst.map ins({{.*}}) outs(%{{.+}}, %{{.+}} : memref<1x64xf32
// CHECK: glow.yield %{{.+}}, %{{.+}} : f32, f32
// CHECK: %[[REST:.+]] = glow_inst.constant {{.*}} -> memref<1x512x32xf32>
// CHECK: glow_inst.matmul ins(%arg0, %[[REST]] : {{.*}}) epilogue({{.*}} : memref<8xf32, strided<[1], offset: 1024>>, memref<129x8xf32, strided<[1032, 1], offset: 1024>>)
func.func @in_place(%a: memref<129x512xf32>, %bias: memref<1032xf32>, %c: memref<129x1032xf32> {glow_inst.output}) {
  %b = glow_inst.constant dense<0.75> : tensor<33x512x32xf32> -> memref<33x512x32xf32>
  glow_inst.matmul ins(%a, %b : memref<129x512xf32>, memref<33x512x32xf32>) epilogue(%bias, %c : memref<1032xf32>, memref<129x1032xf32>) outs(%c : memref<129x1032xf32>) {packed = 32 : i64} do {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.addf %x, %y : f32
    %1 = arith.addf %0, %z : f32
    glow.yield %1 : f32
  }
  return
}

// A convolution of one tap is a product of a matrix of pixels.
// CHECK-LABEL: func.func @pointwise(
// Rows are paired within a block, so that a thread's rows lie side by side.
// CHECK: glow_inst.forall [2, 7]
// CHECK: glow_inst.forall [2, 4] ins({{.*}}) outs(%{{.+}}, %{{.+}} : memref<2x49x2x256xf32, strided<[50176, 512, 256, 1]>>, memref<2x49x2x256xf32, strided<[50176, 512, 256, 1], offset: 25088>>)
// CHECK-NOT: glow_inst.conv
func.func @pointwise(%x: memref<1x14x14x512xf32>, %y: memref<1x14x14x512xf32> {glow_inst.output}) {
  %b = glow_inst.constant dense<0.75> : tensor<16x512x32xf32> -> memref<16x512x32xf32>
  glow_inst.conv ins(%x, %b : memref<1x14x14x512xf32>, memref<16x512x32xf32>) outs(%y : memref<1x14x14x512xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}

// Pixels of a line are at one distance, those of a padded image are not: blocks
// are whole lines.
// CHECK-LABEL: func.func @lines(
// CHECK: glow_inst.forall [{{[0-9]+}}, {{[0-9]+}}] ins({{.*}}) outs(%{{.+}}, %{{.+}} : memref<2x3x12x2x256xf32, strided<[43008, 7168, 512, 256, 1], offset: 7680>>, memref<2x3x12x2x256xf32, strided<[43008, 7168, 512, 256, 1], offset: 29184>>)
// CHECK: glow_inst.map ins({{.*}}) outs({{.*}}memref<3x12x64xf32, strided<[7168, 512, 1]>>
// CHECK-NOT: glow_inst.conv
func.func @lines(%x: memref<1x12x12x512xf32>, %y: memref<1x14x14x512xf32> {glow_inst.output}) {
  %b = glow_inst.constant dense<0.75> : tensor<16x512x32xf32> -> memref<16x512x32xf32>
  %inner = glow_inst.view %y : memref<1x14x14x512xf32> to memref<1x12x12x512xf32, strided<[100352, 7168, 512, 1], offset: 7680>>
  glow_inst.conv ins(%x, %b : memref<1x12x12x512xf32>, memref<16x512x32xf32>) outs(%inner : memref<1x12x12x512xf32, strided<[100352, 7168, 512, 1], offset: 7680>>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}

// Many rows are taken in groups of blocks, whose sums use the same memory.
// CHECK-LABEL: func.func @groups(
// CHECK: %[[SUMS:.+]] = glow_inst.alloc : memref<7x202768xf32>
// CHECK: glow_inst.forall [4, 8]
// CHECK-COUNT-2: glow_inst.forall [4, 4] ins(
// CHECK: glow_inst.forall [6, 4] ins(
// CHECK: glow_inst.forall [6]
// CHECK: glow_inst.forall [1]
// CHECK: glow_inst.view %[[SUMS]] : memref<7x202768xf32> to memref<7x54x512xf32, strided<[202768, 528, 1]>>
// CHECK: glow_inst.forall [4] ins(
func.func @groups(%a: memref<1900x1024xf32>, %c: memref<1900x512xf32> {glow_inst.output}) {
  %b = glow_inst.constant dense<0.75> : tensor<16x1024x32xf32> -> memref<16x1024x32xf32>
  glow_inst.matmul ins(%a, %b : memref<1900x1024xf32>, memref<16x1024x32xf32>) outs(%c : memref<1900x512xf32>) {packed = 32 : i64}
  return
}

// Few rows, weights that are not known, and those that are not finite.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: forall
func.func @others(%few: memref<40x512xf32>, %a: memref<128x512xf32>, %w: memref<16x512x32xf32>, %c: memref<40x512xf32> {glow_inst.output}, %d: memref<128x512xf32> {glow_inst.output}, %e: memref<128x512xf32> {glow_inst.output}) {
  %b = glow_inst.constant dense<0.75> : tensor<16x512x32xf32> -> memref<16x512x32xf32>
  %n = glow_inst.constant dense<0x7F800000> : tensor<16x512x32xf32> -> memref<16x512x32xf32>
  glow_inst.matmul ins(%few, %b : memref<40x512xf32>, memref<16x512x32xf32>) outs(%c : memref<40x512xf32>) {packed = 32 : i64}
  glow_inst.matmul ins(%a, %w : memref<128x512xf32>, memref<16x512x32xf32>) outs(%d : memref<128x512xf32>) {packed = 32 : i64}
  glow_inst.matmul ins(%a, %n : memref<128x512xf32>, memref<16x512x32xf32>) outs(%e : memref<128x512xf32>) {packed = 32 : i64}
  return
}
