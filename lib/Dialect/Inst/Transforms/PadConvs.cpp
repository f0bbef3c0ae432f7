//===- PadConvs.cpp - give convolutions a padded input --------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/Analysis/Accesses.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "glow/Interfaces/ScalarBuilder.h"
#include "mlir/IR/Builders.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_PADCONVS
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// Fills what the pads add along one axis and returns what is between.
static Value fillBorder(OpBuilder &builder, Location loc, Value buffer,
                        int64_t axis, int64_t before, int64_t after) {
  auto type = cast<MemRefType>(buffer.getType());
  auto zero = cast<TypedAttr>(
      builder.getZeroAttr(ScalarBuilder::signless(type.getElementType())));
  int64_t extent = type.getDimSize(axis);
  if (before)
    FillOp::create(builder, loc,
                   sliceView(builder, loc, buffer, axis, 0, before), zero);
  if (after)
    FillOp::create(builder, loc,
                   sliceView(builder, loc, buffer, axis, extent - after, after),
                   zero);
  return sliceView(builder, loc, buffer, axis, before, extent - before - after);
}

/// Inputs along a spatial axis that the tiles of a Winograd convolution read.
static int64_t wholeTiles(ConvOp conv, int64_t axis) {
  int64_t tile = conv.getWinograd()->getOutputs();
  int64_t extent = cast<MemRefType>(conv.getOutput().getType())
                       .getDimSize(conv.isChannelsLast() ? 1 + axis : 2 + axis);
  return llvm::alignTo(extent, tile) + 2;
}

/// Products with zeros, as a part of all, from which on a kernel should rather
/// leave taps out. Where it does, its loop over them has bounds that it must
/// compute, and their number differs from place to place.
static constexpr double kMostZeros = 0.0625;

/// Does padding an axis cost more products than clipped windows cost time?
/// Along the last axis kernels take neighbouring windows together, which should
/// not differ, and tile registers take neighbouring lines too.
static bool prefersClipping(ConvOp conv, int64_t axis,
                            const KernelTarget &target) {
  int64_t rank = conv.getSpatialRank(), first = conv.isChannelsLast() ? 1 : 2;
  Type element = cast<MemRefType>(conv.getInput().getType()).getElementType();
  if (conv.getWinograd() || axis + 1 == rank || target.tileDepth(element))
    return false;
  auto extentOf = [&](Value buffer) {
    return cast<MemRefType>(buffer.getType()).getDimSize(first + axis);
  };
  int64_t input = extentOf(conv.getInput()), inside = 0;
  int64_t output = extentOf(conv.getOutput());
  int64_t kernel = conv.getKernelShape()[axis],
          stride = conv.getStrides()[axis];
  for (int64_t tap = 0; tap < kernel; ++tap) {
    // Windows whose tap lies within the input.
    int64_t place = tap * conv.getDilations()[axis] - conv.getPads()[axis];
    int64_t begin =
        std::max<int64_t>(llvm::divideCeilSigned(-place, stride), 0);
    int64_t end =
        std::min(llvm::divideCeilSigned(input - place, stride), output);
    inside += std::max<int64_t>(end - begin, 0);
  }
  return inside < (1 - kMostZeros) * output * kernel;
}

static void padInput(ConvOp conv, const KernelTarget &target) {
  OpBuilder builder(conv);
  auto type = cast<MemRefType>(conv.getInput().getType());
  SmallVector<int64_t> pads(conv.getPads()), shape(type.getShape());
  int64_t rank = conv.getSpatialRank(), first = conv.isChannelsLast() ? 1 : 2;
  SmallVector<int64_t> clipped(2 * rank, 0);
  for (int64_t i = 0; i < rank; ++i) {
    if (prefersClipping(conv, i, target))
      for (int64_t side : {i, rank + i})
        std::swap(pads[side], clipped[side]);
    if (conv.getWinograd())
      pads[rank + i] = wholeTiles(conv, i) - shape[first + i] - pads[i];
    shape[first + i] += pads[i] + pads[rank + i];
  }
  if (llvm::all_of(pads, [](int64_t pad) { return pad == 0; }))
    return;
  Value padded =
      AllocOp::create(builder, conv.getLoc(),
                      MemRefType::get(shape, type.getElementType(), nullptr,
                                      type.getMemorySpace()),
                      IntegerAttr());
  Value interior = padded;
  for (int64_t i = 0; i < rank; ++i)
    if (pads[i] || pads[rank + i])
      interior = fillBorder(builder, conv.getLoc(), interior, first + i,
                            pads[i], pads[rank + i]);
  CopyOp::create(builder, conv.getLoc(), conv.getInput(), interior);
  conv.getInputMutable().assign(padded);
  conv.setPads(clipped);
}

namespace {
struct PadConvs : public inst::impl::PadConvsBase<PadConvs> {
  using PadConvsBase::PadConvsBase;

  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      dropPlan(block);
    getOperation().walk([&](ConvOp conv) { padInput(conv, target); });
  }
};
} // namespace
