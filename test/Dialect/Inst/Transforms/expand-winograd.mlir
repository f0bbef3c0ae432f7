// RUN: glow-opt %s -glow-inst-pad-convs -glow-inst-expand-winograd | FileCheck %s
// RUN: glow-opt %s -glow-inst-pad-convs -glow-inst-expand-winograd -glow-inst-limit-work | FileCheck %s --check-prefix=LIMIT
// RUN: not glow-opt %s -glow-inst-expand-winograd 2>&1 | FileCheck %s --check-prefix=ERROR
// LIMIT-DAG: [[TILES:#.+]] = affine_map<()[s0, s1] -> (16, s0 ceildiv 2, s1 ceildiv 2, 5)>

// A row and a column of tiles reach over the 3 x 3 result: the output's map comes
// in four pieces, of which the first writes four elements of a tile, the last one.
// CHECK-LABEL: func.func @edges(
// CHECK: glow_inst.alloc : memref<1x6x6x2xf32>
// CHECK-COUNT-4: glow_inst.fill
// CHECK: glow_inst.copy %arg0
// CHECK: %[[MATRICES:.+]] = glow_inst.alloc : memref<16x4x2xf32>
// CHECK: glow_inst.map ins({{.*}}memref<1x2x2x2xf32, strided<[72, 24, 4, 1]>>, {{.*}}) outs({{.*}}memref<1x2x2x2xf32, strided<[8, 4, 2, 1], offset: 120>>)
// CHECK: arith.subf {{.*}} fastmath<contract>
// CHECK: %[[PRODUCTS:.+]] = glow_inst.alloc : memref<16x4x5xf32>
// CHECK: glow_inst.matmul ins(%[[MATRICES]], %arg1 : {{.*}}) outs(%[[PRODUCTS]] : memref<16x4x5xf32>)
// CHECK-COUNT-3: glow_inst.map ins
// CHECK: glow_inst.map ins({{.*}}) outs(%{{[0-9]+}} : memref<1x1x1x5xf32, strided<[45, 30, 10, 1], offset: 40>>)
// CHECK-NOT: glow_inst.map
// ERROR: error: 'glow_inst.conv' op input 'memref<1x3x3x2xf32>' does not hold whole tiles; run glow-inst-pad-convs first
func.func @edges(%x: memref<1x3x3x2xf32>, %w: memref<16x2x5xf32>, %b: memref<5xf32>, %y: memref<1x3x3x5xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x3x3x2xf32>, memref<16x2x5xf32>) epilogue(%b : memref<5xf32>) outs(%y : memref<1x3x3x5xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>,
     pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 2>} do {
  ^bb0(%sum: f32, %bias: f32):
    %0 = arith.addf %sum, %bias : f32
    glow.yield %0 : f32
  }
  return
}

// Two images of two bands are enough for a loop. Without padding the input is read
// in place; a band reads two rows of the next one.
// CHECK-LABEL: func.func @rows(
// CHECK-NOT: glow_inst.copy
// CHECK: glow_inst.forall [2, 2] ins(%{{.*}}, %arg1, %{{.*}} : memref<2x6x6x2xf32>, memref<16x2x5xf32>, memref<2x4x4x5xf32, strided<[0, 0, 0, 1]>>) outs(%{{.*}} : memref<2x4x4x5xf32>) steps = [array<i64: 72, 24>, array<i64: 0, 0>, array<i64: 0, 0>, array<i64: 80, 40>]
// CHECK: ^bb0(%[[IN:.+]]: memref<1x4x6x2xf32, strided<[72, 12, 2, 1]>>, %[[FILTER:.+]]: memref<16x2x5xf32>, %{{.*}}: memref<1x2x4x5xf32, strided<[0, 0, 0, 1]>>, %[[OUT:.+]]: memref<1x2x4x5xf32, strided<[80, 20, 5, 1]>>):
// CHECK: glow_inst.map
// CHECK: glow_inst.matmul ins(%{{.*}}, %[[FILTER]]
// CHECK: glow_inst.map
// CHECK-NOT: glow_inst.matmul
func.func @rows(%x: memref<2x6x6x2xf32>, %w: memref<16x2x5xf32>, %b: memref<5xf32>, %y: memref<2x4x4x5xf32>) {
  glow_inst.conv ins(%x, %w : memref<2x6x6x2xf32>, memref<16x2x5xf32>) epilogue(%b : memref<5xf32>) outs(%y : memref<2x4x4x5xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>,
     pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 1>} do {
  ^bb0(%sum: f32, %bias: f32):
    %0 = arith.addf %sum, %bias : f32
    glow.yield %0 : f32
  }
  return
}

// One band: the threads share the channels of the results instead.
// CHECK-LABEL: func.func @columns(
// CHECK: glow_inst.map
// CHECK: glow_inst.forall [4] ins(%[[MATRICES:.+]], %arg1 : memref<16x4x2xf32>, memref<16x4x2x16xf32>) outs(%{{.*}} : memref<1x4x4x64xf32>) steps = [array<i64: 0>, array<i64: 32>, array<i64: 16>]
// CHECK: ^bb0(%{{.*}}: memref<16x4x2xf32>, %[[FILTER:.+]]: memref<16x1x2x16xf32, strided<[128, 32, 16, 1]>>, %[[OUT:.+]]: memref<1x4x4x16xf32, strided<[1024, 256, 64, 1]>>):
// CHECK: glow_inst.matmul ins(%{{.*}}, %[[FILTER]]
// CHECK: glow_inst.map
func.func @columns(%x: memref<1x6x6x2xf32>, %w: memref<16x4x2x16xf32>, %y: memref<1x4x4x64xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x6x6x2xf32>, memref<16x4x2x16xf32>) outs(%y : memref<1x4x4x64xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 16 : i64,
     pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 2>}
  return
}

// Of up to eight images there may be one: its columns are two points, each with
// one panel of the filter after the other.
// CHECK-LABEL: func.func @bounded(
// CHECK: glow_inst.forall [8, 1, 2] ins(%{{.+}}, %{{.+}} : memref<8x6x6x2xf32>, memref<16x4x2x16xf32>) outs(%{{.+}} : memref<8x4x4x64xf32>) steps = [array<i64: 72, 48, 0>, array<i64: 0, 0, 64>, array<i64: 1024, 1024, 32>]
// CHECK: ^bb0(%{{.+}}: memref<1x6x6x2xf32>, %[[FILTER:.+]]: memref<16x2x2x16xf32, strided<[128, 32, 16, 1]>>, %[[OUT:.+]]: memref<1x4x4x32xf32, strided<[1024, 256, 64, 1]>>):
// CHECK: glow_inst.forall [2] ins(%{{.+}}, %[[FILTER]] : memref<16x4x2xf32>, {{.+}}) outs(%[[OUT]] : {{.+}}) steps = [array<i64: 0>, array<i64: 32>, array<i64: 16>]
func.func @bounded(%x: memref<8x6x6x2xf32>, %w: memref<16x4x2x16xf32>, %y: memref<8x4x4x64xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]}) {
  glow_inst.conv ins(%x, %w : memref<8x6x6x2xf32>, memref<16x4x2x16xf32>) outs(%y : memref<8x4x4x64xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 16 : i64,
     pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 4>}
  return
}

// Few enough to be apart, but in a loop those that are not there are left out.
// CHECK-LABEL: func.func @few(
// CHECK: glow_inst.forall [3, 1, 2]
// CHECK: glow_inst.forall [2]
// CHECK-NOT: glow_inst.forall
// LIMIT-DAG: #[[FEW:.+]] = affine_map<()[s0] -> (s0, 1, 2)>
// LIMIT-DAG: #[[MOST:.+]] = affine_map<()[s0] -> (s0, 1)>
// LIMIT-LABEL: func.func @few(
// LIMIT: glow_inst.forall [3, 1, 2] {{.*}}glow_inst.extents = #[[FEW]]
func.func @few(%x: memref<3x6x6x2xf32> {glow.extents = affine_map<()[s0] -> (s0, 6, 6, 2)>}, %w: memref<16x4x2x16xf32>, %y: memref<3x4x4x64xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 3 : i64}]}) {
  glow_inst.conv ins(%x, %w : memref<3x6x6x2xf32>, memref<16x4x2x16xf32>) outs(%y : memref<3x4x4x64xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 16 : i64,
     pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 4>}
  return
}

// Five could be a point together, but not the last three.
// CHECK-LABEL: func.func @most(
// CHECK: glow_inst.forall [8, 1]
// CHECK-NOT: glow_inst.forall
// LIMIT-LABEL: func.func @most(
// LIMIT: glow_inst.forall [8, 1] {{.*}}glow_inst.extents = #[[MOST]]
func.func @most(%x: memref<8x6x6x2xf32> {glow.extents = affine_map<()[s0] -> (s0, 6, 6, 2)>}, %w: memref<16x4x2x16xf32>, %y: memref<8x4x4x64xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 5 : i64, upper = 8 : i64}]}) {
  glow_inst.conv ins(%x, %w : memref<8x6x6x2xf32>, memref<16x4x2x16xf32>) outs(%y : memref<8x4x4x64xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 16 : i64,
     pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 16>}
  return
}

// Where rows are open too, their limit would not reach into a loop within a loop.
// CHECK-LABEL: func.func @open_rows(
// CHECK: glow_inst.forall [8, 1, 2]
// CHECK-NOT: glow_inst.forall
// LIMIT-LABEL: func.func @open_rows(
// LIMIT: glow_inst.matmul {{.*}}glow_inst.extents
func.func @open_rows(%x: memref<8x6x6x2xf32> {glow.extents = affine_map<()[s0, s1] -> (s0, s1 + 2, 6, 2)>}, %w: memref<16x4x2x16xf32>, %y: memref<8x4x4x64xf32> {glow.extents = affine_map<()[s0, s1] -> (s0, s1, 4, 64)>, glow_inst.output},
    %s: memref<2xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}, {name = "h", lower = 1 : i64, upper = 4 : i64}]}) {
  glow_inst.conv ins(%x, %w : memref<8x6x6x2xf32>, memref<16x4x2x16xf32>) outs(%y : memref<8x4x4x64xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 16 : i64,
     pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 4>}
  return
}

// One band of each of four groups: each group is a point.
// CHECK-LABEL: func.func @groups(
// CHECK-COUNT-4: glow_inst.forall [1, 1]
// CHECK-NOT: glow_inst.forall
func.func @groups(%x: memref<1x6x6x8xf32>, %w: memref<16x4x2x16xf32>, %y: memref<1x4x4x256xf32>) {
  %x0 = glow_inst.view %x : memref<1x6x6x8xf32> to memref<1x6x6x2xf32, strided<[288, 48, 8, 1]>>
  %y0 = glow_inst.view %y : memref<1x4x4x256xf32> to memref<1x4x4x64xf32, strided<[4096, 1024, 256, 1]>>
  glow_inst.conv ins(%x0, %w : memref<1x6x6x2xf32, strided<[288, 48, 8, 1]>>, memref<16x4x2x16xf32>) outs(%y0 : memref<1x4x4x64xf32, strided<[4096, 1024, 256, 1]>>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 16 : i64,
     pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 2>}
  %x1 = glow_inst.view %x : memref<1x6x6x8xf32> to memref<1x6x6x2xf32, strided<[288, 48, 8, 1], offset: 2>>
  %y1 = glow_inst.view %y : memref<1x4x4x256xf32> to memref<1x4x4x64xf32, strided<[4096, 1024, 256, 1], offset: 64>>
  glow_inst.conv ins(%x1, %w : memref<1x6x6x2xf32, strided<[288, 48, 8, 1], offset: 2>>, memref<16x4x2x16xf32>) outs(%y1 : memref<1x4x4x64xf32, strided<[4096, 1024, 256, 1], offset: 64>>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 16 : i64,
     pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 2>}
  %x2 = glow_inst.view %x : memref<1x6x6x8xf32> to memref<1x6x6x2xf32, strided<[288, 48, 8, 1], offset: 4>>
  %y2 = glow_inst.view %y : memref<1x4x4x256xf32> to memref<1x4x4x64xf32, strided<[4096, 1024, 256, 1], offset: 128>>
  glow_inst.conv ins(%x2, %w : memref<1x6x6x2xf32, strided<[288, 48, 8, 1], offset: 4>>, memref<16x4x2x16xf32>) outs(%y2 : memref<1x4x4x64xf32, strided<[4096, 1024, 256, 1], offset: 128>>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 16 : i64,
     pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 2>}
  %x3 = glow_inst.view %x : memref<1x6x6x8xf32> to memref<1x6x6x2xf32, strided<[288, 48, 8, 1], offset: 6>>
  %y3 = glow_inst.view %y : memref<1x4x4x256xf32> to memref<1x4x4x64xf32, strided<[4096, 1024, 256, 1], offset: 192>>
  glow_inst.conv ins(%x3, %w : memref<1x6x6x2xf32, strided<[288, 48, 8, 1], offset: 6>>, memref<16x4x2x16xf32>) outs(%y3 : memref<1x4x4x64xf32, strided<[4096, 1024, 256, 1], offset: 192>>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 16 : i64,
     pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 2>}
  return
}

// Two that read and write one buffer follow each other: each divides its own work.
// CHECK-LABEL: func.func @dense(
// CHECK-NOT: glow_inst.forall [1, 1]
// CHECK: glow_inst.forall [4]
func.func @dense(%w: memref<16x4x2x16xf32>, %y: memref<1x6x6x258xf32>) {
  %x0 = glow_inst.view %y : memref<1x6x6x258xf32> to memref<1x6x6x2xf32, strided<[9288, 1548, 258, 1]>>
  %y0 = glow_inst.view %y : memref<1x6x6x258xf32> to memref<1x4x4x64xf32, strided<[9288, 1548, 258, 1], offset: 1808>>
  glow_inst.conv ins(%x0, %w : memref<1x6x6x2xf32, strided<[9288, 1548, 258, 1]>>, memref<16x4x2x16xf32>) outs(%y0 : memref<1x4x4x64xf32, strided<[9288, 1548, 258, 1], offset: 1808>>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 16 : i64,
     pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 2>}
  %y1 = glow_inst.view %y : memref<1x6x6x258xf32> to memref<1x4x4x64xf32, strided<[9288, 1548, 258, 1], offset: 1872>>
  glow_inst.conv ins(%x0, %w : memref<1x6x6x2xf32, strided<[9288, 1548, 258, 1]>>, memref<16x4x2x16xf32>) outs(%y1 : memref<1x4x4x64xf32, strided<[9288, 1548, 258, 1], offset: 1872>>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 16 : i64,
     pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 2>}
  %y2 = glow_inst.view %y : memref<1x6x6x258xf32> to memref<1x4x4x64xf32, strided<[9288, 1548, 258, 1], offset: 1936>>
  glow_inst.conv ins(%x0, %w : memref<1x6x6x2xf32, strided<[9288, 1548, 258, 1]>>, memref<16x4x2x16xf32>) outs(%y2 : memref<1x4x4x64xf32, strided<[9288, 1548, 258, 1], offset: 1936>>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 16 : i64,
     pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 2>}
  %y3 = glow_inst.view %y : memref<1x6x6x258xf32> to memref<1x4x4x64xf32, strided<[9288, 1548, 258, 1], offset: 2000>>
  glow_inst.conv ins(%x0, %w : memref<1x6x6x2xf32, strided<[9288, 1548, 258, 1]>>, memref<16x4x2x16xf32>) outs(%y3 : memref<1x4x4x64xf32, strided<[9288, 1548, 258, 1], offset: 2000>>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 16 : i64,
     pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 2>}
  return
}

// Both parts of a window of seven places lie side by side in the matrices: the
// second one's places are four further on. Six results are two tiles of three,
// which read 13 places.
// CHECK-LABEL: func.func @parts(
// CHECK: %[[IN:.+]] = glow_inst.alloc : memref<1x13x1x2xf32>
// CHECK: %[[MATRICES:.+]] = glow_inst.alloc : memref<6x2x4xf32>
// CHECK: glow_inst.map ins({{.*}}) outs({{.*}}memref<1x2x1x2xf32, strided<[8, 4, 4, 1]>>
// CHECK: glow_inst.map ins({{.*}}memref<1x2x1x2xf32, strided<[26, 6, 2, 1], offset: 8>>{{.*}}) outs({{.*}}memref<1x2x1x2xf32, strided<[8, 4, 4, 1], offset: 2>>
// CHECK: glow_inst.matmul ins(%[[MATRICES]], %arg1 : memref<6x2x4xf32>, memref<6x4x5xf32>)
// CHECK: glow_inst.map
// CHECK-NOT: glow_inst.map
func.func @parts(%x: memref<1x6x1x2xf32>, %w: memref<6x4x5xf32>, %y: memref<1x6x1x5xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x6x1x2xf32>, memref<6x4x5xf32>) outs(%y : memref<1x6x1x5xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 7, 1>, layout = #glow.layout<channels_last>,
     pads = array<i64: 3, 0, 3, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 3, rows = 2, taps = 4>}
  return
}

// Of images of any width the tiles stay in rows and columns, of which both can
// be left out.
// CHECK-LABEL: func.func @open_width(
// CHECK: %[[MATRICES:.+]] = glow_inst.view %{{.+}} : memref<16x4x2xf32> to memref<16x2x2x2xf32>
// CHECK: %[[FILTER:.+]] = glow_inst.view %{{.+}} : memref<16x2x5xf32> to memref<16x1x2x5xf32, strided<[10, 0, 5, 1]>>
// CHECK: glow_inst.matmul ins(%[[MATRICES]], %[[FILTER]] : {{.*}} outs(%{{.+}} : memref<16x2x2x5xf32>)
// LIMIT-LABEL: func.func @open_width(
// LIMIT: glow_inst.matmul {{.*}} {glow_inst.extents = [[TILES]]}
func.func @open_width(
    %x: memref<1x6x6x2xf32> {glow.extents = affine_map<()[s0, s1] -> (1, s0 + 2, s1 + 2, 2)>}, %w: memref<16x2x5xf32>,
    %s: memref<2xi64> {glow.symbols = [{name = "h", lower = 1 : i64, upper = 4 : i64}, {name = "w", lower = 1 : i64, upper = 4 : i64}]},
    %y: memref<1x4x4x5xf32> {glow.extents = affine_map<()[s0, s1] -> (1, s0, s1, 5)>, glow_inst.output}) {
  glow_inst.conv ins(%x, %w : memref<1x6x6x2xf32>, memref<16x2x5xf32>) outs(%y : memref<1x4x4x5xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>,
     pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 2>}
  return
}

// The third tile has one column, which is computed apart. That it may have none
// takes nothing from the limit of all.
// LIMIT-LABEL: func.func @odd_width(
// LIMIT: glow_inst.matmul {{.*}} {glow_inst.extents = [[TILES]]}
func.func @odd_width(
    %x: memref<1x6x11x2xf32> {glow.extents = affine_map<()[s0, s1] -> (1, s0 + 2, s1 + 2, 2)>}, %w: memref<16x2x5xf32>,
    %s: memref<2xi64> {glow.symbols = [{name = "h", lower = 1 : i64, upper = 4 : i64}, {name = "w", lower = 1 : i64, upper = 9 : i64}]},
    %y: memref<1x4x9x5xf32> {glow.extents = affine_map<()[s0, s1] -> (1, s0, s1, 5)>, glow_inst.output}) {
  glow_inst.conv ins(%x, %w : memref<1x6x11x2xf32>, memref<16x2x5xf32>) outs(%y : memref<1x4x9x5xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>,
     pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 2>}
  return
}

// Matrices of 64 rows of 64 bytes would all begin in the same set of a cache.
// CHECK-LABEL: func.func @spread(
// CHECK: %[[ALL:.+]] = glow_inst.alloc : memref<16x65x16xf32>
// CHECK: %[[MATRICES:.+]] = glow_inst.view %[[ALL]] : memref<16x65x16xf32> to memref<16x64x16xf32, strided<[1040, 16, 1]>>
// CHECK: glow_inst.view %[[ALL]] : memref<16x65x16xf32> to memref<1x8x8x16xf32, strided<[1024, 128, 16, 1], offset: 1040>>
// CHECK: glow_inst.matmul ins(%[[MATRICES]],
func.func @spread(%x: memref<1x18x18x16xf32>, %w: memref<16x16x5xf32>, %y: memref<1x16x16x5xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x18x18x16xf32>, memref<16x16x5xf32>) outs(%y : memref<1x16x16x5xf32>)
    {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>,
     pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 8>}
  return
}
