//===- BoundContractions.cpp - products and windows on bounded axes -------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows, columns and batches of a product are independent. Along the contracted
// axis both factors get zeros, as zero times what stands in padding may be NaN.
//
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "glow/Dialect/Glow/IR/RefineTypes.h"

using namespace mlir;
using namespace mlir::glow;

/// Zeros in the padding of two axes that are contracted.
static LogicalResult contract(Operation *op, BoundedGraph &graph,
                              OpOperand &lhs, int64_t lhsAxis, OpOperand &rhs,
                              int64_t rhsAxis) {
  if (failed(graph.meet(op, graph.dims(lhs.get())[lhsAxis],
                        graph.dims(rhs.get())[rhsAxis])))
    return failure();
  lhs.set(graph.maskZero(op, lhs.get(), lhsAxis));
  rhs.set(graph.maskZero(op, rhs.get(), rhsAxis));
  return success();
}

LogicalResult glow::boundThis(MatMulOp op, BoundedGraph &graph) {
  BoundedDims a = graph.dims(op.getLhs()), b = graph.dims(op.getRhs());
  int64_t depthA = a.size() - 1, depthB = b.size() == 1 ? 0 : b.size() - 2;
  if (failed(contract(op, graph, op.getLhsMutable(), depthA, op.getRhsMutable(),
                      depthB)))
    return failure();
  auto result =
      graph.broadcast(op, ArrayRef(a).drop_back(std::min<size_t>(2, a.size())),
                      ArrayRef(b).drop_back(std::min<size_t>(2, b.size())));
  if (failed(result))
    return failure();
  if (a.size() > 1)
    result->push_back(a[depthA - 1]);
  if (b.size() > 1)
    result->push_back(b.back());
  graph.set(op.getResult(), *result);
  return success();
}

LogicalResult glow::boundThis(GemmOp op, BoundedGraph &graph) {
  int64_t depthA = op.getTransA() ? 0 : 1, depthB = op.getTransB() ? 1 : 0;
  BoundedDims a = graph.dims(op.getA()), b = graph.dims(op.getB());
  if (failed(contract(op, graph, op.getAMutable(), depthA, op.getBMutable(),
                      depthB)))
    return failure();
  FailureOr<BoundedDims> result = BoundedDims{a[1 - depthA], b[1 - depthB]};
  if (op.getC())
    result = graph.broadcast(op, *result, graph.dims(op.getC()));
  if (failed(result))
    return failure();
  graph.set(op.getResult(), *result);
  return success();
}

/// All axes but `parallel` ones have to be static.
static LogicalResult needStatic(Operation *op, BoundedGraph &graph,
                                Value operand, ArrayRef<int64_t> parallel,
                                StringRef what) {
  for (auto [axis, dim] : llvm::enumerate(graph.dims(operand)))
    if (!dim.isStatic() &&
        !llvm::is_contained(parallel, static_cast<int64_t>(axis)))
      return graph.fail(op, what + Twine(" have to be known"));
  return success();
}

/// The extents of a window op's result along the spatial axes, which start at
/// axis 2: along open ones, as a function of the axis and of the input's
/// extent.
template <typename Op>
static FailureOr<BoundedDims>
spatialDims(Op op, BoundedGraph &graph,
            function_ref<FailureOr<AffineExpr>(int64_t, AffineExpr)> extentOf) {
  BoundedDims input = graph.dims(op.getInput()), result;
  int64_t rank = op.getStrides().size();
  for (int64_t i = 0; i < rank; ++i) {
    const BoundedDim &dim = input[2 + i];
    if (dim.isStatic()) {
      int64_t axis = 2 + i;
      result.push_back(BoundedDim(graph.number(dimsOf(op.getResult())[axis])));
      continue;
    }
    if (!dim.isPrefix())
      return graph.fail(op, "it moves a window over merged axes");
    auto extent = extentOf(i, dim.extent(graph.context()));
    if (failed(extent))
      return failure();
    result.push_back(BoundedDim(*extent));
  }
  return result;
}

template <typename Op>
static FailureOr<BoundedDims> windowDims(Op op, BoundedGraph &graph) {
  int64_t rank = op.getStrides().size();
  return spatialDims(
      op, graph, [&](int64_t i, AffineExpr extent) -> FailureOr<AffineExpr> {
        int64_t span = op.getDilations()[i] * (op.getKernelShape()[i] - 1) + 1;
        AffineExpr room = simplifySum(extent + op.getPads()[i] +
                                      op.getPads()[rank + i] - span);
        auto range = graph.range(room);
        if (!range || range->lower < -op.getStrides()[i])
          return graph.fail(op, "its window does not fit the smallest extent");
        return simplifySum(room.floorDiv(uint64_t(op.getStrides()[i])) + 1);
      });
}

static SmallVector<int64_t> spatialAxes(int64_t rank) {
  return llvm::to_vector(llvm::seq<int64_t>(2, rank));
}

/// One number for each channel of the result.
template <typename Op>
static LogicalResult meetBias(Op op, BoundedGraph &graph, int64_t channels) {
  if (!op.getBias())
    return success();
  return graph.meet(op, graph.dims(op.getBias()).front(),
                    BoundedDim(graph.number(channels)));
}

LogicalResult glow::boundThis(ConvOp op, BoundedGraph &graph) {
  if (op.isChannelsLast() || op.getPacked() || !op.getEpilogue().empty())
    return graph.fail(op, "its layout has been chosen already");
  BoundedDims input = graph.dims(op.getInput());
  SmallVector<int64_t> spatial = spatialAxes(input.size());
  SmallVector<int64_t> parallel(spatial);
  parallel.push_back(0);
  if (failed(needStatic(op, graph, op.getFilter(), {}, "its filter's extents")))
    return failure();
  int64_t channels = dimsOf(op.getFilter())[1] * op.getGroup();
  if (failed(graph.meet(op, input[1], BoundedDim(graph.number(channels)))) ||
      failed(needStatic(op, graph, op.getInput(), parallel, "its channels")) ||
      failed(meetBias(op, graph, dimsOf(op.getFilter())[0])))
    return failure();
  // Types first: spatial extents that are static are read off them.
  if (failed(refineResultTypes(op)))
    return failure();
  auto window = windowDims(op, graph);
  if (failed(window))
    return failure();
  // Windows of valid elements do not reach padding if none has a border. But
  // Winograd's algorithm mixes windows of stride 1.
  auto pads = op.getPads();
  llvm::erase_if(spatial, [&](int64_t axis) {
    int64_t i = axis - 2;
    return pads[i] == 0 && pads[pads.size() / 2 + i] == 0 &&
           (op.getKernelShape()[i] == 1 || op.getStrides()[i] > 1);
  });
  op.getInputMutable().set(graph.maskZero(op, op.getInput(), spatial));
  BoundedDims result{input[0],
                     BoundedDim(graph.number(dimsOf(op.getFilter())[0]))};
  llvm::append_range(result, *window);
  graph.set(op.getResult(), result);
  return success();
}

/// For ops that are parallel along the batch and need all other extents.
template <typename Op>
static LogicalResult boundBatch(Op op, BoundedGraph &graph) {
  if (failed(needStatic(op, graph, op.getInput(), {0},
                        "all extents but that of the batch")) ||
      failed(refineResultTypes(op)))
    return failure();
  BoundedDims result{graph.dims(op.getInput()).front()};
  for (int64_t extent : dimsOf(op.getResult()).drop_front())
    result.push_back(BoundedDim(graph.number(extent)));
  graph.set(op.getResult(), result);
  return success();
}

LogicalResult glow::boundThis(ConvTransposeOp op, BoundedGraph &graph) {
  if (failed(
          needStatic(op, graph, op.getFilter(), {}, "its filter's extents")) ||
      failed(meetBias(op, graph, dimsOf(op.getFilter())[1] * op.getGroup())))
    return failure();
  BoundedDims input = graph.dims(op.getInput());
  SmallVector<int64_t> spatial = spatialAxes(input.size()), parallel(spatial);
  parallel.push_back(0);
  if (failed(needStatic(op, graph, op.getInput(), parallel, "its channels")) ||
      failed(refineResultTypes(op)))
    return failure();
  int64_t rank = spatial.size();
  auto extents = spatialDims(
      op, graph, [&](int64_t i, AffineExpr extent) -> FailureOr<AffineExpr> {
        int64_t stride = op.getStrides()[i];
        int64_t span =
            op.getDilations()[i] * (dimsOf(op.getFilter())[2 + i] - 1) + 1;
        // What the first element of the input adds, less what is cut off.
        int64_t more = span + op.getOutputPadding()[i] - op.getPads()[i] -
                       op.getPads()[rank + i] - stride;
        AffineExpr whole = simplifySum(extent * stride + more);
        auto range = graph.range(whole);
        if (!range || range->lower < 0)
          return graph.fail(op, "its pads remove more than the result of the "
                                "smallest extent has");
        return whole;
      });
  if (failed(extents))
    return failure();
  BoundedDims result{input[0],
                     BoundedDim(graph.number(dimsOf(op.getResult())[1]))};
  llvm::append_range(result, *extents);
  op.getInputMutable().set(graph.maskZero(op, op.getInput(), spatial));
  graph.set(op.getResult(), result);
  return success();
}

LogicalResult glow::boundThis(Col2ImOp op, BoundedGraph &graph) {
  return boundBatch(op, graph);
}

LogicalResult glow::boundThis(PoolOp op, BoundedGraph &graph) {
  BoundedDims input = graph.dims(op.getInput());
  if (failed(refineResultTypes(op)))
    return failure();
  auto window = windowDims(op, graph);
  if (failed(window))
    return failure();
  SmallVector<int64_t> open;
  for (int64_t axis : spatialAxes(input.size()))
    if (!input[axis].isStatic())
      open.push_back(axis);
  bool padsBehind = llvm::any_of(open, [&](int64_t axis) {
    return op.getPads()[op.getSpatialRank() + axis - 2] > 0;
  });
  if (!open.empty() && op.getCeilMode())
    return graph.fail(op, "its last window depends on the extent");
  if (padsBehind && op.getKind() == PoolKind::Average &&
      !op.getCountIncludePad())
    return graph.fail(op, "what a mean over the edge divides by depends on the "
                          "extent");
  // Without padding no window of a valid element leaves the valid input.
  if (padsBehind) {
    if (op.getKind() == PoolKind::Average) {
      op.getInputMutable().set(graph.maskZero(op, op.getInput(), open));
    } else {
      Value lowest =
          lowestOrHighest(graph.before(op), elementType(op.getInput()), false);
      op.getInputMutable().set(graph.mask(op, op.getInput(), open, lowest));
    }
  }
  BoundedDims result{input[0], input[1]};
  llvm::append_range(result, *window);
  graph.set(op.getResult(), result);
  return success();
}
