//===- JoinGroups.cpp - narrow groups that share a tile register ----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile register multiplies its whole depth at once, whatever is in it. Groups
// of few channels side by side fill one, if each group's filter has zeros for
// the channels of the others.
//
//===----------------------------------------------------------------------===//
#include "TapRows.h"
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Interfaces/TileRegisters.h"
#include "mlir/IR/Matchers.h"

namespace mlir::glow {
#define GEN_PASS_DEF_JOINGROUPS
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

/// Vectors must take this many times as long as tile registers, both at their
/// peak: results of the latter go through memory.
static constexpr double kLeastGain = 1.5;

/// Whether there are rows for a register. What is open may have many.
static bool hasRows(ConvOp conv) {
  auto type = cast<RankedTensorType>(conv.getType());
  return !type.hasStaticShape() ||
         type.getNumElements() >= TileRows::kMost * type.getShape().back();
}

namespace {
struct JoinGroups : glow::impl::JoinGroupsBase<JoinGroups> {
  using JoinGroupsBase::JoinGroupsBase;

  void runOnOperation() override {
    getOperation().walk([&](ConvOp conv) {
      if (int64_t count = numJoined(conv); count > 1)
        join(conv, count);
    });
  }

  int64_t numJoined(ConvOp conv) const;
  static void join(ConvOp conv, int64_t count);
};
} // namespace

/// How many groups become one; 1 if that gains nothing.
int64_t JoinGroups::numJoined(ConvOp conv) const {
  const KernelTarget &machine = target.getValue();
  int64_t depth = machine.tileDepth(BFloat16Type::get(conv.getContext()));
  int64_t groups = conv.getGroup();
  if (depth == 0 || groups == 1 || !conv.isChannelsLast() || conv.getPacked() ||
      !elementType(conv.getInput()).isF32() ||
      !matchPattern(conv.getFilter(), m_Constant()))
    return 1;
  ArrayRef<int64_t> filter = dimsOf(conv.getFilter());
  int64_t in = filter[filter.size() - 2], out = filter.back() / groups;
  // Of an odd depth a rest would be copied.
  int64_t even = machine.depthGroup(BFloat16Type::get(conv.getContext()));
  int64_t count = 1;
  for (int64_t i = 2; i <= std::min(groups, depth / in); ++i)
    if (groups % i == 0 && i * in % even == 0)
      count = i;
  if (!hasRows(conv) ||
      tapRowDepth(conv, count * in, even) < TileRows::kLeastDepth)
    return 1;
  // Cycles for a row and a tap: a register of columns takes one. So do two
  // vectors of products, each of one channel and as many columns.
  double inTiles = llvm::divideCeil(count * out, TileRows::kMost);
  double inVectors = double(count * out * in) /
                     (2 * machine.lanes(elementType(conv.getInput())));
  return inTiles * kLeastGain < inVectors ? count : 1;
}

void JoinGroups::join(ConvOp conv, int64_t count) {
  OpBuilder builder(conv);
  GraphBuilder b(builder, conv.getLoc());
  ArrayRef<int64_t> filter = dimsOf(conv.getFilter());
  int64_t axis = filter.size() - 2, in = filter[axis], channels = filter.back();
  int64_t groups = conv.getGroup(), out = channels / groups;
  SmallVector<bool> isOwn;
  for (int64_t channel : llvm::seq(count * in))
    for (int64_t result : llvm::seq(channels))
      isOwn.push_back(channel / in == result / out % count);
  auto type =
      RankedTensorType::get({count * in, channels}, builder.getI1Type());
  Value mask = b.create<ConstantOp>(
      type, cast<ElementsAttr>(DenseElementsAttr::get(type, isOwn)));
  SmallVector<Value> copies(count, conv.getFilter());
  Value zero = b.scalar(0, elementType(conv.getFilter()));
  conv.getFilterMutable().assign(
      b.create<WhereOp>(mask, b.concat(copies, axis), zero));
  conv.setGroup(groups / count);
}
