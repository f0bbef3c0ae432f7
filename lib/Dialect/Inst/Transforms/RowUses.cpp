//===- RowUses.cpp - which rows of its operands a row needs ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RowUses.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::glow::inst;

/// Of an operand that is broadcast to the result by NumPy's rules.
static RowUse broadcastUse(Value operand, int64_t rank) {
  ArrayRef<int64_t> shape = shapeOf(operand);
  int64_t missing = rank - static_cast<int64_t>(shape.size());
  RowUse use;
  auto place = [&](int64_t axis) {
    return axis >= missing && shape[axis - missing] != 1 ? axis - missing
                                                         : RowUse::kNone;
  };
  use.imageAxis = place(0);
  use.rowAxis = place(1);
  return use;
}

/// Every operand is broadcast to the result.
static RowUses elementwise(Operation *op, unsigned result) {
  ArrayRef<int64_t> shape = shapeOf(op->getOperand(result));
  RowUses uses{shape[0], shape[1], {}, result};
  for (Value operand : op->getOperands())
    uses.operands.push_back(broadcastUse(operand, shape.size()));
  return uses;
}

static unsigned lastOperand(Operation *op) { return op->getNumOperands() - 1; }

/// The first operand has windows along its rows. Padding that is not in memory
/// would be another one for each band.
template <typename Op> static std::optional<RowUses> windowed(Op op) {
  if (!op.isChannelsLast() || op.getSpatialRank() != 2 ||
      llvm::any_of(op.getPads(), [](int64_t pad) { return pad != 0; }))
    return std::nullopt;
  RowUses uses = elementwise(op, lastOperand(op));
  RowUse &input = uses.operands.front();
  input = {0, 1, op.getStrides()[0],
           (op.getKernelShape()[0] - 1) * op.getDilations()[0] + 1};
  if (input.rowsFor(uses.rows) > shapeOf(op->getOperand(0))[1])
    return std::nullopt;
  return uses;
}

static std::optional<RowUses> convolution(ConvOp op) {
  if (op.getWinograd())
    return std::nullopt;
  std::optional<RowUses> uses = windowed(op);
  if (uses)
    uses->operands[1] = RowUse();
  return uses;
}

std::optional<RowUses> RowUses::of(Operation *op) {
  using Result = std::optional<RowUses>;
  if (!isa<ConvOp, PoolOp, MapOp, CopyOp>(op))
    return std::nullopt;
  Value result = op->getOperands().back();
  if (shapeOf(result).size() != 4 ||
      cast<MemRefType>(result.getType()).getNumElements() == 0)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](ConvOp conv) { return convolution(conv); })
      .Case([](PoolOp pool) { return windowed(pool); })
      .Case([](MapOp map) -> Result {
        if (map.getOutputs().size() != 1)
          return std::nullopt;
        return elementwise(map, lastOperand(map));
      })
      .Case([](CopyOp copy) { return elementwise(copy, lastOperand(copy)); })
      .Default([](Operation *) { return std::nullopt; });
}
