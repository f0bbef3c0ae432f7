//===- DemandedWork.cpp - compute the elements that are read --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A window that slides over padding computes numbers of which following padding
// forward knows nothing. Whoever reads them masks what lies beyond the extents,
// or is the function's caller, who looks at nothing beyond. So what is read is
// followed backwards: of a convolution's input, as far as windows of the
// results that are read themselves reach.
//
//===----------------------------------------------------------------------===//
#include "DemandedWork.h"
#include "OperandAxes.h"
#include "glow/Dialect/Inst/IR/WorkLimits.h"
#include <numeric>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

// -- Comparing extents
// -------------------------------------------------------------------------

static int64_t evaluate(AffineExpr expression, ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return constant.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expression);
  int64_t lhs = evaluate(binary.getLHS(), symbols);
  int64_t rhs = evaluate(binary.getRHS(), symbols);
  switch (expression.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::Mod:
    return llvm::mod(lhs, rhs);
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(lhs, rhs);
  default:
    return llvm::divideCeilSigned(lhs, rhs);
  }
}

/// The same if both are made alike of numbers of which one is not less.
bool DemandedWork::isAtLeastByForm(AffineExpr a, AffineExpr b) const {
  auto one = dyn_cast<AffineBinaryOpExpr>(a),
       other = dyn_cast<AffineBinaryOpExpr>(b);
  if (!one || !other || a.getKind() != b.getKind() ||
      a.getKind() == AffineExprKind::Mod)
    return false;
  auto factor = dyn_cast<AffineConstantExpr>(one.getRHS());
  bool isGrowing =
      a.getKind() == AffineExprKind::Add || (factor && factor.getValue() > 0);
  return isGrowing && one.getRHS() == other.getRHS() &&
         isAtLeast(one.getLHS(), other.getLHS());
}

/// Whether `a` is not less than `b`, whatever the symbols are. Ranges would do
/// only if no symbol occurred in both.
bool DemandedWork::isAtLeast(AffineExpr a, AffineExpr b) const {
  constexpr int64_t kMostValues = 1 << 14;
  if (a == b || isAtLeastByForm(a, b))
    return true;
  AffineExpr difference = simplifyAffineExpr(a - b, 1, symbols.size());
  if (auto constant = dyn_cast<AffineConstantExpr>(difference))
    return constant.getValue() >= 0;
  if (difference.isFunctionOfDim(0))
    return false;
  SmallVector<size_t> used;
  for (size_t i = 0; i < symbols.size(); ++i)
    if (difference.isFunctionOfSymbol(i))
      used.push_back(i);
  if (used.size() == 1) {
    auto [name, lower, upper] = symbols[used.front()];
    if (upper - lower < kMostValues) {
      SmallVector<int64_t> values(symbols.size(), 0);
      return llvm::all_of(llvm::seq_inclusive(lower, upper), [&](int64_t v) {
        values[used.front()] = v;
        return evaluate(difference, values) >= 0;
      });
    }
  }
  auto range = rangeOf(difference, symbols);
  return range && range->lower >= 0;
}

/// Null if neither is the larger one for all symbols.
AffineExpr DemandedWork::largest(AffineExpr a, AffineExpr b) const {
  if (a == b || isAtLeast(a, b))
    return a;
  return isAtLeast(b, a) ? b : AffineExpr();
}

// -- Places of a buffer
// -------------------------------------------------------------------------

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

/// The periods of addresses that axes give, the least first.
static SmallVector<int64_t> periodsOf(const AddressSpace &space) {
  SmallVector<int64_t> periods;
  for (auto [size, distance] : llvm::zip(space.shape, space.strides))
    if (size > 1 && distance > 0)
      periods.push_back(size * distance);
  llvm::sort(periods);
  return periods;
}

/// The places of a buffer that a read of `extent` elements along an axis ends
/// at.
static std::optional<PaddedPlaces> placesOf(Value root,
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

/// The reverse: how many elements along an axis lie in the places before the
/// extent. Null if the axis does not run along them.
static AffineExpr extentBefore(const AddressSpace &space, size_t axis,
                               const PaddedPlaces &places) {
  auto known = startAndReach(space, axis, places.stride * places.count);
  if (!known)
    return {};
  int64_t start = known->first, step = space.strides[axis];
  int64_t unit = std::gcd(std::gcd(places.stride, step), start);
  AffineExpr left =
      places.contents.extent * (places.stride / unit) - start / unit;
  return left.ceilDiv(step / unit);
}

/// Takes note of a read that ends at `extents`, or null for all of an axis.
void DemandedWork::read(Value buffer, ArrayRef<AffineExpr> extents) {
  Value root = rootBuffer(buffer);
  AddressSpace space = AddressSpace::of(buffer);
  SmallVector<PaddedPlaces> now;
  for (auto [axis, extent] : llvm::enumerate(extents))
    if (extent && space.shape[axis] > 1)
      if (auto places = placesOf(root, space, axis, extent))
        now.push_back(*places);
  Demand &demand = demands[root];
  if (!std::exchange(demand.isRead, true)) {
    demand.places = std::move(now);
    return;
  }
  SmallVector<PaddedPlaces> both;
  for (const PaddedPlaces &places : demand.places)
    for (const PaddedPlaces &other : now)
      if (auto joined = join(places, other))
        both.push_back(*joined);
  demand.places = std::move(both);
}

/// What two reads end at, in places that are as small as those of both.
std::optional<PaddedPlaces> DemandedWork::join(const PaddedPlaces &a,
                                               const PaddedPlaces &b) const {
  int64_t period = a.stride * a.count;
  if (period != b.stride * b.count)
    return std::nullopt;
  int64_t stride = std::gcd(a.stride, b.stride);
  AffineExpr extent = largest(a.contents.extent * (a.stride / stride),
                              b.contents.extent * (b.stride / stride));
  if (!extent)
    return std::nullopt;
  return PaddedPlaces{stride, period / stride, {Along::Padding, extent, false}};
}

// -- Instructions
// -------------------------------------------------------------------------

/// How many elements along an axis are read of what buffers, seen through
/// spaces, hold; null if all may be.
AffineExpr
DemandedWork::demandAlong(ArrayRef<std::pair<Value, AddressSpace>> spaces,
                          size_t axis) {
  AffineExpr all;
  for (const auto &[root, space] : spaces) {
    const Demand &demand = demands[root];
    AffineExpr extent;
    if (!demand.isRead || space.shape[axis] == 1)
      return {};
    for (const PaddedPlaces &places : demand.places)
      if (!extent)
        extent = extentBefore(space, axis, places);
    all = !extent ? AffineExpr() : all ? largest(all, extent) : extent;
    if (!all)
      return {};
  }
  return all;
}

/// The same along each axis of an instruction's outputs.
SmallVector<AffineExpr> DemandedWork::demandOf(ArrayRef<Value> outputs) {
  SmallVector<std::pair<Value, AddressSpace>> spaces;
  for (Value output : outputs)
    spaces.emplace_back(rootBuffer(output), AddressSpace::of(output));
  SmallVector<AffineExpr> extents;
  for (size_t axis = 0; axis < spaces.front().second.shape.size(); ++axis)
    extents.push_back(demandAlong(spaces, axis));
  return extents;
}

/// Adds limits to those that there are, and returns all.
SmallVector<AffineExpr> DemandedWork::limit(Operation *op,
                                            ArrayRef<int64_t> shape,
                                            ArrayRef<AffineExpr> extents) {
  SmallVector<AffineExpr> limits(extents), all;
  AffineMap known = limitsOf(op);
  if (known) {
    limits.resize(known.getNumResults());
    for (auto [limit, extent] : llvm::zip(limits, known.getResults()))
      if (!isa<AffineConstantExpr>(extent))
        limit = extent;
  }
  for (auto [i, limit] : llvm::enumerate(limits))
    all.push_back(limit ? limit
                  : known && i >= shape.size()
                      ? known.getResult(i)
                      : getAffineConstantExpr(shape[i], context));
  bool variesByPoint = llvm::any_of(
      all, [](AffineExpr extent) { return extent.isFunctionOfDim(0); });
  if (llvm::any_of(limits, [](AffineExpr limit) { return bool(limit); }))
    op->setAttr(InstDialect::kExtentsAttrName,
                AffineMapAttr::get(AffineMap::get(variesByPoint, symbols.size(),
                                                  all, context)));
  return limits;
}

void DemandedWork::runUnknown(Operation *op) {
  for (Value operand : op->getOperands())
    if (isa<MemRefType>(operand.getType()))
      read(operand, {});
}

/// Of windows, what the first `extent` results reach along a spatial axis.
template <typename Op>
static AffineExpr reachOf(Op op, size_t axis, AffineExpr extent) {
  int64_t reach = (op.getKernelShape()[axis] - 1) * op.getDilations()[axis] + 1;
  int64_t stride = op.getStrides()[axis];
  return extent * stride + (reach - stride - op.getPads()[axis]);
}

/// The input's extents that windows of results within `limits` reach.
template <typename Op>
static void readWindows(Op op, ArrayRef<AffineExpr> limits,
                        MutableArrayRef<AffineExpr> input) {
  int64_t first = op.isChannelsLast() ? 1 : 2;
  for (int64_t i = 0; i < op.getSpatialRank(); ++i)
    if (AffineExpr limit = limits[first + i])
      input[first + i] = reachOf(op, i, limit);
}

void DemandedWork::run(Operation *op) {
  if (isa<FillOp>(op)) // of borders, which are small
    return;
  std::optional<OperandAxes> known = OperandAxes::of(op);
  if (!known)
    return runUnknown(op);
  SmallVector<AffineExpr> extents = demandOf(known->outputs);
  auto windows = [&](auto call) {
    if (auto conv = dyn_cast<ConvOp>(op))
      call(conv);
    else if (auto pool = dyn_cast<PoolOp>(op))
      call(pool);
  };
  size_t rank = extents.size();
  SmallVector<int64_t> shape(
      cast<MemRefType>(known->outputs.front().getType()).getShape());
  SmallVector<AffineExpr> limits = limit(op, shape, extents);
  limits.resize(rank + known->reducedAxes.size());
  auto droppedHere = dropped.find(op);
  for (auto [i, input] : llvm::enumerate(known->inputs)) {
    SmallVector<AffineExpr> needed(cast<MemRefType>(input.getType()).getRank());
    for (size_t axis = 0; axis < rank; ++axis) {
      int64_t along = known->axes[axis][i];
      if (along == OperandAxes::kNone)
        continue;
      needed[along] = limits[axis];
      if (droppedHere == dropped.end())
        continue;
      AffineExpr extent = droppedHere->second[axis][i];
      if (extent && (!needed[along] || isAtLeast(needed[along], extent)))
        needed[along] = extent;
    }
    for (auto [r, axes] : llvm::enumerate(known->reducedAxes))
      if (axes[i] != OperandAxes::kNone)
        needed[axes[i]] = limits[rank + r];
    if (i == 0)
      windows([&](auto window) { readWindows(window, limits, needed); });
    if (auto gather = dyn_cast<GatherOp>(op); gather && i == 0)
      if (AffineExpr index = indices.lookup(op))
        needed[gather.getAxis()] = index + 1;
    read(input, needed);
  }
}

// -- Loops
// -------------------------------------------------------------------------

/// How many elements of a window lie in the places before the extent. If each
/// point along an axis of the loop has a block of them, that depends on its
/// index.
AffineExpr DemandedWork::extentOfWindow(ForallOp loop,
                                        const AddressSpace &space, size_t axis,
                                        const PaddedPlaces &places) {
  if (AffineExpr extent = extentBefore(space, axis, places))
    return extent;
  size_t rank = space.shape.size() - loop.getExtents().size();
  std::optional<size_t> &known = blockAxes[loop];
  for (size_t i = 0; i < loop.getExtents().size(); ++i) {
    int64_t step = space.strides[rank + i], stride = space.strides[axis];
    if (loop.getExtents()[i] == 1 || step <= 0 || stride <= 0 ||
        step % stride != 0 || known.value_or(i) != i)
      continue;
    // All blocks as one axis.
    AddressSpace all = space;
    all.shape[axis] += (loop.getExtents()[i] - 1) * (step / stride);
    all.shape[rank + i] = 1;
    if (AffineExpr extent = extentBefore(all, axis, places)) {
      known = i;
      return extent - getAffineDimExpr(0, context) * (step / stride);
    }
  }
  return {};
}

/// What is read of the windows of outputs.
void DemandedWork::leave(ForallOp loop) {
  for (BlockArgument window :
       loop.getBody().getArguments().take_back(loop.getOutputs().size())) {
    Value operand = loop->getOperand(window.getArgNumber());
    const Demand outer = demands[rootBuffer(operand)];
    AddressSpace space = AddressSpace::of(loop, window),
                 own = AddressSpace::of(window);
    Demand inner{outer.isRead, {}};
    for (const PaddedPlaces &places : outer.places)
      for (size_t axis = 0; axis < own.shape.size(); ++axis)
        if (own.shape[axis] > 1)
          if (AffineExpr extent = extentOfWindow(loop, space, axis, places))
            inner.places.push_back({own.strides[axis],
                                    own.shape[axis],
                                    {Along::Padding, extent, false}});
    demands[window] = inner;
  }
}

/// What is read of the operands, of what is read of windows at the first
/// `points` points.
void DemandedWork::enter(ForallOp loop, ArrayRef<AffineExpr> points) {
  for (BlockArgument window :
       loop.getBody().getArguments().take_front(loop.getInputs().size())) {
    const Demand inner = demands[window];
    if (!inner.isRead)
      continue;
    Value operand = loop->getOperand(window.getArgNumber());
    ArrayRef<int64_t> steps = loop.getStepsOf(window.getArgNumber());
    AddressSpace whole = AddressSpace::of(operand),
                 own = AddressSpace::of(window);
    SmallVector<AffineExpr> needed(whole.shape.size());
    for (size_t axis = 0; axis < whole.shape.size(); ++axis) {
      int64_t stride = whole.strides[axis];
      if (whole.shape[axis] == 1 || stride <= 0)
        continue;
      // The window's own axis, and the loop's, that run along it.
      int64_t size = 1;
      AffineExpr extent;
      for (size_t i = 0; i < own.shape.size(); ++i)
        if (own.shape[i] > 1 && own.strides[i] == stride) {
          size = own.shape[i];
          extent = demandAlong({{window, own}}, i);
          if (extent && extent.isFunctionOfDim(0))
            extent = {};
        }
      std::optional<size_t> along;
      bool isKnown = true;
      for (auto [i, step] : llvm::enumerate(steps)) {
        bool isBeside = loop.getExtents()[i] == 1 ||
                        step % (stride * whole.shape[axis]) == 0 ||
                        (step > 0 && step * loop.getExtents()[i] <= stride);
        if (isBeside)
          continue;
        isKnown &= !along && step > 0 && step % stride == 0;
        along = i;
      }
      if (!isKnown)
        continue;
      if (along) {
        int64_t distance = steps[*along] / stride;
        extent = points[*along] ? points[*along] * distance + (size - distance)
                                : AffineExpr();
      }
      needed[axis] = extent;
    }
    read(operand, needed);
  }
}

void DemandedWork::run(ForallOp loop) {
  SmallVector<std::pair<Value, AddressSpace>> spaces;
  size_t inputs = loop.getInputs().size();
  for (BlockArgument window : loop.getBody().getArguments().drop_front(inputs))
    spaces.emplace_back(rootBuffer(loop->getOperand(window.getArgNumber())),
                        AddressSpace::of(loop, window));
  SmallVector<AffineExpr> points;
  for (size_t axis = 0; axis < loop.getExtents().size(); ++axis) {
    AffineExpr all;
    for (const auto &[root, space] : spaces) {
      size_t rank = space.shape.size() - loop.getExtents().size();
      AffineExpr extent = demandAlong({{root, space}}, rank + axis);
      all = !extent ? AffineExpr() : all ? largest(all, extent) : extent;
      if (!all)
        break;
    }
    points.push_back(all);
  }
  points = limit(loop, loop.getExtents(), points);
  leave(loop);
  run(loop.getBody().front());
  enter(loop, points);
}

// -- The function
// -------------------------------------------------------------------------

DemandedWork::DemandedWork(func::FuncOp function, const DroppedInputs &dropped,
                           const SingleIndices &indices, BlockAxes &blockAxes)
    : function(function), dropped(dropped), indices(indices),
      blockAxes(blockAxes), symbols(symbolsOf(function)),
      context(function.getContext()) {}

void DemandedWork::run(Block &block) {
  for (Operation &op : llvm::reverse(block)) {
    if (auto loop = dyn_cast<ForallOp>(op))
      run(loop);
    else if (!isa_and_nonnull<InstDialect>(op.getDialect()))
      runUnknown(&op);
    else if (!isa<AllocOp, ConstantOp, ViewOp, SlideOp, DeallocOp>(op))
      run(&op);
  }
}

void DemandedWork::note() {
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    if (!function.getArgAttr(number, InstDialect::kOutputAttrName))
      continue;
    SmallVector<AffineExpr> needed(
        cast<MemRefType>(argument.getType()).getRank());
    // Values of symbols that the function computes are not at hand.
    if (AffineMap extents = extentsOfArgument(function, number))
      if (extents.getNumSymbols() == symbols.size())
        for (auto [extent, result] : llvm::zip(needed, extents.getResults()))
          if (!isa<AffineConstantExpr>(result))
            extent = result;
    read(argument, needed);
  }
  for (Block &block : llvm::reverse(function.getBody()))
    run(block);
}
