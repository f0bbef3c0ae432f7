// RUN: glow-opt %s "-glow-inst-fuse-rows=target=vector-bits=512,l2=2M" | FileCheck %s
// RUN: glow-opt %s "-glow-inst-fuse-rows=target=vector-bits=512,l2=8M" | FileCheck %s --check-prefix=STAYS

// The 1.6 MB between the two would have room in the cache, but not beside what
// else passes through it: as much is read before, half of it written after.
// CHECK: glow_inst.forall
// STAYS-NOT: glow_inst.forall
func.func @separable(%x: memref<1x114x114x32xf32>, %wd: memref<3x3x1x32xf32>, %wp: memref<1x32x32xf32>, %y: memref<1x112x112x16xf32> {glow_inst.output}) {
  %d = glow_inst.alloc : memref<1x112x112x32xf32>
  glow_inst.conv ins(%x, %wd : memref<1x114x114x32xf32>, memref<3x3x1x32xf32>) outs(%d : memref<1x112x112x32xf32>) {dilations = array<i64: 1, 1>, group = 32 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  glow_inst.conv ins(%d, %wp : memref<1x112x112x32xf32>, memref<1x32x32xf32>) outs(%y : memref<1x112x112x16xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}
