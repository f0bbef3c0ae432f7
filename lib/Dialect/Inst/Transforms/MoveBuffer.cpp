//===- MoveBuffer.cpp - let all users of a buffer use another -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MoveBuffer.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// Gives axes that only repeat one element the extent 1 where the instruction
/// broadcasts the operand itself; nothing if it does not.
static std::optional<MemRefType> broadcastLess(Operation *op, unsigned operand,
                                               MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  [[maybe_unused]] auto ok = type.getStridesAndOffset(strides, offset);
  SmallVector<int64_t> shape(type.getShape());
  // Axes from here on must keep their extent.
  int64_t kept = 0;
  if (auto map = dyn_cast<MapOp>(op))
    kept = operand < map.getInputs().size() ? type.getRank() : 0;
  else if (isa<ConvOp>(op))
    kept = operand >= 2 ? type.getRank() : 0;
  else if (auto product = dyn_cast<MatMulOp>(op))
    kept = operand >= 2
               ? type.getRank()
               : type.getRank() - (operand == 1 && product.getPacked() ? 3 : 2);
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (strides[axis] == 0 && shape[axis] != 1) {
      if (axis >= kept)
        return std::nullopt;
      shape[axis] = 1;
    }
  return viewType(type, shape, strides, offset);
}

static int64_t strideFromEnd(MemRefType type, int64_t fromEnd) {
  SmallVector<int64_t> strides;
  int64_t offset;
  [[maybe_unused]] auto known = type.getStridesAndOffset(strides, offset);
  return strides[strides.size() - fromEnd];
}

/// Whether a product with these factors sums along its depth, which lies side
/// by side in both, for a few columns. These may lie anywhere.
static bool sumsAlongDepth(MemRefType lhs, MemRefType rhs) {
  constexpr int64_t kFewColumns = 4;
  return lhs.getRank() >= 2 && rhs.getRank() >= 2 &&
         rhs.getShape().back() <= kFewColumns && strideFromEnd(lhs, 1) == 1 &&
         strideFromEnd(rhs, 2) == 1;
}

/// Whether a product with these factors had better turn the columns, whose
/// depth lies side by side, on their way into its panels than read a turned
/// copy. Bands of more rows would each turn them again.
static bool turnsColumns(MemRefType lhs, MemRefType rhs) {
  constexpr int64_t kMostRows = 256;
  return lhs.getRank() >= 2 && rhs.getRank() >= 2 &&
         lhs.getShape().end()[-2] <= kMostRows && strideFromEnd(rhs, 2) == 1;
}

/// Whether the innermost axis of an operand need not be contiguous.
static bool takesAnyStride(const Access &access, MemRefType moved) {
  auto product = dyn_cast<MatMulOp>(access.op);
  if (!product || product.getPacked())
    return false;
  auto lhs = cast<MemRefType>(product.getLhs().getType());
  auto rhs = cast<MemRefType>(product.getRhs().getType());
  if (access.operand == 1)
    return sumsAlongDepth(lhs, moved) || turnsColumns(lhs, moved);
  return access.buffer() == product.getOutput() && sumsAlongDepth(lhs, rhs);
}

/// The operand's type in its new place, if the instruction is as good with it.
static std::optional<MemRefType> movedOperand(const Access &access,
                                              const Relocation &relocation) {
  auto type = cast<MemRefType>(access.buffer().getType());
  std::optional<MemRefType> moved = relocation.relocate(type);
  // Copies and fills take any strides at the same cost.
  if (!moved || isa<CopyOp, FillOp>(access.op))
    return moved;
  if (isa<CallHostOp>(access.op) && !isDense(*moved))
    return std::nullopt;
  // The body is compiled for the types that it takes.
  if (isa<LoopOp, ForStepsOp>(access.op))
    return *moved == type ? moved : std::nullopt;
  moved = broadcastLess(access.op, access.operand, *moved);
  if (!moved)
    return std::nullopt;
  int64_t before = innermostAxis(type), after = innermostAxis(*moved);
  if (before < 0 || after != before)
    return moved;
  SmallVector<int64_t> from, to;
  int64_t offset;
  [[maybe_unused]] auto a = type.getStridesAndOffset(from, offset);
  [[maybe_unused]] auto b = moved->getStridesAndOffset(to, offset);
  if (from[before] == 1 && to[before] != 1 && !takesAnyStride(access, *moved))
    return std::nullopt;
  return moved;
}

bool mlir::glow::inst::moveBuffer(Value from, Value to,
                                  const Relocation &relocation,
                                  Accesses &accesses, Operation *gone) {
  SmallVector<std::pair<Access, MemRefType>> moves;
  for (const Access &access : accesses.of(from)) {
    if (access.op == gone)
      continue;
    std::optional<MemRefType> type = movedOperand(access, relocation);
    if (!type)
      return false;
    moves.emplace_back(access, *type);
  }
  if (auto alloc = to.getDefiningOp<AllocOp>())
    accesses.hoistBefore(alloc, from.getDefiningOp());
  for (auto &[access, type] : moves) {
    OpBuilder builder(access.op);
    Value view = to;
    if (type != to.getType())
      view = ViewOp::create(builder, access.op->getLoc(), type, to);
    access.op->setOperand(access.operand, view);
  }
  accesses.moved(from, to, gone);
  return true;
}
