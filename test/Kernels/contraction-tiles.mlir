// RUN: glow-opt %s "--glow-test-emit-kernels=target=vector-bits=512,vector-registers=32,fma=1,features=avx512bf16+amx-tile+amx-bf16+amx-int8" --canonicalize --cse | FileCheck %s

// Two by two registers of sums, in a loop over 32 elements of the depth.
// CHECK-LABEL: func @whole(
//   CHECK-DAG: %[[SUMS:.+]] = memref.alloca() {{.*}} : memref<1024xf32>
// CHECK-COUNT-4: amx.tile_zero : !amx.tile<16x16xf32>
//       CHECK: scf.for {{.*}} -> (!amx.tile<16x16xf32>, !amx.tile<16x16xf32>, !amx.tile<16x16xf32>, !amx.tile<16x16xf32>)
// CHECK-COUNT-4: amx.tile_load {{.*}} into !amx.tile<16x32xbf16>
// CHECK-COUNT-4: amx.tile_mulf
//   CHECK-NOT: amx.tile_mulf
//       CHECK: scf.yield
// CHECK-COUNT-4: amx.tile_store %[[SUMS]]
//       CHECK: scf.for
//       CHECK: vector.load %[[SUMS]]{{.*}} vector<32xf32>
//   CHECK-NOT: vector.load
//       CHECK: }
func.func @whole(%a: memref<64x96xbf16>, %b: memref<1x48x64xbf16>, %c: memref<64x32xf32>) {
  glow_inst.matmul ins(%a, %b : memref<64x96xbf16>, memref<1x48x64xbf16>) outs(%c : memref<64x32xf32>) {packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Two registers of 15 rows; one row is in both, with one place among the sums.
// The end of the depth is filled up with zeros.
// CHECK-LABEL: func @rests(
//   CHECK-DAG: %[[ROWS:.+]] = arith.constant 29 : i64
//       CHECK: amx.tile_mulf
//       CHECK: %[[MASK:.+]] = vector.constant_mask [2] : vector<32xi1>
//       CHECK: vector.maskedload {{.*}} %[[MASK]]
//       CHECK: vector.store
//       CHECK: amx.tile_load {{.*}} into !amx.tile<15x32xbf16>
//       CHECK: amx.tile_mulf
//       CHECK: amx.tile_store %{{.*}}[%c0],
//       CHECK: amx.tile_store %{{.*}}[%c16],
//       CHECK: amx.tile_store %{{.*}}[%c448],
//       CHECK: amx.tile_store %{{.*}}[%c464],
//       CHECK: memref.store %[[ROWS]], %[[WAITING:.+]][%c1]
//       CHECK: memref.load %[[WAITING]][%c1]
//       CHECK: scf.for
//       CHECK: vector.maskedstore
func.func @rests(%a: memref<29x34xbf16>, %b: memref<1x17x64xbf16>, %c: memref<29x24xf32>) {
  glow_inst.matmul ins(%a, %b : memref<29x34xbf16>, memref<1x17x64xbf16>) outs(%c : memref<29x24xf32>) {packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Two even steps along the depth leave no rest.
// CHECK-LABEL: func @even_steps(
//   CHECK-NOT: vector.maskedload
//       CHECK: scf.for {{.*}} step %c24
// CHECK-COUNT-2: amx.tile_load {{.*}} into !amx.tile<16x24xbf16>
// CHECK-COUNT-2: amx.tile_load {{.*}} into !amx.tile<12x32xbf16>
// CHECK-COUNT-4: amx.tile_mulf
//   CHECK-NOT: amx.tile_mulf
//       CHECK: return
func.func @even_steps(%a: memref<64x48xbf16>, %b: memref<1x24x64xbf16>, %c: memref<64x32xf32>) {
  glow_inst.matmul ins(%a, %b : memref<64x48xbf16>, memref<1x24x64xbf16>) outs(%c : memref<64x32xf32>) {packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Three steps along the depth: with each of their products, three rows of the
// tile before go through their epilogue. Those of the last tile do so at the end.
// CHECK-LABEL: func @epilogue(
//       CHECK: memref.store %c0_i64, %[[WAITING:.+]][%c0] : memref<5xi64>
//       CHECK: scf.for {{.*}} -> (!amx.tile<16x16xf32>
// CHECK-COUNT-4: amx.tile_load
//       CHECK: %[[MORE:.+]] = arith.addi %[[NEXT:.+]], %c3
//       CHECK: %[[LAST:.+]] = arith.minsi %[[MORE]],
//       CHECK: scf.for %{{.*}} = %[[NEXT]] to %[[LAST]]
//       CHECK: math.absf {{.*}} : vector<32xf32>
//       CHECK: amx.tile_mulf
//       CHECK: math.absf {{.*}} : vector<32xf32>
//       CHECK: amx.tile_mulf
//       CHECK: math.absf {{.*}} : vector<32xf32>
//       CHECK: amx.tile_mulf
//       CHECK: math.absf {{.*}} : vector<32xf32>
//       CHECK: amx.tile_mulf
//       CHECK: scf.yield
// CHECK-COUNT-4: amx.tile_store
//       CHECK: memref.store {{.*}}, %[[WAITING]][%c0]
//       CHECK: }
//       CHECK: math.absf {{.*}} : vector<32xf32>
//       CHECK: return
func.func @epilogue(%a: memref<128x96xbf16>, %b: memref<1x48x64xbf16>, %c: memref<128x32xf32>) {
  glow_inst.matmul ins(%a, %b : memref<128x96xbf16>, memref<1x48x64xbf16>) outs(%c : memref<128x32xf32>) {packed = 32 : i64} do {
  ^bb0(%sum: f32):
    %positive = math.absf %sum : f32
    glow.yield %positive : f32
  }
  return
}

// Six products of the three pieces of each factor. Neighbouring products share
// a factor, which is loaded once.
// CHECK-LABEL: func @pieces(
//       CHECK: scf.for {{.*}} -> (!amx.tile<16x16xf32>
// CHECK-COUNT-14: amx.tile_load
//   CHECK-NOT: amx.tile_load
//       CHECK: scf.yield
func.func @pieces(%a: memref<32x192xbf16>, %b: memref<1x96x64xbf16>, %c: memref<32x32xf32>) {
  glow_inst.matmul ins(%a, %b : memref<32x192xbf16>, memref<1x96x64xbf16>) outs(%c : memref<32x32xf32>) {packed = 32 : i64, pieces = 3 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Four tiles of rows have a share of the next panel: a quarter of the 32 rows
// that a step reads of this one, of both pieces; two rows of each of four pages
// after the other. The others ask for nothing.
// CHECK-LABEL: func @fetched_pieces(
//       CHECK: %[[HAS_SHARE:.+]] = arith.cmpi slt, %{{.*}}, %c4
//       CHECK: %[[COUNT:.+]] = arith.select %[[HAS_SHARE]], %c8, %c0
//       CHECK: scf.for %{{.*}} = %c0 to %[[COUNT]] step %c2
//       CHECK: arith.remui %{{.*}}, %c128
//       CHECK: %[[REQUEST:.+]] = arith.divui %{{.*}}, %c2
//       CHECK: %[[PAGE:.+]] = arith.remui %[[REQUEST]], %c4
//       CHECK: arith.muli %[[PAGE]], %c32
// CHECK-COUNT-4: memref.prefetch
//   CHECK-NOT: memref.prefetch
// CHECK-COUNT-12: amx.tile_mulf
//       CHECK: scf.yield
func.func @fetched_pieces(%a: memref<192x512xbf16>, %b: memref<32x256x64xbf16>, %c: memref<192x1024xf32>) {
  glow_inst.matmul ins(%a, %b : memref<192x512xbf16>, memref<32x256x64xbf16>) outs(%c : memref<192x1024xf32>) {packed = 32 : i64, pieces = 2 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Long sums of three pieces are added up in parts of 1024 elements.
// CHECK-LABEL: func @parts(
//       CHECK: %[[STEP:.+]] = arith.constant 1024 : index
//       CHECK: scf.for {{.*}} step %[[STEP]] {
//       CHECK: amx.tile_zero
//       CHECK: scf.for
//       CHECK: amx.tile_store
//       CHECK: arith.addf {{.*}} : vector<16xf32>
func.func @parts(%a: memref<32x6144xbf16>, %b: memref<1x3072x64xbf16>, %c: memref<32x32xf32>) {
  glow_inst.matmul ins(%a, %b : memref<32x6144xbf16>, memref<1x3072x64xbf16>) outs(%c : memref<32x32xf32>) {packed = 32 : i64, pieces = 3 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Lines of 14 pixels, with the two of the border between them, are rows one
// behind the other, of which only pixels are stored; taps are steps of the depth.
// CHECK-LABEL: func @conv(
//       CHECK: amx.tile_load {{.*}} into !amx.tile<16x32xbf16>
//       CHECK: amx.tile_store
//       CHECK: %[[PLACE:.+]] = arith.remui %{{.*}}, %c16
//       CHECK: %[[IS_PIXEL:.+]] = arith.cmpi slt, %[[PLACE]], %c14
//       CHECK: scf.if %[[IS_PIXEL]]
func.func @conv(%x: memref<1x16x16x32xbf16>, %w: memref<1x144x64xbf16>, %y: memref<1x14x14x32xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x16x16x32xbf16>, memref<1x144x64xbf16>) outs(%y : memref<1x14x14x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Seven taps of four channels are a depth of 28: one register for each line of
// the window.
// CHECK-LABEL: func @taps(
//       CHECK: scf.for %{{.+}} = %c0 to %c7 step %c1
//   CHECK-NOT: vector.maskedload
// CHECK-COUNT-2: amx.tile_load {{.*}} into !amx.tile<14x28xbf16>
// CHECK-COUNT-4: amx.tile_mulf
//   CHECK-NOT: amx.tile_mulf
//       CHECK: scf.yield
func.func @taps(%x: memref<1x61x61x4xbf16>, %w: memref<1x98x64xbf16>, %y: memref<1x28x28x32xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x61x61x4xbf16>, memref<1x98x64xbf16>) outs(%y : memref<1x28x28x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 7, 7>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Lines of 28 pixels fill two registers of 14 rows better than joined ones.
// CHECK-LABEL: func @lines(
//       CHECK: amx.tile_load {{.*}} into !amx.tile<14x32xbf16>
//   CHECK-NOT: arith.remui
//       CHECK: return
func.func @lines(%x: memref<1x30x30x64xbf16>, %w: memref<1x288x64xbf16>, %y: memref<1x28x28x32xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x30x30x64xbf16>, memref<1x288x64xbf16>) outs(%y : memref<1x28x28x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// The next panel's lines are asked for by tiles in turn.
// CHECK-LABEL: func @fetch(
//       CHECK: memref.alloca() {{.*}} : memref<1024xf32>
//       CHECK: scf.for {{.*}} -> (!amx.tile<16x16xf32>
//       CHECK: memref.prefetch %{{.*}}, read, locality<1>, data
// CHECK-COUNT-4: amx.tile_mulf
//       CHECK: scf.yield
func.func @fetch(%a: memref<192x480xbf16>, %b: memref<32x240x64xbf16>, %c: memref<192x1024xf32>) {
  glow_inst.matmul ins(%a, %b : memref<192x480xbf16>, memref<32x240x64xbf16>) outs(%c : memref<192x1024xf32>) {packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// One tile of rows asks for what is a page ahead in both of its panels. Behind
// their ends the next tile's follow, after the other one of this tile.
// CHECK-LABEL: func @fetch_ahead(
//       CHECK: scf.for {{.*}} -> (!amx.tile<12x16xf32>
//       CHECK: %[[AHEAD:.+]] = arith.addi %[[AT:.+]], %c2048
//       CHECK: %[[INSIDE:.+]] = arith.cmpi slt, %[[AHEAD]], %c8192
//       CHECK: %[[OTHER:.+]] = arith.select %[[INSIDE]], %c0, %c8192
//       CHECK: arith.addi %[[AT]], %[[OTHER]]
// CHECK-COUNT-2: memref.prefetch
func.func @fetch_ahead(%a: memref<24x512xbf16>, %b: memref<8x256x32xbf16>, %c: memref<24x128xf32>) {
  glow_inst.matmul ins(%a, %b : memref<24x512xbf16>, memref<8x256x32xbf16>) outs(%c : memref<24x128xf32>) {packed = 16 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// An input of 64 bits in the epilogue leaves the products as they are.
// CHECK-LABEL: func @mask(
// CHECK-COUNT-4: amx.tile_mulf
//       CHECK: vector.load {{.*}} vector<32xi64>
//       CHECK: arith.sitofp {{.*}} : vector<32xi64> to vector<32xf32>
func.func @mask(%a: memref<64x96xbf16>, %b: memref<1x48x64xbf16>, %m: memref<32xi64>, %c: memref<64x32xf32>) {
  glow_inst.matmul ins(%a, %b : memref<64x96xbf16>, memref<1x48x64xbf16>) epilogue(%m : memref<32xi64>) outs(%c : memref<64x32xf32>) {packed = 32 : i64} do {
  ^bb0(%sum: f32, %x: i64):
    %0 = arith.sitofp %x : i64 to f32
    %1 = arith.addf %sum, %0 : f32
    glow.yield %1 : f32
  }
  return
}

// Bytes in groups of four, each factor with its sign.
// CHECK-LABEL: func @bytes(
//       CHECK: amx.tile_muli {{.*}} zext, {{.*}} : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, !amx.tile<16x16xi32>
func.func @bytes(%a: memref<16x64xui8>, %b: memref<1x16x128xi8>, %c: memref<16x32xi32>) {
  glow_inst.matmul ins(%a, %b : memref<16x64xui8>, memref<1x16x128xi8>) outs(%c : memref<16x32xi32>) {accumulator = i32, packed = 32 : i64}
  return
}

// One row is not worth loading a register for; two are.
// CHECK-LABEL: func @one_row(
//   CHECK-NOT: amx
//       CHECK: x86vector.avx512.dot
func.func @one_row(%a: memref<1x64xbf16>, %b: memref<1x32x64xbf16>, %c: memref<1x32xf32>) {
  glow_inst.matmul ins(%a, %b : memref<1x64xbf16>, memref<1x32x64xbf16>) outs(%c : memref<1x32xf32>) {packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// CHECK-LABEL: func @two_rows(
//       CHECK: amx.tile_mulf {{.*}} : !amx.tile<2x32xbf16>
func.func @two_rows(%a: memref<2x64xbf16>, %b: memref<1x32x64xbf16>, %c: memref<2x32xf32>) {
  glow_inst.matmul ins(%a, %b : memref<2x64xbf16>, memref<1x32x64xbf16>) outs(%c : memref<2x32xf32>) {packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}
