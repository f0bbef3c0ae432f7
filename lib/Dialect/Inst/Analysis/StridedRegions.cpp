//===- StridedRegions.cpp - arithmetic on strided views -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// The strides of the axes and 1, largest first, if each divides the one before
/// it; else none.
static SmallVector<int64_t>
weightsOf(ArrayRef<std::pair<int64_t, int64_t>> axes) {
  SmallVector<int64_t> weights{1};
  for (auto [extent, stride] : axes)
    weights.push_back(stride);
  llvm::sort(weights, std::greater<>());
  weights.erase(llvm::unique(weights), weights.end());
  for (size_t i = 1; i < weights.size(); ++i)
    if (weights[i - 1] % weights[i] != 0)
      return {};
  return weights;
}

StridedRegion::StridedRegion(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getNumElements() == 0)
    return;
  if (buffer.getDefiningOp<SlideOp>()) {
    // Somewhere in it.
    end = bufferBytes(rootBuffer(buffer));
    return;
  }
  StridedLayout layout = layoutOf(buffer);
  low = layout.offset;
  int64_t high = low;
  for (auto [extent, stride] : llvm::zip(type.getShape(), layout.strides)) {
    if (extent == 1 || stride == 0)
      continue;
    (stride < 0 ? low : high) += (extent - 1) * stride;
    axes.emplace_back(extent, std::abs(stride));
  }
  element = elementBytes(type.getElementType());
  begin = low * element;
  end = (high + 1) * element;
  weights = weightsOf(axes);
  digits = digitsIn(weights);
}

SmallVector<StridedRegion::Range>
StridedRegion::digitsIn(ArrayRef<int64_t> weights) const {
  SmallVector<Range> ranges;
  int64_t rest = low;
  for (int64_t weight : weights) {
    ranges.emplace_back(rest / weight, rest / weight);
    rest %= weight;
  }
  if (weights.empty())
    return ranges;
  for (auto [extent, stride] : axes) {
    // An axis that runs over several digits does so in whole turns, or is no
    // box.
    int64_t turns = extent;
    size_t i = llvm::find(weights, stride) - weights.begin();
    for (; i > 0; --i) {
      int64_t radix = weights[i - 1] / weights[i];
      if (turns <= radix || turns % radix != 0)
        break;
      ranges[i].second += radix - 1;
      turns /= radix;
    }
    ranges[i].second += turns - 1;
  }
  for (size_t i = 1; i < weights.size(); ++i)
    if (ranges[i].second >= weights[i - 1] / weights[i])
      return {};
  return ranges;
}

bool StridedRegion::mayOverlap(const StridedRegion &other) const {
  if (begin >= other.end || other.begin >= end)
    return false;
  if (!element || element != other.element)
    return true;
  auto share = [](ArrayRef<Range> a, ArrayRef<Range> b) {
    if (a.empty() || b.empty())
      return true;
    return llvm::all_of(llvm::zip_equal(a, b), [](auto pair) {
      auto [x, y] = pair;
      return x.first <= y.second && y.first <= x.second;
    });
  };
  if (weights == other.weights)
    return share(digits, other.digits);
  SmallVector<std::pair<int64_t, int64_t>> all(axes);
  llvm::append_range(all, other.axes);
  SmallVector<int64_t> common = weightsOf(all);
  return share(digitsIn(common), other.digitsIn(common));
}

bool inst::isFixed(Value buffer) {
  auto view = buffer.getDefiningOp<ViewOp>();
  return (view ? view.getSource() : buffer) == rootBuffer(buffer);
}

bool inst::mayOverlap(Value a, Value b) {
  return StridedRegion(a).mayOverlap(StridedRegion(b));
}

bool inst::mayMeet(Value a, Value b) {
  return rootBuffer(a) == rootBuffer(b) && mayOverlap(a, b);
}

bool inst::areSame(Value a, Value b) {
  return a == b || (rootBuffer(a) == rootBuffer(b) && isFixed(a) &&
                    isFixed(b) && a.getType() == b.getType());
}

MemRefType inst::viewType(MemRefType like, ArrayRef<int64_t> shape,
                          ArrayRef<int64_t> strides, int64_t offset) {
  MemRefLayoutAttrInterface layout;
  int64_t dense = 1;
  bool isDense = offset == 0;
  for (size_t i = shape.size(); i-- > 0;) {
    isDense &= strides[i] == dense;
    dense *= std::max<int64_t>(shape[i], 1);
  }
  if (!isDense)
    layout = StridedLayoutAttr::get(like.getContext(), offset, strides);
  return MemRefType::get(shape, like.getElementType(), layout,
                         like.getMemorySpace());
}

Value inst::viewOrRoot(OpBuilder &builder, Location loc, Value buffer,
                       MemRefType type) {
  Value root = rootBuffer(buffer);
  return type == root.getType() ? root
                                : ViewOp::create(builder, loc, type, root);
}

Value inst::sliceView(OpBuilder &builder, Location loc, Value buffer,
                      int64_t axis, int64_t start, int64_t size) {
  auto type = cast<MemRefType>(buffer.getType());
  StridedLayout layout = layoutOf(buffer);
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = size;
  MemRefType part = viewType(type, shape, layout.strides,
                             layout.offset + start * layout.strides[axis]);
  return ViewOp::create(builder, loc, part, rootBuffer(buffer));
}

MemRefType inst::withoutOffset(MemRefType view) {
  if (view.getLayout().isIdentity())
    return view;
  SmallVector<int64_t> strides;
  int64_t offset;
  [[maybe_unused]] auto known = view.getStridesAndOffset(strides, offset);
  return viewType(view, view.getShape(), strides, 0);
}

int64_t inst::innermostAxis(MemRefType type) {
  int64_t axis = type.getRank() - 1;
  while (axis >= 0 && type.getDimSize(axis) == 1)
    --axis;
  return axis;
}

/// The stride along `axis` with which `next` continues `first`, if it does.
static std::optional<int64_t> continuation(MemRefType first, MemRefType next,
                                           int64_t axis) {
  SmallVector<int64_t> a, b;
  int64_t offsetA, offsetB;
  if (failed(first.getStridesAndOffset(a, offsetA)) ||
      failed(next.getStridesAndOffset(b, offsetB)))
    return std::nullopt;
  for (auto [i, extent] : llvm::enumerate(first.getShape())) {
    bool isAxis = static_cast<int64_t>(i) == axis;
    if (!isAxis &&
        (extent != next.getDimSize(i) || (extent != 1 && a[i] != b[i])))
      return std::nullopt;
  }
  int64_t distance = offsetB - offsetA, count = first.getDimSize(axis);
  if (count == 0 || distance == 0 || distance % count != 0)
    return std::nullopt;
  int64_t stride = distance / count;
  if ((count != 1 && a[axis] != stride) ||
      (next.getDimSize(axis) != 1 && b[axis] != stride))
    return std::nullopt;
  return stride;
}

MemRefType inst::joinViews(MemRefType first, MemRefType next, int64_t axis) {
  std::optional<int64_t> stride = continuation(first, next, axis);
  if (!stride || first.getElementType() != next.getElementType())
    return {};
  SmallVector<int64_t> shape(first.getShape()), strides;
  int64_t offset;
  [[maybe_unused]] auto ok = first.getStridesAndOffset(strides, offset);
  shape[axis] += next.getDimSize(axis);
  strides[axis] = *stride;
  return viewType(first, shape, strides, offset);
}

std::optional<Relocation> Relocation::get(Value from, Value to) {
  auto type = cast<MemRefType>(from.getType());
  auto root = cast<MemRefType>(rootBuffer(from).getType());
  if (type.getElementType() != root.getElementType() ||
      type.getNumElements() != root.getNumElements() ||
      type.getNumElements() == 0)
    return std::nullopt;
  StridedLayout source = layoutOf(from), target = layoutOf(to);
  Relocation relocation;
  relocation.targetOffset = target.offset;
  relocation.bytesPerElement = elementBytes(type.getElementType());
  for (auto [extent, weight, other] :
       llvm::zip(type.getShape(), source.strides, target.strides))
    if (extent != 1)
      relocation.digits.push_back({extent, weight, other});
  auto &digits = relocation.digits;
  llvm::sort(digits, [](const Digit &a, const Digit &b) {
    return a.weight > b.weight;
  });
  // Every element once: the weights are those of a dense buffer in some order.
  int64_t dense = 1;
  for (const Digit &digit : llvm::reverse(digits)) {
    if (digit.weight != dense)
      return std::nullopt;
    dense *= digit.extent;
  }
  if (source.offset != 0)
    return std::nullopt;
  // Digits that stay together in the destination count as one.
  for (size_t i = digits.size(); i-- > 1;)
    if (digits[i - 1].target == digits[i].extent * digits[i].target) {
      digits[i - 1] = {digits[i - 1].extent * digits[i].extent,
                       digits[i].weight, digits[i].target};
      digits.erase(digits.begin() + i);
    }
  return relocation;
}

SmallVector<int64_t> Relocation::split(int64_t address) const {
  SmallVector<int64_t> values;
  for (const Digit &digit : digits) {
    values.push_back(address / digit.weight);
    address %= digit.weight;
  }
  return values;
}

std::optional<MemRefType> Relocation::relocate(MemRefType view) const {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(view.getStridesAndOffset(strides, offset)) ||
      elementBytes(view.getElementType()) != bytesPerElement ||
      view.getNumElements() == 0)
    return std::nullopt;
  // The range of every digit over the whole view must not carry into the next.
  SmallVector<int64_t> low = split(offset), high(low);
  SmallVector<int64_t> moved(strides.size(), 0);
  for (auto [i, stride] : llvm::enumerate(strides)) {
    if (view.getDimSize(i) == 1)
      continue;
    for (auto [j, value] : llvm::enumerate(split(std::abs(stride)))) {
      int64_t step = stride < 0 ? -value : value;
      moved[i] += step * digits[j].target;
      (step < 0 ? low[j] : high[j]) += step * (view.getDimSize(i) - 1);
    }
  }
  int64_t target = targetOffset;
  SmallVector<int64_t> first = split(offset);
  for (auto [j, digit] : llvm::enumerate(digits)) {
    if (low[j] < 0 || high[j] >= digit.extent)
      return std::nullopt;
    target += first[j] * digit.target;
  }
  // Axes of one element go along with the axis inside them.
  int64_t inner = 1;
  for (size_t i = strides.size(); i-- > 0;) {
    if (view.getDimSize(i) == 1)
      moved[i] = inner;
    inner = moved[i] * view.getDimSize(i);
  }
  return viewType(view, view.getShape(), moved, target);
}
