//===- EvaluateReduce.cpp - reductions along axes -------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Evaluators.h"
#include "Lanes.h"

using namespace mlir;
using namespace mlir::glow;

/// Combines every row of the input with the accumulators it belongs to, which
/// lie `strides` apart: 0 along reduced axes.
template <typename Lane, typename Combine>
static void accumulate(const Tensor &input, ArrayRef<int64_t> strides,
                       std::vector<Lane> &sums, Combine combine) {
  ArrayRef<int64_t> dims = input.getShape();
  int64_t inner = dims.empty() ? 1 : dims.back();
  int64_t step = dims.empty() ? 0 : strides.back();
  std::vector<Lane> row(inner);
  PlaceWalker place(dims.empty() ? dims : dims.drop_back());
  for (int64_t begin = 0; begin < input.size(); begin += inner, place.next()) {
    readLanes(input, begin, inner, row.data());
    Lane *sum = &sums[place.offset(strides.drop_back(!dims.empty()))];
    for (int64_t i = 0; i < inner; ++i)
      sum[i * step] = combine(sum[i * step], row[i]);
  }
}

template <typename Lane>
static void reduce(ReduceKind kind, const Tensor &input,
                   ArrayRef<int64_t> strides, Tensor &out) {
  const ElementFormat &format = input.format();
  auto run = [&](Lane neutral, auto combine) {
    std::vector<Lane> sums(out.size(), neutral);
    if (input.size())
      accumulate(input, strides, sums, combine);
    // A mean over nothing is 0 / 0 for floats, and 0 for integers.
    Lane divisor = out.size() ? input.size() / out.size() : 1;
    if (kind == ReduceKind::Mean)
      for (Lane &sum : sums)
        sum = std::is_floating_point_v<Lane> || divisor != 0 ? sum / divisor
                                                             : sum;
    writeLanes(out, 0, out.size(), sums.data());
  };
  switch (kind) {
  case ReduceKind::Sum:
  case ReduceKind::Mean:
    return run(0, addLanes<Lane>);
  case ReduceKind::Prod:
    return run(1, mulLanes<Lane>);
  case ReduceKind::Max:
    return run(lowestLane<Lane>(format), maxLanes<Lane>);
  case ReduceKind::Min:
    return run(highestLane<Lane>(format), minLanes<Lane>);
  }
}

LogicalResult ReduceOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput();
  Dims kept(input.getShape()), dims;
  for (int64_t axis : getAxes())
    kept[axis] = 1;
  for (auto [i, extent] : llvm::enumerate(kept))
    if (getKeepDims() ||
        !llvm::is_contained(getAxes(), static_cast<int64_t>(i)))
      dims.push_back(extent);
  if (failed(allocateResult(*this, dims, out[0])))
    return failure();
  SmallVector<int64_t> strides = rowMajorStrides(kept);
  for (int64_t axis : getAxes())
    strides[axis] = 0;
  withLane(input.format(), [&](auto zero) {
    reduce<decltype(zero)>(getKind(), input, strides, out[0]);
  });
  return success();
}

/// True if `a` goes before `b`; NaN goes before everything, as in NumPy.
template <typename Lane> static bool isBetter(bool largest, Lane a, Lane b) {
  if (isNaNLane(a) || isNaNLane(b))
    return isNaNLane(a) && !isNaNLane(b);
  return largest ? a > b : a < b;
}

/// How many elements along an axis there are.
static int64_t countOf(const Tensor &count, int64_t extent) {
  return count ? std::clamp<int64_t>(count.ints().front(), 0, extent) : extent;
}

LogicalResult ArgReduceOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput();
  int64_t axis = getAxis();
  AxisView view(input.getShape(), axis);
  Dims dims(input.getShape());
  dims[axis] = 1;
  if (!getKeepDims())
    dims.erase(dims.begin() + axis);
  if (failed(allocateResult(*this, dims, out[0])))
    return failure();
  if (view.extent == 0 && out[0].size())
    return emitOpError("has nothing to choose from along axis ") << axis;
  bool largest = getKind() == ReduceKind::Max;
  int64_t end = countOf(in.getCount(), view.extent);
  std::vector<int64_t> best(out[0].size(), 0);
  withLane(input.format(), [&](auto zero) {
    using Lane = decltype(zero);
    std::vector<Lane> lanes = readAllLanes<Lane>(input);
    for (size_t i = 0; i < best.size(); ++i) {
      const Lane *from =
          &lanes[i / view.inner * view.extent * view.inner + i % view.inner];
      for (int64_t j = 1; j < end; ++j) {
        Lane current = from[j * view.inner], kept = from[best[i] * view.inner];
        if (isBetter(largest, current, kept) ||
            (getSelectLast() && !isBetter(largest, kept, current)))
          best[i] = j;
      }
    }
  });
  out[0].write(0, best.size(), best.data());
  return success();
}

LogicalResult ScanOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput();
  if (failed(allocateResult(*this, input.getShape(), out[0])))
    return failure();
  AxisView view(input.getShape(), getAxis());
  bool isSum = getKind() == ReduceKind::Sum;
  int64_t end = countOf(in.getCount(), view.extent);
  withLane(input.format(), [&](auto zero) {
    using Lane = decltype(zero);
    std::vector<Lane> lanes = readAllLanes<Lane>(input);
    for (int64_t row = 0; row < view.outer * view.inner && view.extent; ++row) {
      Lane *first = &lanes[row / view.inner * view.extent * view.inner +
                           row % view.inner];
      Lane total = isSum ? 0 : 1;
      for (int64_t j = 0; j < end; ++j) {
        int64_t place = getReverse() ? end - 1 - j : j;
        Lane &element = first[place * view.inner];
        Lane next = isSum ? addLanes(total, element) : mulLanes(total, element);
        element = getExclusive() ? total : next;
        total = next;
      }
    }
    writeLanes(out[0], 0, input.size(), lanes.data());
  });
  return success();
}

/// The order of TopK, in which NaN is the greatest number.
template <typename Lane> static bool goesBefore(bool largest, Lane a, Lane b) {
  if (isNaNLane(a) || isNaNLane(b))
    return largest ? isNaNLane(a) && !isNaNLane(b)
                   : !isNaNLane(a) && isNaNLane(b);
  return largest ? a > b : a < b;
}

LogicalResult TopKOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput();
  SmallVector<int64_t> k = in.getK().ints();
  AxisView view(input.getShape(), getAxis());
  if (k.size() != 1 || k[0] < 0 || k[0] > view.extent)
    return emitOpError("k must be one number within 0 and the axis's "
                       "extent ")
           << view.extent;
  Dims dims(input.getShape());
  dims[getAxis()] = k[0];
  if (failed(allocateResult(*this, dims, out[0], 0)) ||
      failed(allocateResult(*this, dims, out[1], 1)))
    return failure();
  int64_t end = countOf(in.getCount(), view.extent), most = std::min(k[0], end);
  withLane(input.format(), [&](auto zero) {
    using Lane = decltype(zero);
    std::vector<Lane> lanes = readAllLanes<Lane>(input);
    std::vector<int64_t> order(end);
    for (int64_t row = 0; row < view.outer * view.inner && most; ++row) {
      int64_t block = row / view.inner, column = row % view.inner;
      const Lane *from = &lanes[block * view.extent * view.inner + column];
      std::iota(order.begin(), order.end(), 0);
      auto before = [&](int64_t a, int64_t b) {
        Lane first = from[a * view.inner], second = from[b * view.inner];
        if (goesBefore(getLargest(), first, second))
          return true;
        return a < b && !goesBefore(getLargest(), second, first);
      };
      std::partial_sort(order.begin(), order.begin() + most, order.end(),
                        before);
      for (int64_t j = 0; j < most; ++j) {
        int64_t place = (block * k[0] + j) * view.inner + column;
        writeLanes(out[0], place, 1, &from[order[j] * view.inner]);
        out[1].write(place, 1, &order[j]);
      }
    }
  });
  return success();
}
