//===- WinogradConvs.cpp - 3 x 3 convolutions with fewer products ---------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides for each convolution whether Winograd's algorithm pays, and
// transforms its filter; docs/Rationale/Kernels.md has the measurements behind
// the costs.
//
//===----------------------------------------------------------------------===//
#include "SinkTransposes.h"
#include "SplitDilations.h"
#include "SplitFrames.h"
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Support/Winograd.h"

namespace mlir::glow {
#define GEN_PASS_DEF_WINOGRADCONVS
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;
using llvm::divideCeil;

namespace {
/// What a convolution computes, in elements.
struct ConvSize {
  int64_t images, height, width, in, out;

  explicit ConvSize(ConvOp conv) {
    ArrayRef<int64_t> result = dimsOf(conv.getResult());
    images = result[0], height = result[1], width = result[2];
    in = dimsOf(conv.getInput()).back(), out = result[3];
  }
  /// What one tap of a convolution of clips computes.
  ConvSize(ConvOp conv, const FrameTap &tap) {
    ArrayRef<int64_t> result = dimsOf(conv.getResult());
    images = result[0] * tap.frames(), height = result[2], width = result[3];
    in = dimsOf(conv.getInput()).back(), out = result[4];
  }
  /// What the phases of a dilated convolution compute, see SplitDilations.h.
  static ConvSize ofPhases(ConvOp conv) {
    ConvSize size(conv);
    ArrayRef<int64_t> dilations = conv.getDilations();
    size.images *= dilations[0] * dilations[1];
    size.height = divideCeil(size.height, dilations[0]);
    size.width = divideCeil(size.width, dilations[1]);
    return size;
  }
  int64_t inputs() const { return images * height * width * in; }
  int64_t outputs() const { return images * height * width * out; }
};

/// Costs of one convolution in vector operations, which one core does at a rate
/// of about one per cycle.
struct CostModel {
  const WinogradTransform &transform;
  const KernelTarget &target;
  /// Factors are bf16. Sums are f32 all the same.
  bool isBfloat16;

  /// Bytes per cycle from memory, and to and from the cache that cores share.
  static constexpr double kMemoryBytesPerCycle = 10;
  static constexpr double kSharedBytesPerCycle = 25;
  /// The part of the cache that a band's matrices can have.
  static constexpr double kUsablePart = 0.75;
  /// Starting the three steps of a band.
  static constexpr double kBandCost = 3000;
  /// Of a band's work, what is lost at the end while other threads have none.
  static constexpr double kIdlePart = 0.25;
  /// A product reaches this part of the peak rate of products.
  static constexpr double kProductRate = 0.9;
  /// What conversions from and to bf16 add to a transform.
  static constexpr double kConversions = 0.5;
  static constexpr int64_t kLanes = 16, kElementBytes = 4;

  int64_t factorBytes() const { return isBfloat16 ? 2 : kElementBytes; }
  /// Products for each of one vector operation.
  double productRate() const {
    return kProductRate * (isBfloat16 ? target.bf16Percent / 100.0 : 1.0);
  }
  double direct(const ConvSize &size) const {
    return 9.0 * size.in * size.out * size.images * size.height * size.width /
           kLanes / productRate();
  }

  /// Those that the transforms take: they work on whole vectors.
  double channels(const ConvSize &size) const {
    return llvm::alignTo(size.in, kLanes) + llvm::alignTo(size.out, kLanes);
  }
  int64_t tileRows(const ConvSize &size) const {
    return divideCeil(size.height, transform.outputs);
  }
  int64_t tileColumns(const ConvSize &size) const {
    return divideCeil(size.width, transform.outputs);
  }

  /// With `rows` rows of tiles at a time. Fewer channels than lanes make short
  /// vectors in the transforms, which are then slower than they save.
  double winograd(const ConvSize &size, int64_t rows) const {
    if (size.in < kLanes || size.out < kLanes)
      return std::numeric_limits<double>::infinity();
    double allRows = tileRows(size) * size.images;
    double tiles = allRows * tileColumns(size);
    // Each transform is linear in the tile's elements, along both axes.
    double perTile = transform.products() * transform.inputs() * 0.8;
    if (isBfloat16)
      perTile *= 1 + kConversions;
    double work =
        tiles * transform.products() * size.in * size.out / productRate() +
        tiles * perTile * channels(size);
    double tileBytes = transform.products() *
                       (factorBytes() * size.in + kElementBytes * size.out);
    double filterBytes =
        factorBytes() * transform.products() * size.in * size.out;
    double bandBytes = tileBytes * rows * tileColumns(size);
    double bands = std::ceil(allRows / rows);
    double usable = kUsablePart * target.l2Bytes;
    // What does not stay in the core's cache is written and read again.
    double traffic =
        2 * tileBytes * tiles * std::max(0.0, 1 - usable / bandBytes);
    if (bandBytes + filterBytes > usable)
      traffic += filterBytes * (bands - 1);
    double arithmetic = work / kLanes;
    return arithmetic * (1 + kIdlePart / bands) + bands * kBandCost +
           filterBytes / kMemoryBytesPerCycle + traffic / kSharedBytesPerCycle;
  }

  /// The number of rows at a time that costs least.
  int64_t bestRows(const ConvSize &size) const {
    if (std::isinf(winograd(size, 1)))
      return 1;
    int64_t image = tileRows(size), best = 1;
    for (int64_t rows = 2; rows <= image * size.images; ++rows) {
      bool isWhole = rows <= image || rows % image == 0;
      if (isWhole && winograd(size, rows) < winograd(size, best))
        best = rows;
    }
    return best;
  }
};

struct WinogradConvs : glow::impl::WinogradConvsBase<WinogradConvs> {
  using WinogradConvsBase::WinogradConvsBase;

  LogicalResult initialize(MLIRContext *context) override {
    transform = WinogradTransform::get(outputs);
    if (transform)
      return success();
    return emitError(UnknownLoc::get(context))
           << "a tile has 2 or 4 outputs along an axis, not "
           << outputs.getValue();
  }

  void runOnOperation() override {
    getOperation().walk([&](ConvOp conv) {
      if (!hasFactors(conv))
        return;
      SmallVector<FrameTap> taps = frameTaps(conv);
      CostModel model = modelOf(conv);
      if (paysFrameByFrame(conv, taps, model))
        splitFrames(conv, taps);
      else if (paysByPhases(conv, model))
        splitDilations(conv, model.transform.outputs);
    });
    getOperation().walk([&](ConvOp conv) {
      if (!isCandidate(conv))
        return;
      ConvSize size(conv);
      CostModel model = modelOf(conv);
      int64_t rows = model.bestRows(size);
      if (force || model.winograd(size, rows) < model.direct(size))
        convert(conv, model.transform, rows);
    });
  }

  /// Larger tiles would lose all but a few of the digits of bf16.
  CostModel modelOf(ConvOp conv) const {
    bool isBfloat16 = elementType(conv.getInput()).isBF16();
    return {isBfloat16 ? *WinogradTransform::get(2) : *transform, target,
            isBfloat16};
  }

  bool hasFactors(ConvOp conv) const;
  bool isCandidate(ConvOp conv) const;
  bool paysFrameByFrame(ConvOp conv, ArrayRef<FrameTap> taps,
                        const CostModel &model) const;
  bool paysByPhases(ConvOp conv, const CostModel &model) const;
  void convert(ConvOp conv, const WinogradTransform &transform,
               int64_t rows) const;

  const WinogradTransform *transform = nullptr;
};
} // namespace

/// Sums in single precision of factors that the precision allows to round, see
/// StoreAsBfloat16. Of a model that is in bf16 itself, sums may be too.
static bool hasRoundedFactors(ConvOp conv) {
  return elementType(conv.getInput()).isBF16() && !conv.getEpilogue().empty() &&
         conv.getEpilogue().getArgument(0).getType().isF32();
}

/// Whether the algorithm is for its factors: the input's type, and a filter
/// that is known. Tile registers make products of bf16 cheaper than any
/// transform.
bool WinogradConvs::hasFactors(ConvOp conv) const {
  Type element = elementType(conv.getInput());
  bool isType =
      element.isF32() || (hasRoundedFactors(conv) && target.bf16Percent > 100 &&
                          !target.tileDepth(element));
  return isType && element == elementType(conv.getFilter()) &&
         isComputedFromConstants(conv.getFilter());
}

bool WinogradConvs::isCandidate(ConvOp conv) const {
  return conv.isChannelsLast() && conv.getGroup() == 1 && !conv.getPacked() &&
         !conv.getWinograd() &&
         WinogradTransform::isFor(conv.getKernelShape(), conv.getStrides(),
                                  conv.getDilations()) &&
         hasFactors(conv) &&
         cast<RankedTensorType>(conv.getType()).hasStaticShape() &&
         cast<RankedTensorType>(conv.getType()).getNumElements() > 0;
}

/// Whether it is faster to add up windows of one frame each.
bool WinogradConvs::paysFrameByFrame(ConvOp conv, ArrayRef<FrameTap> taps,
                                     const CostModel &model) const {
  if (taps.empty() ||
      !WinogradTransform::isFor(conv.getKernelShape().drop_front(),
                                conv.getStrides().drop_front(),
                                conv.getDilations().drop_front()))
    return false;
  double split = 0, direct = 0;
  for (const FrameTap &tap : taps) {
    ConvSize size(conv, tap);
    direct += model.direct(size);
    split += model.winograd(size, model.bestRows(size));
  }
  // The sums of all but one are written and read again.
  double bytes = 2.0 * CostModel::kElementBytes * (taps.size() - 1) *
                 ConvSize(conv, taps.back()).outputs();
  split += bytes / CostModel::kSharedBytesPerCycle;
  return force || split < direct;
}

/// The part of a window's rows that are not in the zeros above and below the
/// image, which kernels leave out.
static double rowsWithin(ConvOp conv) {
  int64_t in = dimsOf(conv.getInput())[1], out = dimsOf(conv.getResult())[1];
  int64_t taps = conv.getKernelShape()[0], within = 0;
  for (int64_t tap = 0; tap < taps; ++tap) {
    int64_t shift = conv.getPads()[0] - tap * conv.getDilations()[0];
    within += std::max<int64_t>(0, std::min(out, in + shift) -
                                       std::max<int64_t>(0, shift));
  }
  return double(within) / (taps * out);
}

/// Whether the algorithm is faster for the phases of a dilated convolution.
bool WinogradConvs::paysByPhases(ConvOp conv, const CostModel &model) const {
  if (!canSplitDilations(conv) ||
      !WinogradTransform::isFor(conv.getKernelShape(), conv.getStrides(),
                                {1, 1}))
    return false;
  ConvSize phases = ConvSize::ofPhases(conv);
  // Images are padded and put into order, and results back.
  double bytes =
      2.0 * CostModel::kElementBytes * (2 * phases.inputs() + phases.outputs());
  double split = model.winograd(phases, model.bestRows(phases)) +
                 bytes / CostModel::kSharedBytesPerCycle;
  return force || split < rowsWithin(conv) * model.direct(ConvSize(conv));
}

/// The filter before it was rounded to bf16.
static Value unrounded(Value filter) {
  auto cast = filter.getDefiningOp<CastOp>();
  bool isRounded = cast && elementType(filter).isBF16() &&
                   elementType(cast.getInput()).isF32();
  return isRounded ? cast.getInput() : filter;
}

/// G g G' for each pair of channels, as one product with the matrix that has
/// the products of G's entries. Evaluation sums up in double precision.
void WinogradConvs::convert(ConvOp conv, const WinogradTransform &transform,
                            int64_t rows) const {
  const WinogradMatrix &g = transform.filter;
  SmallVector<float> entries;
  for (size_t i = 0; i < g.rows(); ++i)
    for (size_t j = 0; j < g.rows(); ++j)
      for (double a : g.row(i))
        for (double b : g.row(j))
          entries.push_back(a * b);
  OpBuilder builder(conv);
  GraphBuilder b(builder, conv.getLoc());
  auto type =
      RankedTensorType::get({transform.products(), 9}, builder.getF32Type());
  Value matrix = b.create<ConstantOp>(
      DenseElementsAttr::get(type, ArrayRef<float>(entries)));
  ArrayRef<int64_t> dims = dimsOf(conv.getFilter());
  int64_t in = dims[2], out = dims[3];
  Value filter = b.castTo(unrounded(conv.getFilter()), builder.getF32Type());
  filter = b.matmul(matrix, b.reshape(filter, {9, in * out}));
  filter = b.reshape(filter, {transform.products(), in, out});
  conv.getFilterMutable().assign(
      b.castTo(filter, elementType(conv.getInput())));
  conv.setOutputChannels(out);
  conv.setWinogradAttr(
      WinogradAttr::get(builder.getContext(), transform.outputs, rows));
}
