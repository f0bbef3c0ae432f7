//===- AxisGroups.cpp - which axes a reshape makes of which ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AxisGroups.h"

using namespace mlir;
using namespace mlir::glow;

SmallVector<AxisGroup> glow::matchGroups(ArrayRef<int64_t> from,
                                         ArrayRef<int64_t> to) {
  SmallVector<AxisGroup> groups;
  int64_t i = 0, j = 0, n = from.size(), m = to.size();
  if (llvm::any_of(from, [](int64_t dim) { return dim <= 0; }) ||
      llvm::any_of(to, [](int64_t dim) { return dim <= 0; }))
    return {};
  while (i < n && j < m) {
    AxisGroup group{i, i + 1, j, j + 1};
    int64_t a = from[i++], b = to[j++];
    while (a != b) {
      if (a < b ? i == n : j == m)
        return {};
      if (a < b)
        a *= from[i++];
      else
        b *= to[j++];
    }
    groups.push_back({group.fromBegin, i, group.toBegin, j});
  }
  // What is left on either side has extent 1.
  if (groups.empty())
    return {};
  groups.back().fromEnd = n;
  groups.back().toEnd = m;
  return groups;
}
