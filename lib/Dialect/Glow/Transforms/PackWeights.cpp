//===- PackWeights.cpp - constant weights in column panels ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contraction kernels read a few columns of all rows at a time. Weights known
// at compile time are cut into such panels here; `glow-fold-constants` then
// evaluates the `glow.pack`.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Glow/IR/TypeInference.h"
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Interfaces/TileRegisters.h"
#include "glow/Support/Weight24.h"
#include "mlir/IR/Matchers.h"

namespace mlir::glow {
#define GEN_PASS_DEF_PACKWEIGHTS
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

/// Constant floats. Integer kernels want their own order of elements.
static bool isPackable(Value weights) {
  Type element = elementType(weights);
  return (isa<FloatType>(element) || Weight24::is(element)) &&
         matchPattern(weights, m_Constant());
}

/// How many elements along a depth of `depth` the kernel multiplies at once.
static int64_t groupOf(Value factor, Value weights, int64_t depth,
                       const KernelTarget &target) {
  Type element = elementType(weights);
  bool areAlike = elementType(factor) == element;
  return depth > 1 && areAlike ? target.depthGroup(element) : 1;
}

namespace {
struct Panels {
  int64_t width, group;
};
} // namespace

/// Panels of at most `width` columns. A tile register is loaded faster if all
/// of it lies in one piece, where rows fill more than one; few rows read panels
/// once, which come faster one after the other.
static Panels panelsOf(Value factor, Value weights, int64_t depth, int64_t rows,
                       int64_t width, const KernelTarget &target) {
  int64_t group = groupOf(factor, weights, depth, target);
  bool inTiles = group > 1 && rows > TileRows::kMost &&
                 target.tileDepth(elementType(weights));
  return {inTiles ? std::min(width, TileRows::kMost) : width, group};
}

/// All but the last axis of an operand or result.
static int64_t rowsOf(Value value) {
  return numElements(dimsOf(value).drop_back())
      .value_or(std::numeric_limits<int64_t>::max());
}

/// The most rows that each matrix or filter is multiplied by. All that read it
/// take the same panels, which are stored once.
using RowsOfWeights = llvm::DenseMap<Value, int64_t>;

static RowsOfWeights findRows(func::FuncOp function) {
  RowsOfWeights rows;
  auto add = [&](Value weights, Value counted) {
    int64_t &most = rows[weights];
    most = std::max(most, rowsOf(counted));
  };
  function.walk([&](ConvOp conv) { add(conv.getFilter(), conv.getResult()); });
  function.walk(
      [&](MatMulOp matmul) { add(matmul.getRhs(), matmul.getLhs()); });
  return rows;
}

/// Panels of a filter of window…, C, O, seen as a matrix with O columns.
static void packFilter(ConvOp conv, int64_t rows, int64_t width,
                       const KernelTarget &target) {
  if (conv.getPacked() || !conv.isChannelsLast() || conv.getGroup() != 1 ||
      !isPackable(conv.getFilter()))
    return;
  OpBuilder builder(conv);
  GraphBuilder b(builder, conv.getLoc());
  ArrayRef<int64_t> dims = dimsOf(conv.getFilter());
  int64_t channels = dims[dims.size() - 2], columns = dims.back();
  Value matrix = conv.getFilter();
  Panels panels =
      panelsOf(conv.getInput(), matrix, channels, rows, width, target);
  // Winograd's filters are matrices already.
  if (!conv.getWinograd()) {
    int64_t taps = ShapedType::getNumElements(conv.getKernelShape());
    if (!conv.getPieces() &&
        target.wantsWholeColumns(columns, taps, channels, elementType(matrix)))
      panels = {columns, channels};
    // A group never holds channels of two taps.
    if (int64_t rest = channels % panels.group) {
      SmallVector<int64_t> pads(2 * dims.size(), 0);
      pads[pads.size() - 2] = panels.group - rest;
      matrix =
          b.create<PadOp>(PadMode::Constant, matrix, b.ints(pads), Value());
    }
    matrix = b.reshape(matrix, {-1, columns});
  }
  conv.getFilterMutable().assign(
      b.create<PackOp>(matrix, panels.width, panels.group));
  conv.setPacked(panels.width);
  conv.setOutputChannels(columns);
}

static void packInto(MatMulOp matmul, Panels panels) {
  OpBuilder builder(matmul);
  GraphBuilder b(builder, matmul.getLoc());
  Value rhs = matmul.getRhs();
  matmul.setOutputChannels(dimsOf(rhs).back());
  matmul.getRhsMutable().assign(
      b.create<PackOp>(rhs, panels.width, panels.group));
  matmul.setPacked(panels.width);
}

/// Where many rows are multiplied, as in a long text's attention, loops over
/// blocks of them would bring groups of the same matrix side by side in each.
static void packShared(MatMulOp matmul, int64_t width,
                       const KernelTarget &target) {
  constexpr int64_t kLeastRows = 256;
  Value rhs = matmul.getRhs(), lhs = matmul.getLhs();
  ArrayRef<int64_t> dims = dimsOf(rhs), rows = dimsOf(lhs);
  if (matmul.getPacked() || dims.size() < 3 || rows.size() != dims.size() ||
      rows[rows.size() - 2] < kLeastRows || matmul.getPieces() ||
      llvm::any_of(dims, ShapedType::isDynamic) ||
      symbolsArgument(matmul->getParentOfType<func::FuncOp>()))
    return;
  Panels panels =
      panelsOf(lhs, rhs, dims[dims.size() - 2], kLeastRows, width, target);
  if (panels.group == 1)
    return;
  packInto(matmul, panels);
}

static void packRhs(MatMulOp matmul, int64_t rows, int64_t width,
                    const KernelTarget &target) {
  Value rhs = matmul.getRhs();
  if (matmul.getPacked() || dimsOf(rhs).size() != 2 ||
      dimsOf(matmul.getLhs()).size() < 2 || !isPackable(rhs))
    return;
  int64_t depth = dimsOf(rhs)[0], columns = dimsOf(rhs)[1];
  Panels panels = panelsOf(matmul.getLhs(), rhs, depth, rows, width, target);
  if (!matmul.getPieces() &&
      target.wantsWholeColumns(columns, /*taps=*/1, depth, elementType(rhs)))
    panels = {columns, depth};
  packInto(matmul, panels);
}

namespace {
struct PackWeights : glow::impl::PackWeightsBase<PackWeights> {
  using PackWeightsBase::PackWeightsBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (width >= 1)
      return success();
    return emitError(UnknownLoc::get(context))
           << "the width of a panel must be at least 1, not "
           << width.getValue();
  }

  void runOnOperation() override {
    RowsOfWeights rows = findRows(getOperation());
    getOperation().walk([&](ConvOp conv) {
      packFilter(conv, rows.at(conv.getFilter()), width, target);
    });
    getOperation().walk([&](MatMulOp matmul) {
      packRhs(matmul, rows.at(matmul.getRhs()), width, target);
      packShared(matmul, width, target);
    });
  }
};
} // namespace
