// A loop whose marks do not fit is no program.
// RUN: split-file %s %t
// RUN: not glow-compile %t/no-begin.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=BEGIN
// RUN: not glow-compile %t/no-end.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=END
// RUN: not glow-compile %t/no-step.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=STEP
// RUN: not glow-compile %t/windows.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=WINDOW
// RUN: not glow-compile %t/outside.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not glow-compile %t/no-last-step.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=END

//--- no-begin.mlir
// BEGIN: error: 'glow_inst.repeat' op has no enter_loop
func.func @main(%x: memref<4xf32>, %c: memref<i1>, %y: memref<4xf32> {glow_inst.output}) attributes {glow_inst.arena_bytes = 0 : i64} {
  glow_inst.copy %x -> %y : memref<4xf32> -> memref<4xf32>
  glow_inst.repeat while %c : memref<i1> reads(%x : memref<4xf32>)
  return
}

//--- no-end.mlir
// END: error: has a loop without its end
func.func @main(%x: memref<4xf32>, %c: memref<i1>, %y: memref<4xf32> {glow_inst.output}) attributes {glow_inst.arena_bytes = 0 : i64} {
  glow_inst.enter_loop %x : memref<4xf32>
  glow_inst.copy %x -> %y : memref<4xf32> -> memref<4xf32>
  return
}

//--- no-step.mlir
// STEP: error: 'glow_inst.repeat_steps' op has no next_step
func.func @main(%x: memref<4xf32>, %n: memref<i64>, %y: memref<4xf32> {glow_inst.output}) attributes {glow_inst.arena_bytes = 0 : i64} {
  glow_inst.enter_steps of %n : memref<i64> most 8 reads(%x : memref<4xf32>)
  glow_inst.copy %x -> %y : memref<4xf32> -> memref<4xf32>
  glow_inst.repeat_steps reads(%x : memref<4xf32>)
  return
}

//--- windows.mlir
// WINDOW: error: 'glow_inst.window' op reaches outside of 'memref<1x8x4xf32>' in 9 steps
// WINDOW-NOT: error
func.func @main(%n: memref<i64>, %y: memref<1x8x4xf32> {glow_inst.output}) {
  glow_inst.enter_steps of %n : memref<i64> most 9 writes(%y : memref<1x8x4xf32>)
  glow_inst.next_step
  %w = glow_inst.window %y from 0 step 4 : memref<1x8x4xf32> to memref<1x4xf32>
  glow_inst.fill %w with 1.0 : f32 : memref<1x4xf32>
  glow_inst.repeat_steps writes(%y : memref<1x8x4xf32>)
  return
}

//--- outside.mlir
// OUTSIDE: error: 'glow_inst.window' op stands in no loop over steps
func.func @main(%y: memref<1x8x4xf32> {glow_inst.output}) {
  %w = glow_inst.window %y from 0 step 4 : memref<1x8x4xf32> to memref<1x4xf32>
  glow_inst.fill %w with 1.0 : f32 : memref<1x4xf32>
  return
}

//--- no-last-step.mlir
func.func @main(%x: memref<4xf32>, %n: memref<i64>, %y: memref<4xf32> {glow_inst.output}) attributes {glow_inst.arena_bytes = 0 : i64} {
  glow_inst.enter_steps of %n : memref<i64> most 8 reads(%x : memref<4xf32>)
  glow_inst.next_step
  glow_inst.copy %x -> %y : memref<4xf32> -> memref<4xf32>
  return
}
