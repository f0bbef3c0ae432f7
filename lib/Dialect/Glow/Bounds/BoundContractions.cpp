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

/// Of a product along or over merged axes, such as attention over pixels, all
/// elements would be computed: a limit is that of a prefix.
static void moveTogether(MatMulOp op, BoundedGraph &graph) {
  auto isMerged = [&](Value operand, int64_t fromEnd) {
    BoundedDims dims = graph.dims(operand);
    int64_t axis = static_cast<int64_t>(dims.size()) - fromEnd;
    return axis >= 0 && !dims[axis].isPrefix();
  };
  if (!isMerged(op.getLhs(), 1) && !isMerged(op.getRhs(), 1) &&
      !isMerged(op.getRhs(), 2))
    return;
  GraphBuilder b = graph.before(op);
  for (OpOperand &operand : op->getOpOperands())
    operand.set(makePrefixes(b, graph, operand.get()));
}

LogicalResult glow::boundThis(MatMulOp op, BoundedGraph &graph) {
  moveTogether(op, graph);
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

/// As `windowDims`, but with a last window that starts within the input and
/// perhaps ends behind it.
static FailureOr<BoundedDims> poolDims(PoolOp op, BoundedGraph &graph) {
  if (!op.getCeilMode())
    return windowDims(op, graph);
  return spatialDims(
      op, graph, [&](int64_t i, AffineExpr extent) -> FailureOr<AffineExpr> {
        int64_t span = op.getDilations()[i] * (op.getKernelShape()[i] - 1) + 1;
        int64_t stride = op.getStrides()[i], before = op.getPads()[i];
        int64_t after = op.getPads()[op.getSpatialRank() + i];
        // Less than a stride behind the end, and before the end of the input.
        int64_t room = std::min<int64_t>(stride + after - span, 0);
        auto range = graph.range(extent);
        if (after >= span || !range || range->lower + before + room < 0)
          return graph.fail(op, "its window does not fit the smallest extent");
        AffineExpr places = simplifySum(extent + (before + room + stride - 1));
        return simplifySum(places.floorDiv(uint64_t(stride)));
      });
}

namespace {
/// A mean over what of each window lies within the input: one over the whole
/// window, with zeros around the input, times a factor along each axis.
class BoundedMean {
public:
  BoundedMean(PoolOp op, BoundedGraph &graph, BoundedDims result)
      : op(op), graph(graph), result(std::move(result)), b(graph.before(op)) {}

  Value create(Value input);

private:
  Value tapsBefore(int64_t i, Value starts, AffineExpr limit);
  Value factorAlong(int64_t i);
  int64_t after(int64_t i) { return op.getPads()[op.getSpatialRank() + i]; }

  PoolOp op;
  BoundedGraph &graph;
  BoundedDims result;
  GraphBuilder b;
};
} // namespace

/// How many elements of each window stand before a place along an axis.
Value BoundedMean::tapsBefore(int64_t i, Value starts, AffineExpr limit) {
  int64_t step = op.getDilations()[i];
  Type type = b.builder.getI64Type();
  Value room = b.sub(graph.scalar(simplifySum(limit + (step - 1))), starts);
  if (step > 1)
    room = b.create<DivOp>(room, b.scalar(step, type));
  return b.create<ClampOp>(room, b.scalar(0, type),
                           b.scalar(op.getKernelShape()[i], type));
}

/// By what a mean over whole windows is too small along an axis; null if all
/// of each window counts.
Value BoundedMean::factorAlong(int64_t i) {
  int64_t axis = 2 + i, before = op.getPads()[i];
  bool countsPads = op.getCountIncludePad();
  if (!op.getCeilMode() && (countsPads || (before == 0 && after(i) == 0)))
    return {};
  AffineExpr extent = graph.extent(op.getInput(), axis);
  SmallVector<int64_t> places;
  for (int64_t at = 0, end = graph.bound(result[axis]); at < end; ++at)
    places.push_back(at * op.getStrides()[i] - before);
  Value starts = b.alongAxis(b.ints(places), axis, result.size());
  Value low = tapsBefore(i, starts, graph.number(countsPads ? -before : 0));
  Value high =
      tapsBefore(i, starts, simplifySum(extent + (countsPads ? after(i) : 0)));
  Type type = elementType(op.getInput());
  // Behind the extents there may be none.
  Value count = b.create<MaximumOp>(b.sub(high, low),
                                    b.scalar(1, b.builder.getI64Type()));
  return b.create<DivOp>(b.scalar(op.getKernelShape()[i], type),
                         b.castTo(count, type));
}

Value BoundedMean::create(Value input) {
  int64_t rank = op.getSpatialRank();
  SmallVector<int64_t> pads(op.getPads());
  for (int64_t i = 0; i < rank; ++i) {
    int64_t span = op.getDilations()[i] * (op.getKernelShape()[i] - 1) + 1;
    int64_t last = (graph.bound(result[2 + i]) - 1) * op.getStrides()[i];
    int64_t needed = last + span - dimsOf(input)[2 + i] - pads[i];
    pads[rank + i] = std::max(pads[rank + i], needed);
  }
  Value mean = b.create<PoolOp>(PoolKind::Average, input, op.getKernelShape(),
                                op.getStrides(), pads, op.getDilations(),
                                /*ceil_mode=*/false,
                                /*count_include_pad=*/true, LayoutAttr());
  for (int64_t i = 0; i < rank; ++i)
    if (Value factor = factorAlong(i))
      mean = b.mul(mean, factor);
  return mean;
}

LogicalResult glow::boundThis(PoolOp op, BoundedGraph &graph) {
  BoundedDims input = graph.dims(op.getInput());
  if (failed(refineResultTypes(op)))
    return failure();
  auto window = poolDims(op, graph);
  if (failed(window))
    return failure();
  BoundedDims result{input[0], input[1]};
  llvm::append_range(result, *window);
  SmallVector<int64_t> open;
  for (int64_t axis : spatialAxes(input.size()))
    if (!input[axis].isStatic())
      open.push_back(axis);
  // Otherwise no window of a valid element leaves the valid input.
  bool endsBehind = llvm::any_of(open, [&](int64_t axis) {
    return op.getCeilMode() || op.getPads()[op.getSpatialRank() + axis - 2] > 0;
  });
  if (endsBehind && op.getKind() == PoolKind::Max) {
    Value lowest =
        lowestOrHighest(graph.before(op), elementType(op.getInput()), false);
    op.getInputMutable().set(graph.mask(op, op.getInput(), open, lowest));
  } else if (endsBehind) {
    Value masked = graph.maskZero(op, op.getInput(), open);
    if (op.getCeilMode() || !op.getCountIncludePad())
      return graph.replace(op, BoundedMean(op, graph, result).create(masked),
                           result);
    op.getInputMutable().set(masked);
  }
  graph.set(op.getResult(), result);
  return success();
}
