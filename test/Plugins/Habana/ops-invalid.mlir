// RUN: glow-opt %s %habana -verify-diagnostics -split-input-file

habana.program @alloc_outside_scratch workspace(0) scratch(256) {
  // expected-error@+1 {{ends at byte 384 of 256 in section 'scratch'}}
  %a = habana.alloc scratch {offset = 128 : i64} : memref<64xf32, #habana.mem<sram>>
}

// -----

habana.program @unaligned workspace(0) scratch(256) {
  // expected-error@+1 {{offset 4 is not a multiple of 128 bytes}}
  %a = habana.alloc scratch {offset = 4 : i64} : memref<8xf32, #habana.mem<sram>>
}

// -----

habana.program @wrong_memory workspace(256) scratch(0) {
  // expected-error@+1 {{section 'workspace' is not in the memory of}}
  %a = habana.alloc workspace {offset = 0 : i64} : memref<8xf32, #habana.mem<sram>>
}

// -----

// expected-error@+1 {{leaves out an index of its inputs or outputs}}
habana.program @missing_input workspace(0) scratch(0) {
  %a = habana.alloc input {index = 1 : i64, name = "b"} : memref<8xf32, #habana.mem<ddr>>
}

// -----

habana.program @view_outside workspace(256) scratch(0) {
  %a = habana.alloc workspace {offset = 0 : i64} : memref<8xf32, #habana.mem<ddr>>
  // expected-error@+1 {{covers elements 1 to 8, outside the 8 of}}
  %v = memref.reinterpret_cast %a to offset: [1], sizes: [8], strides: [1] : memref<8xf32, #habana.mem<ddr>> to memref<8xf32, strided<[1], offset: 1>, #habana.mem<ddr>>
}

// -----

habana.program @engine_reads_ddr workspace(256) scratch(0) {
  %a = habana.alloc workspace {offset = 0 : i64} : memref<2x2xf32, #habana.mem<ddr>>
  // expected-error@+1 {{must be static f32 memref of at most 5 axes in a memory of the card, in SRAM}}
  habana.mme.gemm ins(%a, %a : memref<2x2xf32, #habana.mem<ddr>>, memref<2x2xf32, #habana.mem<ddr>>) outs(%a : memref<2x2xf32, #habana.mem<ddr>>)
}

// -----

habana.program @special_function workspace(0) scratch(256) {
  %a = habana.alloc scratch {offset = 0 : i64} : memref<8xf32, #habana.mem<sram>>
  // expected-error@+1 {{region cannot run: the vector cores have no math.exp on these types}}
  habana.tpc.launch ins(%a : memref<8xf32, #habana.mem<sram>>) outs(%a : memref<8xf32, #habana.mem<sram>>) {
  ^bb0(%p: f32):
    %e = math.exp %p : f32
    glow.yield %e : f32
  }
}

// -----

func.func @foreign_op(%x: i32) { return }
habana.program @program workspace(0) scratch(0) {
  // expected-error@+1 {{is not a command of the card}}
  %c = arith.constant 1 : i32
}
