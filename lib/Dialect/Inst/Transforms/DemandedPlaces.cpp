//===- DemandedPlaces.cpp - reads and writes as places --------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DemandedPlaces.h"
#include <numeric>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// Where the first element of an axis lies in its period of addresses, and how
/// far beyond others of its elements reach; nothing if some lie in another
/// period or before.
static std::optional<std::pair<int64_t, int64_t>>
startAndReach(const AddressSpace &space, size_t axis, int64_t period) {
  int64_t step = space.strides[axis], reach = 0;
  if (space.offset < 0 || step <= 0)
    return std::nullopt;
  for (size_t other = 0; other < space.shape.size(); ++other) {
    int64_t size = space.shape[other], distance = space.strides[other];
    if (other == axis || size == 1 || distance % period == 0)
      continue;
    if (distance < 0 || distance >= step)
      return std::nullopt;
    reach += (size - 1) * distance;
  }
  int64_t start = space.offset % period;
  if (start + (space.shape[axis] - 1) * step + reach >= period)
    return std::nullopt;
  return std::pair(start, reach);
}

/// The periods of addresses that axes give, the least first: from one element
/// of an axis to the next, and over all.
static SmallVector<int64_t> periodsOf(const AddressSpace &space) {
  SmallVector<int64_t> periods;
  int64_t all = 0;
  for (auto [size, distance] : llvm::zip(space.shape, space.strides)) {
    if (size <= 1 || distance <= 0)
      continue;
    periods.push_back(distance);
    all = std::max(all, size * distance);
  }
  if (all)
    periods.push_back(all);
  llvm::sort(periods);
  return periods;
}

std::optional<PaddedPlaces> inst::placesOf(Value root,
                                           const AddressSpace &space,
                                           size_t axis, AffineExpr extent) {
  // Those of the buffer are the same for all that read it.
  SmallVector<int64_t> periods = periodsOf(AddressSpace::of(root));
  llvm::append_range(periods, periodsOf(space));
  for (int64_t period : periods) {
    auto known = startAndReach(space, axis, period);
    if (!known)
      continue;
    auto [start, reach] = *known;
    int64_t step = space.strides[axis], stride = std::gcd(step, period);
    if (start % stride + reach < step)
      return PaddedPlaces{
          stride,
          period / stride,
          {Along::Padding, extent * (step / stride) + start / stride, false}};
  }
  return std::nullopt;
}

AffineExpr inst::extentBefore(const AddressSpace &space, size_t axis,
                              const PaddedPlaces &places) {
  auto known = startAndReach(space, axis, places.stride * places.count);
  if (!known)
    return {};
  AffineExpr extent = places.contents.extent;
  int64_t start = known->first, step = space.strides[axis];
  if (places.stride % step == 0)
    return extent * (places.stride / step) - start / step;
  if (step % places.stride == 0)
    return (extent - start / places.stride).ceilDiv(step / places.stride);
  int64_t unit = std::gcd(std::gcd(places.stride, step), start);
  AffineExpr left = extent * (places.stride / unit) - start / unit;
  return left.ceilDiv(step / unit);
}

/// In which place of its period the first element lies, if all others lie in
/// the same period, and none along the axes behind the first `own` in another
/// place.
static std::optional<int64_t> firstPlace(const AddressSpace &space, size_t own,
                                         int64_t stride, int64_t period) {
  if (space.offset < 0)
    return std::nullopt;
  int64_t first = space.offset % period / stride, last = first;
  int64_t within = space.offset % stride;
  for (auto [axis, size] : llvm::enumerate(space.shape)) {
    int64_t distance = space.strides[axis];
    if (size <= 1 || distance % period == 0)
      continue;
    if (distance > 0 && distance < stride)
      within += (size - 1) * distance;
    else if (distance > 0 && distance % stride == 0 && axis < own)
      last += (size - 1) * (distance / stride);
    else
      return std::nullopt;
  }
  bool isOnePeriod = within < stride && last < period / stride;
  return isOnePeriod ? std::optional(first) : std::nullopt;
}

std::optional<PaddedPlaces> inst::carryPlaces(const PaddedPlaces &places,
                                              const AddressSpace &from,
                                              Value root,
                                              const AddressSpace &to) {
  size_t own = std::min(from.shape.size(), to.shape.size());
  for (size_t axis = 0; axis < own; ++axis)
    if (from.shape[axis] != to.shape[axis] ||
        (from.shape[axis] > 1 && from.strides[axis] != to.strides[axis]))
      return std::nullopt;
  int64_t stride = places.stride;
  int64_t period = stride * places.count;
  auto first = firstPlace(from, own, stride, period);
  if (!first)
    return std::nullopt;
  // Whether the same axes go from one period to the next.
  auto isAlike = [&](int64_t other) {
    return llvm::all_of(llvm::seq(own), [&](size_t axis) {
      return to.shape[axis] <= 1 || (to.strides[axis] % other == 0) ==
                                        (to.strides[axis] % period == 0);
    });
  };
  for (int64_t other : periodsOf(AddressSpace::of(root))) {
    if (other % stride != 0 || !isAlike(other))
      continue;
    if (auto there = firstPlace(to, own, stride, other)) {
      PaddedPlaces carried{stride, other / stride, places.contents};
      carried.contents.extent = places.contents.extent + (*there - *first);
      return carried;
    }
  }
  return std::nullopt;
}

SmallVector<PaddedPlaces> inst::reachedPlaces(const AddressSpace &root,
                                              const AddressSpace &part,
                                              MLIRContext *context) {
  SmallVector<PaddedPlaces> all;
  for (auto [size, stride] : llvm::zip_equal(root.shape, root.strides)) {
    PaddedPlaces places{stride, size, {Along::Padding, {}, false}};
    std::optional<int64_t> last =
        size > 1 && stride > 0 ? part.lastPlace(places) : std::nullopt;
    if (!last || *last + 1 >= size)
      continue;
    places.contents.extent = getAffineConstantExpr(*last + 1, context);
    all.push_back(places);
  }
  return all;
}

SmallVector<PaddedPlaces> inst::lastPlaces(const AddressSpace &part,
                                           ArrayRef<AffineExpr> ends,
                                           ArrayRef<ShapeSymbol> symbols) {
  SmallVector<PaddedPlaces> all;
  for (auto [size, stride] : llvm::zip_equal(part.shape, part.strides)) {
    int64_t period = 0;
    for (int64_t other : part.strides)
      if (stride > 0 && other > stride && (period == 0 || other < period))
        period = other;
    if (size != 1 || period == 0 || period % stride != 0)
      continue;
    PaddedPlaces places{stride, period / stride, {Along::Padding, {}, false}};
    int64_t last = places.count - 1;
    if (part.lastPlace(places) != last)
      continue;
    for (AffineExpr end : ends) {
      auto range = end ? rangeOf(end, symbols) : std::nullopt;
      if (!range || range->upper < 1 ||
          last + range->lower / range->upper > places.count / 2)
        continue; // hardly ever less
      places.contents.extent = end.ceilDiv(uint64_t(range->upper)) + last;
      all.push_back(places);
    }
  }
  return all;
}
