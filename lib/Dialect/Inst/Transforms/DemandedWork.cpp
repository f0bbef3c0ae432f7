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
#include "DemandedPlaces.h"
#include "DemandedSlides.h"
#include "OperandAxes.h"
#include "glow/Dialect/Glow/IR/TypeInference.h"
#include "glow/Dialect/Inst/IR/WorkLimits.h"
#include <numeric>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

// -- Reads --------------------------------------------------------------------

/// Places count elements of one size.
static bool hasElementsOfRoot(Value buffer) {
  auto bytes = [](Value value) {
    return elementBytes(cast<MemRefType>(value.getType()).getElementType());
  };
  return bytes(buffer) == bytes(rootBuffer(buffer));
}

/// Takes note of a read that ends at `ends`, or null for all of an axis, and
/// reads nothing behind the given places either; nor, of a part that slides,
/// behind the end of what is needed of its source.
void DemandedWork::read(Value buffer, ArrayRef<AffineExpr> ends,
                        ArrayRef<PaddedPlaces> places, AffineExpr endOfSource) {
  Value root = rootBuffer(buffer);
  AddressSpace space = AddressSpace::of(buffer);
  SmallVector<AffineExpr> extents(ends);
  if (auto slide = buffer.getDefiningOp<SlideOp>())
    readSlide(slide, space, extents, endOfSource);
  if (!hasElementsOfRoot(buffer))
    extents.clear();
  SmallVector<PaddedPlaces> now(places);
  for (auto [axis, extent] : llvm::enumerate(extents))
    if (extent && space.shape[axis] > 1)
      if (auto before = placesOf(root, space, axis, extent))
        add(now, *before);
  if (hasElementsOfRoot(buffer) && !buffer.getDefiningOp<SlideOp>()) {
    for (const PaddedPlaces &reached :
         reachedPlaces(AddressSpace::of(root), space, context))
      add(now, reached);
    for (const PaddedPlaces &last : lastPlaces(space, extents, symbols))
      add(now, last);
  }
  Demand &demand = demands[root];
  demand.isReadHere = true;
  demand.places = demand.isRead ? join(demand.places, now) : now;
  demand.isRead = true;
}

/// Of the same places the lesser extent counts.
void DemandedWork::add(SmallVectorImpl<PaddedPlaces> &all,
                       PaddedPlaces places) {
  places.contents.extent = order.simplest(places.contents.extent);
  if (!places.contents.extent)
    return;
  auto *same = llvm::find_if(all, [&](const PaddedPlaces &known) {
    return known.stride == places.stride && known.count == places.count;
  });
  if (same == all.end())
    all.push_back(places);
  else if (order.isAtLeast(same->contents.extent, places.contents.extent))
    *same = places;
}

/// What two reads end at.
SmallVector<PaddedPlaces> DemandedWork::join(ArrayRef<PaddedPlaces> some,
                                             ArrayRef<PaddedPlaces> others) {
  SmallVector<PaddedPlaces> both;
  for (const PaddedPlaces &places : some)
    for (const PaddedPlaces &other : others)
      if (auto joined = joinPlaces(places, other))
        add(both, *joined);
  return both;
}

/// The same in places that are as small as those of both.
std::optional<PaddedPlaces> DemandedWork::joinPlaces(const PaddedPlaces &a,
                                                     const PaddedPlaces &b) {
  int64_t period = a.stride * a.count;
  if (period != b.stride * b.count)
    return std::nullopt;
  int64_t stride = std::gcd(a.stride, b.stride);
  AffineExpr extent = order.largest(a.contents.extent * (a.stride / stride),
                                    b.contents.extent * (b.stride / stride));
  if (!extent)
    return std::nullopt;
  return PaddedPlaces{stride, period / stride, {Along::Padding, extent, false}};
}

// -- Instructions -------------------------------------------------------------

/// How many elements along an axis of a buffer, seen through a space, are read;
/// null if all may be.
AffineExpr DemandedWork::demandAlong(Value root, const AddressSpace &space,
                                     size_t axis) {
  const Demand &demand = demands[root];
  if (!demand.isRead || space.shape[axis] == 1)
    return {};
  // Of several that bound it the one that is made for this axis, or the least.
  AffineExpr least;
  int64_t leastPeriod = 0;
  for (const PaddedPlaces &places : demand.places) {
    int64_t period = places.stride * places.count;
    if (least && period > leastPeriod)
      continue;
    AffineExpr extent = extentBefore(space, axis, places);
    if (!extent ||
        (least && period == leastPeriod && !order.isAtLeast(least, extent)))
      continue;
    least = extent;
    leastPeriod = period;
  }
  // Kernels do not stop at an extent that no symbol decides on.
  return least && isa<AffineConstantExpr>(least) ? AffineExpr() : least;
}

/// The same along each axis of an instruction's output.
SmallVector<AffineExpr> DemandedWork::demandOf(Value output) {
  SmallVector<AffineExpr> extents(cast<MemRefType>(output.getType()).getRank());
  if (hasElementsOfRoot(output))
    for (size_t axis = 0; axis < extents.size(); ++axis)
      extents[axis] =
          demandAlong(rootBuffer(output), AddressSpace::of(output), axis);
  return extents;
}

/// Whether an extent may be less than an axis is long, at any of the points
/// that it depends on.
bool DemandedWork::isBelow(Operation *op, AffineExpr extent, int64_t size) {
  if (!extent)
    return false;
  AffineExpr least = extent;
  if (extent.isFunctionOfDim(0)) {
    auto loop = cast<ForallOp>(op->getParentOp());
    size_t axis = *blockAxes[loop];
    // Those behind the loop's own limit do not run.
    AffineMap limits = limitsOf(loop);
    AffineExpr points =
        limits ? limits.getResult(axis)
               : getAffineConstantExpr(loop.getExtents()[axis], context);
    AffineExpr most = largestOfPoints(extent * -1, points);
    least = most ? most * -1 : AffineExpr();
  }
  return !least ||
         !order.isAtLeast(least, getAffineConstantExpr(size, context));
}

/// Adds limits to those that there are, or goes below them, and returns all.
/// What is beyond them of the inputs need not have been written.
SmallVector<AffineExpr> DemandedWork::limit(Operation *op,
                                            ArrayRef<int64_t> shape,
                                            ArrayRef<AffineExpr> extents) {
  SmallVector<AffineExpr> limits, all;
  for (auto [size, extent] : llvm::zip_equal(shape, extents))
    limits.push_back(isBelow(op, extent, size) ? order.simplest(extent)
                                               : AffineExpr());
  AffineMap known = limitsOf(op);
  if (known) {
    limits.resize(known.getNumResults());
    for (auto [limit, extent] : llvm::zip(limits, known.getResults())) {
      bool isLess = limit && order.isAtLeast(extent, limit);
      if (!isa<AffineConstantExpr>(extent) && !isLess)
        limit = extent;
    }
  }
  for (auto [i, limit] : llvm::enumerate(limits))
    all.push_back(limit ? limit
                  : known && i >= shape.size()
                      ? known.getResult(i)
                      : getAffineConstantExpr(shape[i], context));
  if (!llvm::all_of(all, llvm::IsaPred<AffineConstantExpr>))
    setLimits(op, all, symbols.size());
  return limits;
}

/// Of loops with a condition too, whose bodies are inlined after this.
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
static void reachInput(Op op, ArrayRef<AffineExpr> limits,
                       MutableArrayRef<AffineExpr> input) {
  int64_t first = op.getFirstSpatialAxis();
  for (int64_t i = 0; i < op.getSpatialRank(); ++i)
    if (AffineExpr limit = limits[first + i])
      input[first + i] = reachOf(op, i, limit);
}

/// How far into an axis the places reach that the first `extent` elements of a
/// constant list name. Tight if they follow each other evenly, as those of a
/// resized axis do.
static AffineExpr reachOfIndices(GatherOp gather, AffineExpr extent) {
  auto constant = gather.getIndices().getDefiningOp<ConstantOp>();
  auto indices = constant ? constantInts(constant.getValue()) : std::nullopt;
  if (!indices || indices->empty())
    return {};
  int64_t in = cast<MemRefType>(gather.getInput().getType())
                   .getDimSize(gather.getAxis());
  auto isOutside = [in](int64_t index) { return index < 0 || index >= in; };
  if (llvm::any_of(*indices, isOutside))
    return {};
  int64_t out = indices->size(), beyond = std::numeric_limits<int64_t>::min();
  int64_t common = std::gcd(in, out);
  in /= common;
  out /= common;
  for (auto [i, index] : llvm::enumerate(*indices)) {
    int64_t even = llvm::divideCeil((static_cast<int64_t>(i) + 1) * in, out);
    beyond = std::max(beyond, index + 1 - even);
  }
  return (extent * in).ceilDiv(out) + beyond;
}

/// What is read of the first input along axes that no axis of the output
/// follows.
void DemandedWork::reachFirst(Operation *op, ArrayRef<AffineExpr> limits,
                              MutableArrayRef<AffineExpr> input) {
  if (auto conv = dyn_cast<ConvOp>(op))
    return reachInput(conv, limits, input);
  if (auto pool = dyn_cast<PoolOp>(op))
    return reachInput(pool, limits, input);
  auto gather = dyn_cast<GatherOp>(op);
  if (!gather)
    return;
  // An index without axes leaves none in the output.
  if (cast<MemRefType>(gather.getIndices().getType()).getRank() == 1)
    if (AffineExpr limit = limits[gather.getAxis()])
      input[gather.getAxis()] = reachOfIndices(gather, limit);
}

/// The places of a gather's input that its indices address: each digit of them
/// counts along an axis of its own.
SmallVector<PaddedPlaces> DemandedWork::addressed(GatherOp gather) {
  Value buffer = gather.getInput();
  const IndexDigits digits = indices.lookup(gather);
  AddressSpace space = AddressSpace::of(buffer);
  int64_t axis = gather.getAxis(), step = space.strides[axis];
  SmallVector<int64_t> sizes, strides;
  int64_t whole = space.shape[axis];
  for (const IndexDigit &digit : llvm::reverse(digits)) {
    int64_t size = whole / digit.stride;
    // A negative index counts from the end, one beyond its axis along the next.
    if (whole % digit.stride != 0 ||
        !order.isAtLeast(digit.most, getAffineConstantExpr(0, context)) ||
        !order.isAtLeast(getAffineConstantExpr(size - 1, context), digit.most))
      return {};
    sizes.push_back(size);
    strides.push_back(step * digit.stride);
    whole = digit.stride;
  }
  if (digits.empty() || whole != 1 || !hasElementsOfRoot(buffer))
    return {};
  AddressSpace split = space;
  split.shape.erase(split.shape.begin() + axis);
  split.strides.erase(split.strides.begin() + axis);
  split.shape.append(sizes);
  split.strides.append(strides);
  SmallVector<PaddedPlaces> all;
  size_t last = split.shape.size() - 1;
  for (auto [i, digit] : llvm::enumerate(digits))
    if (split.shape[last - i] > 1)
      if (auto places =
              placesOf(rootBuffer(buffer), split, last - i, digit.most + 1))
        add(all, *places);
  return all;
}

/// The one that is no more than the other; `a` if neither is known to be.
AffineExpr DemandedWork::least(AffineExpr a, AffineExpr b) {
  return b && (!a || order.isAtLeast(a, b)) ? b : a;
}

/// How much of an input a reduction needs along an axis that it reduces. `axis`
/// counts the output's axes first, as `dropped` does.
AffineExpr DemandedWork::neededOfTerms(Operation *op, size_t axis, size_t input,
                                       AffineExpr limit) {
  auto known = dropped.find(op);
  return known == dropped.end() || axis >= known->second.size()
             ? limit
             : least(limit, known->second[axis].front()[input]);
}

/// How much of an input the outputs need along one of their axes. What is
/// computed up to the limit for one of them may not be needed of another.
AffineExpr DemandedWork::neededOf(Operation *op, const OperandAxes &known,
                                  size_t axis, size_t input, AffineExpr limit,
                                  ArrayRef<SmallVector<AffineExpr>> demanded) {
  auto droppedHere = dropped.find(op);
  AffineExpr none = getAffineConstantExpr(0, context);
  SmallVector<AffineExpr> needed;
  for (size_t o = 0; o < known.outputs.size(); ++o) {
    AffineExpr own = least(limit, demanded[o][axis]);
    if (droppedHere != dropped.end())
      own = least(own, droppedHere->second[axis][o][input]);
    if (own != none)
      needed.push_back(own);
  }
  return needed.empty() ? none : order.largest(needed);
}

/// Of an input that slides, where the outputs' need of its source ends; null if
/// one of them may need all.
AffineExpr DemandedWork::neededOfSource(Operation *op, size_t input) {
  auto known = droppedInSources.find(op);
  if (known == droppedInSources.end())
    return {};
  AffineExpr end = order.largest(
      llvm::map_to_vector(known->second, [&](ArrayRef<AffineExpr> ofInputs) {
        return ofInputs[input];
      }));
  return end && end.isFunctionOfDim(0) ? AffineExpr() : end;
}

/// Of an input of a map the places in which the outputs that it is part of are
/// needed.
SmallVector<PaddedPlaces>
DemandedWork::carried(Operation *op, const OperandAxes &known, size_t input) {
  Value buffer = known.inputs[input];
  auto rankOf = [](Value value) {
    return cast<MemRefType>(value.getType()).getRank();
  };
  // Axes are broadcast from the last one on.
  if (!isa<MapOp, CopyOp>(op) || !hasElementsOfRoot(buffer) ||
      rankOf(buffer) != rankOf(known.outputs.front()))
    return {};
  auto droppedHere = dropped.find(op);
  std::optional<SmallVector<PaddedPlaces>> all;
  for (size_t o = 0; o < known.outputs.size(); ++o) {
    Value output = known.outputs[o];
    if (!hasElementsOfRoot(output))
      return {};
    bool isPart =
        droppedHere == dropped.end() ||
        llvm::none_of(droppedHere->second, [&](auto &ofAxis) {
          return ofAxis[o][input] == getAffineConstantExpr(0, context);
        });
    if (!isPart)
      continue;
    SmallVector<PaddedPlaces> own;
    for (const PaddedPlaces &places : demands[rootBuffer(output)].places)
      if (auto there =
              carryPlaces(places, AddressSpace::of(output), rootBuffer(buffer),
                          AddressSpace::of(buffer)))
        add(own, *there);
    all = all ? join(*all, own) : own;
  }
  return all.value_or(SmallVector<PaddedPlaces>());
}

/// Of sequences the steps that there are.
void DemandedWork::run(ForStepsOp loop) {
  for (Value operand : loop->getOperands()) {
    SmallVector<AffineExpr> needed(shapeOf(operand).size());
    if (loop.getExtents() && llvm::is_contained(loop.getRows(), operand))
      for (auto [end, extent] :
           llvm::zip(needed, loop.getExtents()->getResults()))
        if (!isa<AffineConstantExpr>(extent) && isComputable(extent))
          end = extent;
    read(operand, needed);
  }
}

void DemandedWork::run(Operation *op) {
  if (auto loop = dyn_cast<ForStepsOp>(op))
    return run(loop);
  std::optional<OperandAxes> known = OperandAxes::of(op);
  if (!known)
    return runUnknown(op);
  SmallVector<SmallVector<AffineExpr>> demanded = llvm::map_to_vector(
      known->outputs, [&](Value output) { return demandOf(output); });
  SmallVector<AffineExpr> extents(demanded.front());
  for (ArrayRef<AffineExpr> others : ArrayRef(demanded).drop_front())
    for (auto [extent, other] : llvm::zip_equal(extents, others))
      extent = order.largest({extent, other});
  // Panels have whole columns.
  if (auto product = dyn_cast<MatMulOp>(op); product && product.getPacked())
    extents.back() = {};
  size_t rank = extents.size();
  SmallVector<int64_t> shape(
      cast<MemRefType>(known->outputs.front().getType()).getShape());
  SmallVector<AffineExpr> limits = limit(op, shape, extents);
  limits.resize(rank + known->reducedAxes.size());
  for (auto [i, input] : llvm::enumerate(known->inputs)) {
    SmallVector<AffineExpr> needed(cast<MemRefType>(input.getType()).getRank());
    for (size_t axis = 0; axis < rank; ++axis)
      if (int64_t along = known->axes[axis][i]; along != OperandAxes::kNone)
        needed[along] = neededOf(op, *known, axis, i, limits[axis], demanded);
    for (auto [r, axes] : llvm::enumerate(known->reducedAxes))
      if (axes[i] != OperandAxes::kNone)
        needed[axes[i]] = neededOfTerms(op, rank + r, i, limits[rank + r]);
    if (i == 0)
      reachFirst(op, limits, needed);
    auto gather = i == 0 ? dyn_cast<GatherOp>(op) : GatherOp();
    read(input, needed, gather ? addressed(gather) : carried(op, *known, i),
         neededOfSource(op, i));
  }
}

// -- The function -------------------------------------------------------------

DemandedWork::DemandedWork(func::FuncOp function, const DroppedInputs &dropped,
                           const DroppedInSources &droppedInSources,
                           const GatheredIndices &indices, BlockAxes &blockAxes)
    : function(function), dropped(dropped), droppedInSources(droppedInSources),
      indices(indices), blockAxes(blockAxes), symbols(symbolsOf(function)),
      order(symbols), context(function.getContext()) {}

void DemandedWork::run(Block &block) {
  for (Operation &op : llvm::reverse(block)) {
    // Of those in another one's body, as in the other direction, all is needed.
    auto loop = dyn_cast<ForallOp>(op);
    if (loop && !isa<ForallOp>(loop->getParentOp()))
      run(loop);
    else if (!isa_and_nonnull<InstDialect>(op.getDialect()))
      runUnknown(&op);
    else if (!namesBuffer(&op))
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
          if (!isa<AffineConstantExpr>(result) && isComputable(result))
            extent = result;
    read(argument, needed);
  }
  for (Block &block : llvm::reverse(function.getBody()))
    run(block);
}
