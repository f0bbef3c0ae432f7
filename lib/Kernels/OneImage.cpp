//===- OneImage.cpp - products of one of many images ----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/OneImage.h"
#include "glow/Interfaces/TileRegisters.h"

using namespace mlir;
using namespace mlir::glow;

/// More are the length of something rather than a batch.
static constexpr int64_t kMostImages = 16;

/// The outermost open axis; null if that is no batch.
static LoopAxis *findImages(MutableArrayRef<LoopAxis> axes) {
  for (LoopAxis &axis : axes.drop_back()) {
    if (!axis.isBounded())
      continue;
    bool isBatch =
        axis.places == 1 && axis.extent <= kMostImages * axis.perBound;
    return isBatch ? &axis : nullptr;
  }
  return nullptr;
}

std::unique_ptr<Kernel> OneImageKernel::make(const ContractionPlan &many,
                                             const ContractionSpec &spec,
                                             ValueRange buffers,
                                             ScalarRegion epilogue,
                                             const KernelTarget &target) {
  ContractionSpec ofOne = spec;
  LoopAxis *axis = findImages(ofOne.parallel);
  if (!axis)
    return nullptr;
  LoopAxis images = *axis;
  axis->extent = axis->leastExtent();
  axis->bound = LoopAxis::kNone;
  axis->perBound = 1;
  auto one = ContractionPlan::make(ofOne, buffers, epilogue, target);
  // LLVM gives the tile registers of a function one form. Those of many images
  // that fill at most one take as long for a single row.
  if (one && one->registerDepth && many.registerDepth) {
    if (many.pieces > 1 || !many.rows.isBounded() ||
        many.rows.extent > TileRows::kMost)
      return nullptr;
    KernelTarget vectors = target;
    llvm::erase(vectors.features, "amx-tile");
    one = ContractionPlan::make(ofOne, buffers, epilogue, vectors);
  }
  if (!one || one->tilesLike(many))
    return nullptr;
  return std::unique_ptr<Kernel>(new OneImageKernel(
      images, {many, spec, epilogue}, {*one, ofOne, epilogue}));
}

void OneImageKernel::emit(KernelBuilder &b, ValueRange buffers, Value begin,
                          Value end) const {
  auto emitShare = [&](const ContractionKernel &kernel) {
    auto share = [&](Value ticket) {
      return b.div(b.mul(ticket, kernel.tickets()), tickets());
    };
    kernel.emit(b, buffers, share(begin), share(end));
    return SmallVector<Value>();
  };
  Value limit = images.limit(b);
  Value isOne = b.both(b.less(b.index(images.perBound - 1), limit),
                       b.less(limit, b.index(images.perBound + 1)));
  b.ifElse(
      isOne, {}, [&] { return emitShare(one); },
      [&] { return emitShare(many); });
}
