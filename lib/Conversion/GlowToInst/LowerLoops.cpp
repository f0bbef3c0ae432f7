//===- LowerLoops.cpp - loops, and the ends of their bodies ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LowerLoops.h"

using namespace mlir;
using namespace mlir::glow;

/// The states advance in the memory of the results.
LogicalResult LoopOp::lower(InstLowering &lowering) {
  Builder &builder = lowering.builder;
  Value number = lowering.scratch({}, builder.getI64Type());
  Value condition = lowering.scratch({}, builder.getI1Type());
  lowering.fill(number, 0);
  lowering.copy(lowering.buffer(getCondition()), condition);
  SmallVector<Value> states, collected;
  for (auto [result, state] : llvm::zip(getResults(), getStates())) {
    states.push_back(lowering.allocate(result));
    lowering.copy(lowering.buffer(state), states.back());
  }
  for (Value result : getResults().drop_front(states.size())) {
    collected.push_back(lowering.allocate(result));
    lowering.fill(collected.back(), 0);
  }
  inst::LoopOp::create(lowering.builder, getLoc(), getBodyAttr(), number,
                       states, lowering.buffers(getReads()), condition,
                       collected);
  return success();
}

std::optional<LoopBody> LoopBody::get(func::FuncOp function) {
  auto numbers =
      function->getAttrOfType<DenseI64ArrayAttr>(GlowDialect::kLoopAttrName);
  if (!numbers)
    return std::nullopt;
  return LoopBody{numbers[0], numbers[1]};
}

MemRefType LoopBody::outputType(size_t result, Type type) const {
  MemRefType buffer = bufferTypeOf(type);
  if (!isCollected(result))
    return buffer;
  SmallVector<int64_t> shape{rows};
  llvm::append_range(shape, buffer.getShape());
  return MemRefType::get(shape, buffer.getElementType());
}

void LoopBody::finish(ValueRange results, ArrayRef<Value> outputs, Value number,
                      InstLowering &lowering) const {
  // A state may be computed from another without a copy, or be that.
  SmallVector<std::pair<Value, Value>> copies;
  Value row = lowering.reshape(number, {1});
  for (auto [i, tensor] : llvm::enumerate(results)) {
    Value value = lowering.buffer(tensor);
    if (cast<ShapedType>(tensor.getType()).getNumElements() == 0)
      continue;
    if (isCollected(i)) {
      inst::ScatterNDOp::create(lowering.builder, lowering.loc,
                                ScatterKind::None, row, value, outputs[i]);
      continue;
    }
    if (value == outputs[i])
      continue;
    if (isState(i) && isa<BlockArgument>(inst::rootBuffer(value))) {
      auto type = cast<MemRefType>(value.getType());
      Value kept = lowering.scratch(type.getShape(), type.getElementType());
      lowering.copy(value, kept);
      value = kept;
    }
    copies.emplace_back(value, outputs[i]);
  }
  for (auto [from, to] : copies)
    lowering.copy(from, to);
  lowering.map(number, number, [&](ValueRange arguments) -> Value {
    auto one = arith::ConstantIntOp::create(lowering.builder, lowering.loc,
                                            arguments[0].getType(), 1);
    return arith::AddIOp::create(lowering.builder, lowering.loc, arguments[0],
                                 one);
  });
}
