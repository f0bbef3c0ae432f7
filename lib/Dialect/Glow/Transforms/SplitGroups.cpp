//===- SplitGroups.cpp - one convolution per wide group -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A group of many channels is a convolution in its own right: with a filter in
// panels, by Winograd's algorithm, in tile registers or, to few channels, with
// vectors along the depth. Its part of the input and of the result are views.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "mlir/IR/Matchers.h"

namespace mlir::glow {
#define GEN_PASS_DEF_SPLITGROUPS
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

namespace {
struct SplitGroups : glow::impl::SplitGroupsBase<SplitGroups> {
  using SplitGroupsBase::SplitGroupsBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (least >= 1)
      return success();
    return emitError(UnknownLoc::get(context))
           << "a group that is split off has at least 1 channel, not "
           << least.getValue();
  }

  void runOnOperation() override {
    getOperation().walk([&](ConvOp conv) {
      if (isCandidate(conv))
        split(conv);
    });
  }

  bool isCandidate(ConvOp conv) const;
  static void split(ConvOp conv);
};
} // namespace

bool SplitGroups::isCandidate(ConvOp conv) const {
  if (conv.getGroup() == 1 || !conv.isChannelsLast() || conv.getPacked() ||
      !matchPattern(conv.getFilter(), m_Constant()))
    return false;
  ArrayRef<int64_t> filter = dimsOf(conv.getFilter());
  return filter[filter.size() - 2] >= least;
}

void SplitGroups::split(ConvOp conv) {
  OpBuilder builder(conv);
  GraphBuilder b(builder, conv.getLoc());
  int64_t groups = conv.getGroup();
  int64_t channels = dimsOf(conv.getFilter()).back();
  // The group's share of the last axis, along which scalars are broadcast.
  auto partOf = [&](Value value, int64_t group, int64_t extent) {
    ArrayRef<int64_t> dims = dimsOf(value);
    if (dims.empty() || dims.back() != extent)
      return value;
    int64_t part = extent / groups;
    return b.slice(value, dims.size() - 1, group * part, (group + 1) * part);
  };
  SmallVector<Value> results;
  for (int64_t group = 0; group < groups; ++group) {
    auto part = cast<ConvOp>(builder.clone(*conv));
    part.setGroup(1);
    for (OpOperand &operand : part->getOpOperands()) {
      bool isInput = operand.getOperandNumber() == 0;
      operand.set(partOf(operand.get(), group,
                         isInput ? dimsOf(conv.getInput()).back() : channels));
    }
    SmallVector<int64_t> dims(dimsOf(conv.getResult()));
    dims.back() = channels / groups;
    auto type = cast<RankedTensorType>(conv.getType());
    part.getResult().setType(type.clone(dims));
    // Behind its operands.
    part->moveBefore(conv);
    results.push_back(part);
  }
  conv.replaceAllUsesWith(
      b.concat(results, dimsOf(conv.getResult()).size() - 1));
  conv.erase();
}
