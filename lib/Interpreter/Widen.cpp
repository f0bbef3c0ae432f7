//===- Widen.cpp - single precision as double -----------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Interpreter/Interpreter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::glow;

/// `type` with f64 in the place of f32.
static Type widened(Type type) {
  if (type.isF32())
    return Float64Type::get(type.getContext());
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(widened(tensor.getElementType()));
  return type;
}

static bool isNarrow(Value value) {
  return widened(value.getType()) != value.getType();
}

/// A scalar body: everything in it is computed from its arguments.
static void widenRegion(Region &region) {
  region.walk([](Block *block) {
    for (BlockArgument argument : block->getArguments())
      argument.setType(widened(argument.getType()));
  });
  region.walk([](Operation *op) {
    for (OpResult result : op->getResults())
      result.setType(widened(result.getType()));
    auto constant = dyn_cast<arith::ConstantOp>(op);
    auto value =
        constant ? dyn_cast<FloatAttr>(constant.getValue()) : FloatAttr();
    if (value && value.getType().isF32())
      constant.setValueAttr(
          FloatAttr::get(widened(value.getType()), value.getValueAsDouble()));
  });
}

namespace {
/// Values that stay single, and what they are cast to. A constant is cast
/// where it is first read, so that few casts are alive at a time.
class Casts {
public:
  Value wide(Value value, Operation *reader) {
    Value &cast = casts[value];
    if (!cast) {
      OpBuilder builder(reader);
      cast = CastOp::create(builder, value.getLoc(), widened(value.getType()),
                            value);
    }
    return cast;
  }

private:
  llvm::DenseMap<Value, Value> casts;
};
} // namespace

void glow::widenFloats(func::FuncOp function) {
  if (function.isExternal())
    return;
  Casts casts;
  for (Operation &op : llvm::make_early_inc_range(function.front())) {
    bool computes = false;
    for (OpOperand &operand : op.getOpOperands()) {
      computes |= getElementTypeOrSelf(operand.get()).isF64();
      if (!isNarrow(operand.get()))
        continue;
      operand.set(casts.wide(operand.get(), &op));
      computes = true;
    }
    // What makes floats of something else makes the same ones as before.
    if (!computes)
      continue;
    for (OpResult result : op.getResults())
      result.setType(widened(result.getType()));
    for (Region &region : op.getRegions())
      widenRegion(region);
  }
  Operation *terminator = function.front().getTerminator();
  function.setFunctionType(FunctionType::get(function.getContext(),
                                             function.getArgumentTypes(),
                                             terminator->getOperandTypes()));
}
