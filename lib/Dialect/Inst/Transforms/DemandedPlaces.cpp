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
