//===- ParallelAxes.cpp - along which axes an instruction is parallel -----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ParallelAxes.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::glow::inst;

/// The operand's axes under the first `count` axes of a shape of `rank` axes,
/// to which it is broadcast by NumPy's rules but for its last `own` axes.
static SmallVector<int64_t> broadcastAxes(Value operand, size_t count,
                                          size_t rank, size_t own = 0) {
  SmallVector<int64_t> axes(count, ParallelAxes::kNone);
  ArrayRef<int64_t> shape = shapeOf(operand).drop_back(own);
  rank -= own;
  for (size_t i = 0; i < shape.size(); ++i) {
    size_t axis = rank - shape.size() + i;
    if (axis < count && shape[i] != 1)
      axes[axis] = i;
  }
  return axes;
}

/// Of an instruction that computes its output element by element.
static ParallelAxes elementwise(Operation *op, ArrayRef<int64_t> shape) {
  ParallelAxes axes;
  if (shape.empty())
    return axes;
  axes.extents.assign(shape.begin(), shape.end() - 1);
  for (Value operand : op->getOperands())
    axes.operandAxes.push_back(
        broadcastAxes(operand, axes.extents.size(), shape.size()));
  return axes;
}

/// What is left of the inputs' axes, but for the last one.
static ParallelAxes reduction(ReduceOp op) {
  ParallelAxes axes;
  SmallVector<int64_t> space = op.getSpace(), kept, output;
  for (int64_t axis = 0; axis + 1 < static_cast<int64_t>(space.size());
       ++axis) {
    if (llvm::is_contained(op.getAxes(), axis))
      continue;
    output.push_back(kept.size());
    kept.push_back(axis);
    axes.extents.push_back(space[axis]);
  }
  for (Value input : op.getInputs()) {
    auto all = broadcastAxes(input, space.size(), space.size());
    axes.operandAxes.push_back(
        llvm::map_to_vector(kept, [&](int64_t axis) { return all[axis]; }));
  }
  axes.operandAxes.push_back(output);
  return axes;
}

/// Batches and rows.
static ParallelAxes product(MatMulOp op) {
  ParallelAxes axes;
  ArrayRef<int64_t> shape = shapeOf(op.getOutput());
  size_t count = shape.size() - 1, rank = shape.size();
  axes.extents.assign(shape.begin(), shape.begin() + count);
  for (OpOperand &operand : op->getOpOperands()) {
    Value buffer = operand.get();
    if (operand.getOperandNumber() == 0) {
      auto lhs = broadcastAxes(buffer, count, rank, 2);
      lhs.back() = shapeOf(buffer).size() - 2;
      axes.operandAxes.push_back(lhs);
    } else if (operand.getOperandNumber() == 1) {
      // Panels take three axes of the operand for two of the product.
      size_t matrix = op.getPacked() ? 3 : 2;
      auto rhs = broadcastAxes(buffer, count, rank + matrix - 2, matrix);
      rhs.back() = ParallelAxes::kNone;
      axes.operandAxes.push_back(rhs);
    } else {
      axes.operandAxes.push_back(broadcastAxes(buffer, count, rank));
    }
  }
  return axes;
}

/// The axes of the indices and of what is gathered; each slice may need any
/// place of the axis that is indexed.
static ParallelAxes gathered(GatherOp op) {
  ParallelAxes axes;
  ArrayRef<int64_t> shape = shapeOf(op.getOutput());
  int64_t axis = op.getAxis(), rank = shapeOf(op.getIndices()).size();
  // What indices may reach in a bounded function is followed outside of loops,
  // but all of a table is there.
  auto function = op->getParentOfType<FunctionOpInterface>();
  bool isOpen = function && !glow::symbolsOf(function).empty();
  bool isTable = rootBuffer(op.getInput()).getDefiningOp<ConstantOp>() &&
                 !op.getIndexExtents();
  if (shape.empty() || (isOpen && !isTable))
    return axes;
  axes.extents.assign(shape.begin(), shape.end() - 1);
  SmallVector<int64_t> input, indices, output;
  for (int64_t i = 0, count = axes.extents.size(); i < count; ++i) {
    bool isIndexed = i >= axis && i < axis + rank;
    input.push_back(isIndexed  ? ParallelAxes::kNone
                    : i < axis ? i
                               : i - rank + 1);
    indices.push_back(isIndexed ? i - axis : ParallelAxes::kNone);
    output.push_back(i);
  }
  axes.operandAxes = {input, indices, output};
  return axes;
}

std::optional<ParallelAxes> ParallelAxes::of(Operation *op) {
  auto axes = llvm::TypeSwitch<Operation *, ParallelAxes>(op)
                  .Case([](MapOp map) {
                    return elementwise(map, shapeOf(map.getOutputs().front()));
                  })
                  .Case([](CopyOp copy) {
                    return elementwise(copy, shapeOf(copy.getDestination()));
                  })
                  .Case([](ReduceOp reduce) { return reduction(reduce); })
                  .Case([](MatMulOp matmul) { return product(matmul); })
                  .Case([](GatherOp gather) { return gathered(gather); })
                  .Default([](Operation *) { return ParallelAxes(); });
  if (axes.extents.empty())
    return std::nullopt;
  return axes;
}
