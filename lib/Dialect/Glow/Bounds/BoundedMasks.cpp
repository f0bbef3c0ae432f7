//===- BoundedMasks.cpp - values of symbols, and what they make valid -----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/Transforms/BoundedGraph.h"

using namespace mlir;
using namespace mlir::glow;

Value BoundedGraph::scalar(AffineExpr expression) {
  if (Value made = scalars.lookup(expression))
    return made;
  Type type = builder.getI64Type();
  Value lhs, rhs, result;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (binary) {
    lhs = scalar(binary.getLHS());
    rhs = scalar(binary.getRHS());
  }
  GraphBuilder b = at(expression);
  auto constant = [&](int64_t value) {
    auto scalarType = RankedTensorType::get({}, type);
    return b.create<ConstantOp>(
        scalarType,
        cast<ElementsAttr>(DenseElementsAttr(
            DenseIntElementsAttr::get(scalarType, ArrayRef(value)))));
  };
  // Exact, so that it does not matter where the op rounds to; or of what is not
  // negative, where it rounds down.
  auto floorDiv = [&](Value number) -> Value {
    auto range = rangeOf(binary.getLHS(), symbolList);
    if (!range || range->lower < 0)
      number = b.sub(number, b.create<ModOp>(number, rhs));
    return b.create<DivOp>(number, rhs);
  };
  switch (expression.getKind()) {
  case AffineExprKind::Constant:
    result = constant(cast<AffineConstantExpr>(expression).getValue());
    break;
  case AffineExprKind::SymbolId:
    result = b.create<GatherOp>(
        values, constant(cast<AffineSymbolExpr>(expression).getPosition()), 0);
    break;
  case AffineExprKind::Add:
    result = b.add(lhs, rhs);
    break;
  case AffineExprKind::Mul:
    result = b.mul(lhs, rhs);
    break;
  case AffineExprKind::Mod:
    result = b.create<ModOp>(lhs, rhs);
    break;
  case AffineExprKind::FloorDiv:
    result = floorDiv(lhs);
    break;
  case AffineExprKind::CeilDiv:
    result = floorDiv(b.add(lhs, b.sub(rhs, constant(1))));
    break;
  case AffineExprKind::DimId:
    llvm_unreachable("extents are functions of symbols");
  }
  integers[result] = SmallVector<AffineExpr>{expression};
  return scalars[expression] = result;
}

/// A constant vector along an axis.
static Value vectorAlong(GraphBuilder &b, ArrayRef<int64_t> values,
                         int64_t axis, int64_t rank) {
  Dims shape(rank - axis, 1);
  shape[0] = values.size();
  auto type = RankedTensorType::get(shape, b.builder.getI64Type());
  return b.create<ConstantOp>(
      type, cast<ElementsAttr>(
                DenseElementsAttr(DenseIntElementsAttr::get(type, values))));
}

Value BoundedGraph::positions(GraphBuilder &b, int64_t count, int64_t axis,
                              int64_t rank) {
  return vectorAlong(b, llvm::to_vector(llvm::seq<int64_t>(0, count)), axis,
                     rank);
}

Value BoundedGraph::validity(ArrayRef<BoundedDim> dims,
                             ArrayRef<int64_t> axes) {
  Value all;
  SmallVector<AffineExpr> needed;
  auto require = [&](Value condition) {
    all = all ? at(needed).create<AndOp>(all, condition) : condition;
  };
  int64_t rank = dims.size();
  for (int64_t axis : axes) {
    const BoundedDim &dim = dims[axis];
    if (dim.isStatic())
      continue;
    llvm::append_range(needed, dim.factors());
    AffineMap key =
        AffineMap::get(0, symbolList.size(), dim.factors(), context());
    Value &made = validities[{key, rank - axis}];
    if (made) {
      require(made);
      continue;
    }
    int64_t total = bound(dim), inner = total;
    Value valid;
    for (AffineExpr factor : dim.factors()) {
      int64_t extent = bound(BoundedDim(factor));
      inner = extent ? inner / extent : 0;
      if (isa<AffineConstantExpr>(factor))
        continue;
      SmallVector<int64_t> places;
      for (int64_t i = 0; i < total; ++i)
        places.push_back(i / inner % extent);
      Value limit = scalar(factor);
      GraphBuilder b = at(dim.factors());
      Value below = b.create<LessOp>(vectorAlong(b, places, axis, rank), limit);
      valid = valid ? b.create<AndOp>(valid, below) : below;
    }
    validities[{key, rank - axis}] = valid;
    require(valid);
  }
  return all;
}

Value BoundedGraph::mask(Operation *op, Value value, ArrayRef<int64_t> axes,
                         Value replacement) {
  Value valid = validity(dims(value), axes);
  if (!valid)
    return value;
  Value masked = before(op).create<WhereOp>(valid, value, replacement);
  set(masked, dims(value));
  return masked;
}

/// Whether an op takes some of the integers that the function is given, and all
/// along `axis`: as indices of one table, where others will take those of other
/// tables. All are masked at once.
static bool takesGivenIndices(Operation *op, int64_t axis) {
  bool takesAll = false;
  if (auto slice = dyn_cast<SliceOp>(op))
    takesAll = !llvm::is_contained(slice.getAxes(), axis);
  else if (auto gather = dyn_cast<GatherOp>(op))
    takesAll = axis < static_cast<int64_t>(gather.getAxis());
  if (!takesAll || !isa<BlockArgument>(op->getOperand(0)))
    return false;
  Type type = elementType(op->getOperand(0));
  return type.isInteger() && !type.isInteger(1);
}

/// The axis of the first operand which becomes `axis` of an op's result, if the
/// op can be masked there instead: it moves elements, passes them on, or takes
/// some of them. Nothing if there is none.
static std::optional<int64_t> axisBefore(BoundedGraph &graph, Operation *op,
                                         int64_t axis) {
  if (!op)
    return std::nullopt;
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return transpose.getPermutation()[axis];
  if (isa<RequireOp>(op) || takesGivenIndices(op, axis))
    return axis;
  if (!isa<ReshapeOp, UnsqueezeOp, SqueezeOp, ExpandOp>(op))
    return std::nullopt;
  Value input = op->getOperand(0), result = op->getResult(0);
  if (isa<ExpandOp>(op)) {
    int64_t own = axis + dimsOf(input).size() - dimsOf(result).size();
    bool isPassed =
        own >= 0 && graph.dims(input)[own] == graph.dims(result)[axis];
    return isPassed ? std::optional(own) : std::nullopt;
  }
  // The same axis has as many elements inside it.
  auto inside = [](Value value, int64_t axis) {
    return numElements(dimsOf(value).drop_front(axis + 1));
  };
  for (auto [i, dim] : llvm::enumerate(graph.dims(input)))
    if (dim == graph.dims(result)[axis] &&
        inside(input, i) == inside(result, axis))
      return i;
  return std::nullopt;
}

Value BoundedGraph::maskZero(Operation *op, Value value,
                             ArrayRef<int64_t> axes) {
  SmallVector<int64_t> open, before;
  Operation *source = value.getDefiningOp();
  for (int64_t axis : axes) {
    if (dims(value)[axis].isStatic() || isZero(value, axis))
      continue;
    open.push_back(axis);
    if (auto own = axisBefore(*this, source, axis))
      before.push_back(*own);
  }
  if (open.empty())
    return value;
  Value masked = value;
  if (open.size() == before.size())
    // Next to the op that computes the elements, which it can be merged with.
    source->setOperand(0, maskZero(source, source->getOperand(0), before));
  else
    masked =
        mask(op, value, open, this->before(op).scalar(0.0, elementType(value)));
  for (int64_t axis : open)
    setZero(masked, axis);
  return masked;
}
