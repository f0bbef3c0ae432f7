// RUN: glow-opt %s --glow-inst-compact-arguments | FileCheck %s

// Rows of at most 8 places of 4 elements, 32 apart with room for all: in memory
// they are as far apart as there are places.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %{{.+}}: memref<2x8x4xf32> {glow.extents = {{.+}}, glow_inst.compact}
// CHECK-SAME: %{{.+}}: memref<2x8x4xf32> {glow.extents = {{.+}}, glow_inst.compact, glow_inst.output}
// CHECK: glow_inst.map {{.+}} attributes {glow_inst.extents = #{{.+}}, glow_inst.pitches = array<i64: 0, 32, 4, 0, 0, 1, 32, 4, 0, 0>, glow_inst.unit = [[N:#.+]]}
func.func @rows(
    %x: memref<2x8x4xf32> {glow.extents = affine_map<()[s0] -> (2, s0, 4)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 0 : i64, upper = 8 : i64}]},
    %y: memref<2x8x4xf32> {glow_inst.output, glow.extents = affine_map<()[s0] -> (2, s0, 4)>}) {
  glow_inst.map ins(%x : memref<2x8x4xf32>) outs(%y : memref<2x8x4xf32>) attributes {glow_inst.extents = affine_map<()[s0] -> (2, s0, 4)>} {
  ^bb0(%a: f32):
    %b = arith.negf %a : f32
    glow.yield %b : f32
  }
  return
}

// A map that computes one place more than there is reads the last one again, and
// the result has one place more: 4 n + 4 elements.
// CHECK-LABEL: func.func @cache(
// CHECK-SAME: memref<2x8x4xf32> {{{.+}}, glow_inst.compact}
// CHECK-SAME: memref<2x9x4xf32> {{{.+}}, glow_inst.compact, glow_inst.output}
// CHECK: glow_inst.map {{.+}}, glow_inst.pitches = array<i64: 0, 32, 4, 0, 4, 2, 36, 4, 4, 0>, glow_inst.unit
// The last place of the largest cache is within it only if there are so many.
// CHECK: glow_inst.copy {{.+}}, glow_inst.pitches = array<i64: 1, 36, 4, 4, 0>, glow_inst.unit
func.func @cache(
    %x: memref<2x8x4xf32> {glow.extents = affine_map<()[s0] -> (2, s0, 4)>}, %new: memref<2x1x4xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 0 : i64, upper = 8 : i64}]},
    %y: memref<2x9x4xf32> {glow_inst.output, glow.extents = affine_map<()[s0] -> (2, s0 + 1, 4)>}) {
  %head = glow_inst.view %y : memref<2x9x4xf32> to memref<2x8x4xf32, strided<[36, 4, 1]>>
  glow_inst.map ins(%x, %new : memref<2x8x4xf32>, memref<2x1x4xf32>) outs(%head : memref<2x8x4xf32, strided<[36, 4, 1]>>) attributes {glow_inst.extents = affine_map<()[s0] -> (2, s0 + 1, 4)>} {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    glow.yield %c : f32
  }
  %tail = glow_inst.view %y : memref<2x9x4xf32> to memref<2x1x4xf32, strided<[36, 4, 1], offset: 32>>
  glow_inst.copy %new -> %tail {glow_inst.extents = affine_map<()[s0] -> (2, 1, (s0 + 1) * 4 - 32)>} : memref<2x1x4xf32> -> memref<2x1x4xf32, strided<[36, 4, 1], offset: 32>>
  return
}

// So does a copy.
// CHECK-LABEL: func.func @longer(
// CHECK: glow_inst.copy {{.+}}, glow_inst.pitches = array<i64: 0, 32, 4, 0, 4>, glow_inst.unit
func.func @longer(
    %x: memref<2x8x4xf32> {glow.extents = affine_map<()[s0] -> (2, s0, 4)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 0 : i64, upper = 8 : i64}]},
    %y: memref<2x8x4xf32> {glow_inst.output}) {
  glow_inst.copy %x -> %y {glow_inst.extents = affine_map<()[s0] -> (2, s0 + 1, 4)>} : memref<2x8x4xf32> -> memref<2x8x4xf32>
  return
}

// Keys as rows of a product with a column, and values along its depth. Scores in
// steps of eight read the last key again.
// CHECK-LABEL: func.func @attention(
// CHECK-SAME: memref<2x40x16xf32> {glow.extents = affine_map<()[s0] -> (2, s0, 16)>, glow_inst.compact}
// CHECK-SAME: memref<2x40x16xf32> {glow.extents = affine_map<()[s0] -> (2, s0, 16)>, glow_inst.compact}
// CHECK: glow_inst.matmul {{.+}}, glow_inst.pitches = array<i64: 0, 640, 16, 0, 16>, glow_inst.unit
// CHECK: glow_inst.matmul {{.+}}, glow_inst.pitches = array<i64: 1, 640, 16, 0, 0>, glow_inst.unit
func.func @attention(
    %k: memref<2x40x16xf32> {glow.extents = affine_map<()[s0] -> (2, s0, 16)>},
    %v: memref<2x40x16xf32> {glow.extents = affine_map<()[s0] -> (2, s0, 16)>}, %q: memref<2x16x1xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 40 : i64}]},
    %y: memref<2x1x16xf32> {glow_inst.output}) {
  %p = glow_inst.alloc : memref<2x40x1xf32>
  glow_inst.matmul ins(%k, %q : memref<2x40x16xf32>, memref<2x16x1xf32>) outs(%p : memref<2x40x1xf32>) {glow_inst.extents = affine_map<()[s0] -> (2, (s0 ceildiv 8) * 8, 1)>}
  %row = glow_inst.view %p : memref<2x40x1xf32> to memref<2x1x40xf32>
  glow_inst.matmul ins(%row, %v : memref<2x1x40xf32>, memref<2x40x16xf32>) outs(%y : memref<2x1x16xf32>) {glow_inst.extents = affine_map<()[s0] -> (2, 1, 16, s0)>}
  return
}

// Each point of a loop has a row; the batch ends early too.
// CHECK-LABEL: func.func @loop(
// CHECK-SAME: memref<4x8x4xf32> {{{.+}}, glow_inst.compact}
// CHECK: glow_inst.forall {{.+}} attributes {glow_inst.extents = #{{.+}}, glow_inst.pitches = array<i64: 0, 32, 4, 0, 0, 2, 32, 4, 0, 0>, glow_inst.unit
// CHECK: glow_inst.map {{.+}}, glow_inst.pitches = array<i64: 0, 32, 4, 0, 0, 1, 32, 4, 0, 0>, glow_inst.unit
func.func @loop(
    %x: memref<4x8x4xf32> {glow.extents = affine_map<()[s0, s1] -> (s0, s1, 4)>},
    %s: memref<2xi64> {glow.symbols = [{name = "b", lower = 1 : i64, upper = 4 : i64}, {name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %y: memref<4x8x4xf32> {glow_inst.output, glow.extents = affine_map<()[s0, s1] -> (s0, s1, 4)>}) {
  glow_inst.forall [4] ins(%x, %s : memref<4x8x4xf32>, memref<2xi64>) outs(%y : memref<4x8x4xf32>) steps = [array<i64: 32>, array<i64: 0>, array<i64: 32>] attributes {glow_inst.extents = affine_map<()[s0, s1] -> (s0)>} {
  ^bb0(%a: memref<8x4xf32>, %n: memref<2xi64>, %b: memref<8x4xf32>):
    glow_inst.map ins(%a : memref<8x4xf32>) outs(%b : memref<8x4xf32>) attributes {glow_inst.extents = affine_map<()[s0, s1] -> (s1, 4)>} {
    ^bb1(%c: f32):
      %d = arith.negf %c : f32
      glow.yield %d : f32
    }
  }
  return
}

// What ends earlier along its first axis only has the strides that it had.
// CHECK-LABEL: func.func @first(
// CHECK-SAME: memref<8x4xf32> {{{.+}}, glow_inst.compact}
// CHECK-NOT: glow_inst.pitches
// CHECK: return
func.func @first(
    %x: memref<8x4xf32> {glow.extents = affine_map<()[s0] -> (s0, 4)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %y: memref<8x4xf32> {glow_inst.output, glow.extents = affine_map<()[s0] -> (s0, 4)>}) {
  glow_inst.copy %x -> %y {glow_inst.extents = affine_map<()[s0] -> (s0, 4)>} : memref<8x4xf32> -> memref<8x4xf32>
  return
}

// Not where all of it is read, whatever there is, or whole tiles of rows; nor
// vectors along the rows.
// CHECK-LABEL: func.func @padded(
// CHECK-NOT: compact
// CHECK: return
func.func @padded(
    %x: memref<2x8x4xf32> {glow.extents = affine_map<()[s0] -> (2, s0, 4)>}, %w: memref<4x64xf32>,
    %z: memref<2x8xf32> {glow.extents = affine_map<()[s0] -> (2, s0)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %y: memref<2x8x64xf32> {glow_inst.output, glow.extents = affine_map<()[s0] -> (2, s0, 64)>}, %r: memref<2x8xf32> {glow_inst.output}) {
  glow_inst.matmul ins(%x, %w : memref<2x8x4xf32>, memref<4x64xf32>) outs(%y : memref<2x8x64xf32>) {glow_inst.extents = affine_map<()[s0] -> (2, s0, 64)>}
  glow_inst.copy %z -> %r {glow_inst.extents = affine_map<()[s0] -> (2, s0 + 1)>} : memref<2x8xf32> -> memref<2x8xf32>
  return
}

// Strides of an instruction are in units of one extent.
// CHECK-LABEL: func.func @two(
// CHECK-SAME: memref<2x8xf32> {glow.extents = affine_map<()[s0, s1] -> (2, s0)>, glow_inst.compact}
// CHECK-SAME: memref<2x4xf32> {glow.extents = affine_map<()[s0, s1] -> (2, s1)>}
// CHECK: return
func.func @two(
    %x: memref<2x8xf32> {glow.extents = affine_map<()[s0, s1] -> (2, s0)>}, %z: memref<2x4xf32> {glow.extents = affine_map<()[s0, s1] -> (2, s1)>},
    %s: memref<2xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}, {name = "m", lower = 1 : i64, upper = 4 : i64}]},
    %y: memref<2x8x4xf32> {glow_inst.output}) {
  %column = glow_inst.view %x : memref<2x8xf32> to memref<2x8x1xf32>
  %row = glow_inst.view %z : memref<2x4xf32> to memref<2x1x4xf32>
  glow_inst.map ins(%column, %row : memref<2x8x1xf32>, memref<2x1x4xf32>) outs(%y : memref<2x8x4xf32>) attributes {glow_inst.extents = affine_map<()[s0, s1] -> (2, s0, s1)>} {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    glow.yield %c : f32
  }
  return
}

// A point of a loop that cuts rows into blocks does not know where they end, even
// if a block is one place.
// CHECK-LABEL: func.func @blocks(
// CHECK-NOT: compact
// CHECK: return
func.func @blocks(
    %x: memref<2x8x4xf32> {glow.extents = affine_map<()[s0] -> (2, s0, 4)>}, %z: memref<2x8x4xf32> {glow.extents = affine_map<()[s0] -> (2, s0, 4)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 0 : i64, upper = 8 : i64}]},
    %y: memref<2x8x4xf32> {glow_inst.output}) {
  glow_inst.forall [2, 2] ins(%x, %s : memref<2x8x4xf32>, memref<1xi64>) outs(%y : memref<2x8x4xf32>) steps = [array<i64: 32, 16>, array<i64: 0, 0>, array<i64: 32, 16>] {
  ^bb0(%a: memref<4x4xf32>, %n: memref<1xi64>, %b: memref<4x4xf32>):
    glow_inst.copy %a -> %b : memref<4x4xf32> -> memref<4x4xf32>
  }
  glow_inst.forall [2, 8] ins(%z, %s : memref<2x8x4xf32>, memref<1xi64>) outs(%y : memref<2x8x4xf32>) steps = [array<i64: 32, 4>, array<i64: 0, 0>, array<i64: 32, 4>] attributes {glow_inst.extents = affine_map<()[s0] -> (2, s0 + 1)>} {
  ^bb0(%a: memref<1x4xf32>, %n: memref<1xi64>, %b: memref<1x4xf32>):
    glow_inst.copy %a -> %b : memref<1x4xf32> -> memref<1x4xf32>
  }
  return
}
