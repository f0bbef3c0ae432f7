//===- MatrixViews.cpp - buffers of products as matrices ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MatrixViews.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"

using namespace mlir;
using namespace mlir::glow::inst;

MemRefType mlir::glow::inst::asRows(Value buffer) {
  MemRefType type = typeOf(buffer);
  StridedLayout layout = layoutOf(buffer);
  int64_t last = type.getRank() - 1;
  if (last < 1 || !isFixed(buffer) || layout.strides[last] != 1)
    return {};
  SmallVector<int64_t> shape{type.getDimSize(last)}, strides{1};
  for (int64_t i = last - 1; i >= 0; --i) {
    int64_t size = type.getDimSize(i), stride = layout.strides[i];
    if (size == 1)
      continue;
    if (stride < 0)
      return {};
    if (shape.size() > 1 && stride == shape.front() * strides.front()) {
      shape.front() *= size;
      continue;
    }
    shape.insert(shape.begin(), size);
    strides.insert(strides.begin(), stride);
  }
  if (shape.size() == 1) {
    shape.insert(shape.begin(), 1);
    strides.insert(strides.begin(), 0);
  }
  return viewType(type, shape, strides, layout.offset);
}

MemRefType mlir::glow::inst::asMatrix(Value buffer) {
  MemRefType rows = asRows(buffer);
  return rows && rows.getRank() == 2 ? rows : MemRefType();
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

MemRefType mlir::glow::inst::asImages(Value buffer) {
  MemRefType type = typeOf(buffer);
  auto shape = llvm::to_vector(type.getShape());
  StridedLayout layout = layoutOf(buffer);
  if (shape.size() < 2 || !isFixed(buffer) || layout.strides.back() != 1 ||
      llvm::any_of(layout.strides, [](int64_t stride) { return stride < 0; }))
    return {};
  for (; shape.size() > 3; shape.erase(shape.begin())) {
    if (shape.front() != 1)
      return {};
    layout.strides.erase(layout.strides.begin());
  }
  if (shape.size() == 2) {
    shape.insert(shape.begin(), 1);
    layout.strides.insert(layout.strides.begin(), 0);
  }
  return viewType(type, shape, layout.strides, layout.offset);
}

MemRefType mlir::glow::inst::asEpilogueInput(Value input, Value output,
                                             MemRefType (*asWhole)(Value)) {
  if (rootBuffer(input) == rootBuffer(output) && !areSame(input, output))
    return {};
  return typeOf(input).getShape() == typeOf(output).getShape() ? asWhole(input)
                                                               : asRow(input);
}
