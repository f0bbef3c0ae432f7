//===- Steps.cpp - a function, taken apart between its ops ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Steps.h"
#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::glow;

static bool isConstant(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>();
}

Steps::Steps(func::FuncOp function) : function(function) {
  for (Operation &op : function.front().without_terminator())
    if (!isConstant(&op)) {
      places[&op] = ops.size();
      ops.push_back(&op);
    }
}

std::optional<size_t> Steps::placeOf(Value value) const {
  Operation *op = value.getDefiningOp();
  auto place = op ? places.find(op) : places.end();
  if (place == places.end())
    return std::nullopt;
  return place->second;
}

/// Unique within the function: the interface's own name, or the step's place.
std::string Steps::nameOf(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    unsigned index = argument.getArgNumber();
    if (auto name = function.getArgAttrOfType<StringAttr>(
            index, GlowDialect::kNameAttrName))
      return name.str();
    return "input" + std::to_string(index);
  }
  auto result = cast<OpResult>(value);
  std::string name = "step" + std::to_string(*placeOf(value));
  if (result.getOwner()->getNumResults() > 1)
    name += "_" + std::to_string(result.getResultNumber());
  return name;
}

SmallVector<Value> Steps::resultsOf(size_t begin, size_t end) const {
  SmallVector<Value> results;
  for (size_t i = begin; i < end; ++i)
    for (Value result : ops[i]->getResults()) {
      auto isLater = [&](Operation *user) {
        auto place = places.find(function.front().findAncestorOpInBlock(*user));
        return place == places.end() || place->second >= end;
      };
      if (llvm::any_of(result.getUsers(), isLater))
        results.push_back(result);
    }
  return results;
}

/// Values from outside that `op` reads, those of its regions included.
static llvm::SetVector<Value> operandsOf(Operation *op) {
  llvm::SetVector<Value> operands;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (!op->isProperAncestor(operand.getParentBlock()->getParentOp()) &&
          operand.getParentBlock()->getParentOp() != op)
        operands.insert(operand);
  });
  return operands;
}

Window Steps::window(size_t begin, size_t end, ArrayRef<Value> results) const {
  // Backwards from the results to the cut.
  llvm::SetVector<Value> needed(results.begin(), results.end());
  llvm::SetVector<Value> arguments;
  llvm::DenseSet<Operation *> wanted;
  for (size_t i = 0; i < needed.size(); ++i) {
    Value value = needed[i];
    Operation *op = value.getDefiningOp();
    std::optional<size_t> place = placeOf(value);
    if (!op || (place && *place < begin)) {
      arguments.insert(value);
      continue;
    }
    wanted.insert(op);
    for (Value operand : operandsOf(op))
      needed.insert(operand);
  }

  Window window;
  window.arguments.assign(arguments.begin(), arguments.end());
  window.results.assign(results.begin(), results.end());
  Location loc = function.getLoc();
  window.module = ModuleOp::create(loc);
  // Functions that are called.
  OpBuilder builder = OpBuilder::atBlockEnd(window.module->getBody());
  for (Operation &other : *function->getBlock())
    if (&other != function)
      builder.clone(other);
  auto part = func::FuncOp::create(
      builder, loc, function.getName(),
      builder.getFunctionType(TypeRange(ValueRange(window.arguments)),
                              TypeRange(ValueRange(window.results))));
  builder.setInsertionPointToEnd(part.addEntryBlock());
  IRMapping mapping;
  for (auto [i, value] : llvm::enumerate(window.arguments)) {
    mapping.map(value, part.getArgument(i));
    part.setArgAttr(i, GlowDialect::kNameAttrName,
                    builder.getStringAttr(nameOf(value)));
  }
  for (Operation &op : function.front())
    if (wanted.contains(&op))
      builder.clone(op, mapping);
  SmallVector<Value> returned;
  for (auto [i, value] : llvm::enumerate(window.results)) {
    returned.push_back(mapping.lookup(value));
    part.setResultAttr(i, GlowDialect::kNameAttrName,
                       builder.getStringAttr(nameOf(value)));
  }
  func::ReturnOp::create(builder, loc, returned);
  return window;
}
