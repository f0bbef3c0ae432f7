//===- BoundMerged.cpp - ops that work on merged axes one by one ----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exporters merge batch and length into rows before a linear layer. What is
// behind the extent of one axis can be left out; the valid rows of merged axes
// are no prefix. So an op that works on each row by itself works on the axes as
// they were before, between two reshapes, of which those of neighbours cancel.
//
//===----------------------------------------------------------------------===//
#include "Rules.h"

using namespace mlir;
using namespace mlir::glow;

/// The operands that have the rows, and how many axes behind them belong to one
/// row. Nothing for an op that does not work on rows.
static std::optional<std::pair<MutableArrayRef<OpOperand>, int64_t>>
rowOperands(Operation *op) {
  MutableArrayRef<OpOperand> all = op->getOpOperands();
  auto rank = [&](unsigned i) {
    return static_cast<int64_t>(dimsOf(op->getOperand(i)).size());
  };
  if (isa<ScalarBodyOpInterface>(op) && op->getNumResults() == 1)
    return std::pair(all, int64_t(0));
  auto gemm = dyn_cast<GemmOp>(op);
  if ((isa<MatMulOp>(op) && rank(0) >= 2 && rank(1) == 2) ||
      (gemm && !gemm.getTransA()))
    return std::pair(all.take_front(1), int64_t(1));
  // Each matrix of a batch by itself.
  if (isa<MatMulOp>(op) && rank(0) > 2 && rank(1) > 2)
    return std::pair(all.take_front(2), int64_t(2));
  if (auto softmax = dyn_cast<SoftmaxOp>(op))
    return std::pair(all, rank(0) - static_cast<int64_t>(softmax.getAxis()));
  auto reduce = dyn_cast<ReduceOp>(op);
  if (reduce && !reduce.getAxes().empty())
    return std::pair(all, rank(0) - *llvm::min_element(reduce.getAxes()));
  auto norm = dyn_cast<LayerNormOp>(op);
  // Its scale and bias have the axes of one row only.
  if (norm && llvm::all_of(op->getOperands().drop_front(), [&](Value value) {
        return static_cast<int64_t>(dimsOf(value).size()) <=
               rank(0) - static_cast<int64_t>(norm.getAxis());
      }))
    return std::pair(all.take_front(1),
                     rank(0) - static_cast<int64_t>(norm.getAxis()));
  return std::nullopt;
}

/// `dims`, aligned at the end with those of an op, `outer` ones of which have
/// one axis per factor; nothing if they are merged in another way.
static std::optional<BoundedDims>
splitDims(ArrayRef<BoundedDim> dims, ArrayRef<BoundedDim> whole, size_t outer) {
  BoundedDims result;
  size_t offset = whole.size() - dims.size();
  for (auto [i, dim] : llvm::enumerate(dims)) {
    const BoundedDim &merged = whole[offset + i];
    if (offset + i >= outer || merged.isPrefix()) {
      result.push_back(dim);
    } else if (dim.factors().empty()) {
      result.append(merged.factors().size(), BoundedDim());
    } else if (dim == merged) {
      for (AffineExpr factor : dim.factors())
        result.push_back(BoundedDim(factor));
    } else {
      return std::nullopt;
    }
  }
  return result;
}

Value glow::reshapeTo(GraphBuilder &b, BoundedGraph &graph, Value value,
                      const BoundedDims &dims) {
  auto before = value.getDefiningOp<ReshapeOp>();
  if (before && graph.dims(before.getInput()) == dims)
    return before.getInput();
  Value result = b.create<ReshapeOp>(value, b.ints(graph.bounds(dims)),
                                     /*allow_zero=*/true);
  graph.set(result, dims);
  return result;
}

/// What is repeated to become the value, along axes of extent 1; null if
/// nothing is.
static Value unexpanded(Value value, BoundedGraph &graph) {
  if (auto expand = value.getDefiningOp<ExpandOp>())
    return expand.getInput();
  auto tile = value.getDefiningOp<TileOp>();
  if (!tile)
    return {};
  bool isRepeated = llvm::all_of(
      llvm::zip_equal(graph.dims(tile.getInput()), graph.dims(value)),
      [](auto dims) {
        auto [before, after] = dims;
        return before.factors().empty() || before == after;
      });
  return isRepeated ? tile.getInput() : Value();
}

void glow::readUnexpanded(Operation *op, BoundedGraph &graph) {
  for (OpOperand &operand : op->getOpOperands()) {
    Value input = unexpanded(operand.get(), graph);
    if (!input)
      continue;
    BoundedDims dims = graph.dims(operand.get());
    bool hasOtherOfShape = llvm::any_of(op->getOperands(), [&](Value other) {
      BoundedDims others = graph.dims(other);
      return other != operand.get() && others.size() == dims.size() &&
             llvm::all_of(llvm::zip_equal(dims, others), [&](auto pair) {
               auto [own, same] = pair;
               return areEqual(own.extent(graph.context()),
                               same.extent(graph.context()));
             });
    });
    if (hasOtherOfShape)
      operand.set(input);
  }
}

std::optional<LogicalResult> glow::boundOnSplitAxes(Operation *op,
                                                    BoundedGraph &graph) {
  auto rows = rowOperands(op);
  if (!rows)
    return std::nullopt;
  auto [operands, inner] = *rows;
  BoundedDims whole;
  for (OpOperand &operand : operands)
    if (BoundedDims dims = graph.dims(operand.get());
        dims.size() > whole.size())
      whole = dims;
  // Where operands broadcast, the merged axis may be another one's.
  for (OpOperand &operand : operands) {
    BoundedDims dims = graph.dims(operand.get());
    for (auto [own, common] :
         llvm::zip(llvm::reverse(dims), llvm::reverse(whole)))
      if (common.factors().empty())
        common = own;
  }
  auto outer = ArrayRef(whole).drop_back(inner);
  bool isOpenInside =
      llvm::any_of(ArrayRef(whole).take_back(inner),
                   [](const BoundedDim &dim) { return !dim.isStatic(); });
  if (llvm::all_of(outer, std::mem_fn(&BoundedDim::isPrefix)) ||
      (isOpenInside && isa<LayerNormOp>(op)))
    return std::nullopt;
  // A product of matrices alone is one of any rows with what is added.
  if (isa<GemmOp>(op))
    return graph.boundParts(cast<DecomposeOpInterface>(op));
  SmallVector<BoundedDims> split;
  for (OpOperand &operand : operands) {
    auto dims = splitDims(graph.dims(operand.get()), whole, outer.size());
    if (!dims)
      return std::nullopt;
    split.push_back(*dims);
  }
  GraphBuilder b = graph.before(op);
  Operation *inside = op->clone();
  for (auto [operand, dims] : llvm::zip_equal(operands, split))
    inside->setOperand(operand.getOperandNumber(),
                       reshapeTo(b, graph, operand.get(), dims));
  b.builder.insert(inside);
  size_t numSplit = splitDims(outer, outer, outer.size())->size();
  int64_t added = numSplit - outer.size();
  if (auto softmax = dyn_cast<SoftmaxOp>(inside))
    softmax.setAxis(softmax.getAxis() + added);
  if (auto norm = dyn_cast<LayerNormOp>(inside))
    norm.setAxis(norm.getAxis() + added);
  if (auto reduce = dyn_cast<ReduceOp>(inside))
    reduce.setAxes(llvm::map_to_vector(
        reduce.getAxes(), [&](int64_t axis) { return axis + added; }));
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> open(type.getRank() + added, ShapedType::kDynamic);
  inside->getResult(0).setType(
      RankedTensorType::get(open, type.getElementType()));
  if (failed(graph.bound(inside)))
    return failure();
  // The row's own axes may have changed, as a product's columns do.
  BoundedDims result(outer);
  llvm::append_range(
      result, ArrayRef(graph.dims(inside->getResult(0))).drop_front(numSplit));
  GraphBuilder after = graph.before(op);
  return graph.replace(
      op, reshapeTo(after, graph, inside->getResult(0), result), result);
}
