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

int64_t ElementSet::count() const {
  int64_t result = 1;
  for (auto [stride, extent] : axes)
    result *= extent;
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
    for (auto [unit, count] : axes) {
      if (stride < unit * count) {
        stride = stride / unit * dense;
        break;
      }
      dense *= count;
    }
  }
  return viewType(view, view.getShape(), strides, 0);
}
