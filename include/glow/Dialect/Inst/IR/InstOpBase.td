//===- InstOpBase.td - base classes of the instructions ----*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_INST_IR_INSTOPBASE_TD
#define GLOW_DIALECT_INST_IR_INSTOPBASE_TD

include "glow/Dialect/Inst/IR/InstDialect.td"
include "glow/Interfaces/Kernel.td"
include "mlir/Dialect/Quant/IR/QuantBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// A buffer: a memref whose shape, strides and offset are static, and that has
/// and spans no more than 2^40 elements.
def Inst_Buffer : Type<And<[IsMemRefTypePred,
    CPred<"::mlir::glow::inst::isStaticBuffer($_self)">]>,
    "memref with static shape, strides and offset, of at most 2^40 elements",
    "::mlir::MemRefType">;

def Inst_In : Arg<Inst_Buffer, "", [MemRead]>;
def Inst_Out : Arg<Inst_Buffer, "", [MemWrite]>;
def Inst_InOut : Arg<Inst_Buffer, "", [MemRead, MemWrite]>;
def Inst_Ins : Arg<Variadic<Inst_Buffer>, "", [MemRead]>;
def Inst_Outs : Arg<Variadic<Inst_Buffer>, "", [MemWrite]>;

/// A number of elements, see CountedOpInterface.
def Inst_CountBuffer : Type<And<[Inst_Buffer.predicate,
    CPred<"::llvm::cast<::mlir::MemRefType>($_self).getRank() == 0">,
    CPred<"::llvm::cast<::mlir::MemRefType>($_self).getElementType().isInteger(64)">]>,
    "memref of one i64, without axes", "::mlir::MemRefType">;
def Inst_Count : Arg<Optional<Inst_CountBuffer>, "", [MemRead]>;

class Inst_Op<string mnemonic, list<Trait> traits = []>
    : Op<InstDialect, mnemonic, traits>;

/// An instruction that does work: it becomes one kernel.
class Inst_ComputeOp<string mnemonic, list<Trait> traits = []>
    : Inst_Op<mnemonic, !listconcat([HasKernel], traits)> {
  let hasVerifier = 1;
}

/// One that may stop at a number of elements, which its last operand `count`
/// holds.
class Inst_CountedOp<string mnemonic>
    : Inst_ComputeOp<mnemonic, [CountedOpInterface]>;

#endif
