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

/// `size` elements from `start` on along `axis`.
static Value slice(OpBuilder &builder, Location loc, Value buffer, int64_t axis,
                   int64_t start, int64_t size) {
  auto type = cast<MemRefType>(buffer.getType());
  StridedLayout layout = layoutOf(buffer);
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = size;
  MemRefType part = viewType(type, shape, layout.strides,
                             layout.offset + start * layout.strides[axis]);
  return ViewOp::create(builder, loc, part, rootBuffer(buffer));
}

/// Fills what the pads add along one axis and returns what is between.
static Value fillBorder(OpBuilder &builder, Location loc, Value buffer,
                        int64_t axis, int64_t before, int64_t after) {
  auto type = cast<MemRefType>(buffer.getType());
  auto zero = cast<TypedAttr>(
      builder.getZeroAttr(ScalarBuilder::signless(type.getElementType())));
  int64_t extent = type.getDimSize(axis);
  if (before)
    FillOp::create(builder, loc, slice(builder, loc, buffer, axis, 0, before),
                   zero);
  if (after)
    FillOp::create(builder, loc,
                   slice(builder, loc, buffer, axis, extent - after, after),
                   zero);
  return slice(builder, loc, buffer, axis, before, extent - before - after);
}

/// Inputs along a spatial axis that the tiles of a Winograd convolution read.
static int64_t wholeTiles(ConvOp conv, int64_t axis) {
  int64_t tile = conv.getWinograd()->getOutputs();
  int64_t extent = cast<MemRefType>(conv.getOutput().getType())
                       .getDimSize(conv.isChannelsLast() ? 1 + axis : 2 + axis);
  return llvm::alignTo(extent, tile) + 2;
}

static void padInput(ConvOp conv) {
  OpBuilder builder(conv);
  auto type = cast<MemRefType>(conv.getInput().getType());
  SmallVector<int64_t> pads(conv.getPads()), shape(type.getShape());
  int64_t rank = conv.getSpatialRank(), first = conv.isChannelsLast() ? 1 : 2;
  for (int64_t i = 0; i < rank; ++i) {
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
  conv.setPads(SmallVector<int64_t>(pads.size(), 0));
}

namespace {
struct PadConvs : public inst::impl::PadConvsBase<PadConvs> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      dropPlan(block);
    getOperation().walk(padInput);
  }
};
} // namespace
