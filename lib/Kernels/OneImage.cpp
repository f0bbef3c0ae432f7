//===- OneImage.cpp - products of one of many images ----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/OneImage.h"
#include "glow/Interfaces/TileRegisters.h"

using namespace mlir;
using namespace mlir::glow;

/// Of more images, or of a longer text, there is hardly ever one, or one row.
static constexpr int64_t kMostImages = 16;

/// The plan of one image, or one row, along an open axis of `ofOne`, which is
/// known to have no more then.
static std::optional<ContractionPlan>
planOne(const ContractionPlan &many, const LoopAxis &images,
        const ContractionSpec &ofOne, ValueRange buffers,
        const ScalarRegion &epilogue, const KernelTarget &target) {
  auto one = ContractionPlan::make(ofOne, buffers, epilogue, target);
  if (!one || !one->registerDepth || !many.registerDepth)
    return one;
  // LLVM gives the tile registers of a function one form. Rows that fill at
  // most one take as long for a single row.
  bool areRows = many.rows.isBounded() && many.rows.bound == images.bound;
  if (!areRows || many.pieces > 1 || many.rows.extent > TileRows::kMost)
    return std::nullopt;
  KernelTarget vectors = target;
  llvm::erase(vectors.features, "amx-tile");
  return ContractionPlan::make(ofOne, buffers, epilogue, vectors);
}

std::unique_ptr<Kernel> OneImageKernel::make(const ContractionPlan &many,
                                             const ContractionSpec &spec,
                                             ValueRange buffers,
                                             ScalarRegion epilogue,
                                             const KernelTarget &target) {
  for (size_t i = 0; i + 1 < spec.parallel.size(); ++i) {
    ContractionSpec ofOne = spec;
    LoopAxis images = spec.parallel[i], &axis = ofOne.parallel[i];
    if (!images.isBounded() || images.places > 1 ||
        images.extent > kMostImages * images.perBound)
      continue;
    axis.extent = axis.leastExtent();
    axis.bound = LoopAxis::kNone;
    axis.perBound = 1;
    auto one = planOne(many, images, ofOne, buffers, epilogue, target);
    if (one && !one->tilesLike(many))
      return std::unique_ptr<Kernel>(new OneImageKernel(
          images, {many, spec, epilogue}, {*one, ofOne, epilogue}));
  }
  return nullptr;
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
