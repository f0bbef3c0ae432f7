//===- ExportKernels.cpp - give kernels the C signature of the ABI --------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Target/LLVM/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::glow {
#define GEN_PASS_DEF_EXPORTKERNELS
#include "glow/Target/LLVM/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;

/// No other kernel ends with a 32-bit number.
static bool isExported(LLVM::LLVMFuncOp function) {
  ArrayRef<Type> types = function.getArgumentTypes();
  return types.size() == 4 && types.back().isInteger(32);
}

namespace {
struct ExportKernels : glow::impl::ExportKernelsBase<ExportKernels> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto body =
        module.lookupSymbol<LLVM::LLVMFuncOp>(module.getName().value_or(""));
    if (!body || isExported(body))
      return;
    OpBuilder builder(module.getBodyRegion());
    Location loc = body.getLoc();
    Type pointer = LLVM::LLVMPointerType::get(&getContext());
    Type i64 = builder.getI64Type(), i32 = builder.getI32Type();
    StringAttr name = body.getSymNameAttr();
    body.setSymName((name.getValue() + "_body").str());
    body.setLinkage(LLVM::Linkage::Internal);
    auto entry = LLVM::LLVMFuncOp::create(
        builder, loc, name,
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()),
                                    {pointer, i64, i64, i32}));
    Block *block = entry.addEntryBlock(builder);
    builder.setInsertionPointToStart(block);
    SmallVector<Value> operands;
    int64_t count = body.getNumArguments() - 2;
    for (int64_t i = 0; i < count; ++i) {
      Value slot = LLVM::GEPOp::create(builder, loc, pointer, pointer,
                                       block->getArgument(0),
                                       ArrayRef<LLVM::GEPArg>{int32_t(i)});
      operands.push_back(LLVM::LoadOp::create(builder, loc, pointer, slot));
    }
    operands.push_back(block->getArgument(1));
    operands.push_back(block->getArgument(2));
    LLVM::CallOp::create(builder, loc, body, operands);
    LLVM::ReturnOp::create(builder, loc, ValueRange());
  }
};
} // namespace
