//===- EmitExtents.cpp - shapes as a function of symbols ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EmitExtents.h"
#include "glow-c/ModelABI.h"
#include "mlir/IR/AffineExprVisitor.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace mlir::glow;

namespace {
/// Code for affine expressions of the values at an address.
class ExpressionEmitter
    : public mlir::AffineExprVisitor<ExpressionEmitter, Value *> {
public:
  ExpressionEmitter(IRBuilder<> &builder, Value *symbols)
      : builder(builder), symbols(symbols) {}

  Value *visitConstantExpr(mlir::AffineConstantExpr expr) {
    return builder.getInt64(expr.getValue());
  }
  Value *visitSymbolExpr(mlir::AffineSymbolExpr expr) {
    Value *&loaded = known[expr.getPosition()];
    if (!loaded)
      loaded = builder.CreateLoad(
          builder.getInt64Ty(),
          builder.CreateConstGEP1_64(builder.getInt64Ty(), symbols,
                                     expr.getPosition()));
    return loaded;
  }
  Value *visitDimExpr(mlir::AffineDimExpr) {
    llvm_unreachable("extents depend on symbols alone");
  }
  Value *visitAddExpr(mlir::AffineBinaryOpExpr expr) {
    return builder.CreateAdd(visit(expr.getLHS()), visit(expr.getRHS()));
  }
  Value *visitMulExpr(mlir::AffineBinaryOpExpr expr) {
    return builder.CreateMul(visit(expr.getLHS()), visit(expr.getRHS()));
  }
  Value *visitModExpr(mlir::AffineBinaryOpExpr expr) {
    Value *divisor = visit(expr.getRHS());
    Value *rest = builder.CreateSRem(visit(expr.getLHS()), divisor);
    Value *isNegative = builder.CreateICmpSLT(rest, builder.getInt64(0));
    return builder.CreateSelect(isNegative, builder.CreateAdd(rest, divisor),
                                rest);
  }
  Value *visitFloorDivExpr(mlir::AffineBinaryOpExpr expr) {
    return divide(visit(expr.getLHS()), visit(expr.getRHS()));
  }
  Value *visitCeilDivExpr(mlir::AffineBinaryOpExpr expr) {
    Value *divisor = visit(expr.getRHS());
    Value *last = builder.CreateSub(divisor, builder.getInt64(1));
    return divide(builder.CreateAdd(visit(expr.getLHS()), last), divisor);
  }

private:
  /// Rounds down; the divisor is positive.
  Value *divide(Value *value, Value *divisor) {
    Value *isNegative = builder.CreateICmpSLT(value, builder.getInt64(0));
    Value *last = builder.CreateSub(divisor, builder.getInt64(1));
    Value *from =
        builder.CreateSelect(isNegative, builder.CreateSub(value, last), value);
    return builder.CreateSDiv(from, divisor);
  }

  IRBuilder<> &builder;
  Value *symbols;
  DenseMap<unsigned, Value *> known;
};
} // namespace

llvm::Function *mlir::glow::emitExtents(Module &module,
                                        const ProgramSpec &program) {
  LLVMContext &context = module.getContext();
  auto *pointer = PointerType::get(context, 0);
  Function *function =
      Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                               {pointer, pointer}, false),
                       GlobalValue::InternalLinkage, "extents", module);
  BasicBlock::Create(context, "entry", function);
  IRBuilder<> builder(&function->getEntryBlock());
  ExpressionEmitter emitter(builder, function->getArg(0));
  int64_t place = 0;
  auto store = [&](llvm::Value *extent) {
    builder.CreateStore(extent, builder.CreateConstGEP1_64(builder.getInt64Ty(),
                                                           function->getArg(1),
                                                           place++));
  };
  for (const auto *tensors : {&program.inputs, &program.outputs})
    for (const TensorSpec &tensor : *tensors)
      for (size_t axis = 0; axis < tensor.dims.size(); ++axis)
        store(tensor.extents ? emitter.visit(tensor.extents.getResult(axis))
                             : builder.getInt64(tensor.dims[axis]));
  builder.CreateRetVoid();
  return function;
}

void mlir::glow::emitRangeCheck(Function *outside, const ProgramSpec &program) {
  outside->setLinkage(GlobalValue::InternalLinkage);
  BasicBlock::Create(outside->getContext(), "entry", outside);
  IRBuilder<> builder(&outside->getEntryBlock());
  llvm::Value *values = nullptr;
  llvm::Value *result = builder.getFalse();
  for (auto [i, symbol] : llvm::enumerate(program.symbols)) {
    if (symbol.input == GLOW_COMPUTED)
      continue;
    if (!values) // the last input has them
      values = builder.CreateLoad(
          builder.getPtrTy(),
          builder.CreateConstGEP1_64(builder.getPtrTy(), outside->getArg(0),
                                     program.inputs.size() - 1));
    llvm::Value *value = builder.CreateLoad(
        builder.getInt64Ty(),
        builder.CreateConstGEP1_64(builder.getInt64Ty(), values, i));
    llvm::Value *isBelow =
        builder.CreateICmpSLT(value, builder.getInt64(symbol.lower));
    llvm::Value *isAbove =
        builder.CreateICmpSGT(value, builder.getInt64(symbol.upper));
    result = builder.CreateOr({result, isBelow, isAbove});
  }
  builder.CreateRet(result);
}
