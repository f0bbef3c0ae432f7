// RUN: glow-opt %s "--glow-test-emit-kernels=target=vector-bits=512,vector-registers=32,fma=1,l2=1M" --canonicalize --cse | FileCheck %s
// RUN: glow-opt %s "--glow-test-emit-kernels=target=vector-bits=512,vector-registers=32,fma=1,l2=1M,streamed-rows=4" --canonicalize --cse | FileCheck %s --check-prefix=STREAM
// RUN: glow-opt %s "--glow-test-emit-kernels=target=vector-bits=512,vector-registers=32,fma=1,features=avx512bf16+amx-tile+amx-bf16+amx-int8" --canonicalize --cse | FileCheck %s --check-prefix=AMX

// Tiles of 11 rows up to the limit, then one of 2, 4, 6, 8, 10 or 11 rows with the
// rest.
// CHECK-LABEL: func.func @rest(
//       CHECK: %[[LIMIT:.+]] = arith.minsi %{{.+}}, %c30
//       CHECK: %[[WHOLE:.+]] = arith.divui %[[LIMIT]], %c11
//       CHECK: %[[LAST:.+]] = arith.minsi %{{.+}}, %[[WHOLE]]
//       CHECK: scf.for %{{.+}} = %c0 to %[[LAST]]
//       CHECK: %{{.+}}:22 = scf.for
//       CHECK: %[[REST:.+]] = arith.remui %[[LIMIT]], %c11
//       CHECK: arith.cmpi sgt, %[[REST]], %c0
//       CHECK: arith.cmpi slt, %[[REST]], %c3
//       CHECK: %{{.+}}:4 = scf.for
//       CHECK: arith.cmpi sgt, %[[REST]], %c2
//       CHECK: arith.cmpi slt, %[[REST]], %c5
//       CHECK: %{{.+}}:8 = scf.for
//       CHECK: arith.cmpi sgt, %[[REST]], %c4
//       CHECK: arith.cmpi slt, %[[REST]], %c7
//       CHECK: %{{.+}}:12 = scf.for
//       CHECK: arith.cmpi sgt, %[[REST]], %c6
//       CHECK: arith.cmpi slt, %[[REST]], %c9
//       CHECK: %{{.+}}:16 = scf.for
//       CHECK: arith.cmpi sgt, %[[REST]], %c8
//       CHECK: arith.cmpi slt, %[[REST]], %c11
//       CHECK: %{{.+}}:20 = scf.for
//       CHECK: arith.cmpi sgt, %[[REST]], %c10
//       CHECK: %{{.+}}:22 = scf.for
//   CHECK-NOT: = scf.for
#rows = affine_map<()[s0] -> (s0, 32)>
func.func @rest(%x: memref<30x96xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 30 : i64}]},
                %w: memref<1x96x32xf32>, %y: memref<30x32xf32>) {
  glow_inst.matmul ins(%x, %w : memref<30x96xf32>, memref<1x96x32xf32>) outs(%y : memref<30x32xf32>) {glow_inst.extents = #rows, packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// As many of 16 tiles ask for what comes next as there are, or half of them and
// so on; one that is alone asks for its own panel, a page ahead. Few rows of a
// machine that fetches for those by itself ask for nothing, and have no share.
// CHECK-LABEL: func.func @shares(
//       CHECK: %[[LIMIT:.+]] = arith.minsi %{{.+}}, %c128
//       CHECK: %[[TILES:.+]] = arith.divui %{{.+}}, %c8
//       CHECK: %[[ONE:.+]] = arith.cmpi slt, %[[TILES]], %c2
//       CHECK: %[[TWO:.+]] = arith.select %[[ONE]], %c1, %c2
//       CHECK: arith.select %{{.+}}, %[[TWO]], %c4
//       CHECK: %[[SHARES:.+]] = arith.select %{{.+}}, %{{.+}}, %c16
//       CHECK: arith.divui %c32, %[[SHARES]]
//       CHECK: %[[ALONE:.+]] = arith.cmpi slt, %[[LIMIT]], %c9
//       CHECK: %[[AHEAD:.+]] = arith.addi %{{.+}}, %c1024
//       CHECK: arith.select %[[ALONE]], %[[AHEAD]]
//       CHECK: memref.prefetch
// STREAM-LABEL: func.func @shares(
//       STREAM: %[[LIMIT:.+]] = arith.minsi %{{.+}}, %c128
//       STREAM: arith.maxsi %[[LIMIT]], %c4
//       STREAM: memref.prefetch
//       STREAM: %[[REST:.+]] = arith.remui
//       STREAM: arith.cmpi slt, %[[REST]], %c3
//   STREAM-NOT: memref.prefetch
//       STREAM: arith.cmpi slt, %[[REST]], %c5
//   STREAM-NOT: memref.prefetch
//       STREAM: arith.cmpi slt, %[[REST]], %c7
//       STREAM: memref.prefetch
#all = affine_map<()[s0] -> (s0, 768)>
func.func @shares(%x: memref<128x768xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 128 : i64}]},
                  %w: memref<24x768x32xf32>, %y: memref<128x768xf32>) {
  glow_inst.matmul ins(%x, %w : memref<128x768xf32>, memref<24x768x32xf32>) outs(%y : memref<128x768xf32>) {glow_inst.extents = #all, packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Rows of several texts that are there are counted through, so that tiles have
// rows of more than one. What is behind the last row reads and writes the first
// row of a text that is not needed, or the first one of the next text.
// CHECK-LABEL: func.func @joined(
//   CHECK-DAG: %[[TEXTS:.+]] = arith.minsi %{{.+}}, %c3
//   CHECK-DAG: %[[OWN:.+]] = arith.minsi %{{.+}}, %c30
//       CHECK: %[[ALL:.+]] = arith.muli %[[TEXTS]], %[[OWN]]
//       CHECK: %[[FIRST:.+]] = arith.muli %{{.+}}, %c13
//       CHECK: %[[LEAST:.+]] = arith.maxsi %[[OWN]], %c1
//       CHECK: %[[TEXT:.+]] = arith.divui %[[FIRST]], %[[LEAST]]
//       CHECK: %[[ROW:.+]] = arith.remui %[[FIRST]], %[[LEAST]]
//       CHECK: %[[THERE:.+]] = arith.cmpi slt, %[[FIRST]], %[[ALL]]
//       CHECK: %[[WHOLE:.+]] = arith.cmpi sgt, %[[OWN]], %c29
//       CHECK: %[[STAYS:.+]] = arith.ori %[[THERE]], %[[WHOLE]]
//       CHECK: arith.select %[[STAYS]], %[[TEXT]], %c0
//       CHECK: arith.select %[[STAYS]], %[[ROW]], %[[OWN]]
//       CHECK: %[[NEXT:.+]] = arith.addi %[[ROW]], %c1
//       CHECK: %[[INSIDE:.+]] = arith.cmpi slt, %[[NEXT]], %[[LEAST]]
//       CHECK: %[[AFTER:.+]] = arith.addi %[[TEXT]], %c1
//       CHECK: arith.select %[[INSIDE]], %[[TEXT]], %[[AFTER]]
//       CHECK: arith.select %[[INSIDE]], %[[NEXT]], %c0
//       CHECK: %{{.+}}:26 = scf.for
#texts = affine_map<()[s0, s1] -> (s0, s1, 32)>
func.func @joined(%x: memref<3x30x96xf32>, %n: memref<2xi64> {glow.symbols = [{name = "b", lower = 1 : i64, upper = 3 : i64}, {name = "n", lower = 1 : i64, upper = 30 : i64}]},
                  %w: memref<1x96x32xf32>, %y: memref<3x30x32xf32>) {
  glow_inst.matmul ins(%x, %w : memref<3x30x96xf32>, memref<1x96x32xf32>) outs(%y : memref<3x30x32xf32>) {glow_inst.extents = #texts, packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Up to 13 rows behind the whole tiles of 26 take one register. Tile registers
// begin before a tile that is lower than they are: the last one there can be.
// AMX-LABEL: func.func @registers(
// AMX: %[[ROWS:.+]] = arith.minsi %{{.+}}, %c200
// AMX: arith.maxsi %[[ROWS]], %c13
// AMX: arith.divui %{{.+}}, %c26
// AMX-COUNT-4: amx.tile_mulf
// AMX: arith.subi %[[ROWS]],
// AMX: arith.minsi %{{.+}}, %c26
// AMX-COUNT-2: amx.tile_mulf
// AMX-NOT: amx.tile_mulf
// AMX: arith.minsi %{{.+}}, %c13
// AMX: %[[LAST:.+]] = arith.cmpi sgt, %{{.+}}, %c7
// AMX: scf.if %[[LAST]] {
// AMX-COUNT-4: amx.tile_mulf
// AMX-NOT: amx.tile_mulf
#some = affine_map<()[s0] -> (s0, 32)>
func.func @registers(%x: memref<200x96xbf16>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 200 : i64}]},
                     %w: memref<1x48x64xbf16>, %y: memref<200x32xf32>) {
  glow_inst.matmul ins(%x, %w : memref<200x96xbf16>, memref<1x48x64xbf16>) outs(%y : memref<200x32xf32>) {glow_inst.extents = #some, packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Vectors multiply one row, instead of a register of it.
// AMX-LABEL: func.func @few_rows(
//       AMX: %[[NO_MORE:.+]] = arith.cmpi slt, %{{.+}}, %c2
//       AMX: %[[IS_ONE:.+]] = arith.andi %{{.+}}, %[[NO_MORE]]
//       AMX: scf.if %[[IS_ONE]] {
//   AMX-NOT: amx.
//       AMX: } else {
//       AMX: amx.tile_mulf
#few = affine_map<()[s0] -> (s0, 64)>
func.func @few_rows(%x: memref<16x96xbf16>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 16 : i64}]},
                    %w: memref<2x48x64xbf16>, %y: memref<16x64xf32>) {
  glow_inst.matmul ins(%x, %w : memref<16x96xbf16>, memref<2x48x64xbf16>) outs(%y : memref<16x64xf32>) {glow_inst.extents = #few, packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Of several texts, one fills a register: only a single row of each goes to vectors.
// AMX-LABEL: func.func @few_rows_of_texts(
//       AMX: %[[ROWS:.+]] = arith.minsi %{{.+}}, %c16
//       AMX: %[[ANY:.+]] = arith.cmpi sgt, %[[ROWS]], %c0
//       AMX: %[[NO_MORE:.+]] = arith.cmpi slt, %[[ROWS]], %c2
//       AMX: %[[IS_ONE:.+]] = arith.andi %[[ANY]], %[[NO_MORE]]
//       AMX: scf.if %[[IS_ONE]] {
//   AMX-NOT: amx.
//       AMX: } else {
//       AMX: amx.tile_mulf
#few_of_texts = affine_map<()[s0, s1] -> (s0, s1, 64)>
func.func @few_rows_of_texts(%x: memref<8x16x96xbf16>, %n: memref<2xi64> {glow.symbols = [{name = "b", lower = 1 : i64, upper = 8 : i64}, {name = "n", lower = 1 : i64, upper = 16 : i64}]},
                             %w: memref<2x48x64xbf16>, %y: memref<8x16x64xf32>) {
  glow_inst.matmul ins(%x, %w : memref<8x16x96xbf16>, memref<2x48x64xbf16>) outs(%y : memref<8x16x64xf32>) {glow_inst.extents = #few_of_texts, packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// The lines of each open image are joined, with the places between them.
// AMX-LABEL: func.func @lines_of_images(
// AMX: %[[IMAGES:.+]] = arith.index_cast
// AMX: amx.tile_mulf
// AMX: arith.remui %{{.+}}, %c14
// AMX: return
func.func @lines_of_images(%x: memref<8x14x14x64xbf16>, %w: memref<1x32x64xbf16>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
                           %y: memref<8x7x7x32xf32>) {
  glow_inst.conv ins(%x, %w : memref<8x14x14x64xbf16>, memref<1x32x64xbf16>) outs(%y : memref<8x7x7x32xf32>) {dilations = array<i64: 1, 1>, glow_inst.extents = affine_map<()[s0] -> (s0, 7, 7, 32)>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// The depth ends at a limit; columns end with the tile that has the last one.
// CHECK-LABEL: func.func @depth(
//       CHECK: %[[COLUMNS:.+]] = arith.minsi %{{.+}}, %c64
//       CHECK: %[[DEPTH:.+]] = arith.minsi %{{.+}}, %c96
//       CHECK: scf.for %{{.+}} = %c0 to %[[DEPTH]] step %c1 iter_args
// AMX-LABEL: func.func @depth(
func.func @depth(%x: memref<16x96xf32>, %n: memref<2xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 64 : i64}, {name = "m", lower = 1 : i64, upper = 96 : i64}]},
                 %w: memref<96x64xf32>, %y: memref<16x64xf32>) {
  glow_inst.matmul ins(%x, %w : memref<16x96xf32>, memref<96x64xf32>) outs(%y : memref<16x64xf32>) {glow_inst.extents = affine_map<()[s0, s1] -> (16, s0, (s1 ceildiv 32) * 32)>} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Steps of tile registers, and what is left of the depth if it is there: rows do
// not wait for the next tile's steps, of which there may be none. No more of the
// right-hand side is copied into panels.
// AMX-LABEL: func.func @register_depth(
//       AMX: %[[DEPTH:.+]] = arith.minsi %{{.+}}, %c80
//       AMX: %[[PAIRS:.+]] = arith.divui %[[DEPTH]], %c2
//       AMX: scf.for %{{.+}} = %c0 to %[[PAIRS]]
//       AMX: vector.interleave
//       AMX: %[[WHOLE:.+]] = arith.muli %{{.+}}, %c32
//       AMX: scf.for %{{.+}} = %c0 to %[[WHOLE]] step %c32
//       AMX: amx.tile_mulf
//       AMX: scf.for %{{.+}} = %[[WHOLE]] to %[[DEPTH]] step %c32
//       AMX: amx.tile_mulf
func.func @register_depth(%x: memref<16x80xbf16>, %n: memref<1xi64> {glow.symbols = [{name = "m", lower = 1 : i64, upper = 80 : i64}]},
                          %w: memref<80x32xbf16>, %y: memref<16x32xf32>) {
  glow_inst.matmul ins(%x, %w : memref<16x80xbf16>, memref<80x32xbf16>) outs(%y : memref<16x32xf32>) {glow_inst.extents = affine_map<()[s0] -> (16, 32, (s0 ceildiv 32) * 32)>} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// One row of a small batch has the tiles that it has in a model of one, as wide as
// sums are waited for. Each other number has a tile of its own.
// CHECK-LABEL: func.func @batch(
//       CHECK: %[[LIMIT:.+]] = arith.minsi %{{.+}}, %c8
//       CHECK: %[[ANY:.+]] = arith.cmpi sgt, %[[LIMIT]], %c0
//       CHECK: %[[NO_MORE:.+]] = arith.cmpi slt, %[[LIMIT]], %c2
//       CHECK: %[[IS_ONE:.+]] = arith.andi %[[ANY]], %[[NO_MORE]]
//       CHECK: scf.if %[[IS_ONE]] {
//       CHECK: %{{.+}}:8 = scf.for
//       CHECK: } else {
//       CHECK: %{{.+}}:24 = scf.for
//       CHECK: %[[REST:.+]] = arith.remui %[[LIMIT]], %c8
//       CHECK: arith.cmpi slt, %[[REST]], %c2
//       CHECK: arith.cmpi slt, %[[REST]], %c3
//       CHECK: arith.cmpi slt, %[[REST]], %c4
#batch = affine_map<()[s0] -> (s0, 1024)>
func.func @batch(%x: memref<8x256xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
                 %w: memref<32x256x32xf32>, %y: memref<8x1024xf32>) {
  glow_inst.matmul ins(%x, %w : memref<8x256xf32>, memref<32x256x32xf32>) outs(%y : memref<8x1024xf32>) {glow_inst.extents = #batch, packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Where columns are open, tiles are not so wide that a few columns take as long
// as many: 12 rows of 2 vectors rather than 4 rows of 6.
// CHECK-LABEL: func.func @open_columns(
//       CHECK: arith.divui %{{.+}}, %c12
//       CHECK: %{{.+}}:24 = scf.for
//       CHECK: arith.remui %{{.+}}, %c12
#scores = affine_map<()[s0] -> (s0, s0)>
func.func @open_columns(%x: memref<128x64xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 128 : i64}]},
                        %w: memref<64x256xf32>, %y: memref<128x256xf32>) {
  glow_inst.matmul ins(%x, %w : memref<128x64xf32>, memref<64x256xf32>) outs(%y : memref<128x256xf32>) {glow_inst.extents = #scores} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Of a bounded number of tiles of rows, as many as there are share the next
// panel, up to four; a single tile asks for all 16 rows that a step reads.
// AMX-LABEL: func.func @fetched_rows(
//       AMX: %[[TILES:.+]] = arith.divui %{{.*}}, %c32
//       AMX: %[[ASKING:.+]] = arith.minsi %[[TILES]], %c4
//       AMX: %[[SHARES:.+]] = arith.maxsi %[[ASKING]], %c1
//       AMX: %[[COUNT:.+]] = arith.divui %{{.*}}, %[[SHARES]]
//       AMX: %[[HAS_SHARE:.+]] = arith.cmpi slt, %{{.*}}, %[[SHARES]]
//       AMX: %[[OWN:.+]] = arith.select %[[HAS_SHARE]], %[[COUNT]], %c0
//       AMX: scf.for %{{.*}} = %c0 to %[[OWN]] step
//       AMX: memref.prefetch
#up_to_192 = affine_map<()[s0] -> (s0, 1024)>
func.func @fetched_rows(%a: memref<192x480xbf16>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 192 : i64}]},
                        %b: memref<32x240x64xbf16>, %c: memref<192x1024xf32>) {
  glow_inst.matmul ins(%a, %b : memref<192x480xbf16>, memref<32x240x64xbf16>) outs(%c : memref<192x1024xf32>) {glow_inst.extents = #up_to_192, packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Six tiles of 32 rows and a register of 16, as in a program of 197 rows.
// AMX-LABEL: func.func @tokens(
//       AMX: amx.tile_load {{.*}} into !amx.tile<16x32xbf16>
#images = affine_map<()[s0] -> (s0, 197, 32)>
func.func @tokens(%x: memref<8x197x96xbf16>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
                  %w: memref<1x48x64xbf16>, %y: memref<8x197x32xf32>) {
  glow_inst.matmul ins(%x, %w : memref<8x197x96xbf16>, memref<1x48x64xbf16>) outs(%y : memref<8x197x32xf32>) {glow_inst.extents = #images, packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}
