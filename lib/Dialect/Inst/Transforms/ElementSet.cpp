//===- ElementSet.cpp - the elements of a view ----------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ElementSet.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"

using namespace mlir;
using namespace mlir::glow::inst;

ElementSet::ElementSet(MemRefType view) {
  SmallVector<int64_t> strides;
  [[maybe_unused]] auto known = view.getStridesAndOffset(strides, offset);
  SmallVector<std::pair<int64_t, int64_t>> all;
  for (auto [extent, stride] : llvm::zip(view.getShape(), strides))
    if (extent != 1 && stride != 0)
      all.emplace_back(stride, extent);
  llvm::sort(all);
  // Axes that follow each other count as one.
  for (auto [stride, extent] : all) {
    if (!axes.empty() && axes.back().first * axes.back().second == stride)
      axes.back().second *= extent;
    else
      axes.emplace_back(stride, extent);
  }
}

/// Rows that were made longer, so that each begins with a line or is in other
/// sets of the cache, stay so.
int64_t ElementSet::packedExtent(size_t axis) const {
  int64_t extent = axes[axis].second;
  if (axis > 0 || axes.size() == 1 || axes[0].first != 1)
    return extent;
  int64_t distance = axes[1].first;
  bool hasSmallGap = distance >= extent && 2 * (distance - extent) < extent;
  return hasSmallGap ? distance : extent;
}

int64_t ElementSet::packedSize() const {
  int64_t result = 1;
  for (size_t axis = 0; axis < axes.size(); ++axis)
    result *= packedExtent(axis);
  return result;
}

MemRefType ElementSet::pack(MemRefType view) const {
  SmallVector<int64_t> strides;
  int64_t start;
  [[maybe_unused]] auto known = view.getStridesAndOffset(strides, start);
  for (auto [extent, stride] : llvm::zip(view.getShape(), strides)) {
    if (extent == 1 || stride == 0)
      continue;
    int64_t dense = 1;
    for (size_t axis = 0; axis < axes.size(); ++axis) {
      auto [unit, count] = axes[axis];
      if (stride < unit * count) {
        stride = stride / unit * dense;
        break;
      }
      dense *= packedExtent(axis);
    }
  }
  return viewType(view, view.getShape(), strides, 0);
}
