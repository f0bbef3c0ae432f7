//===- SplitProducts.cpp - f32 factors as sums of bf16 --------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tile registers multiply bf16 more than ten times as fast as vectors multiply
// f32, so six products of bf16 pieces, or three, are worth it where enough of
// them are made with each element that is taken apart.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Glow/Transforms/Epilogues.h"
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Interfaces/TileRegisters.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

namespace mlir::glow {
#define GEN_PASS_DEF_SPLITPRODUCTS
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

namespace {
/// A product of matrices, or a convolution as one.
struct ProductSize {
  /// Rows of the result, in lines that begin `pitch` rows after one another.
  int64_t lines, rows, pitch;
  /// Elements of the left-hand side, and the depth that they are taken apart
  /// along; the taps of a window repeat it.
  int64_t elements, depth, taps, columns;

  /// The same with as few lines, or as few rows of each, as a symbol is likely
  /// to leave, an eighth. The types of a bounded function do not tell which
  /// extents follow from it: those that are multiples of its largest value are
  /// taken to.
  ProductSize least(const ShapeSymbol &symbol) const {
    ProductSize size = *this;
    constexpr int64_t kLikely = 8;
    int64_t lower =
        std::max(symbol.lower, llvm::divideCeilSigned(symbol.upper, kLikely));
    auto shrinks = [&](int64_t &extent) {
      if (extent % symbol.upper != 0)
        return false;
      extent = extent / symbol.upper * lower;
      return true;
    };
    if (symbol.upper <= lower)
      return size;
    if (!shrinks(size.lines)) {
      if (!shrinks(size.rows))
        return size;
      // Rows between lines are there all the same.
      size.pitch = 0;
    }
    size.elements = size.elements / symbol.upper * lower;
    return size;
  }
};

/// Costs in cycles of one core, as far as they differ.
struct CostModel {
  int64_t pieces;
  const KernelTarget &target;

  /// Multiply-adds of vectors per cycle, and the part of tile registers' cycles
  /// in which products are made. What kernels reach where there are tiles:
  /// docs/Rationale/Kernels/Pieces.md has the measurements.
  static constexpr double kVectorRate = 32 * 0.75, kTilesBusy = 0.75;
  /// Taking apart is bound by the cache, or, where another thread reads the
  /// pieces, by that core's: bytes read and written per cycle.
  static constexpr double kSplitBytes = 4;
  /// What must be gained at least, since all this is rough.
  static constexpr double kMargin = 1.3;

  /// Weights are waited for in every run, as those of a whole model fit no
  /// cache of a core, and come more slowly than a core alone reads memory.
  double weightCycles(double bytes) const {
    return 2 * bytes / target.memoryBytes;
  }

  /// How many times as fast tiles are.
  double gain(const ProductSize &size, int64_t multiple) const {
    double weights = double(size.taps) * size.depth * size.columns;
    double vectors = size.lines * size.rows * weights / kVectorRate +
                     weightCycles(4 * weights);
    TileRows rows =
        TileRows::ofLines(size.lines, size.rows, size.pitch, pieces);
    int64_t width = TileRows::kSide * TileRows::kMost;
    double steps = double(size.taps) * llvm::divideCeil(size.depth, multiple) *
                   llvm::divideCeil(size.columns, width);
    double tiles = rows.cycles * steps / kTilesBusy +
                   weightCycles(2 * pieces * steps * multiple * width) +
                   size.elements * (4 + 2 * pieces) / kSplitBytes;
    return vectors / tiles;
  }

  /// Of a range of sizes neither the largest nor the smallest is to lose more
  /// than the other gains.
  bool pays(const ProductSize &size, const ProductSize &least,
            int64_t multiple) const {
    return gain(size, multiple) * gain(least, multiple) > kMargin * kMargin;
  }

  /// The least rows from which on tiles are faster: rows of each line, if those
  /// are open, as lines have tiles of their own; else all rows.
  int64_t leastRows(ProductSize size, bool areOpen, int64_t multiple) const {
    if (!areOpen) {
      size.rows *= std::exchange(size.lines, 1);
      size.pitch = size.rows;
    }
    auto isFaster = [&](int64_t rows) {
      ProductSize some = size;
      some.rows = rows;
      some.elements = size.lines * rows * size.depth;
      return gain(some, multiple) > kMargin;
    };
    int64_t rows = size.rows;
    for (int64_t slower = 0; rows - slower > 1;) {
      int64_t middle = (rows + slower) / 2;
      (isFaster(middle) ? rows : slower) = middle;
    }
    return rows;
  }

  /// The depth of the parts into which a product of matrices is cut. All
  /// weights are read for each block of rows that stays in the second-level
  /// cache; of shorter rows there are fewer blocks, but sums go to memory and
  /// back between parts.
  int64_t depthOfPart(const ProductSize &size, int64_t multiple) const {
    constexpr double kCachePart = 0.6;
    // Sums of the latter length are as accurate as those of vectors.
    constexpr int64_t kLeastDepth = 256, kMostDepth = 1024;
    double bytes = 2.0 * pieces * size.elements;
    double weights = 2.0 * pieces * size.depth * size.columns;
    double sums = 2 * 4.0 * size.lines * size.rows * size.columns;
    if (weights <= target.l2Bytes)
      return size.depth;
    auto traffic = [&](int64_t parts) {
      double blocks = std::ceil(bytes / parts / (kCachePart * target.l2Bytes));
      return weights * blocks + sums * (parts - 1);
    };
    int64_t best = 1;
    for (int64_t parts = 2; parts * kLeastDepth <= size.depth; ++parts)
      if (traffic(parts) < kGain * traffic(1) && traffic(parts) < traffic(best))
        best = parts;
    if (best > 1)
      best = std::max(best, llvm::divideCeilSigned(size.depth, kMostDepth));
    // The last part may be smaller.
    return llvm::alignTo(llvm::divideCeil(size.depth, best), multiple);
  }

  /// The most of the traffic that may be left, for parts to be worth it.
  static constexpr double kGain = 0.8;
};

struct SplitProducts : glow::impl::SplitProductsBase<SplitProducts> {
  using SplitProductsBase::SplitProductsBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (pieces == 2 || pieces == 3)
      return success();
    return emitError(UnknownLoc::get(context))
           << "a factor has 2 or 3 pieces, not " << pieces.getValue();
  }

  void runOnOperation() override {
    multiple = target.getValue().tileDepth(BFloat16Type::get(&getContext()));
    if (!multiple)
      return;
    symbols = symbolsOf(getOperation());
    getOperation().walk([&](ConvOp conv) { split(conv); });
    getOperation().walk([&](MatMulOp matmul) { split(matmul); });
  }

  void split(MatMulOp matmul);
  void split(ConvOp conv);
  template <typename Op> void takeApart(Op op);
  /// As few lines and rows as symbols are likely to leave.
  ProductSize leastOf(ProductSize size) const;
  /// Elements along the depth of a register.
  int64_t multiple = 0;
  SmallVector<ShapeSymbol> symbols;
};
} // namespace

/// f32 of static shape with elements.
static bool isSingle(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.getElementType().isF32() && type.hasStaticShape() &&
         type.getNumElements() > 0;
}

static bool areSplittable(Value lhs, Value rhs, Value result) {
  return isSingle(lhs) && isSingle(rhs) && isSingle(result) &&
         matchPattern(rhs, m_Constant()) && !matchPattern(lhs, m_Constant());
}

static std::optional<ProductSize> sizeOf(ConvOp conv) {
  if (!conv.isChannelsLast() || conv.getGroup() != 1 || conv.getPacked() ||
      conv.getWinograd() || conv.getBias() ||
      !areSplittable(conv.getInput(), conv.getFilter(), conv.getResult()))
    return std::nullopt;
  ArrayRef<int64_t> in = dimsOf(conv.getInput()),
                    out = dimsOf(conv.getResult());
  ArrayRef<int64_t> pads = conv.getPads(), strides = conv.getStrides();
  int64_t rank = conv.getSpatialRank(), last = rank - 1;
  int64_t width = in[rank] + pads[last] + pads[rank + last];
  ProductSize size{1,         out[rank], width,     *numElements(in),
                   in.back(), 1,         out.back()};
  if (rank > 1)
    size.pitch = strides[last - 1] * width / strides[last];
  for (int64_t extent : out.drop_back(2))
    size.lines *= extent;
  for (int64_t extent : conv.getKernelShape())
    size.taps *= extent;
  return size;
}

static std::optional<ProductSize> sizeOf(MatMulOp matmul) {
  Value lhs = matmul.getLhs(), rhs = matmul.getRhs();
  if (matmul.getPacked() || matmul.getAccumulator() ||
      !areSplittable(lhs, rhs, matmul.getResult()) || dimsOf(lhs).size() < 2 ||
      dimsOf(rhs).size() != 2)
    return std::nullopt;
  int64_t depth = dimsOf(lhs).back(), elements = *numElements(dimsOf(lhs));
  int64_t rows = dimsOf(lhs).end()[-2], lines = elements / depth / rows;
  return ProductSize{lines, rows, rows, elements, depth, 1, dimsOf(rhs).back()};
}

/// Makes a product the last of several, each with `part` of the depth. Returns
/// all of them.
static SmallVector<MatMulOp> cutDepth(MatMulOp last, int64_t part) {
  OpBuilder builder(last);
  GraphBuilder b(builder, last.getLoc());
  Value lhs = last.getLhs(), rhs = last.getRhs();
  int64_t depth = dimsOf(rhs).front(), columnAxis = dimsOf(lhs).size() - 1;
  if (part >= depth)
    return {last};
  SmallVector<MatMulOp> products;
  for (int64_t start = 0; start < depth; start += part) {
    int64_t end = std::min(depth, start + part);
    Value left = b.slice(lhs, columnAxis, start, end);
    Value right = b.slice(rhs, 0, start, end);
    if (end == depth) {
      last.getLhsMutable().assign(left);
      last.getRhsMutable().assign(right);
      products.push_back(last);
    } else {
      Value product = b.matmul(left, right);
      products.push_back(product.getDefiningOp<MatMulOp>());
    }
    if (start > 0)
      addToSums(products.back(), products.back().getEpilogue(),
                products.back().getEpilogueInputsMutable(),
                products.end()[-2].getResult());
  }
  return products;
}

template <typename Op> void SplitProducts::takeApart(Op op) {
  OpBuilder builder(op);
  GraphBuilder b(builder, op.getLoc());
  epilogueOf(op, op.getEpilogue());
  for (auto [operand, fromEnd] : {std::pair(0, 1), {1, 2}}) {
    OpOperand &use = op->getOpOperand(operand);
    int64_t axis = dimsOf(use.get()).size() - fromEnd;
    use.set(b.create<Bf16PiecesOp>(use.get(), axis, pieces, multiple));
  }
  op.setPieces(pieces);
}

void SplitProducts::split(MatMulOp matmul) {
  std::optional<ProductSize> size = sizeOf(matmul);
  CostModel model{pieces, target.getValue()};
  if (!size)
    return;
  // Few rows of an open number need not be multiplied by tiles. Weights that
  // only most rows have in pieces are not worth their memory.
  ProductSize least = leastOf(*size);
  bool areOpen = least.rows < size->rows;
  int64_t few = 1, all = size->rows * (areOpen ? 1 : size->lines);
  if (least.elements < size->elements)
    few = model.leastRows(*size, areOpen, multiple);
  bool leavesFew = few > 1 && 2 * few <= all;
  if (!force && !leavesFew && !model.pays(*size, least, multiple))
    return;
  int64_t part = model.depthOfPart(*size, multiple);
  for (MatMulOp product : cutDepth(matmul, part)) {
    takeApart(product);
    if (leavesFew)
      product.setFewRows(few);
  }
}

void SplitProducts::split(ConvOp conv) {
  std::optional<ProductSize> size = sizeOf(conv);
  CostModel model{pieces, target.getValue()};
  if (size && (force || model.pays(*size, leastOf(*size), multiple)))
    takeApart(conv);
}

ProductSize SplitProducts::leastOf(ProductSize size) const {
  for (const ShapeSymbol &symbol : symbols)
    size = size.least(symbol);
  return size;
}
