//===- InstDialect.td - the instruction dialect ------------*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_INST_IR_INSTDIALECT_TD
#define GLOW_DIALECT_INST_IR_INSTDIALECT_TD

include "mlir/IR/DialectBase.td"

def InstDialect : Dialect {
  let name = "glow_inst";
  let cppNamespace = "::mlir::glow::inst";
  let summary = "Neural-network programs on buffers.";
  let description = [{
    The address-only instruction dialect. Operands are memrefs with static shape
    and strides that an instruction reads (In), writes (Out) or both (InOut);
    only what names a buffer has a result: allocations, constants, views, slides. Effects are upstream
    memory effects, so generic analyses apply.

    A function's inputs and outputs are arguments, outputs marked with
    `glow_inst.output`. Every other buffer is an `alloc` between the first and
    last instruction that uses it; memory planning gives it an offset in the
    arena.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::glow::GlowDialect"
  ];
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerMemoryOps();
    void registerComputeOps();
    void registerControlOps();

    /// Marks the arguments of a function that it writes.
    static constexpr llvm::StringLiteral kOutputAttrName = "glow_inst.output";
    /// Of an instruction in a bounded function: a map from the symbols to the
    /// extents of its outputs, or of a loop, that need to be computed. Those of
    /// the axes that it reduces may follow: it must not read beyond them. These
    /// are multiples of 32 in products whose factors are not both of f32, if not
    /// beyond the axes' ends. In a loop, whose last input are the symbols then,
    /// the map's dimension is the index of the point along one axis, which is the
    /// input before them.
    static constexpr llvm::StringLiteral kExtentsAttrName =
        "glow_inst.extents";
    /// Of an argument of a bounded function: the caller's memory holds what is
    /// within its extents alone, without padding. In instructions its strides
    /// are still those of the largest extents.
    static constexpr llvm::StringLiteral kCompactAttrName = "glow_inst.compact";
    /// What the strides of an instruction's or a loop's compact operands are in
    /// memory, see Pitch, five numbers each; and as a map from the symbols, like
    /// `glow_inst.extents`, the extent that they depend on.
    static constexpr llvm::StringLiteral kPitchesAttrName = "glow_inst.pitches";
    static constexpr llvm::StringLiteral kUnitAttrName = "glow_inst.unit";
    /// Bytes of scratch memory that a planned function needs.
    static constexpr llvm::StringLiteral kArenaAttrName =
        "glow_inst.arena_bytes";
    /// Bytes behind the arena for every thread but the first.
    static constexpr llvm::StringLiteral kWorkerAttrName =
        "glow_inst.worker_bytes";
  }];
}

#endif
