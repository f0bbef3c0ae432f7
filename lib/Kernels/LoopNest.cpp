//===- LoopNest.cpp - parallel loops over strided operands ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/LoopNest.h"

using namespace mlir;
using namespace mlir::glow;
using llvm::divideCeil;

int64_t glow::ticketsFor(double work) {
  // A ticket of 1 us is still worth several times the start of another thread;
  // beyond what evens out unequal threads, tickets of 20 us will do.
  constexpr double kLeast = 1 << 12, kEnough = 1 << 16, kEven = 64;
  double tickets = std::max(std::min(work / kLeast, kEven), work / kEnough);
  return std::max<int64_t>(1, tickets);
}

Value LoopAxis::limit(KernelBuilder &b) const {
  Value whole = b.index(extent);
  if (!isBounded())
    return whole;
  return b.min(whole, b.ceilDiv(b.mul(b.extents[bound], perBound), places));
}

TicketCut TicketCut::of(int64_t points, int64_t wanted) {
  int64_t each = std::max<int64_t>(1, points / wanted);
  return {points, each, static_cast<int64_t>(divideCeil(points, each))};
}

std::pair<Value, Value> TicketCut::range(KernelBuilder &b, Value begin,
                                         Value end, Value live) const {
  if (!live)
    return {b.mul(begin, pointsPerTicket),
            b.min(b.mul(end, pointsPerTicket), b.index(points))};
  return {b.div(b.mul(begin, live), tickets), b.div(b.mul(end, live), tickets)};
}

SmallVector<LoopAxis> glow::makeAxes(ArrayRef<int64_t> shape,
                                     ArrayRef<SmallVector<int64_t>> strides,
                                     const BoundedAxes &bounded) {
  SmallVector<LoopAxis> axes{LoopAxis::unit(strides.size())};
  for (auto [i, extent] : llvm::enumerate(shape)) {
    axes.push_back({extent, {}});
    axes.back().boundBy(bounded, i);
    for (const SmallVector<int64_t> &operand : strides)
      axes.back().strides.push_back(operand[i]);
  }
  return axes;
}

void glow::orderAxes(SmallVector<LoopAxis> &axes, size_t operand) {
  // A stable insertion sort: there are few axes.
  auto isBefore = [&](const LoopAxis &a, const LoopAxis &b) {
    return std::abs(a.strides[operand]) > std::abs(b.strides[operand]);
  };
  for (auto it = axes.begin(); it != axes.end(); ++it)
    std::rotate(std::upper_bound(axes.begin(), it, *it, isBefore), it, it + 1);
}

/// `outer` continues where `inner` ends, in every operand.
static bool isContinuous(const LoopAxis &outer, const LoopAxis &inner) {
  return llvm::all_of(llvm::zip(outer.strides, inner.strides), [&](auto pair) {
    return std::get<0>(pair) == std::get<1>(pair) * inner.extent;
  });
}

SmallVector<LoopAxis> glow::mergeAxes(ArrayRef<LoopAxis> axes) {
  SmallVector<LoopAxis> merged;
  for (const LoopAxis &axis : axes) {
    if (axis.extent == 1)
      continue;
    // Within another axis a limit would leave gaps.
    if (!merged.empty() && !axis.isBounded() &&
        isContinuous(merged.back(), axis)) {
      LoopAxis &outer = merged.back();
      outer.perBound *= axis.extent;
      outer.extent *= axis.extent;
      outer.strides = axis.strides;
      continue;
    }
    merged.push_back(axis);
  }
  return merged;
}

LoopNest::LoopNest(SmallVector<LoopAxis> given, double work, int64_t granule) {
  assert(!given.empty() && "a nest must know its operands");
  axes = mergeAxes(given);
  if (axes.empty())
    axes.push_back(LoopAxis::unit(given.front().strides.size()));
  if (llvm::all_of(axes, [](const LoopAxis &a) { return a.extent > 0; }))
    divide(work, granule);
}

void LoopNest::divide(double work, int64_t granule) {
  double total = work;
  for (const LoopAxis &axis : axes)
    total *= axis.extent;
  int64_t wanted = ticketsFor(total), points = 1;
  while (points < wanted && prefix + 1 < axes.size())
    points *= axes[prefix++].extent;
  int64_t extent = axes.back().extent;
  chunk = extent;
  if (points < wanted) {
    chunks = divideCeil(wanted, points);
    chunk = llvm::alignTo(divideCeil(extent, chunks), granule);
    chunks = divideCeil(extent, chunk);
  }
  points *= chunks;
  cut = TicketCut::of(points, wanted);
}

Value LoopNest::elements(KernelBuilder &b) const {
  if (llvm::none_of(axes, [](const LoopAxis &a) { return a.isBounded(); }))
    return {};
  Value product = b.index(1);
  for (const LoopAxis &axis : axes)
    product = b.mul(product, axis.limit(b));
  return product;
}

Value LoopNest::livePoints(KernelBuilder &b) const {
  const LoopAxis &outermost = axes.front();
  if (!outermost.isBounded())
    return {};
  if (prefix)
    return b.mul(outermost.limit(b), cut.points / outermost.extent);
  return axes.size() == 1 ? b.ceilDiv(outermost.limit(b), chunk) : Value();
}

void LoopNest::emit(KernelBuilder &b, Value begin, Value end, Body body) const {
  if (!cut.tickets)
    return;
  auto [first, last] = cut.range(b, begin, end, livePoints(b));
  SmallVector<int64_t> extents;
  for (const LoopAxis &axis : ArrayRef(axes).take_front(prefix))
    extents.push_back(axis.extent);
  if (prefix > 1 && chunks == 1 && axes[prefix - 1].isBounded())
    return emitLines(b, extents, first, last, body);
  extents.push_back(chunks);
  b.loop(first, last, 1, [&](Value point) {
    SmallVector<Value> indices = b.delinearize(point, extents);
    Value chunk = indices.pop_back_val();
    emitWithin(b, indices, [&] { emitPoint(b, indices, chunk, body); });
  });
}

void LoopNest::emitLines(KernelBuilder &b, ArrayRef<int64_t> extents,
                         Value first, Value last, Body body) const {
  const LoopAxis &axis = axes[prefix - 1];
  int64_t size = axis.extent;
  b.loop(b.div(first, size), b.ceilDiv(last, size), 1, [&](Value line) {
    SmallVector<Value> indices = b.delinearize(line, extents.drop_back());
    emitWithin(b, indices, [&] {
      Value start = b.mul(line, size);
      Value low = b.max(b.index(0), b.sub(first, start));
      Value high = b.min(b.sub(last, start), axis.limit(b));
      b.loop(low, high, 1, [&](Value index) {
        SmallVector<Value> all(indices);
        all.push_back(index);
        emitPoint(b, all, b.index(0), body);
      });
    });
  });
}

void LoopNest::emitPoint(KernelBuilder &b, ArrayRef<Value> indices,
                         Value chunkIndex, Body body) const {
  size_t operands = axes.front().strides.size();
  SmallVector<Value> offsets(operands, b.index(0));
  for (auto [i, index] : llvm::enumerate(indices))
    for (size_t o = 0; o < operands; ++o)
      offsets[o] = b.add(offsets[o], b.mul(index, axes[i].strides[o]));
  Value low = b.index(0), high = axes.back().limit(b);
  if (chunks > 1) {
    low = b.mul(chunkIndex, chunk);
    high = b.min(b.add(low, chunk), high);
    // A chunk may begin beyond the limit.
    if (axes.back().isBounded())
      high = b.max(low, high);
  }
  emitAxis(b, prefix, offsets, low, high, body);
}

void LoopNest::emitWithin(KernelBuilder &b, ArrayRef<Value> indices,
                          function_ref<void()> body) const {
  Value isWithin;
  for (auto [i, index] : llvm::enumerate(indices)) {
    if (!axes[i].isBounded())
      continue;
    Value here = b.less(index, axes[i].limit(b));
    isWithin = isWithin ? b.both(isWithin, here) : here;
  }
  if (isWithin)
    b.ifThen(isWithin, body);
  else
    body();
}

void LoopNest::emitAxis(KernelBuilder &b, size_t axis, ArrayRef<Value> offsets,
                        Value low, Value high, Body body) const {
  if (axis + 1 == axes.size())
    return body(offsets, low, high);
  b.loop(b.index(0), axes[axis].limit(b), 1, [&](Value i) {
    SmallVector<Value> inner(offsets);
    for (auto [offset, stride] : llvm::zip(inner, axes[axis].strides))
      offset = b.add(offset, b.mul(i, stride));
    emitAxis(b, axis + 1, inner, low, high, body);
  });
}
