//===- Passes.td - from instructions to LLVM ----------------*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TARGET_LLVM_PASSES_TD
#define GLOW_TARGET_LLVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def OutlineKernels : Pass<"glow-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Turn every compute instruction into a kernel function";
  let description = [{
    Each instruction becomes a `glow_inst.launch` of a function in a nested
    module of its own, so that kernels are lowered and compiled in parallel.
    Instructions that differ only in their buffers share one kernel. The kernel
    takes one memref per operand and the range of tickets to run. That of a
    `glow_inst.forall` calls the kernels of its body and has the signature of
    exported kernels right away.

    In a bounded function `glow_inst.extents` become elements of a table, behind
    what was planned in the arena, that a kernel of its own computes from the
    symbols first. Kernels that stop at an extent take their elements as one more
    memref, so how it depends on the symbols does not tell them apart.
  }];
  let options = [
    Option<"target", "target", "::mlir::glow::KernelTarget", "",
           "The machine, as vector-bits=256,l2=1M">
  ];
  let dependentDialects = [
    "::mlir::amx::AMXDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::mlir::x86vector::X86VectorDialect"
  ];
}

def LowerKernelMath : Pass<"glow-lower-kernel-math"> {
  let summary = "Replace functions of vectors by polynomials";
  let description = [{
    exp, log, tanh, erf, sin, cos and others of f32 become polynomials that
    vectorise, shorter ones where `fastmath<afn>` permits a relative error of 2^-12;
    what has no approximation is left for the C maths library, element by element.
    Conversions between f32 and narrower floats that the processor
    lacks become integer arithmetic.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
  let options = [
    Option<"convertsBfloat16", "converts-bfloat16", "bool", "false",
           "The processor rounds f32 to bf16">,
    Option<"flushesBfloat16", "flushes-bfloat16", "bool", "false",
           "It makes 0 of denormals then, which is only used for fastmath<afn>">,
    Option<"scalesVectors", "scales-vectors", "bool", "false",
           "It multiplies vectors of f32 by powers of two">
  ];
}

def CheckBounds : Pass<"glow-check-bounds", "::mlir::ModuleOp"> {
  let summary = "Stop kernels that leave their buffers";
  let description = [{
    Before each access of a kernel to an operand or to its scratch memory, compares
    the place with the extent of that buffer. An access beyond it writes a line to the
    standard error output, which names kernel, op and nodes of the model, and
    ends the process with `abort`. Loads of AMX tiles and prefetches are not
    checked.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def StreamTiles : Pass<"glow-stream-tiles", "::mlir::ModuleOp"> {
  let summary = "Load tiles past the first-level cache where kernels say so";
  let description = [{
    An `amx.tile_load` with the attribute `glow.streamed`, lowered to the intrinsic of
    `tileloadd`, which keeps the attribute, becomes that of `tileloaddt1`: lines that are in the
    second-level cache stay there alone.
  }];
}

def ExportKernels : Pass<"glow-export-kernels", "::mlir::ModuleOp"> {
  let summary = "Give kernels the C signature of the model ABI";
  let description = [{
    Adds to each kernel, already in the LLVM dialect, an exported function
    `void (void *const *args, int64_t begin, int64_t end, int32_t worker)` that
    loads the operands' addresses and calls it. A kernel that has this signature
    stays as it is.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif
