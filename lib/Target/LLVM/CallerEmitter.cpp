//===- CallerEmitter.cpp - kernels that call other kernels ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CallerEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::glow;

CallerEmitter::CallerEmitter(OpBuilder &builder, Operation *op)
    : builder(builder), loc(op->getLoc()),
      pointer(LLVM::LLVMPointerType::get(builder.getContext())) {}

func::FuncOp CallerEmitter::begin(StringRef name, Block &body) {
  // void (void *const *args, int64_t begin, int64_t end, int32_t worker)
  Type i64 = builder.getI64Type();
  auto type =
      builder.getFunctionType({pointer, i64, i64, builder.getI32Type()}, {});
  llvm::StringSet<> declared;
  int64_t most = 1;
  for (auto launch : body.getOps<inst::LaunchOp>()) {
    // Two more are the addresses of scratch memory.
    most = std::max<int64_t>(most, launch.getBuffers().size() + 2);
    if (declared.insert(launch.getKernel()).second)
      func::FuncOp::create(builder, loc, launch.getKernel(), type).setPrivate();
  }
  auto function = func::FuncOp::create(builder, loc, name, type);
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  args = entry->getArgument(0);
  firstTicket = entry->getArgument(1);
  lastTicket = entry->getArgument(2);
  worker = entry->getArgument(3);
  launchArgs =
      LLVM::AllocaOp::create(builder, loc, pointer, pointer, number(most));
  return function;
}

Value CallerEmitter::number(int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI64IntegerAttr(value));
}

Value CallerEmitter::slot(Value array, int64_t index) {
  return LLVM::GEPOp::create(builder, loc, pointer, pointer, array,
                             ArrayRef<LLVM::GEPArg>{int32_t(index)});
}

Value CallerEmitter::argument(int64_t index) {
  return LLVM::LoadOp::create(builder, loc, pointer, slot(args, index));
}

Value CallerEmitter::advance(Value address, Value bytes) {
  return LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(),
                             address, ArrayRef<LLVM::GEPArg>{bytes});
}

Value CallerEmitter::scratchOf(int64_t index, int64_t bytes) {
  Value first = argument(index), others = argument(index + 1);
  Value one =
      arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(1));
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                        worker, one);
  Value before =
      arith::ExtSIOp::create(builder, loc, builder.getI64Type(),
                             arith::SubIOp::create(builder, loc, worker, one));
  Value own = advance(
      others, arith::MulIOp::create(builder, loc, before, number(bytes)));
  return arith::SelectOp::create(builder, loc, isFirst, first, own);
}

Value CallerEmitter::firstWorker() {
  return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
}

void CallerEmitter::call(inst::LaunchOp launch, ArrayRef<Value> addresses,
                         Value first, Value last, Value worker) {
  for (auto [i, address] : llvm::enumerate(addresses))
    LLVM::StoreOp::create(builder, loc, address, slot(launchArgs, i));
  func::CallOp::create(builder, loc, launch.getKernel(), TypeRange(),
                       ValueRange{launchArgs, first, last, worker});
}
