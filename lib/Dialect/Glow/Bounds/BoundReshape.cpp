//===- BoundReshape.cpp - merging and splitting bounded axes --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reshape moves no elements, so the factors of the input's axes are dealt out
// to the axes of the result, in order. Where that does not come out even, as in
// the shift of relative positions (Dai et al., "Transformer-XL", 2019,
// appendix B), valid elements do move within the bounds and are gathered.
//
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "glow/Dialect/Glow/IR/ExtentProduct.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
/// Deals out the factors of the input.
class Dealer {
public:
  Dealer(BoundedGraph &graph, ArrayRef<BoundedDim> input) : graph(graph) {
    for (const BoundedDim &dim : input)
      llvm::append_range(factors, dim.factors());
  }

  /// The next axis of the result, by its extent at run time.
  FailureOr<BoundedDim> takeExtent(AffineExpr extent) {
    ExtentProduct wanted(extent);
    SmallVector<AffineExpr> taken;
    while (!wanted.isOne()) {
      if (factors.empty())
        return failure();
      ExtentProduct next(factors.front());
      if (wanted.divide(next)) {
        taken.push_back(factors.front());
        factors.erase(factors.begin());
        continue;
      }
      // The outer part of a factor, if what stays inside is a number.
      if (!next.divide(wanted) || !next.leaves.empty())
        return failure();
      taken.push_back(wanted.expression(graph.context()));
      factors.front() = graph.number(next.number);
      wanted = ExtentProduct();
    }
    return BoundedDim(taken);
  }

  /// The next axis of the result, by its bound.
  FailureOr<BoundedDim> takeBound(int64_t bound) {
    SmallVector<AffineExpr> taken;
    while (bound != 1) {
      if (factors.empty())
        return failure();
      int64_t next = graph.bound(BoundedDim(factors.front()));
      if (next && bound % next == 0) {
        taken.push_back(factors.front());
        factors.erase(factors.begin());
        bound /= next;
        continue;
      }
      ExtentProduct outer(factors.front()), inner;
      inner.number = next / std::max<int64_t>(bound, 1);
      if (next % bound != 0 || !outer.divide(inner))
        return failure();
      taken.push_back(outer.expression(graph.context()));
      factors.front() = graph.number(inner.number);
      bound = 1;
    }
    return BoundedDim(taken);
  }

  bool isEmpty() const {
    return llvm::all_of(
        factors, [&](AffineExpr factor) { return factor == graph.number(1); });
  }

private:
  BoundedGraph &graph;
  SmallVector<AffineExpr> factors;
};
} // namespace

/// Whether these are the batches of two inputs, each its outermost axis.
static bool areBatches(BoundedGraph &graph, Operation *op, AffineExpr a,
                       AffineExpr b) {
  auto isBatchOfOne = [&](AffineExpr batch, AffineExpr other) {
    auto function = op->getParentOfType<func::FuncOp>();
    return llvm::any_of(function.getArguments(), [&](Value input) {
      BoundedDims dims = graph.dims(input);
      return !dims.empty() && dims.front() == BoundedDim(batch) &&
             !llvm::is_contained(dims, BoundedDim(other));
    });
  };
  return isa<AffineSymbolExpr>(a) && isa<AffineSymbolExpr>(b) &&
         isBatchOfOne(a, b) && isBatchOfOne(b, a);
}

/// Fails for `why`, unless the batch of one input stands where that of another
/// is wanted, which exports may call by another name. They are taken for one.
static LogicalResult failUnlessOneBatch(ReshapeOp op, BoundedGraph &graph,
                                        ArrayRef<AffineExpr> wanted,
                                        const Twine &why) {
  BoundedDims input = graph.dims(op.getInput());
  if (input.empty() || input.front().factors().empty() || wanted.empty() ||
      !wanted.front() ||
      !areBatches(graph, op, input.front().factors().front(), wanted.front()))
    return graph.fail(op, why);
  (void)graph.meet(op, BoundedDim(input.front().factors().front()),
                   BoundedDim(wanted.front()));
  return failure();
}

/// How many elements there are.
static ExtentProduct productOf(ArrayRef<BoundedDim> dims) {
  ExtentProduct product;
  for (const BoundedDim &dim : dims)
    for (AffineExpr factor : dim.factors())
      product.multiply(factor);
  return product;
}

/// The extents that the shape operand of a reshape asks for. Null for one that
/// is not known.
static FailureOr<SmallVector<AffineExpr>> wantedExtents(ReshapeOp op,
                                                        BoundedGraph &graph) {
  ShapeInts shape = graph.elements(op.getShape());
  if (!shape)
    return graph.fail(op, "its shape is computed from data");
  BoundedDims input = graph.dims(op.getInput());
  ExtentProduct all = productOf(input), others;
  AffineExpr *inferred = nullptr;
  for (auto [i, extent] : llvm::enumerate(*shape)) {
    if (extent == graph.number(0) && !op.getAllowZero() && i < input.size())
      extent = input[i].extent(graph.context());
    if (extent && extent != graph.number(-1))
      others.multiply(extent);
    else if (std::exchange(inferred, &extent))
      return graph.fail(op, "more than one extent of its shape is not known");
  }
  if (!inferred)
    return *shape;
  if (!all.divide(others))
    return failUnlessOneBatch(
        op, graph, *shape, "the extent that it infers is not a whole number");
  *inferred = all.expression(graph.context());
  return *shape;
}

/// Bounds that are written as numbers, in the parts of composite ops.
static FailureOr<BoundedDims> dealBounds(ReshapeOp op, BoundedGraph &graph) {
  Dealer dealer(graph, graph.dims(op.getInput()));
  BoundedDims result;
  for (int64_t bound : dimsOf(op.getResult())) {
    auto dim = dealer.takeBound(bound);
    if (failed(dim))
      return failure();
    result.push_back(*dim);
  }
  return result;
}

static FailureOr<BoundedDims> dealExtents(ArrayRef<BoundedDim> input,
                                          ArrayRef<AffineExpr> extents,
                                          BoundedGraph &graph) {
  Dealer dealer(graph, input);
  BoundedDims result;
  for (AffineExpr extent : extents) {
    auto dim = dealer.takeExtent(extent);
    if (failed(dim))
      return failure();
    result.push_back(*dim);
  }
  if (!dealer.isEmpty())
    return failure();
  return result;
}

/// Are there as many elements whatever the symbols are?
static bool haveAsMany(ArrayRef<BoundedDim> a, ArrayRef<BoundedDim> b) {
  ExtentProduct left = productOf(a);
  return left.divide(productOf(b)) && left.isOne();
}

/// Gathers along an axis of a transpose's result before that, so that it stands
/// next to the convolution whose layout it undoes.
static Value gatherBefore(GraphBuilder &b, BoundedGraph &graph,
                          TransposeOp transpose, int64_t axis, Value places,
                          const BoundedDims &axes) {
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  int64_t own = permutation[axis], more = axes.size() - 1;
  Value rows = gatherValid(b, graph, transpose.getInput(), places, axes, own);
  SmallVector<int64_t> whole;
  for (int64_t from : permutation) {
    whole.push_back(from > own ? from + more : from);
    for (int64_t i = 1; from == own && i <= more; ++i)
      whole.push_back(own + i);
  }
  return b.create<TransposeOp>(rows, whole);
}

/// Gathers the elements of axes that merge and split unevenly, by their numbers
/// in row-major order. Axes around them that stay as they are, are left alone.
static LogicalResult moveElements(ReshapeOp op, BoundedGraph &graph,
                                  ArrayRef<BoundedDim> result) {
  BoundedDims dims = graph.dims(op.getInput());
  ArrayRef<BoundedDim> input = dims, output = result;
  auto isSame = [](auto pair) {
    return std::get<0>(pair) == std::get<1>(pair);
  };
  auto countSame = [&](auto pairs) -> size_t {
    return std::distance(pairs.begin(), llvm::find_if_not(pairs, isSame));
  };
  size_t before = countSame(llvm::zip(input, output));
  input = input.drop_front(before), output = output.drop_front(before);
  size_t after =
      countSame(llvm::zip(llvm::reverse(input), llvm::reverse(output)));
  input = input.drop_back(after), output = output.drop_back(after);

  SmallVector<AffineExpr> factors;
  for (const BoundedDim &dim : input)
    llvm::append_range(factors, dim.factors());
  BoundedDim merged(factors);
  BoundedDims flat(ArrayRef(dims).take_front(before));
  flat.push_back(merged);
  llvm::append_range(flat, ArrayRef(dims).take_back(after));

  GraphBuilder b = graph.before(op);
  Value numbers;
  AffineExpr stride = graph.number(1);
  for (int64_t rank = output.size(), axis = rank - 1; axis >= 0; --axis) {
    Value place = graph.positions(b, graph.bound(output[axis]), axis, rank);
    Value part = b.mul(place, graph.scalar(stride));
    numbers = numbers ? b.add(numbers, part) : part;
    stride = stride * output[axis].extent(graph.context());
  }
  Value places = placesOf(b, graph, numbers, merged);
  BoundedDims axes(output);
  if (auto transpose = op.getInput().getDefiningOp<TransposeOp>();
      transpose && input.size() == 1)
    return graph.replace(
        op, gatherBefore(b, graph, transpose, before, places, axes),
        BoundedDims(result));
  Value elements = b.create<ReshapeOp>(
      op.getInput(), b.ints(graph.bounds(flat)), /*allow_zero=*/true);
  graph.set(elements, flat);
  Value moved = gatherValid(b, graph, elements, places, axes, before);
  return graph.replace(op, moved, BoundedDims(result));
}

LogicalResult glow::boundThis(ReshapeOp op, BoundedGraph &graph) {
  FailureOr<BoundedDims> result = failure();
  SmallVector<AffineExpr> wanted;
  if (graph.shapesAreBounds &&
      cast<ShapedType>(op.getType()).hasStaticShape()) {
    result = dealBounds(op, graph);
  } else {
    auto extents = wantedExtents(op, graph);
    if (failed(extents))
      return failure();
    wanted = *extents;
    result = dealExtents(graph.dims(op.getInput()), wanted, graph);
  }
  BoundedDims axes = llvm::map_to_vector(
      wanted, [](AffineExpr extent) { return BoundedDim(extent); });
  if (failed(result) && !axes.empty() &&
      haveAsMany(graph.dims(op.getInput()), axes))
    return moveElements(op, graph, axes);
  auto countOf = [&](ArrayRef<BoundedDim> dims) {
    return extentText(productOf(dims).expression(graph.context()),
                      graph.symbols());
  };
  if (failed(result))
    return failUnlessOneBatch(op, graph, wanted,
                              countOf(graph.dims(op.getInput())) +
                                  " elements do not make " + countOf(axes) +
                                  " for all extents");
  op.getShapeMutable().set(graph.before(op).ints(graph.bounds(*result)));
  op.setAllowZero(true);
  graph.set(op.getResult(), *result);
  return success();
}

LogicalResult glow::boundThis(SqueezeOp op, BoundedGraph &graph) {
  BoundedDims result;
  for (auto [axis, dim] : llvm::enumerate(graph.dims(op.getInput())))
    if (!llvm::is_contained(op.getAxes(), static_cast<int64_t>(axis)))
      result.push_back(dim);
    else if (!dim.factors().empty())
      return graph.fail(op, "it removes an axis whose extent may not be 1");
  graph.set(op.getResult(), result);
  return success();
}

LogicalResult glow::boundThis(UnsqueezeOp op, BoundedGraph &graph) {
  BoundedDims result = graph.dims(op.getInput());
  for (int64_t axis : op.getAxes())
    result.insert(result.begin() + axis, BoundedDim());
  graph.set(op.getResult(), result);
  return success();
}

LogicalResult glow::boundThis(FlattenOp op, BoundedGraph &graph) {
  SmallVector<AffineExpr> outer, inner;
  for (auto [axis, dim] : llvm::enumerate(graph.dims(op.getInput())))
    llvm::append_range(axis < op.getAxis() ? outer : inner, dim.factors());
  graph.set(op.getResult(), {BoundedDim(outer), BoundedDim(inner)});
  return success();
}
