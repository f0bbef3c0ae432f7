//===- LeftOut.cpp - what masks write and nothing reads -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LeftOut.h"
#include "glow/Dialect/Inst/Analysis/Accesses.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

void LeftOut::startRun() {
  ++runs;
  needed.clear();
  classes = {};
}

bool LeftOut::endRun() {
  for (Operation *op : needed) {
    computed.insert(op);
    for (auto member = classes.findLeader(op); member != classes.member_end();
         ++member)
      computed.insert(*member);
  }
  return !needed.empty();
}

/// Numbers alone: masks themselves cost nothing, and no kernel of integers
/// knows in which steps they end.
bool LeftOut::isAllowed(Operation *op) const {
  return isa<MapOp, MatMulOp, CopyOp>(op) && runs <= kMostRuns &&
         !computed.contains(op) &&
         llvm::all_of(accessesOf(op, 0), [](const Access &access) {
           auto type = cast<MemRefType>(access.buffer().getType());
           return !access.writes || isa<FloatType>(type.getElementType());
         });
}

void LeftOut::needAll(const PaddedBuffer &buffer) {
  for (const PaddedPlaces &places : buffer.places)
    if (places.contents.origin)
      need(places.contents.origin);
}

/// Whether an instruction with this limit stops before a mask's extent.
static bool stopsBefore(AffineExpr limit, AffineExpr extent) {
  return limit && llvm::any_of(ArrayRef<int64_t>{1, kReduceStep, kMaskStep},
                               [&](int64_t step) {
                                 return limit == wholeSteps(extent, step);
                               });
}

/// Whether `stops(axis, extent)` is true along an axis that runs along what has
/// been left out.
static bool
stopsAlong(const AddressSpace &space, const PaddedPlaces &places,
           function_ref<bool(size_t axis, AffineExpr extent)> stops) {
  for (size_t axis = 0; axis < space.shape.size(); ++axis)
    if (space.shape[axis] > 1)
      if (AffineExpr extent = space.extentAlong(axis, places))
        if (stops(axis, extent))
          return true;
  return false;
}

void LeftOut::read(Operation *op, size_t input, const OperandAxes &axes,
                   ArrayRef<AffineExpr> limits, const PaddedBuffer &buffer) {
  auto rows = llvm::to_vector(
      llvm::concat<const SmallVector<int64_t>>(axes.axes, axes.reducedAxes));
  AddressSpace space = AddressSpace::of(axes.inputs[input]);
  for (const PaddedPlaces &places : buffer.places) {
    Operation *origin = places.contents.origin;
    if (!origin)
      continue;
    bool stops = stopsAlong(space, places, [&](size_t axis, AffineExpr extent) {
      return llvm::any_of(llvm::zip_equal(limits, rows), [&](auto pair) {
        auto [limit, row] = pair;
        return row[input] == static_cast<int64_t>(axis) &&
               stopsBefore(limit, extent);
      });
    });
    if (stops)
      classes.unionSets(origin, op);
    else
      need(origin);
  }
}

void LeftOut::readWindows(const AddressSpace &windows, size_t rank,
                          ArrayRef<AffineExpr> limits,
                          const PaddedBuffer &buffer) {
  for (const PaddedPlaces &places : buffer.places) {
    auto stops = [&](size_t axis, AffineExpr extent) {
      return axis < rank || stopsBefore(limits[axis - rank], extent);
    };
    if (places.contents.origin && !stopsAlong(windows, places, stops))
      need(places.contents.origin);
  }
}
