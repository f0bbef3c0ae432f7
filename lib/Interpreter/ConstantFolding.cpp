//===- ConstantFolding.cpp - constants from the interpreter ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Interpreter/ConstantFolding.h"
#include "glow/Dialect/Glow/IR/TypeInference.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::glow;

FailureOr<ElementsAttr> glow::constantValue(Value value) {
  ElementsAttr attribute;
  if (!value || !matchPattern(value, m_Constant(&attribute)))
    return failure();
  return attribute;
}

static FailureOr<SmallVector<Tensor>> constantOperands(Operation *op) {
  SmallVector<Tensor> operands;
  for (Value operand : op->getOperands()) {
    FailureOr<ElementsAttr> value = constantValue(operand);
    if (failed(value))
      return failure();
    FailureOr<Tensor> tensor = Tensor::fromAttribute(op->getLoc(), *value);
    if (failed(tensor))
      return failure();
    operands.push_back(std::move(*tensor));
  }
  return operands;
}

FailureOr<SmallVector<Attribute>> glow::evaluateOp(Operation *op) {
  if (!canEvaluate(op))
    return failure();
  FailureOr<SmallVector<Tensor>> operands = constantOperands(op);
  if (failed(operands))
    return failure();
  FailureOr<SmallVector<Tensor>> results = evaluateOp(op, *operands);
  if (failed(results))
    return failure();
  SmallVector<Attribute> attributes;
  for (const Tensor &result : *results)
    attributes.push_back(result.toAttribute());
  return attributes;
}

/// The ops that `value` is computed from, operands first; fails if one of them
/// does not end in constants. Iterative: chains may be long.
static FailureOr<SmallVector<Operation *>> computation(Value value) {
  SmallVector<Operation *> order, stack{value.getDefiningOp()};
  llvm::DenseSet<Operation *> done;
  while (!stack.empty()) {
    Operation *op = stack.back();
    if (!op || !canEvaluate(op))
      return failure();
    bool ready = true;
    for (Value operand : op->getOperands())
      if (!done.contains(operand.getDefiningOp())) {
        stack.push_back(operand.getDefiningOp());
        ready = false;
      }
    if (!ready)
      continue;
    stack.pop_back();
    if (done.insert(op).second)
      order.push_back(op);
  }
  return order;
}

FailureOr<Attribute> glow::evaluateConstant(Value value) {
  FailureOr<ElementsAttr> constant = constantValue(value);
  if (succeeded(constant))
    return Attribute(*constant);
  FailureOr<SmallVector<Operation *>> order = computation(value);
  if (failed(order))
    return failure();
  llvm::DenseMap<Value, Tensor> known;
  for (Operation *op : *order) {
    SmallVector<Tensor> operands;
    for (Value operand : op->getOperands())
      operands.push_back(known.lookup(operand));
    FailureOr<SmallVector<Tensor>> results = evaluateOp(op, operands);
    if (failed(results))
      return failure();
    for (auto [result, tensor] : llvm::zip(op->getResults(), *results))
      known[result] = tensor;
  }
  return Attribute(known.lookup(value).toAttribute());
}

/// The bytes of a tensor type, or nothing if its shape is dynamic.
static std::optional<int64_t> byteSize(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  std::optional<int64_t> count = numElements(tensor.getShape());
  int64_t bytes;
  if (!count ||
      mulOverflows(*count, ElementFormat::byteWidth(tensor.getElementType()),
                   bytes))
    return std::nullopt;
  return bytes;
}

bool glow::isWorthFolding(Operation *op, const FoldLimits &limits,
                          llvm::function_ref<bool(Value)> isConstant) {
  if (!isMemoryEffectFree(op) || op->hasTrait<OpTrait::ConstantLike>() ||
      !canEvaluate(op))
    return false;
  int64_t before = 0, after = 0;
  for (Value operand : op->getOperands()) {
    if (!isConstant(operand))
      return false;
    before += byteSize(operand.getType()).value_or(0);
  }
  for (Type type : op->getResultTypes()) {
    // A shape that depends on values is no larger than a few times the operand.
    std::optional<int64_t> bytes = byteSize(type);
    if (!bytes && cast<RankedTensorType>(type).hasStaticShape())
      return false;
    after += bytes.value_or(0);
  }
  return after <= limits.maxBytes || after / limits.maxGrowth <= before;
}

bool glow::isWorthFolding(Operation *op, const FoldLimits &limits) {
  return isWorthFolding(
      op, limits, [](Value value) { return succeeded(constantValue(value)); });
}
