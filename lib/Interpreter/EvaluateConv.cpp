//===- EvaluateConv.cpp - convolution as products of matrices -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a block of output places the inputs under the window are gathered into a
// matrix (im2col); the filter times that matrix is the block of the result.
//
//===----------------------------------------------------------------------===//
#include "Contract.h"
#include "Evaluators.h"
#include "Lanes.h"
#include "WindowPlaces.h"
#include "glow/Support/Winograd.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
struct Convolution {
  SlidingWindow window;
  bool channelsLast;
  int64_t batch, groups;
  /// Channels of the input and of the result in one group.
  int64_t inner, outer;
  int64_t depth() const { return window.kernelSize() * inner; }
  /// How far apart neighbours in space and in channels are.
  int64_t spatialStride(int64_t channels) const {
    return channelsLast ? channels : 1;
  }
  int64_t channelStride(int64_t spatial) const {
    return channelsLast ? 1 : spatial;
  }
};
/// Output places that are computed at once.
constexpr int64_t kBlock = 64;
} // namespace

static FailureOr<Convolution> analyse(ConvOp op, const Tensor &input,
                                      const Tensor &filter,
                                      const Tensor &bias) {
  Convolution conv;
  conv.channelsLast = op.isChannelsLast();
  conv.window =
      slidingWindow(op, spatialPart(input.getShape(), conv.channelsLast),
                    op.getKernelShape());
  if (failed(conv.window.inferOutput(op.getLoc(), /*ceil=*/false)))
    return failure();
  conv.batch = input.getDim(0);
  conv.groups = op.getGroup();
  int64_t channels =
      conv.channelsLast ? input.getShape().back() : input.getDim(1);
  int64_t results =
      conv.channelsLast ? filter.getShape().back() : filter.getDim(0);
  if (op.getOutputChannels())
    results = *op.getOutputChannels();
  conv.inner = channels / conv.groups;
  conv.outer = results / conv.groups;
  // The filter is a matrix for all taps, or one for each of Winograd's
  // products.
  int64_t matrices = conv.window.kernelSize(), depth = conv.inner;
  if (op.getWinograd()) {
    WinogradTile tile = *winogradTileOf(op);
    matrices = tile.products();
    depth *= tile.parts();
  }
  int64_t columns = results;
  if (op.getPacked()) {
    int64_t width = *op.getPacked();
    depth = llvm::alignTo(
        depth, std::max<int64_t>(1, filter.getShape().back() / width));
    columns = llvm::alignTo(results, width);
  }
  int64_t filterSize = matrices * depth * columns;
  if (channels % conv.groups || results % conv.groups ||
      filter.size() != filterSize || (bias && bias.size() != results))
    return op.emitOpError("an input of shape [")
           << input.getShape() << "] does not suit a filter of shape ["
           << filter.getShape() << "] in " << conv.groups << " groups";
  return conv;
}

/// The window's filter from its transform: R U S' for each pair of channels and
/// part of the window, where R and S are the inverses of the filter's
/// transforms.
template <typename Lane>
static std::vector<Lane> windowsOfWinograd(const Convolution &conv, ConvOp op,
                                           const std::vector<Lane> &transformed,
                                           int64_t rowSize) {
  WinogradTile tile = *winogradTileOf(op);
  const WinogradMatrix &alongRows = tile.rows.transform->inverseFilter,
                       &alongColumns = tile.columns.transform->inverseFilter;
  int64_t down = tile.rows.transform->taps,
          right = tile.columns.transform->taps;
  int64_t wide = tile.columns.inputs(), products = tile.products();
  int64_t results = conv.outer, depth = conv.inner * tile.parts();
  int64_t matrix = transformed.size() / products;
  int64_t width = op.getPacked().value_or(results);
  int64_t group = width ? rowSize / width : 1; // rows side by side
  auto placeOf = [&](int64_t k, int64_t o) {
    int64_t row = o / width * llvm::divideCeil(depth, group) + k / group;
    return (row * width + o % width) * group + k % group;
  };
  std::vector<Lane> windows(tile.taps() * conv.inner * results);
  auto next = windows.begin();
  for (int64_t i = 0; i < tile.rows.taps; ++i)
    for (int64_t j = 0; j < tile.columns.taps; ++j) {
      int64_t part = i / down * tile.columns.parts + j / right;
      for (int64_t c = 0; c < conv.inner; ++c)
        for (int64_t o = 0; o < results; ++o) {
          int64_t place = placeOf(part * conv.inner + c, o);
          double sum = 0;
          for (int64_t p = 0; p < products; ++p)
            sum += alongRows.row(i % down)[p / wide] *
                   alongColumns.row(j % right)[p % wide] *
                   static_cast<double>(transformed[p * matrix + place]);
          *next++ = static_cast<Lane>(sum);
        }
    }
  return windows;
}

/// The filter as one matrix per group: a row per output channel, the window's
/// taps along it with the input channels innermost.
template <typename Lane>
static std::vector<Lane> filterRows(const Convolution &conv, ConvOp op,
                                    const Tensor &filter) {
  std::vector<Lane> all = readAllLanes<Lane>(filter), rows;
  if (op.getWinograd())
    all = windowsOfWinograd(conv, op, all, filter.getShape().back());
  int64_t taps = conv.window.kernelSize(), depth = conv.depth();
  int64_t results = conv.outer * conv.groups;
  rows.reserve(results * depth);
  int64_t width = op.getPacked().value_or(0);
  // Channels of a tap whose elements lie side by side.
  int64_t group = width ? filter.getShape().back() / width : 1;
  int64_t tapRows = llvm::divideCeil(conv.inner, group);
  for (int64_t o = 0; o < results; ++o)
    for (int64_t tap = 0; tap < taps; ++tap)
      for (int64_t c = 0; c < conv.inner; ++c) {
        int64_t k = tap * conv.inner + c;
        int64_t place = (o * conv.inner + c) * taps + tap;
        if (op.getWinograd())
          place = k * results + o;
        else if (op.getPacked())
          place = ((o / width * taps * tapRows + tap * tapRows + c / group) *
                       width +
                   o % width) *
                      group +
                  c % group;
        else if (conv.channelsLast)
          place = k * results + o;
        rows.push_back(all[place]);
      }
  return rows;
}

/// For a block of output places from `begin` on, where each tap reads:
/// `kBlock` entries per tap, negative in the padding.
static std::vector<int64_t> blockPlaces(const SlidingWindow &window,
                                        PlaceWalker &at, int64_t count) {
  int64_t taps = window.kernelSize();
  std::vector<int64_t> places(taps * kBlock);
  for (int64_t j = 0; j < count; ++j, at.next()) {
    PlaceWalker tap(window.kernel);
    for (int64_t t = 0; t < taps; ++t, tap.next())
      places[t * kBlock + j] = window.place(*at, *tap);
  }
  return places;
}

/// The inputs of one group under the window, for a block of output places: a
/// row per tap and channel, `kBlock` entries each.
template <typename Lane>
static void gatherColumns(const Convolution &conv, const Lane *image,
                          ArrayRef<int64_t> places, int64_t count,
                          std::vector<Lane> &columns) {
  int64_t spatial = conv.spatialStride(conv.inner * conv.groups);
  int64_t channel = conv.channelStride(conv.window.inputSize());
  for (int64_t k = 0; k < conv.depth(); ++k) {
    const int64_t *place = &places[k / conv.inner * kBlock];
    const Lane *from = image + k % conv.inner * channel;
    for (int64_t j = 0; j < count; ++j)
      columns[k * kBlock + j] = place[j] < 0 ? 0 : from[place[j] * spatial];
  }
}

/// Convolves one image, given as lanes; the result is in the op's layout.
template <typename Lane>
static std::vector<Lane>
convolve(const Convolution &conv, const std::vector<Lane> &image,
         const std::vector<Lane> &filter, const std::vector<Lane> &bias) {
  int64_t depth = conv.depth(), places = conv.window.outputSize();
  int64_t results = conv.outer * conv.groups;
  int64_t groupStride =
      conv.inner * conv.channelStride(conv.window.inputSize());
  int64_t spatial = conv.spatialStride(results);
  std::vector<Lane> out(results * places), columns(depth * kBlock), sums;
  PlaceWalker at(conv.window.output);
  for (int64_t begin = 0; begin < places; begin += kBlock) {
    int64_t count = std::min(kBlock, places - begin);
    std::vector<int64_t> sources = blockPlaces(conv.window, at, count);
    for (int64_t group = 0; group < conv.groups; ++group) {
      gatherColumns(conv, image.data() + group * groupStride, sources, count,
                    columns);
      sums.assign(conv.outer * kBlock, 0);
      contract(LaneMatrix<const Lane>{&filter[group * conv.outer * depth],
                                      conv.outer, depth, depth},
               LaneMatrix<const Lane>{columns.data(), depth, count, kBlock},
               LaneMatrix<Lane>{sums.data(), conv.outer, count, kBlock});
      for (int64_t o = 0; o < conv.outer; ++o) {
        int64_t channel = group * conv.outer + o;
        Lane *to = &out[channel * conv.channelStride(places) + begin * spatial];
        for (int64_t j = 0; j < count; ++j)
          to[j * spatial] = sums[o * kBlock + j] + bias[channel];
      }
    }
  }
  return out;
}

template <typename Lane>
static void convolveAll(const Convolution &conv, ConvOp op, const Tensor &input,
                        const Tensor &filter, const Tensor &bias,
                        Tensor &sums) {
  std::vector<Lane> rows = filterRows<Lane>(conv, op, filter);
  std::vector<Lane> biases(conv.outer * conv.groups);
  if (bias)
    biases = readAllLanes<Lane>(bias);
  int64_t inSize = input.size() / conv.batch,
          outSize = sums.size() / conv.batch;
  std::vector<Lane> image(inSize);
  for (int64_t n = 0; n < conv.batch; ++n) {
    readLanes(input, n * inSize, inSize, image.data());
    std::vector<Lane> result = convolve(conv, image, rows, biases);
    writeLanes(sums, n * outSize, outSize, result.data());
  }
}

LogicalResult ConvOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput(), filter = in.getFilter(), bias = in.getBias();
  if (getPieces()) {
    int64_t taps = 1;
    for (int64_t extent : getKernelShape())
      taps *= getPacked() ? extent : 1;
    auto sums =
        sumPieces(getLoc(), input, input.getRank() - 1, 1, *getPieces());
    auto weights =
        sumPieces(getLoc(), filter, filter.getRank() - 2, taps, *getPieces());
    if (failed(sums) || failed(weights))
      return failure();
    input = *sums;
    filter = *weights;
  }
  FailureOr<Convolution> conv = analyse(*this, input, filter, bias);
  if (failed(conv))
    return failure();
  Dims dims = activationShape(conv->channelsLast, conv->batch,
                              conv->outer * conv->groups, conv->window.output);
  FailureOr<Tensor> sums = Tensor::allocate(
      getLoc(), sumType(getEpilogue(), glow::elementType(getResult())), dims);
  if (failed(sums))
    return failure();
  if (sums->size())
    withSumLane(sums->format(), [&](auto zero) {
      convolveAll<decltype(zero)>(*conv, *this, input, filter, bias, *sums);
    });
  return applyEpilogue(*this, getEpilogue(), *sums, in.getEpilogueInputs(),
                       out[0]);
}
