//===- EvaluateNarrowWeights.cpp - matrices of numbers in 24 bits ---------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Evaluators.h"
#include "glow/Support/Weight24.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::glow;

/// For each column the power of two that its largest number is at least, but
/// less than twice; of a column of zeros 0, so that sums of it are.
static std::vector<float> scalesOf(ArrayRef<float> matrix, int64_t columns) {
  std::vector<float> scales(columns);
  for (int64_t row = 0, size = matrix.size(); row < size; row += columns)
    for (int64_t c = 0; c < columns; ++c)
      scales[c] = std::max(scales[c], std::fabs(matrix[row + c]));
  for (float &scale : scales)
    if (scale > 0)
      scale = std::ldexp(1.0f, std::max(std::ilogb(scale), -126));
  return scales;
}

LogicalResult NarrowWeightsOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput();
  int64_t columns = input.getDim(1);
  ArrayRef<float> matrix(reinterpret_cast<const float *>(input.bytes()),
                         input.size());
  if (!llvm::all_of(matrix, [](float value) { return std::isfinite(value); }))
    return emitOpError("takes finite numbers only");
  if (failed(allocateResult(*this, input.getShape(), out[0], 0)) ||
      failed(allocateResult(*this, columns, out[1], 1)))
    return failure();
  std::vector<float> scales = scalesOf(matrix, columns);
  std::memcpy(out[1].mutableBytes(), scales.data(), columns * sizeof(float));
  std::vector<float> inverse;
  for (float scale : scales)
    inverse.push_back(scale > 0 ? 1 / scale : 0);
  char *to = out[0].mutableBytes();
  for (int64_t i = 0, row = 0; row < input.getDim(0); ++row)
    for (int64_t c = 0; c < columns; ++c, ++i)
      Weight24::store(matrix[i] * inverse[c], to + i * Weight24::kBytes);
  return success();
}
