// RUN: glow-opt %s -glow-inst-verify-plan -split-input-file -verify-diagnostics

func.func @unplanned(%x: memref<4xf32>) attributes {glow_inst.arena_bytes = 64 : i64} {
  // expected-error @+1 {{has no place in a memory plan}}
  %a = glow_inst.alloc : memref<4xf32>
  glow_inst.copy %x -> %a : memref<4xf32> -> memref<4xf32>
  return
}

// -----

func.func @outside(%x: memref<4xf32>) attributes {glow_inst.arena_bytes = 64 : i64} {
  // expected-error @+1 {{ends at byte 80 of an arena of 64}}
  %a = glow_inst.alloc {offset = 64 : i64} : memref<4xf32>
  glow_inst.copy %x -> %a : memref<4xf32> -> memref<4xf32>
  return
}

// -----

func.func @overlap(%x: memref<4xf32>, %y: memref<4xf32> {glow_inst.output}) attributes {glow_inst.arena_bytes = 64 : i64} {
  // expected-note @+1 {{the other buffer}}
  %a = glow_inst.alloc {offset = 0 : i64} : memref<4xf32>
  // expected-error @+1 {{overlaps another buffer in use}}
  %b = glow_inst.alloc {offset = 8 : i64} : memref<4xf32>
  glow_inst.copy %x -> %a : memref<4xf32> -> memref<4xf32>
  glow_inst.copy %a -> %b : memref<4xf32> -> memref<4xf32>
  glow_inst.copy %b -> %y : memref<4xf32> -> memref<4xf32>
  return
}

// -----

func.func @never_written(%y: memref<4xf32> {glow_inst.output}) attributes {glow_inst.arena_bytes = 64 : i64} {
  %a = glow_inst.alloc {offset = 0 : i64} : memref<4xf32>
  // expected-error @+1 {{reads operand 0, which nothing has written}}
  glow_inst.copy %a -> %y : memref<4xf32> -> memref<4xf32>
  return
}

// -----

func.func @after_dealloc(%x: memref<4xf32>, %y: memref<4xf32> {glow_inst.output}) attributes {glow_inst.arena_bytes = 64 : i64} {
  %a = glow_inst.alloc {offset = 0 : i64} : memref<4xf32>
  glow_inst.copy %x -> %a : memref<4xf32> -> memref<4xf32>
  // expected-note @+1 {{the dealloc}}
  glow_inst.dealloc %a : memref<4xf32>
  // expected-error @+1 {{uses a buffer after its dealloc}}
  glow_inst.copy %a -> %y : memref<4xf32> -> memref<4xf32>
  return
}

// -----

func.func @writes_input(%x: memref<4xf32>) attributes {glow_inst.arena_bytes = 0 : i64} {
  // expected-error @+1 {{writes to operand 0, which is an input of the function}}
  glow_inst.fill %x with 0.0 : f32 : memref<4xf32>
  return
}

// -----

func.func @dependent(%x: memref<4xf32>, %y: memref<8xf32> {glow_inst.output}) attributes {glow_inst.arena_bytes = 0 : i64} {
  %a = glow_inst.view %y : memref<8xf32> to memref<4xf32>
  %b = glow_inst.view %y : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  glow_inst.sections ins(%x : memref<4xf32>) outs(%a, %b : memref<4xf32>, memref<4xf32, strided<[1], offset: 2>>) attributes {scratch_bytes = 0 : i64, scratch_offset = 0 : i64} {
  ^bb0(%0: memref<4xf32>, %1: memref<4xf32>, %2: memref<4xf32>):
    // expected-error @+1 {{writes to operand 1, which another instruction of the same sections writes to}}
    glow_inst.copy %0 -> %1 : memref<4xf32> -> memref<4xf32>
    // expected-note @+1 {{the other instruction}}
    glow_inst.copy %0 -> %2 : memref<4xf32> -> memref<4xf32>
  }
  return
}

// -----

func.func @apart(%x: memref<4xf32>, %y: memref<8xf32> {glow_inst.output}) attributes {glow_inst.arena_bytes = 0 : i64} {
  %a = glow_inst.view %y : memref<8xf32> to memref<4xf32>
  %b = glow_inst.view %y : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  glow_inst.sections ins(%x : memref<4xf32>) outs(%a, %b : memref<4xf32>, memref<4xf32, strided<[1], offset: 4>>) attributes {scratch_bytes = 0 : i64, scratch_offset = 0 : i64} {
  ^bb0(%0: memref<4xf32>, %1: memref<4xf32>, %2: memref<4xf32>):
    glow_inst.copy %0 -> %1 : memref<4xf32> -> memref<4xf32>
    glow_inst.copy %0 -> %2 : memref<4xf32> -> memref<4xf32>
  }
  return
}

// -----

func.func @little_scratch(%x: memref<4xf32>, %y: memref<4xf32> {glow_inst.output}) attributes {glow_inst.arena_bytes = 64 : i64} {
  glow_inst.sections ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) attributes {scratch_bytes = 64 : i64, scratch_offset = 0 : i64} {
  ^bb0(%0: memref<4xf32>, %1: memref<4xf32>):
    // expected-error @+1 {{wants more scratch memory than its sections have}}
    glow_inst.forall [1] ins(%0 : memref<4xf32>) outs(%1 : memref<4xf32>) steps = [array<i64: 4>, array<i64: 4>] attributes {scratch_bytes = 128 : i64} {
    ^bb0(%a: memref<4xf32>, %b: memref<4xf32>):
      glow_inst.copy %a -> %b : memref<4xf32> -> memref<4xf32>
    }
  }
  return
}

// -----

func.func @writes_input_of_sections(%x: memref<4xf32> {glow_inst.output}, %y: memref<4xf32> {glow_inst.output}) attributes {glow_inst.arena_bytes = 0 : i64} {
  glow_inst.sections ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) attributes {scratch_bytes = 0 : i64, scratch_offset = 0 : i64} {
  ^bb0(%0: memref<4xf32>, %1: memref<4xf32>):
    // expected-error @+1 {{writes to operand 0, which is an input of the sections}}
    glow_inst.fill %0 with 0.0 : f32 : memref<4xf32>
  }
  return
}

// -----

func.func @reads_output_of_sections(%x: memref<4xf32> {glow_inst.output}, %y: memref<4xf32> {glow_inst.output}) attributes {glow_inst.arena_bytes = 0 : i64} {
  glow_inst.sections outs(%x, %y : memref<4xf32>, memref<4xf32>) attributes {scratch_bytes = 0 : i64, scratch_offset = 0 : i64} {
  ^bb0(%0: memref<4xf32>, %1: memref<4xf32>):
    // expected-error @+1 {{reads operand 0, which is no input of the sections}}
    glow_inst.copy %0 -> %1 : memref<4xf32> -> memref<4xf32>
  }
  return
}

// -----

func.func @loop_in_loop(%x: memref<8xf32>, %y: memref<8xf32> {glow_inst.output}) attributes {glow_inst.arena_bytes = 64 : i64} {
  glow_inst.forall [2] ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) steps = [array<i64: 4>, array<i64: 4>] attributes {scratch_bytes = 64 : i64, scratch_offset = 0 : i64} {
  ^bb0(%a: memref<4xf32>, %b: memref<4xf32>):
    // expected-note @+1 {{the other buffer}}
    %t = glow_inst.alloc {offset = 0 : i64} : memref<4xf32>
    glow_inst.copy %a -> %t : memref<4xf32> -> memref<4xf32>
    // expected-error @+1 {{overlaps another buffer in use}}
    glow_inst.forall [2] ins(%t : memref<4xf32>) outs(%b : memref<4xf32>) steps = [array<i64: 2>, array<i64: 2>] attributes {scratch_bytes = 16 : i64, scratch_offset = 0 : i64} {
    ^bb1(%c: memref<2xf32>, %d: memref<2xf32>):
      %u = glow_inst.alloc {offset = 0 : i64} : memref<2xf32>
      glow_inst.copy %c -> %u : memref<2xf32> -> memref<2xf32>
      glow_inst.copy %u -> %d : memref<2xf32> -> memref<2xf32>
    }
  }
  return
}
