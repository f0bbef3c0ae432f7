//===- EvaluateConvTranspose.cpp - transposed convolution -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reverse of a convolution: every input element adds the filter, times
// itself, to the window of the result that a convolution would have read.
//
//===----------------------------------------------------------------------===//
#include "Contract.h"
#include "Evaluators.h"
#include "Lanes.h"
#include "WindowPlaces.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
struct TransposedConvolution {
  /// The window of the convolution from the result back to the input.
  SlidingWindow window;
  int64_t groups, inner, outer;
};
} // namespace

static FailureOr<TransposedConvolution> analyse(ConvTransposeOp op,
                                                const Tensor &input,
                                                const Tensor &filter,
                                                const Tensor &bias) {
  ArrayRef<int64_t> spatial = input.getShape().drop_front(2);
  ArrayRef<int64_t> kernel = filter.getShape().drop_front(2);
  TransposedConvolution conv;
  conv.window = slidingWindow(op, spatial, kernel);
  conv.groups = op.getGroup();
  conv.outer = filter.getDim(1);
  SlidingWindow &window = conv.window;
  window.output = window.input;
  for (size_t i = 0; i < spatial.size(); ++i) {
    int64_t body, span;
    if (mulOverflows(window.strides[i], spatial[i] - 1, body) ||
        mulOverflows(window.dilations[i], kernel[i] - 1, span) ||
        addOverflows(body, span + 1 + op.getOutputPadding()[i],
                     window.input[i]))
      return op.emitOpError("the result's extent overflows");
    window.input[i] -= window.padsBefore[i] + window.padsAfter[i];
    // What lies beyond the result is dropped, however far.
    window.padsAfter[i] = Tensor::kMaxBytes;
  }
  conv.inner = input.getDim(1) / conv.groups;
  if (input.getDim(1) % conv.groups || filter.getDim(0) != input.getDim(1) ||
      (bias && bias.size() != conv.outer * conv.groups))
    return op.emitOpError("an input of shape [")
           << input.getShape() << "] does not suit a filter of shape ["
           << filter.getShape() << "] in " << conv.groups << " groups";
  return conv;
}

/// The filter of one group as a matrix: a row per output channel and tap, a
/// column per input channel.
static std::vector<double> filterRows(const TransposedConvolution &conv,
                                      const std::vector<double> &filter,
                                      int64_t group) {
  int64_t rowCount = conv.outer * conv.window.kernelSize();
  std::vector<double> rows(rowCount * conv.inner);
  for (int64_t c = 0; c < conv.inner; ++c)
    for (int64_t row = 0; row < rowCount; ++row)
      rows[row * conv.inner + c] =
          filter[(group * conv.inner + c) * rowCount + row];
  return rows;
}

/// Adds the contribution of one image's group to `out`.
static void addImage(const TransposedConvolution &conv,
                     const std::vector<double> &rows, const double *image,
                     double *out) {
  int64_t places = conv.window.outputSize(), size = conv.window.inputSize();
  int64_t taps = conv.window.kernelSize();
  int64_t rowCount = conv.outer * taps;
  std::vector<double> sums(rowCount * places);
  contract({rows.data(), rowCount, conv.inner, conv.inner},
           {image, conv.inner, places, places},
           {sums.data(), rowCount, places, places});
  PlaceWalker at(conv.window.output);
  for (int64_t j = 0; j < places; ++j, at.next()) {
    PlaceWalker tap(conv.window.kernel);
    for (int64_t t = 0; t < taps; ++t, tap.next()) {
      int64_t place = conv.window.place(*at, *tap);
      for (int64_t o = 0; place >= 0 && o < conv.outer; ++o)
        out[o * size + place] += sums[(o * taps + t) * places + j];
    }
  }
}

LogicalResult ConvTransposeOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput(), filter = in.getFilter(), bias = in.getBias();
  FailureOr<TransposedConvolution> conv = analyse(*this, input, filter, bias);
  if (failed(conv))
    return failure();
  int64_t channels = conv->outer * conv->groups;
  Dims dims = activationShape(/*channelsLast=*/false, input.getDim(0), channels,
                              conv->window.input);
  if (failed(allocateResult(*this, dims, out[0])))
    return failure();
  std::vector<double> filters = filter.readAll<double>();
  std::vector<double> images = input.readAll<double>();
  std::vector<double> sums(out[0].size());
  std::vector<double> biases(channels);
  if (bias)
    biases = bias.readAll<double>();
  int64_t size = conv->window.inputSize(), places = conv->window.outputSize();
  for (int64_t i = 0; size && i < out[0].size(); ++i)
    sums[i] = biases[i / size % channels];
  for (int64_t group = 0; group < conv->groups && size; ++group) {
    std::vector<double> rows = filterRows(*conv, filters, group);
    for (int64_t n = 0; n < input.getDim(0); ++n)
      addImage(*conv, rows,
               images.data() +
                   (n * conv->groups + group) * conv->inner * places,
               sums.data() + (n * conv->groups + group) * conv->outer * size);
  }
  out[0].write(0, out[0].size(), sums.data());
  return success();
}
