//===- MatrixEngine.cpp - products of matrices and convolutions -----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which products are added is part of the meaning; the order of
// the loops is chosen so that the innermost one runs over adjacent results.
//
//===----------------------------------------------------------------------===//
#include "Engines.h"

#include <algorithm>

using namespace habana_sim;
using namespace habana_recipe;

/// sums[i] += scale * values[i * stride]
static void addScaled(float *sums, const float *values, float scale,
                      int64_t stride, int64_t count) {
  if (stride == 1) {
    for (int64_t i = 0; i < count; ++i)
      sums[i] += scale * values[i];
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    sums[i] += scale * values[i * stride];
}

void habana_sim::runGemm(const View &a, const View &b, const View &out) {
  int64_t rows = a.dim(0), depth = a.dim(1), columns = b.dim(1);
  // Rows of b must be dense for the inner loop.
  std::vector<float> dense;
  const float *right = b.data;
  int64_t rightStride = b.stride(0);
  if (b.stride(1) != 1) {
    dense.resize(depth * columns);
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t j = 0; j < columns; ++j)
        dense[k * columns + j] = b.data[k * b.stride(0) + j * b.stride(1)];
    right = dense.data();
    rightStride = columns;
  }
  std::vector<float> sums(columns);
  for (int64_t i = 0; i < rows; ++i) {
    std::fill(sums.begin(), sums.end(), 0.0f);
    for (int64_t k = 0; k < depth; ++k)
      addScaled(sums.data(), right + k * rightStride,
                a.data[i * a.stride(0) + k * a.stride(1)], 1, columns);
    for (int64_t j = 0; j < columns; ++j)
      out.data[i * out.stride(0) + j * out.stride(1)] = sums[j];
  }
}

namespace {
/// A convolution of one image and one group.
struct ConvGroup {
  const int64_t *params;
  const View &input, &filter, &out;
  const float *in;
  const float *weights;
  float *result;
  int64_t outputs; // channels of the group

  int64_t row(int64_t oh, int64_t kh) const {
    return oh * params[kStrideH] - params[kPadH] + kh * params[kDilationH];
  }
  int64_t column(int64_t ow, int64_t kw) const {
    return ow * params[kStrideW] - params[kPadW] + kw * params[kDilationW];
  }
  void runAlongWidth() const;
  void runAlongChannels() const;
  void addRow(float *sums, int64_t oh, int64_t o, int64_t c) const;
};
} // namespace

/// Adds the products of one input channel to one row of one output channel.
void ConvGroup::addRow(float *sums, int64_t oh, int64_t o, int64_t c) const {
  int64_t width = out.dim(3), stride = params[kStrideW];
  for (int64_t kh = 0; kh < filter.dim(2); ++kh) {
    int64_t h = row(oh, kh);
    if (h < 0 || h >= input.dim(2))
      continue;
    for (int64_t kw = 0; kw < filter.dim(3); ++kw) {
      int64_t first = column(0, kw);
      // The results whose column lies within the input.
      int64_t begin = first < 0 ? (-first + stride - 1) / stride : 0;
      int64_t end =
          input.dim(3) > first
              ? std::min(width, (input.dim(3) - first + stride - 1) / stride)
              : 0;
      if (begin >= end)
        continue;
      float weight = weights[o * filter.stride(0) + c * filter.stride(1) +
                             kh * filter.stride(2) + kw * filter.stride(3)];
      addScaled(sums + begin,
                in + c * input.stride(1) + h * input.stride(2) +
                    column(begin, kw) * input.stride(3),
                weight, stride * input.stride(3), end - begin);
    }
  }
}

void ConvGroup::runAlongWidth() const {
  int64_t height = out.dim(2), width = out.dim(3);
  std::vector<float> sums(height * width);
  for (int64_t o = 0; o < outputs; ++o) {
    std::fill(sums.begin(), sums.end(), 0.0f);
    for (int64_t c = 0; c < filter.dim(1); ++c)
      for (int64_t oh = 0; oh < height; ++oh)
        addRow(sums.data() + oh * width, oh, o, c);
    for (int64_t oh = 0; oh < height; ++oh)
      for (int64_t ow = 0; ow < width; ++ow)
        result[o * out.stride(1) + oh * out.stride(2) + ow * out.stride(3)] =
            sums[oh * width + ow];
  }
}

void ConvGroup::runAlongChannels() const {
  std::vector<float> sums(outputs);
  for (int64_t oh = 0; oh < out.dim(2); ++oh)
    for (int64_t ow = 0; ow < out.dim(3); ++ow) {
      std::fill(sums.begin(), sums.end(), 0.0f);
      for (int64_t c = 0; c < filter.dim(1); ++c)
        for (int64_t kh = 0; kh < filter.dim(2); ++kh)
          for (int64_t kw = 0; kw < filter.dim(3); ++kw) {
            int64_t h = row(oh, kh), w = column(ow, kw);
            if (h < 0 || h >= input.dim(2) || w < 0 || w >= input.dim(3))
              continue;
            addScaled(sums.data(),
                      weights + c * filter.stride(1) + kh * filter.stride(2) +
                          kw * filter.stride(3),
                      in[c * input.stride(1) + h * input.stride(2) +
                         w * input.stride(3)],
                      filter.stride(0), outputs);
          }
      for (int64_t o = 0; o < outputs; ++o)
        result[o * out.stride(1) + oh * out.stride(2) + ow * out.stride(3)] =
            sums[o];
    }
}

/// A convolution with a window of one element reads rows that follow each other
/// as one long row.
static bool mergesRows(const int64_t *params, const View &view) {
  return params[kStrideH] == 1 && params[kStrideW] == 1 && params[kPadH] == 0 &&
         params[kPadW] == 0 && view.stride(2) == view.dim(3) * view.stride(3);
}

void habana_sim::runConv(const Command &command, const View &input,
                         const View &filter, const View &out) {
  const int64_t *params = command.params.data();
  Tensor longIn = *input.tensor, longOut = *out.tensor;
  View in = input, result = out;
  if (filter.dim(2) == 1 && filter.dim(3) == 1 && mergesRows(params, input) &&
      mergesRows(params, out) && input.dim(2) == out.dim(2) &&
      input.dim(3) == out.dim(3)) {
    longIn.dims[3] = longOut.dims[3] = input.dim(2) * input.dim(3);
    longIn.dims[2] = longOut.dims[2] = 1;
    in.tensor = &longIn;
    result.tensor = &longOut;
  }
  int64_t group = params[kGroup], outputs = out.dim(1) / group;
  for (int64_t n = 0; n < out.dim(0); ++n)
    for (int64_t g = 0; g < group; ++g) {
      ConvGroup part{
          params,
          in,
          filter,
          result,
          in.data + n * in.stride(0) + g * filter.dim(1) * in.stride(1),
          filter.data + g * outputs * filter.stride(0),
          result.data + n * result.stride(0) + g * outputs * result.stride(1),
          outputs};
      if (filter.stride(0) == 1 && outputs > 1)
        part.runAlongChannels();
      else
        part.runAlongWidth();
    }
}
