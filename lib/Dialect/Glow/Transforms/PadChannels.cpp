//===- PadChannels.cpp - images whose channels fill groups ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TapRows.h"
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Interfaces/TileRegisters.h"
#include "mlir/IR/Matchers.h"

namespace mlir::glow {
#define GEN_PASS_DEF_PADCHANNELS
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

/// One of images with an odd number of channels that are too few for a tile
/// register, while a line of its window is not.
static bool wantsChannels(ConvOp conv, int64_t group) {
  auto input = cast<RankedTensorType>(conv.getInput().getType());
  if (!conv.isChannelsLast() || conv.getGroup() != 1 || conv.getPacked() ||
      !input.hasStaticShape() || !input.getElementType().isF32() ||
      !matchPattern(conv.getFilter(), m_Constant()))
    return false;
  int64_t channels = input.getShape().back(),
          whole = llvm::alignTo(channels, group);
  return channels != whole && channels < TileRows::kLeastDepth &&
         dimsOf(conv.getResult()).back() >= TileRows::kMost &&
         tapRowDepth(conv, whole, group) >= TileRows::kLeastDepth;
}

/// Zeros behind what there is along `axis`.
static Value padTo(GraphBuilder &b, Value value, int64_t axis, int64_t extent) {
  int64_t rank = dimsOf(value).size();
  SmallVector<int64_t> pads(2 * rank, 0);
  pads[rank + axis] = extent - dimsOf(value)[axis];
  return b.create<PadOp>(PadMode::Constant, value, b.ints(pads), Value());
}

/// Planes of channels are padded before they are interleaved.
static Value padChannels(GraphBuilder &b, Value images, int64_t channels) {
  int64_t axis = dimsOf(images).size() - 1;
  auto transpose = images.getDefiningOp<TransposeOp>();
  if (!transpose)
    return padTo(b, images, axis, channels);
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  Value planes = padTo(b, transpose.getInput(), permutation[axis], channels);
  return b.transpose(planes, permutation);
}

namespace {
struct PadChannels : glow::impl::PadChannelsBase<PadChannels> {
  using PadChannelsBase::PadChannelsBase;

  void runOnOperation() override {
    Type factor = BFloat16Type::get(&getContext());
    if (!target.getValue().tileDepth(factor))
      return;
    int64_t group = target.getValue().depthGroup(factor);
    getOperation().walk([&](ConvOp conv) {
      if (!wantsChannels(conv, group))
        return;
      OpBuilder builder(conv);
      GraphBuilder b(builder, conv.getLoc());
      int64_t axis = conv.getSpatialRank();
      int64_t channels = llvm::alignTo(dimsOf(conv.getInput()).back(), group);
      conv.getInputMutable().assign(padChannels(b, conv.getInput(), channels));
      conv.getFilterMutable().assign(
          padTo(b, conv.getFilter(), axis, channels));
    });
  }
};
} // namespace
