//===- SinkTransposes.cpp - transposes move down until they cancel --------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each pattern turns op(transpose(x)) into transpose(op(x)). Nothing moves a
// transpose up, so this ends. Permutation p: axis i of the transpose's result
// is axis p[i] of its input.
//
//===----------------------------------------------------------------------===//
#include "SinkTransposes.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Support/Rewrite.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace mlir::glow {
#define GEN_PASS_DEF_SINKTRANSPOSES
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

/// Whether an op along one axis leaves all axes where they are.
template <typename Op> static bool keepsAxes(Op op) {
  return dimsOf(op.getResult()) == dimsOf(op.getInput());
}

/// Whether a transpose behind a gather moves no more than one before it, or
/// becomes one with another.
static bool isWorthBehind(GatherOp op) {
  auto meetsTranspose = [](Operation *user) {
    return isa<TransposeOp>(user) ||
           (isa<ReshapeOp>(user) &&
            llvm::all_of(user->getUsers(), llvm::IsaPred<TransposeOp>));
  };
  return dimsOf(op.getIndices()).size() == 1 ||
         numElements(dimsOf(op.getResult())) <=
             numElements(dimsOf(op.getInput())) ||
         llvm::all_of(op->getUsers(), meetsTranspose);
}

bool glow::isTransparentToTransposes(Operation *op) {
  if (auto gather = dyn_cast<GatherOp>(op))
    return isWorthBehind(gather);
  return isElementwise(op) ||
         isa<TransposeOp, ConcatOp, PadOp, SliceOp, ReduceOp, ArgReduceOp,
             SoftmaxOp, ScanOp, ReshapeOp, ResizeOp>(op);
}

TransposeOp glow::sinkableTranspose(Value value) {
  auto transpose = value.getDefiningOp<TransposeOp>();
  if (!transpose || isComputedFromConstants(transpose.getInput()) ||
      !llvm::all_of(transpose->getUsers(), isTransparentToTransposes))
    return {};
  return transpose;
}

Dims glow::permute(ArrayRef<int64_t> dims, ArrayRef<int64_t> permutation) {
  Dims result;
  for (int64_t axis : permutation)
    result.push_back(dims[axis]);
  return result;
}

/// Does the transpose move only axes of extent 1, as a reshape could?
static bool isReshape(ArrayRef<int64_t> dims, ArrayRef<int64_t> permutation) {
  int64_t last = -1;
  for (int64_t axis : permutation) {
    if (dims[axis] == 1)
      continue;
    if (axis < last)
      return false;
    last = axis;
  }
  return !llvm::any_of(dims, ShapedType::isDynamic);
}

static bool isTransposedBy(Value operand, ArrayRef<int64_t> permutation) {
  auto transpose = operand.getDefiningOp<TransposeOp>();
  return transpose && transpose.getPermutation() == permutation;
}

/// The extents of an operand that broadcasts, with all axes of the result.
static Dims dimsOfRank(Value operand, size_t rank) {
  Dims dims(dimsOf(operand));
  dims.insert(dims.begin(), rank - dims.size(), 1);
  return dims;
}

/// Can `operand`, which broadcasts to an op's result, have its axes in the
/// order before the transpose without a pass over memory at run time?
static bool canUndo(Value operand, ArrayRef<int64_t> permutation) {
  if (isTransposedBy(operand, permutation) || numElements(dimsOf(operand)) == 1)
    return true;
  if (llvm::any_of(dimsOf(operand), ShapedType::isDynamic))
    return false;
  return isReshape(dimsOfRank(operand, permutation.size()),
                   inversePermutation(permutation)) ||
         isComputedFromConstants(operand);
}

static bool canUndoAll(ValueRange operands, ArrayRef<int64_t> permutation) {
  return llvm::all_of(
      operands, [&](Value operand) { return canUndo(operand, permutation); });
}

/// Such an operand with its axes in that order. A pattern asks before, for one
/// that fails must leave nothing behind.
static Value undoPermutation(GraphBuilder &b, Value operand,
                             ArrayRef<int64_t> permutation) {
  if (isTransposedBy(operand, permutation))
    return operand.getDefiningOp<TransposeOp>().getInput();
  if (numElements(dimsOf(operand)) == 1)
    return operand;
  Dims dims = dimsOfRank(operand, permutation.size());
  SmallVector<int64_t> inverse = inversePermutation(permutation);
  if (isReshape(dims, inverse))
    return b.reshape(operand, permute(dims, inverse));
  if (dims.size() != dimsOf(operand).size())
    operand = b.reshape(operand, dims);
  return b.transpose(operand, inverse);
}

/// A copy of `op` on other operands, followed by a transpose that gives the
/// result the op had.
static void replaceByTransposed(
    Operation *op, ValueRange operands, ArrayRef<int64_t> permutation,
    RewriterBase &rewriter,
    llvm::function_ref<void(Operation *)> adjust = [](Operation *) {}) {
  Dims dims =
      permute(dimsOf(op->getResult(0)), inversePermutation(permutation));
  Operation *moved = rewriter.clone(*op);
  rewriter.modifyOpInPlace(moved, [&] {
    moved->setOperands(operands);
    Value result = moved->getResult(0);
    result.setType(RankedTensorType::get(dims, elementType(result)));
    adjust(moved);
  });
  GraphBuilder b(rewriter, op->getLoc());
  Value result = b.transpose(moved->getResult(0), permutation);
  rewriter.replaceOp(op, result);
}

bool glow::enlarges(ResizeOp op) {
  std::optional<int64_t> before = numElements(dimsOf(op.getInput())),
                         after = numElements(dimsOf(op.getResult()));
  return before && after && *after > *before;
}

void glow::replaceByReordered(ResizeOp op, Value reordered,
                              ArrayRef<int64_t> permutation,
                              RewriterBase &rewriter) {
  GraphBuilder b(rewriter, op.getLoc());
  Value order = b.ints(inversePermutation(permutation));
  replaceByTransposed(op,
                      {reordered, b.create<GatherOp>(op.getScales(), order, 0),
                       b.create<GatherOp>(op.getSizes(), order, 0)},
                      permutation, rewriter);
}

namespace {

struct SinkThroughElementwise : RewritePattern {
  SinkThroughElementwise(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isElementwise(op))
      return rewriter.notifyMatchFailure(op, "not element-wise");
    Value result = op->getResult(0);
    for (Value candidate : op->getOperands()) {
      TransposeOp transpose = sinkableTranspose(candidate);
      if (!transpose || dimsOf(candidate).size() != dimsOf(result).size())
        continue;
      ArrayRef<int64_t> permutation = transpose.getPermutation();
      if (!canUndoAll(op->getOperands(), permutation))
        continue;
      GraphBuilder b(rewriter, op->getLoc());
      SmallVector<Value> operands;
      for (Value operand : op->getOperands())
        operands.push_back(undoPermutation(b, operand, permutation));
      replaceByTransposed(op, operands, permutation, rewriter);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "operands keep the transpose");
  }
};

struct SinkThroughConcat : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatOp op,
                                PatternRewriter &rewriter) const override {
    TransposeOp transpose;
    for (Value input : op.getInputs())
      if (!transpose)
        transpose = sinkableTranspose(input);
    if (!transpose)
      return rewriter.notifyMatchFailure(op, "no transpose");
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    if (!canUndoAll(op.getInputs(), permutation))
      return rewriter.notifyMatchFailure(op, "inputs are ordered differently");
    GraphBuilder b(rewriter, op.getLoc());
    SmallVector<Value> inputs;
    for (Value input : op.getInputs())
      inputs.push_back(numElements(dimsOf(input)) == 1
                           ? b.reshape(input, Dims(permutation.size(), 1))
                           : undoPermutation(b, input, permutation));
    replaceByTransposed(
        op, inputs, permutation, rewriter, [&](Operation *moved) {
          cast<ConcatOp>(moved).setAxis(permutation[op.getAxis()]);
        });
    return success();
  }
};

struct SinkThroughPad : SinkThrough<PadOp> {
  using SinkThrough::SinkThrough;
  LogicalResult sink(PadOp op, TransposeOp transpose,
                     PatternRewriter &rewriter) const override {
    auto pads = constantInts(op.getPads());
    if (!pads)
      return rewriter.notifyMatchFailure(op, "unknown pads");
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    size_t rank = permutation.size();
    SmallVector<int64_t> inverse = inversePermutation(permutation), moved;
    for (ArrayRef<int64_t> half :
         {ArrayRef(*pads).take_front(rank), ArrayRef(*pads).drop_front(rank)})
      llvm::append_range(moved, permute(half, inverse));
    GraphBuilder b(rewriter, op.getLoc());
    SmallVector<Value> operands{transpose.getInput(), b.ints(moved)};
    if (op.getValue())
      operands.push_back(op.getValue());
    replaceByTransposed(op, operands, permutation, rewriter);
    return success();
  }
};

struct SinkThroughSlice : SinkThrough<SliceOp> {
  using SinkThrough::SinkThrough;
  LogicalResult sink(SliceOp op, TransposeOp transpose,
                     PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    replaceByTransposed(
        op, {transpose.getInput(), op.getStarts(), op.getEnds(), op.getSteps()},
        permutation, rewriter, [&](Operation *moved) {
          cast<SliceOp>(moved).setAxes(permute(permutation, op.getAxes()));
        });
    return success();
  }
};

/// The order of the axes that are left when `axes` of the transpose's result
/// have been removed.
static SmallVector<int64_t> withoutAxes(ArrayRef<int64_t> permutation,
                                        ArrayRef<int64_t> axes) {
  SmallVector<int64_t> left, removed = permute(permutation, axes);
  for (int64_t axis : permutation)
    if (!llvm::is_contained(removed, axis))
      left.push_back(axis - llvm::count_if(removed, [&](int64_t other) {
                       return other < axis;
                     }));
  return left;
}

struct SinkThroughReduce : SinkThrough<ReduceOp> {
  using SinkThrough::SinkThrough;
  LogicalResult sink(ReduceOp op, TransposeOp transpose,
                     PatternRewriter &rewriter) const override {
    SmallVector<int64_t> permutation(transpose.getPermutation());
    SmallVector<int64_t> axes = permute(permutation, op.getAxes());
    llvm::sort(axes);
    if (!op.getKeepDims())
      permutation = withoutAxes(permutation, op.getAxes());
    replaceByTransposed(
        op, transpose.getInput(), permutation, rewriter,
        [&](Operation *moved) { cast<ReduceOp>(moved).setAxes(axes); });
    return success();
  }
};

/// Ops with one `axis` of their first operand and of the result.
template <typename Op> struct SinkThroughAxisOp : SinkThrough<Op> {
  using SinkThrough<Op>::SinkThrough;
  LogicalResult sink(Op op, TransposeOp transpose,
                     PatternRewriter &rewriter) const override {
    if (!keepsAxes(op))
      return rewriter.notifyMatchFailure(op, "changes the axes");
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    SmallVector<Value> operands(op->getOperands());
    operands.front() = transpose.getInput();
    replaceByTransposed(op, operands, permutation, rewriter,
                        [&](Operation *moved) {
                          cast<Op>(moved).setAxis(permutation[op.getAxis()]);
                        });
    return success();
  }
};

/// The gathered axis becomes those of the indices, which stay neighbours.
struct SinkThroughGather : SinkThrough<GatherOp> {
  using SinkThrough::SinkThrough;
  LogicalResult sink(GatherOp op, TransposeOp transpose,
                     PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> before = transpose.getPermutation();
    int64_t gathered = before[op.getAxis()];
    auto added = static_cast<int64_t>(dimsOf(op.getIndices()).size());
    SmallVector<int64_t> permutation;
    for (int64_t axis : before)
      if (axis == gathered)
        llvm::append_range(permutation, llvm::seq(axis, axis + added));
      else
        permutation.push_back(axis < gathered ? axis : axis + added - 1);
    replaceByTransposed(
        op, {transpose.getInput(), op.getIndices()}, permutation, rewriter,
        [&](Operation *moved) { cast<GatherOp>(moved).setAxis(gathered); });
    return success();
  }
};

struct SinkThroughResize : SinkThrough<ResizeOp> {
  using SinkThrough::SinkThrough;
  LogicalResult sink(ResizeOp op, TransposeOp transpose,
                     PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    if (enlarges(op) &&
        permutation == ArrayRef(channelsLastPermutation(permutation.size())))
      return rewriter.notifyMatchFailure(op, "there is more to reorder behind");
    replaceByReordered(op, transpose.getInput(), permutation, rewriter);
    return success();
  }
};

struct SinkTransposes : glow::impl::SinkTransposesBase<SinkTransposes> {
  using SinkTransposesBase::SinkTransposesBase;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<SinkThroughElementwise, SinkThroughConcat, SinkThroughPad,
                 SinkThroughSlice, SinkThroughReduce, SinkThroughResize,
                 SinkThroughGather, SinkThroughAxisOp<SoftmaxOp>,
                 SinkThroughAxisOp<ScanOp>>(context);
    populateSinkTransposesThroughReshape(patterns);
    TransposeOp::getCanonicalizationPatterns(patterns, context);
    ReshapeOp::getCanonicalizationPatterns(patterns, context);
    if (failed(rewriteAll(getOperation(), std::move(patterns),
                          "moving transposes")))
      signalPassFailure();
  }
};

} // namespace
