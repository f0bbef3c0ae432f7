//===- WinogradConvs.cpp - convolutions with fewer products ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides for each convolution whether Winograd's algorithm pays, and
// transforms its filter; docs/Rationale/Kernels.md has the measurements behind
// the costs.
//
//===----------------------------------------------------------------------===//
#include "SequenceConvs.h"
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
    images = result[0], height = result[1];
    width = ShapedType::getNumElements(result.slice(2).drop_back());
    in = dimsOf(conv.getInput()).back(), out = result.back();
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
  /// What the image that a sequence becomes computes, see SequenceConvs.h.
  ConvSize(ConvOp conv, const SequenceImage &image) : ConvSize(conv) {
    height = image.rows, width = image.columns;
  }
  int64_t inputs() const { return images * height * width * in; }
  int64_t outputs() const { return images * height * width * out; }
};

/// Costs of one convolution in vector operations, which one core does at a rate
/// of about one per cycle.
struct CostModel {
  WinogradTile tile;
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
  /// As few bands as this go through their steps one after the other, each on
  /// all threads: products by panels of columns, up to so many parts of them.
  static constexpr int64_t kFewBands = 3, kColumns = 32, kParts = 8;
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
    return double(tile.taps()) * size.in * size.out * size.images *
           size.height * size.width / kLanes / productRate();
  }

  /// Those that the transforms take: they work on whole vectors.
  double channels(const ConvSize &size) const {
    return tile.parts() * llvm::alignTo(size.in, kLanes) +
           llvm::alignTo(size.out, kLanes);
  }
  /// Of the products.
  int64_t depth(const ConvSize &size) const { return tile.parts() * size.in; }
  int64_t tileRows(const ConvSize &size) const {
    return divideCeil(size.height, tile.rows.outputs());
  }
  int64_t tileColumns(const ConvSize &size) const {
    return divideCeil(size.width, tile.columns.outputs());
  }

  /// Transforming an element along one axis.
  static double stepCost(const WinogradAxis &axis) {
    return axis.taps == 1 ? 0 : 0.4 * axis.inputs();
  }

  /// What threads lose by `bands` bands that are `work` each.
  double idle(const ConvSize &size, int64_t bands, double work) const {
    if (bands > kFewBands)
      return kIdlePart * work;
    int64_t panels = divideCeil(size.out, kColumns);
    int64_t parts = panels > kFewBands ? std::min(panels, kParts) : 1;
    return bands * (kIdlePart / parts * work + 2 * kBandCost);
  }

  /// With `rows` rows of tiles at a time. Fewer channels than lanes make short
  /// vectors in the transforms, which are then slower than they save.
  double winograd(const ConvSize &size, int64_t rows) const {
    if (size.in < kLanes || size.out < kLanes)
      return std::numeric_limits<double>::infinity();
    int64_t allRows = tileRows(size) * size.images;
    double tiles = double(allRows) * tileColumns(size);
    double perTile =
        tile.products() * (stepCost(tile.rows) + stepCost(tile.columns));
    if (isBfloat16)
      perTile *= 1 + kConversions;
    double work =
        tiles * tile.products() * depth(size) * size.out / productRate() +
        tiles * perTile * channels(size);
    double tileBytes = tile.products() *
                       (factorBytes() * depth(size) + kElementBytes * size.out);
    double filterBytes =
        double(factorBytes()) * tile.products() * depth(size) * size.out;
    double bandBytes = tileBytes * rows * tileColumns(size);
    double bands = divideCeil(allRows, rows);
    double usable = kUsablePart * target.l2Bytes;
    // What does not stay in the core's cache is written and read again.
    double traffic =
        2 * tileBytes * tiles * std::max(0.0, 1 - usable / bandBytes);
    if (bandBytes + filterBytes > usable)
      traffic += filterBytes * (bands - 1);
    double arithmetic = work / kLanes, perRow = arithmetic / allRows;
    // Images are cut alike; or some at a time make a band.
    int64_t image = tileRows(size);
    int64_t alike = rows < image ? size.images : 1;
    int64_t each = rows < image ? image : image * size.images;
    return arithmetic + idle(size, each / rows * alike, perRow * rows) +
           idle(size, each % rows ? alike : 0, perRow * (each % rows)) +
           bands * kBandCost + filterBytes / kMemoryBytesPerCycle +
           traffic / kSharedBytesPerCycle;
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

/// How a convolution is computed.
struct Choice {
  WinogradTile tile;
  int64_t rows; // of tiles, at a time
  double cost, direct;

  bool isFaster() const { return cost < direct; }
};

/// A window, as the attributes of a convolution give it.
struct Window {
  SmallVector<int64_t> kernel, strides, dilations;

  explicit Window(ConvOp conv)
      : kernel(conv.getKernelShape()), strides(conv.getStrides()),
        dilations(conv.getDilations()) {}

  /// Without the first axis.
  Window ofFrames() && {
    for (SmallVector<int64_t> *values : {&kernel, &strides, &dilations})
      values->erase(values->begin());
    return std::move(*this);
  }
  /// Of the image that a sequence becomes, or of an image, without dilations.
  Window ofDenseImage() && {
    if (kernel.size() != 2) {
      kernel.truncate(1), strides.truncate(1);
      kernel.push_back(1), strides.push_back(1);
    }
    dilations.assign(2, 1);
    return std::move(*this);
  }
};

struct WinogradConvs : glow::impl::WinogradConvsBase<WinogradConvs> {
  using WinogradConvsBase::WinogradConvsBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (outputs == 2 || outputs == 4)
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
      if (paysFrameByFrame(conv, taps))
        splitFrames(conv, taps);
      else if (auto image = chooseAsImage(conv))
        makeImages(conv, image->tile);
      else if (auto phases = chooseByPhases(conv))
        splitDilations(conv, phases->tile);
    });
    getOperation().walk([&](ConvOp conv) {
      if (!isCandidate(conv))
        return;
      auto choice = choose(conv, Window(conv), ConvSize(conv));
      if (choice && (force || choice->isFaster()))
        convert(conv, *choice);
    });
  }

  bool hasFactors(ConvOp conv) const;
  bool isCandidate(ConvOp conv) const;
  std::optional<Choice> choose(ConvOp conv, const Window &window,
                               const ConvSize &size) const;
  bool paysFrameByFrame(ConvOp conv, ArrayRef<FrameTap> taps) const;
  std::optional<Choice> chooseAsImage(ConvOp conv) const;
  std::optional<Choice> chooseByPhases(ConvOp conv) const;
  std::optional<Choice> chooseMoved(ConvOp conv, const ConvSize &size,
                                    double bytesMoved) const;
  void convert(ConvOp conv, const Choice &choice) const;
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
         !conv.getWinograd() && hasFactors(conv) &&
         cast<RankedTensorType>(conv.getType()).hasStaticShape() &&
         cast<RankedTensorType>(conv.getType()).getNumElements() > 0;
}

/// The fastest of the tiles that lose no more digits than is allowed; nothing
/// if there are none for the window. Those of more outputs would lose all but a
/// few of the digits of bf16.
std::optional<Choice> WinogradConvs::choose(ConvOp conv, const Window &window,
                                            const ConvSize &size) const {
  bool isBfloat16 = elementType(conv.getInput()).isBF16();
  std::optional<Choice> best;
  for (const WinogradTile &tile : winogradCandidates(
           window.kernel, window.strides, window.dilations,
           isBfloat16 ? 2 : outputs.getValue(), /*alongBoth=*/isBfloat16)) {
    CostModel model{tile, target, isBfloat16};
    int64_t rows = model.bestRows(size);
    double cost = model.winograd(size, rows);
    if (!best || cost < best->cost)
      best = Choice{tile, rows, cost, model.direct(size)};
  }
  return best;
}

/// Whether it is faster to add up windows of one frame each.
bool WinogradConvs::paysFrameByFrame(ConvOp conv,
                                     ArrayRef<FrameTap> taps) const {
  double split = 0, direct = 0;
  for (const FrameTap &tap : taps) {
    auto choice = choose(conv, Window(conv).ofFrames(), ConvSize(conv, tap));
    if (!choice)
      return false;
    split += choice->cost;
    direct += choice->direct;
  }
  if (taps.empty())
    return false;
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

/// How to compute the dense convolution of `size` that a convolution becomes by
/// moving elements, if that is faster.
std::optional<Choice> WinogradConvs::chooseMoved(ConvOp conv,
                                                 const ConvSize &size,
                                                 double bytesMoved) const {
  auto choice = choose(conv, Window(conv).ofDenseImage(), size);
  if (!choice)
    return std::nullopt;
  // What it is now reads fewer zeros, and has fewer results.
  double places = double(size.images) * size.height * size.width;
  double before =
      ShapedType::getNumElements(dimsOf(conv.getResult()).drop_back());
  choice->direct *= rowsWithin(conv) * before / places;
  choice->cost += bytesMoved / CostModel::kSharedBytesPerCycle;
  return force || choice->isFaster() ? choice : std::nullopt;
}

/// As the image that a sequence becomes.
std::optional<Choice> WinogradConvs::chooseAsImage(ConvOp conv) const {
  auto image = SequenceImage::of(conv);
  if (!image)
    return std::nullopt;
  ConvSize size(conv, *image);
  double elements = size.inputs() + size.outputs();
  // Else zeros are added, and results taken out.
  return chooseMoved(
      conv, size,
      isWholeImage(conv) ? 0 : 2.0 * CostModel::kElementBytes * elements);
}

/// As the phases of a dilated convolution.
std::optional<Choice> WinogradConvs::chooseByPhases(ConvOp conv) const {
  if (!canSplitDilations(conv))
    return std::nullopt;
  ConvSize size = ConvSize::ofPhases(conv);
  // Images are padded and put into order, and results back.
  double elements = 2 * size.inputs() + size.outputs();
  return chooseMoved(conv, size, 2.0 * CostModel::kElementBytes * elements);
}

/// The filter before it was rounded to bf16.
static Value unrounded(Value filter) {
  auto cast = filter.getDefiningOp<CastOp>();
  bool isRounded = cast && elementType(filter).isBF16() &&
                   elementType(cast.getInput()).isF32();
  return isRounded ? cast.getInput() : filter;
}

/// G g H' for each pair of channels and part g of the window, as one product
/// with the matrix that has the products of G's and H's entries. Evaluation
/// sums up in double precision.
void WinogradConvs::convert(ConvOp conv, const Choice &choice) const {
  const WinogradTile &tile = choice.tile;
  const WinogradTransform &along = *tile.rows.transform,
                          &across = *tile.columns.transform;
  SmallVector<float> entries;
  auto append = [&](size_t product, int64_t row, int64_t column) {
    ArrayRef<double> g = along.filter.row(product / tile.columns.inputs());
    ArrayRef<double> h = across.filter.row(product % tile.columns.inputs());
    // Zero for taps that are not in the part that begins there.
    for (int64_t i = 0; i < tile.rows.taps; ++i)
      for (int64_t j = 0; j < tile.columns.taps; ++j) {
        bool isInside = i >= row && i < row + along.taps && j >= column &&
                        j < column + across.taps;
        entries.push_back(isInside ? g[i - row] * h[j - column] : 0);
      }
  };
  for (int64_t product = 0; product < tile.products(); ++product)
    for (int64_t i = 0; i < tile.rows.parts; ++i)
      for (int64_t j = 0; j < tile.columns.parts; ++j)
        append(product, i * along.taps, j * across.taps);
  OpBuilder builder(conv);
  GraphBuilder b(builder, conv.getLoc());
  auto type = RankedTensorType::get(
      {tile.products() * tile.parts(), tile.taps()}, builder.getF32Type());
  Value matrix = b.create<ConstantOp>(
      DenseElementsAttr::get(type, ArrayRef<float>(entries)));
  ArrayRef<int64_t> dims = dimsOf(conv.getFilter());
  int64_t in = dims[2], out = dims[3];
  Value filter = b.castTo(unrounded(conv.getFilter()), builder.getF32Type());
  filter = b.matmul(matrix, b.reshape(filter, {tile.taps(), in * out}));
  filter = b.reshape(filter, {tile.products(), tile.parts() * in, out});
  conv.getFilterMutable().assign(
      b.castTo(filter, elementType(conv.getInput())));
  conv.setOutputChannels(out);
  // One of the axes has the transform that is not of one tap.
  const WinogradTransform &transform = along.taps > 1 ? along : across;
  conv.setWinogradAttr(WinogradAttr::get(
      builder.getContext(), transform.outputs, choice.rows, transform.taps));
}
