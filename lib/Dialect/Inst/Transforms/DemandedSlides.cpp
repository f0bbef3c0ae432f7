//===- DemandedSlides.cpp - reads of parts that slide ---------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A band of rows slides over an image: it begins a band's rows further at each
// point, except where it meets the image's border. What it reads of the image
// by its last row ends where the rows end that are needed, whichever point that
// is: the index falls out of the sum of where the part begins and how much of
// it is read.
//
//===----------------------------------------------------------------------===//
#include "DemandedSlides.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// The longest step of the part that all starts are multiples of.
static std::optional<size_t> axisOf(const AddressSpace &part,
                                    ArrayRef<int64_t> starts) {
  std::optional<size_t> longest;
  for (auto [axis, step] : llvm::enumerate(part.strides)) {
    auto isWhole = [step = step](int64_t start) { return start % step == 0; };
    if (step > 0 && (!longest || step > part.strides[*longest]) &&
        llvm::all_of(starts, isWhole))
      longest = axis;
  }
  return longest;
}

std::optional<SlideAlong> SlideAlong::of(SlideOp slide) {
  std::optional<size_t> loopAxis;
  for (size_t i = 0; i < slide.getStarts().size(); ++i) {
    if (slide.getStartsAlong(i).empty())
      continue;
    if (loopAxis)
      return std::nullopt;
    loopAxis = i;
  }
  if (!loopAxis)
    return std::nullopt;
  ArrayRef<int64_t> starts = slide.getStartsAlong(*loopAxis);
  AddressSpace part = AddressSpace::of(slide.getResult());
  std::optional<size_t> axis = axisOf(part, starts);
  if (!axis)
    return std::nullopt;
  // Points in the middle are away from borders.
  int64_t step = part.strides[*axis], middle = starts.size() / 2;
  int64_t slope = 0, most = 0;
  if (middle > 0)
    slope = (starts[middle] - starts[middle - 1]) / step;
  int64_t first = std::numeric_limits<int64_t>::min();
  for (auto [point, start] : llvm::enumerate(starts)) {
    first = std::max(first, start / step - slope * int64_t(point));
    most = std::max(most, start / step);
  }
  AffineExpr start = getAffineDimExpr(0, slide.getContext()) * slope + first;
  return SlideAlong{*axis, *loopAxis, start, most};
}

/// Whether an extent grows (1) or shrinks (-1) with the point's index, or does
/// not depend on it; nothing if it may do both.
static std::optional<int> growth(AffineExpr extent) {
  if (!extent.isFunctionOfDim(0))
    return 0;
  auto binary = dyn_cast<AffineBinaryOpExpr>(extent);
  if (!binary)
    return 1;
  std::optional<int> left = growth(binary.getLHS());
  if (extent.getKind() == AffineExprKind::Add) {
    std::optional<int> right = growth(binary.getRHS());
    if (!left || !right || *left * *right < 0)
      return std::nullopt;
    return *left ? *left : *right;
  }
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!left || !factor || extent.getKind() == AffineExprKind::Mod)
    return std::nullopt;
  return factor.getValue() < 0 ? -*left : *left;
}

AffineExpr inst::largestOfPoints(AffineExpr extent, AffineExpr points) {
  std::optional<int> direction = growth(extent);
  if (!direction)
    return {};
  AffineExpr index = *direction < 0 ? points * 0 : points - 1;
  return extent.replace(getAffineDimExpr(0, extent.getContext()), index);
}
