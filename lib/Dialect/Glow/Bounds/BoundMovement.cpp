//===- BoundMovement.cpp - ops whose results have computed extents --------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Rules.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;

LogicalResult glow::boundThis(TransposeOp op, BoundedGraph &graph) {
  BoundedDims input = graph.dims(op.getInput()), result;
  for (auto [place, axis] : llvm::enumerate(op.getPermutation())) {
    result.push_back(input[axis]);
    if (graph.isZero(op.getInput(), axis))
      graph.setZero(op.getResult(), place);
  }
  graph.set(op.getResult(), result);
  return success();
}

/// Extents that an op takes from a shape operand. Each is a bounded prefix.
static FailureOr<BoundedDims> statedDims(Operation *op, BoundedGraph &graph,
                                         Value shape) {
  ShapeInts extents = graph.elements(shape);
  if (!extents || llvm::is_contained(*extents, AffineExpr()))
    return graph.fail(op, "its shape is computed from data");
  BoundedDims result;
  for (AffineExpr extent : *extents) {
    auto range = graph.range(extent);
    if (!range || range->lower < 0)
      return graph.fail(op, "its shape may have a negative extent");
    result.push_back(BoundedDim(extent));
  }
  return result;
}

LogicalResult glow::boundThis(ExpandOp op, BoundedGraph &graph) {
  BoundedDims input = graph.dims(op.getInput());
  auto stated = statedDims(op, graph, op.getShape());
  if (failed(stated))
    return failure();
  // Merged axes keep their form: the same extent is stated as one product.
  size_t offset = std::max(stated->size(), input.size()) - input.size();
  for (auto [axis, dim] : llvm::enumerate(input))
    if (offset + axis < stated->size() && !dim.isPrefix() &&
        areEqual(dim.extent(graph.context()),
                 (*stated)[offset + axis].extent(graph.context())))
      (*stated)[offset + axis] = dim;
  // What is more than one element stays, whatever else data may say.
  for (auto [axis, dim] : llvm::enumerate(input))
    if (offset + axis < stated->size() && dim.isStatic() &&
        !dim.factors().empty() &&
        graph.isComputed((*stated)[offset + axis].extent(graph.context())))
      (*stated)[offset + axis] = dim;
  auto result = graph.broadcast(op, input, *stated);
  if (failed(result))
    return failure();
  op.getShapeMutable().set(graph.before(op).ints(graph.bounds(*result)));
  graph.set(op.getResult(), *result);
  return success();
}

LogicalResult glow::boundThis(TileOp op, BoundedGraph &graph) {
  auto repeats = statedDims(op, graph, op.getRepeats());
  if (failed(repeats))
    return failure();
  BoundedDims result;
  for (auto [dim, count] : llvm::zip(graph.dims(op.getInput()), *repeats)) {
    SmallVector<AffineExpr> factors(count.factors());
    llvm::append_range(factors, dim.factors());
    result.push_back(BoundedDim(factors));
  }
  op.getRepeatsMutable().set(graph.before(op).ints(graph.bounds(*repeats)));
  graph.set(op.getResult(), result);
  return success();
}

LogicalResult glow::boundThis(SplatOp op, BoundedGraph &graph) {
  auto result = statedDims(op, graph, op.getShape());
  if (failed(result))
    return failure();
  op.getShapeMutable().set(graph.before(op).ints(graph.bounds(*result)));
  graph.set(op.getResult(), *result);
  return success();
}

/// An integer, or a real number that follows from one, rounded down; null if it
/// is neither.
static AffineExpr wholePart(BoundedGraph &graph, Value value, bool &isWhole) {
  isWhole = true;
  if (AffineExpr integer = graph.element(value))
    return integer;
  while (auto same = value.getDefiningOp())
    if (isa<ReshapeOp, SqueezeOp, UnsqueezeOp>(same))
      value = same->getOperand(0);
    else
      break;
  if (auto made = value.getDefiningOp<CastOp>()) {
    AffineExpr integer = graph.element(made.getInput());
    auto type = dyn_cast<FloatType>(elementType(value));
    auto range = integer ? graph.range(integer) : std::nullopt;
    int64_t exact = type ? int64_t(1) << type.getFPMantissaWidth() : 0;
    bool isExact = range && range->lower >= -exact && range->upper <= exact;
    return isExact ? integer : AffineExpr();
  }
  DenseFPElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)) ||
      constant.getNumElements() != 1)
    return {};
  double real = constant.getValues<APFloat>()[0].convertToDouble();
  constexpr double far = int64_t(1) << 40;
  if (!(std::abs(real) < far))
    return {};
  isWhole = std::floor(real) == real;
  return graph.number(static_cast<int64_t>(std::floor(real)));
}

/// start + delta * 0, 1, 2 ….
LogicalResult glow::boundThis(RangeOp op, BoundedGraph &graph) {
  bool startIsWhole, limitIsWhole, stepIsWhole;
  AffineExpr start = wholePart(graph, op.getStart(), startIsWhole);
  AffineExpr limit = wholePart(graph, op.getLimit(), limitIsWhole);
  auto delta = dyn_cast_or_null<AffineConstantExpr>(
      wholePart(graph, op.getDelta(), stepIsWhole));
  int64_t step = delta && stepIsWhole ? delta.getValue() : 0;
  // Upwards from the middle between two integers there are as many numbers as
  // from the lower one.
  if (!start || !limit || step == 0 || step == INT64_MIN || !limitIsWhole ||
      (!startIsWhole && step < 0))
    return graph.fail(op, "its step has to be a number other than 0, and its "
                          "limits have to follow from extents, from all of "
                          "them in one way (perhaps from larger ones on)");
  AffineExpr extent = simplifySum(step > 0 ? limit - start : start - limit);
  if (int64_t stride = std::abs(step); stride != 1)
    extent = extent.ceilDiv(uint64_t(stride));
  auto range = graph.range(extent);
  if (!range || range->lower < 0)
    return graph.fail(op, "it may have no elements, as its limit may lie on "
                          "the other side of its start");
  BoundedDims result{BoundedDim(extent)};
  GraphBuilder b = graph.before(op);
  Type type = elementType(op.getResult());
  Value places =
      b.castTo(graph.positions(b, graph.bound(result.front()), 0, 1), type);
  Value all = b.add(op.getStart(), b.mul(places, op.getDelta()));
  return graph.replace(op, all, result);
}

/// The triangle hangs at the first element, so padding does not matter.
LogicalResult glow::boundThis(TriluOp op, BoundedGraph &graph) {
  BoundedDims dims = graph.dims(op.getInput());
  if (!dims.back().isPrefix() || !dims[dims.size() - 2].isPrefix())
    return graph.fail(op, "it counts places along merged axes");
  graph.set(op.getResult(), dims);
  return success();
}

LogicalResult glow::boundThis(ShapeOfOp op, BoundedGraph &graph) {
  SmallVector<Value> extents;
  for (int64_t axis = op.getStart(), end = op.getEnd(); axis < end; ++axis) {
    Value extent = graph.scalar(graph.extent(op.getInput(), axis));
    extents.push_back(graph.before(op).unsqueeze(extent, 0));
  }
  Value all = graph.before(op).concat(extents, 0);
  return graph.replace(op, all, {BoundedDim(graph.number(extents.size()))});
}
