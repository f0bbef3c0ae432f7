//===- WinogradConvs.cpp - convolutions with fewer products ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides for each convolution whether Winograd's algorithm pays, and
// transforms its filter; docs/Rationale/Kernels/Winograd.md has the
// measurements behind the costs.
//
//===----------------------------------------------------------------------===//
#include "SequenceConvs.h"
#include "SinkTransposes.h"
#include "SplitBorders.h"
#include "SplitDilations.h"
#include "SplitFrames.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
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
  /// Of so many of the frames of each clip, as images.
  ConvSize(ConvOp conv, int64_t frames) : ConvSize(conv) {
    ArrayRef<int64_t> result = dimsOf(conv.getResult());
    images *= frames, height = result[2], width = result[3];
  }
  /// What so many phases of dilated convolutions compute along rows and
  /// columns, see SplitDilations.h.
  ConvSize inPhases(std::array<int64_t, 2> counts) const {
    ConvSize size = *this;
    auto [down, right] = counts;
    size.images *= down * right;
    size.height = divideCeil(height, down);
    size.width = divideCeil(width, right);
    return size;
  }
  /// What the image that a sequence becomes computes, see SequenceConvs.h.
  ConvSize(ConvOp conv, const SequenceImage &image) : ConvSize(conv) {
    height = image.rows, width = image.columns;
  }
  double places() const { return double(images) * height * width; }
  double inputs() const { return places() * in; }
  double outputs() const { return places() * out; }
};

/// Costs of one convolution in vector operations, which one core does at a rate
/// of about one per cycle.
struct CostModel {
  WinogradTile tile;
  const KernelTarget &target;
  /// Factors are bf16. Sums are f32 all the same.
  bool isBfloat16;
  /// The last band that there is may be hardly needed.
  bool hasOpenRows;
  /// Nor may the last columns: the rows of products are then those of one row
  /// of tiles after the other.
  bool hasOpenColumns;

  /// Bytes per cycle to and from the cache that cores share.
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
  /// Lanes of the longest vectors. Shorter ones make all arithmetic longer
  /// alike; with their own (AVX2) ResNet-50 was 1 % slower.
  static constexpr int64_t kLanes = 16, kElementBytes = 4;

  int64_t factorBytes() const { return isBfloat16 ? 2 : kElementBytes; }
  /// Products for each of one vector operation.
  double productRate() const {
    return kProductRate * (isBfloat16 ? target.bf16Percent / 100.0 : 1.0);
  }
  double direct(const ConvSize &size) const {
    return size.places() * tile.taps() * size.in * size.out / kLanes /
           productRate();
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
      return (kIdlePart + (hasOpenRows ? 0.5 : 0)) * work;
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
           bands * kBandCost + filterBytes / target.memoryBytes +
           traffic / kSharedBytesPerCycle;
  }

  /// The number of rows at a time that costs least. Rests would be computed,
  /// and all that they read, whether they are there or not.
  int64_t bestRows(const ConvSize &size) const {
    // More would not fit any cache.
    constexpr int64_t kMostRows = 4096;
    // Of so many columns of tiles a row is enough for a product.
    constexpr int64_t kEnoughColumns = 16;
    if (std::isinf(winograd(size, 1)) ||
        (hasOpenColumns && tileColumns(size) >= kEnoughColumns))
      return 1;
    int64_t image = tileRows(size), best = 1;
    double least = winograd(size, best);
    for (int64_t rows = 2; rows <= std::min(image * size.images, kMostRows);
         ++rows) {
      bool isWhole =
          rows <= image ? !hasOpenRows || image % rows == 0 : rows % image == 0;
      if (!isWhole)
        continue;
      double cost = winograd(size, rows);
      if (cost < least)
        best = rows, least = cost;
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
    hasOpenRows = hasOpenExtents(getOperation());
    hasOpenColumns = hasOpenWidth(getOperation());
    getOperation().walk([&](ConvOp conv) {
      if (!hasFactors(conv))
        return;
      if (auto image = chooseAsImage(conv))
        makeImages(conv, rowsTogether(conv, image->tile));
      else if (auto phases = chooseByPhases(conv))
        splitDilations(conv, phases->tile);
    });
    // Those that phases of clips have become, too.
    getOperation().walk([&](ConvOp conv) {
      if (!hasFactors(conv))
        return;
      SmallVector<FrameTap> taps = frameTaps(conv);
      if (ifPays(chooseFrames(conv, taps, /*phases=*/{1, 1})))
        splitFrames(conv, taps);
    });
    getOperation().walk([&](ConvOp conv) {
      if (!isCandidate(conv))
        return;
      if (auto choice = ifPays(choose(conv, Window(conv), ConvSize(conv))))
        convert(conv, *choice);
    });
  }

  bool hasFactors(ConvOp conv) const;
  bool isCandidate(ConvOp conv) const;
  std::optional<Choice> choose(ConvOp conv, const Window &window,
                               const ConvSize &size) const;
  std::optional<Choice> chooseFrames(ConvOp conv, ArrayRef<FrameTap> taps,
                                     std::array<int64_t, 2> phases) const;
  std::optional<Choice> ifPays(std::optional<Choice> choice) const {
    return choice && (force || choice->isFaster()) ? choice : std::nullopt;
  }
  std::optional<Choice> chooseAsImage(ConvOp conv) const;
  std::optional<int64_t> rowsTogether(ConvOp conv,
                                      const WinogradTile &tile) const;
  std::optional<Choice> chooseByPhases(ConvOp conv) const;
  void convert(ConvOp conv, const Choice &choice) const;

  bool hasOpenRows = false, hasOpenColumns = false;
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
  // Numbers of places do not overflow from here on.
  constexpr double kMostPlaces = 1e12;
  if (size.places() > kMostPlaces)
    return std::nullopt;
  bool isBfloat16 = elementType(conv.getInput()).isBF16();
  std::optional<Choice> best;
  for (const WinogradTile &tile : winogradCandidates(
           window.kernel, window.strides, window.dilations,
           isBfloat16 ? 2 : outputs.getValue(), /*alongBoth=*/isBfloat16)) {
    CostModel model{tile, target, isBfloat16, hasOpenRows, hasOpenColumns};
    int64_t rows = model.bestRows(size);
    double cost = model.winograd(size, rows);
    if (!best || cost < best->cost)
      best = Choice{tile, rows, cost, model.direct(size)};
  }
  return best;
}

/// Cycles for writing elements and reading them again.
static double moving(double elements) {
  return 2.0 * CostModel::kElementBytes * elements /
         CostModel::kSharedBytesPerCycle;
}

/// How to compute windows of one frame each, by phases if there are several,
/// which are then added up.
std::optional<Choice>
WinogradConvs::chooseFrames(ConvOp conv, ArrayRef<FrameTap> taps,
                            std::array<int64_t, 2> phases) const {
  std::optional<Choice> sum;
  for (const FrameTap &tap : taps) {
    Window window = Window(conv).ofFrames();
    if (phases != std::array<int64_t, 2>{1, 1})
      window = std::move(window).ofDenseImage();
    auto choice =
        choose(conv, window, ConvSize(conv, tap.frames()).inPhases(phases));
    if (!choice)
      return std::nullopt;
    if (sum)
      choice->cost += sum->cost, choice->direct += sum->direct;
    sum = choice;
  }
  // The sums of all but one are written and read again.
  if (sum)
    sum->cost +=
        moving((taps.size() - 1) *
               ConvSize(conv, taps.back().frames()).inPhases(phases).outputs());
  return sum;
}

/// The choice for the convolution of `size` that one of `all` becomes by moving
/// elements. What it is now reads fewer zeros, as kernels leave out those above
/// and below the image, rows being along an axis, and has fewer results.
static Choice moved(Choice choice, ConvOp conv, size_t rows,
                    const ConvSize &all, const ConvSize &size,
                    double elements) {
  double within = std::min(tapsWithin(conv, rows), productsLeft(conv));
  choice.direct *= within * all.places() / size.places();
  choice.cost += moving(elements);
  return choice;
}

/// As the image that a sequence becomes.
std::optional<Choice> WinogradConvs::chooseAsImage(ConvOp conv) const {
  auto image = SequenceImage::of(conv);
  if (!image)
    return std::nullopt;
  ConvSize size(conv, *image);
  auto choice = choose(conv, Window(conv).ofDenseImage(), size);
  if (!choice)
    return std::nullopt;
  // Else zeros are added, and results taken out.
  double elements = isWholeImage(conv) ? 0 : size.inputs() + size.outputs();
  return ifPays(
      moved(*choice, conv, /*rows=*/0, ConvSize(conv), size, elements));
}

/// What divides the number of the image's rows; nothing if it is an image as it
/// is. Of rows of which some may not be there, so many tiles that they are
/// bands.
std::optional<int64_t>
WinogradConvs::rowsTogether(ConvOp conv, const WinogradTile &tile) const {
  constexpr int64_t kTiles = 8;
  if (hasOpenRows)
    return kTiles * tile.rows.outputs();
  return isWholeImage(conv) ? std::nullopt : std::optional(tile.rows.outputs());
}

/// As the phases of a dilated convolution, of images or of clips.
std::optional<Choice> WinogradConvs::chooseByPhases(ConvOp conv) const {
  if (!canSplitDilations(conv))
    return std::nullopt;
  std::array<int64_t, 2> counts = phaseCounts(conv);
  bool isClip = conv.getSpatialRank() == 3;
  ConvSize all =
      isClip ? ConvSize(conv, dimsOf(conv.getResult())[1]) : ConvSize(conv);
  ConvSize phases = all.inPhases(counts);
  auto choice = isClip ? chooseFrames(conv, frameTaps(conv), counts)
                       : choose(conv, Window(conv).ofDenseImage(), phases);
  if (!choice)
    return std::nullopt;
  // Images are padded and put into order, and results back.
  return ifPays(moved(*choice, conv, /*rows=*/isClip ? 1 : 0, all, phases,
                      2 * phases.inputs() + phases.outputs()));
}

/// The filter before it was rounded to bf16.
static Value unrounded(Value filter) {
  auto cast = filter.getDefiningOp<CastOp>();
  bool isRounded = cast && elementType(filter).isBF16() &&
                   elementType(cast.getInput()).isF32();
  return isRounded ? cast.getInput() : filter;
}

/// The parts of a window's filter, with zeros for what the last ones lack:
/// part, tap, pair of channels. If there is one, tap and pair of channels.
static Value partsOf(GraphBuilder &b, Value filter, const WinogradTile &tile) {
  SmallVector<int64_t> dims(dimsOf(filter)), pads(2 * dims.size(), 0);
  std::array<int64_t, 2> parts, taps;
  for (size_t axis : {0, 1}) {
    const WinogradAxis &along = tile.along(axis);
    parts[axis] = along.parts, taps[axis] = along.transform->taps;
    pads[dims.size() + axis] = parts[axis] * taps[axis] - dims[axis];
  }
  if (llvm::any_of(pads, [](int64_t n) { return n != 0; }))
    filter = b.create<PadOp>(PadMode::Constant, filter, b.ints(pads), Value());
  int64_t pairs = dims[2] * dims[3];
  if (tile.parts() == 1)
    return b.reshape(filter, {taps[0] * taps[1], pairs});
  filter = b.reshape(filter, {parts[0], taps[0], parts[1], taps[1], pairs});
  filter = b.transpose(filter, {0, 2, 1, 3, 4});
  return b.reshape(filter, {tile.parts(), taps[0] * taps[1], pairs});
}

/// G g H' for each pair of channels and part g of the window, as products with
/// the matrix that has the products of G's and H's entries. Evaluation sums up
/// in double precision.
void WinogradConvs::convert(ConvOp conv, const Choice &choice) const {
  const WinogradTile &tile = choice.tile;
  const WinogradTransform &along = *tile.rows.transform,
                          &across = *tile.columns.transform;
  SmallVector<float> entries;
  for (size_t i = 0; i < along.filter.rows(); ++i)
    for (size_t j = 0; j < across.filter.rows(); ++j)
      for (double g : along.filter.row(i))
        for (double h : across.filter.row(j))
          entries.push_back(g * h);
  OpBuilder builder(conv);
  GraphBuilder b(builder, conv.getLoc());
  auto type = RankedTensorType::get({tile.products(), along.taps * across.taps},
                                    builder.getF32Type());
  Value matrix = b.create<ConstantOp>(
      DenseElementsAttr::get(type, ArrayRef<float>(entries)));
  ArrayRef<int64_t> dims = dimsOf(conv.getFilter());
  int64_t in = dims[2], out = dims[3];
  Value filter = b.castTo(unrounded(conv.getFilter()), builder.getF32Type());
  filter = b.matmul(matrix, partsOf(b, filter, tile));
  if (tile.parts() > 1)
    filter = b.transpose(filter, {1, 0, 2});
  filter = b.reshape(filter, {tile.products(), tile.parts() * in, out});
  conv.getFilterMutable().assign(
      b.castTo(filter, elementType(conv.getInput())));
  conv.setOutputChannels(out);
  // One of the axes has the transform that is not of one tap.
  const WinogradTransform &transform = along.taps > 1 ? along : across;
  conv.setWinogradAttr(WinogradAttr::get(
      builder.getContext(), transform.outputs, choice.rows, transform.taps));
}
