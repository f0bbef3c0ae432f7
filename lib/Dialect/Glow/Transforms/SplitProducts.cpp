//===- SplitProducts.cpp - f32 factors as sums of bf16 --------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tile registers multiply bf16 more than ten times as fast as vectors multiply
// f32, so six products of bf16 pieces, or three, are worth it where enough of
// them are made with each element that is taken apart.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace mlir::glow {
#define GEN_PASS_DEF_SPLITPRODUCTS
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

namespace {
/// A product of matrices, or a convolution as one.
struct ProductSize {
  /// Rows of the result, and neighbouring ones that tiles are made of.
  int64_t rows, together;
  /// Elements of the left-hand side, and the depth that they are taken apart
  /// along; the taps of a window repeat it.
  int64_t elements, depth, taps, columns;
};

/// Costs in cycles of one core, as far as they differ.
struct CostModel {
  int64_t pieces;
  const KernelTarget &target;

  /// Multiply-adds per cycle and the part of them that kernels reach: two
  /// vectors of 16, and 16 x 16 x 32 in 16 cycles.
  static constexpr double kVectorRate = 32 * 0.9, kTileRate = 512 * 0.6;
  /// Taking apart is bound by the cache: bytes read and written per cycle.
  static constexpr double kSplitBytes = 10;
  /// What must be gained at least, since all this is rough.
  static constexpr double kMargin = 1.1;
  /// Rows of a register, and those from which on one is worth loading.
  static constexpr int64_t kRegister = 16, kLeastRows = 8;

  double products() const { return pieces * (pieces + 1) / 2.0; }

  /// Weights that leave the second-level cache are waited for.
  double withWeights(double cycles, double bytes) const {
    return bytes > target.l2Bytes ? std::max(cycles, bytes / target.memoryBytes)
                                  : cycles;
  }

  bool pays(const ProductSize &size, int64_t multiple) const {
    double work = double(size.rows) * size.taps * size.depth * size.columns;
    double weights = double(size.taps) * size.depth * size.columns;
    double filled = double(llvm::alignTo(size.depth, multiple)) / size.depth *
                    llvm::alignTo(size.together, kRegister) / size.together *
                    llvm::alignTo(size.columns, kRegister) / size.columns;
    double vectors = withWeights(work / kVectorRate, 4 * weights);
    double tiles = withWeights(work * products() * filled / kTileRate,
                               2 * pieces * weights * filled) +
                   size.elements * (4 + 2 * pieces) / kSplitBytes;
    return size.together >= kLeastRows && tiles * kMargin < vectors;
  }
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
    getOperation().walk([&](ConvOp conv) { split(conv); });
    getOperation().walk([&](MatMulOp matmul) { split(matmul); });
  }

  template <typename Op> void split(Op op);
  /// Elements along the depth of a register.
  int64_t multiple = 0;
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
  ProductSize size{1, out[out.size() - 2], *numElements(in), in.back(),
                   1, out.back()};
  for (int64_t extent : out.drop_back())
    size.rows *= extent;
  bool isDense = llvm::all_of(conv.getStrides(), [](auto s) { return s == 1; });
  for (int64_t extent : conv.getKernelShape())
    size.taps *= extent;
  // Without a window all places are rows side by side.
  if (size.taps == 1 && isDense &&
      llvm::all_of(conv.getPads(), [](auto pad) { return pad == 0; }))
    size.together = size.rows;
  return size;
}

static std::optional<ProductSize> sizeOf(MatMulOp matmul) {
  Value lhs = matmul.getLhs(), rhs = matmul.getRhs();
  if (matmul.getPacked() || matmul.getAccumulator() ||
      !areSplittable(lhs, rhs, matmul.getResult()) || dimsOf(lhs).size() < 2 ||
      dimsOf(rhs).size() != 2)
    return std::nullopt;
  int64_t depth = dimsOf(lhs).back(), elements = *numElements(dimsOf(lhs));
  return ProductSize{elements / depth,  elements / depth, elements, depth, 1,
                     dimsOf(rhs).back()};
}

template <typename Op> void SplitProducts::split(Op op) {
  std::optional<ProductSize> size = sizeOf(op);
  CostModel model{pieces, target.getValue()};
  if (!size || (!force && !model.pays(*size, multiple)))
    return;
  OpBuilder builder(op);
  GraphBuilder b(builder, op.getLoc());
  Type single = builder.getF32Type();
  if (op.getEpilogue().empty()) {
    // It says in which type sums and results are.
    OpBuilder::InsertionGuard guard(builder);
    Block *block =
        builder.createBlock(&op.getEpilogue(), {}, single, op.getLoc());
    YieldOp::create(builder, op.getLoc(), block->getArgument(0));
  }
  for (auto [operand, fromEnd] : {std::pair(0, 1), {1, 2}}) {
    OpOperand &use = op->getOpOperand(operand);
    int64_t axis = dimsOf(use.get()).size() - fromEnd;
    use.set(b.create<Bf16PiecesOp>(use.get(), axis, pieces, multiple));
  }
  op.setPieces(pieces);
}
