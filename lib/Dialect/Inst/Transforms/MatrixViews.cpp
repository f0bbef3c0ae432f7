//===- MatrixViews.cpp - buffers of products as matrices ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MatrixViews.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"

using namespace mlir;
using namespace mlir::glow::inst;

static MemRefType typeOf(Value buffer) {
  return cast<MemRefType>(buffer.getType());
}

MemRefType mlir::glow::inst::asMatrix(Value buffer) {
  MemRefType type = typeOf(buffer);
  StridedLayout layout = layoutOf(buffer);
  int64_t rank = type.getRank();
  if (rank < 2 || !isFixed(buffer) || layout.strides[rank - 1] != 1)
    return {};
  int64_t rows = 1, stride = 0;
  for (int64_t i = rank - 2; i >= 0; --i) {
    if (type.getDimSize(i) == 1)
      continue;
    if (layout.strides[i] < 0)
      return {};
    if (rows > 1 && layout.strides[i] != rows * stride)
      return {};
    if (rows == 1)
      stride = layout.strides[i];
    rows *= type.getDimSize(i);
  }
  return viewType(type, {rows, type.getDimSize(rank - 1)}, {stride, 1},
                  layout.offset);
}

MemRefType mlir::glow::inst::asRow(Value buffer) {
  MemRefType type = typeOf(buffer);
  int64_t rank = type.getRank();
  if (!isFixed(buffer) || rank == 0 ||
      type.getNumElements() != type.getDimSize(rank - 1))
    return {};
  StridedLayout layout = layoutOf(buffer);
  if (layout.strides[rank - 1] < 0)
    return {};
  return viewType(type, type.getDimSize(rank - 1), layout.strides[rank - 1],
                  layout.offset);
}

MemRefType mlir::glow::inst::asEpilogueInput(Value input, Value output) {
  if (rootBuffer(input) == rootBuffer(output) && !areSame(input, output))
    return {};
  return typeOf(input).getShape() == typeOf(output).getShape() ? asMatrix(input)
                                                               : asRow(input);
}
