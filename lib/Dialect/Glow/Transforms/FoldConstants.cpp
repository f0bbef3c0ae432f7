//===- FoldConstants.cpp - replace what is known by constants -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk in program order suffices: when an op is reached, its operands are
// folded, so its result type can be refined and it can be folded itself. A
// folded shape makes the types after it static, which makes more shapes known.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Glow/IR/RefineTypes.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Interpreter/ConstantFolding.h"
#include "glow/Support/ConstantScope.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::glow {
#define GEN_PASS_DEF_FOLDCONSTANTS
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

namespace {
/// Folds the graph ops of one function.
class ConstantFolder {
public:
  ConstantFolder(FoldLimits limits, func::FuncOp function, ConstantScope *scope)
      : limits(limits), scope(scope) {
    if (scope)
      function.walk([&](ConstantOp constant) { ++users[constant.getValue()]; });
  }

  /// Folds all ops of a block, nested ones before those around them. The ops
  /// of scalar regions are not graph ops and stay as they are.
  LogicalResult fold(Block &block);
  /// Puts constants in the place of evaluated ops that are still used, and
  /// erases those that are not.
  void finish(Block &block);

private:
  LogicalResult foldOne(Operation *op);
  LogicalResult evaluate(Operation *op, ArrayRef<Tensor> operands);
  /// The operands, if all are constant.
  std::optional<SmallVector<Tensor>> constantOperands(Operation *op);

  /// The value of a constant. Its memory goes with the tensor if nobody else
  /// reads it.
  FailureOr<Tensor> constantOperand(Operation *op, Value operand);
  FoldLimits limits;
  ConstantScope *scope;
  /// How many constants have the same value.
  llvm::DenseMap<Attribute, unsigned> users;
  /// Large values stay out of the IR until the end: most have one reader, which
  /// is folded too, and no constant would ever be freed.
  llvm::DenseMap<Value, Tensor> evaluated;
};
} // namespace

FailureOr<Tensor> ConstantFolder::constantOperand(Operation *op,
                                                  Value operand) {
  FailureOr<ElementsAttr> value = constantValue(operand);
  if (failed(value))
    return failure();
  FailureOr<Tensor> tensor = Tensor::fromAttribute(op->getLoc(), *value);
  if (succeeded(tensor) && scope && operand.hasOneUse() &&
      users.lookup(*value) == 1)
    if (auto owner = scope->take(*value))
      return Tensor::view(
          tensor->getElementType(), tensor->getShape(), tensor->bytes(),
          std::make_shared<std::pair<Tensor, std::shared_ptr<const void>>>(
              *tensor, std::move(owner)));
  return tensor;
}

std::optional<SmallVector<Tensor>>
ConstantFolder::constantOperands(Operation *op) {
  SmallVector<Tensor> tensors;
  for (Value operand : op->getOperands()) {
    if (auto known = evaluated.find(operand); known != evaluated.end()) {
      tensors.push_back(known->second);
      continue;
    }
    FailureOr<Tensor> tensor = constantOperand(op, operand);
    if (failed(tensor))
      return std::nullopt;
    tensors.push_back(*tensor);
  }
  return tensors;
}

/// Makes a constant where `result` is defined, and lets its readers use that.
static void replaceByConstant(Value result, const Tensor &value) {
  OpBuilder builder(result.getDefiningOp());
  ElementsAttr elements = value.toAttribute();
  Value constant =
      ConstantOp::create(builder, result.getLoc(),
                         cast<RankedTensorType>(elements.getType()), elements);
  result.replaceAllUsesWith(constant);
}

LogicalResult ConstantFolder::evaluate(Operation *op,
                                       ArrayRef<Tensor> operands) {
  FailureOr<SmallVector<Tensor>> results = evaluateOp(op, operands);
  if (failed(results))
    return failure();
  // An operand that nobody else reads need not be kept.
  for (Value operand : op->getOperands())
    if (operand.hasOneUse())
      evaluated.erase(operand);
  bool isLarge = llvm::any_of(*results, [](const Tensor &result) {
    return result.sizeInBytes() > Tensor::kMaxDenseBytes &&
           !result.isRepeated();
  });
  if (!isLarge) {
    for (auto [result, tensor] : llvm::zip(op->getResults(), *results))
      replaceByConstant(result, tensor);
    op->erase();
    return success();
  }
  for (auto [result, tensor] : llvm::zip(op->getResults(), *results)) {
    result.setType(tensor.getType());
    evaluated[result] = tensor;
  }
  return success();
}

/// Lets the readers of a tensor without elements use a constant, so that no
/// instruction needs to handle it.
static void replaceIfEmpty(Value value, OpBuilder &builder) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || type.getNumElements() != 0 ||
      value.use_empty())
    return;
  value.replaceAllUsesWith(
      ConstantOp::create(builder, value.getLoc(), type,
                         DenseElementsAttr::get(type, ArrayRef<Attribute>())));
}

/// Refines and folds one op; the op may be gone afterwards.
LogicalResult ConstantFolder::foldOne(Operation *op) {
  if (failed(refineResultTypes(op)))
    return failure();
  if (op->hasTrait<OpTrait::ConstantLike>())
    return success();
  OpBuilder before(op);
  for (Value result : op->getResults())
    replaceIfEmpty(result, before);
  if (isOpTriviallyDead(op)) {
    op->erase();
    return success();
  }
  OpBuilder builder(op);
  SmallVector<Value> values;
  if (succeeded(builder.tryFold(op, values)) && !values.empty()) {
    op->replaceAllUsesWith(values);
    op->erase();
    return success();
  }
  auto isConstant = [&](Value value) {
    return evaluated.contains(value) || succeeded(constantValue(value));
  };
  if (!isWorthFolding(op, limits, isConstant))
    return success();
  std::optional<SmallVector<Tensor>> operands = constantOperands(op);
  return operands ? evaluate(op, *operands) : failure();
}

LogicalResult ConstantFolder::fold(Block &block) {
  bool failedAny = false;
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  for (BlockArgument argument : block.getArguments())
    replaceIfEmpty(argument, builder);
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!isa_and_nonnull<GlowDialect>(op.getDialect()) || isa<YieldOp>(op))
      continue;
    for (Region &region : op.getRegions())
      for (Block &nested : region)
        failedAny |= failed(fold(nested));
    failedAny |= failed(foldOne(&op));
  }
  return failure(failedAny);
}

void ConstantFolder::finish(Block &block) {
  // Last ops first, so that a reader is gone before its operands are looked at.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    for (Region &region : op.getRegions())
      for (Block &nested : region)
        finish(nested);
    for (Value result : op.getResults())
      if (auto known = evaluated.find(result); known != evaluated.end()) {
        if (!result.use_empty())
          replaceByConstant(result, known->second);
        evaluated.erase(known);
      }
    if (isOpTriviallyDead(&op))
      op.erase();
  }
}

namespace {
struct FoldConstants : glow::impl::FoldConstantsBase<FoldConstants> {
  using FoldConstantsBase::FoldConstantsBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    // Other functions may have the same constants.
    bool isAlone =
        llvm::hasSingleElement(function->getBlock()->getOps<func::FuncOp>());
    ConstantFolder folder(FoldLimits{maxBytes, maxGrowth}, function,
                          isAlone ? scope : nullptr);
    bool failedAny = false;
    for (Block &block : function.getBody())
      failedAny |= failed(folder.fold(block));
    if (failedAny)
      return signalPassFailure();
    for (Block &block : function.getBody())
      folder.finish(block);
    updateFunctionType(function);
  }

  ConstantScope *scope = nullptr;
};
} // namespace

std::unique_ptr<Pass> glow::createFoldConstants(ConstantScope *scope) {
  auto pass = std::make_unique<FoldConstants>();
  pass->scope = scope;
  return pass;
}
