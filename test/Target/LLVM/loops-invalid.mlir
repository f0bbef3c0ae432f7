// A loop whose marks do not fit is no program.
// RUN: split-file %s %t
// RUN: not glow-compile %t/no-begin.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=BEGIN
// RUN: not glow-compile %t/no-end.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=END
// RUN: not glow-compile %t/no-step.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=STEP
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
  glow_inst.enter_steps of %n : memref<i64> reads(%x : memref<4xf32>)
  glow_inst.copy %x -> %y : memref<4xf32> -> memref<4xf32>
  glow_inst.repeat_steps reads(%x : memref<4xf32>)
  return
}

//--- no-last-step.mlir
func.func @main(%x: memref<4xf32>, %n: memref<i64>, %y: memref<4xf32> {glow_inst.output}) attributes {glow_inst.arena_bytes = 0 : i64} {
  glow_inst.enter_steps of %n : memref<i64> reads(%x : memref<4xf32>)
  glow_inst.next_step
  glow_inst.copy %x -> %y : memref<4xf32> -> memref<4xf32>
  return
}
