//===- NarrowWeights.cpp - weights of fewer bits for few rows -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of few rows take as long as reading their weights, if those come
// from memory. Numbers of 24 bits are three quarters of them, bf16 half.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Glow/IR/RefineTypes.h"
#include "glow/Dialect/Glow/Transforms/Epilogues.h"
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Interpreter/ConstantFolding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/bit.h"

namespace mlir::glow {
#define GEN_PASS_DEF_NARROWWEIGHTS
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

/// Rows of one tile in registers: more would widen weights again.
static constexpr int64_t kMostRows = 8;
/// Panels of fewer columns are mostly empty, and are not made in advance.
static constexpr int64_t kLeastColumns = 8;
/// The part of the second-level cache that weights take which stay there.
static constexpr int64_t kSmall = 8;

/// A dense product of f32 whose weights could be narrowed.
static bool isProduct(ConvOp conv) {
  return conv.isChannelsLast() && conv.getGroup() == 1 && !conv.getPacked() &&
         !conv.getWinograd() && !conv.getPieces() && !conv.getBias();
}
static bool isProduct(MatMulOp matmul) {
  return !matmul.getPacked() && !matmul.getPieces() &&
         !matmul.getAccumulator() && dimsOf(matmul.getLhs()).size() >= 2 &&
         dimsOf(matmul.getRhs()).size() == 2;
}

/// Bytes of weights that are constants of f32, else 0.
static int64_t weightBytes(Value weights) {
  return elementType(weights).isF32() && succeeded(constantValue(weights))
             ? *numElements(dimsOf(weights)) * sizeof(float)
             : 0;
}

/// Whether all numbers are finite, and those of each column in the mean so near
/// its largest one that what 24 bits cannot tell from 2^-31 of it does not
/// count beside rounding.
static bool fitsScales(Value weights) {
  constexpr int kMostBelow = 12, kInfinite = 0xff;
  FailureOr<Tensor> tensor =
      Tensor::fromAttribute(weights.getLoc(), *constantValue(weights));
  if (failed(tensor))
    return false;
  int64_t columns = dimsOf(weights).back();
  std::vector<int32_t> largest(columns), counts(columns);
  std::vector<int64_t> sums(columns);
  ArrayRef<float> numbers(reinterpret_cast<const float *>(tensor->bytes()),
                          tensor->size());
  for (size_t row = 0; row < numbers.size(); row += columns)
    for (int64_t c = 0; c < columns; ++c) {
      auto bits = llvm::bit_cast<uint32_t>(numbers[row + c]);
      int32_t exponent = bits >> 23 & 0xff;
      largest[c] = std::max(largest[c], exponent);
      sums[c] += exponent;
      counts[c] += exponent > 0;
    }
  return llvm::all_of(llvm::zip(largest, sums, counts), [](auto column) {
    auto [most, sum, count] = column;
    return most < kInfinite && (count == 0 || most - sum / count <= kMostBelow);
  });
}

static bool hasFewRows(Value result) {
  auto type = cast<RankedTensorType>(result.getType());
  return type.hasStaticShape() &&
         type.getNumElements() <= kMostRows * type.getShape().back();
}

/// Multiplies the sums, before all else, by the scale of their column.
template <typename Op> static void scaleSums(Op op, Value scales) {
  Block &epilogue = epilogueOf(op, op.getEpilogue());
  Value sum = epilogue.getArgument(0);
  op.getEpilogueInputsMutable().append(scales);
  Value scale = epilogue.addArgument(sum.getType(), op.getLoc());
  auto builder = OpBuilder::atBlockBegin(&epilogue);
  auto scaled = arith::MulFOp::create(builder, op.getLoc(), sum, scale);
  sum.replaceAllUsesExcept(scaled, scaled);
}

namespace {
struct NarrowWeights : glow::impl::NarrowWeightsBase<NarrowWeights> {
  using NarrowWeightsBase::NarrowWeightsBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (bits == 24 || bits == 16)
      return success();
    return emitError(UnknownLoc::get(context))
           << "weights have 24 or 16 bits, not " << bits.getValue();
  }

  void runOnOperation() override {
    const KernelTarget &machine = target.getValue();
    leastBytes = machine.l1Bytes;
    if (bits == 24) {
      // Widening takes its time: one instruction must put bytes in their
      // places, and weights come from beyond the second-level cache.
      if (!machine.has("avx512vbmi") || allWeightBytes() <= machine.l2Bytes)
        return;
      leastBytes = machine.l2Bytes / kSmall;
    }
    getOperation().walk([&](ConvOp conv) { narrow(conv); });
    getOperation().walk([&](MatMulOp matmul) { narrow(matmul); });
  }

  int64_t allWeightBytes() {
    int64_t bytes = 0;
    llvm::DenseSet<Value> counted;
    getOperation().walk([&](Operation *op) {
      if (isa<ConvOp, MatMulOp>(op) && counted.insert(op->getOperand(1)).second)
        bytes += weightBytes(op->getOperand(1));
    });
    return bytes;
  }

  template <typename Op> void narrow(Op op) {
    Value weights = op->getOperand(1);
    // Steps of a recurrence read weights again while they are near.
    auto function = dyn_cast<func::FuncOp>(op->getParentOp());
    bool isReadOnce = weights.hasOneUse() && function && !isLoopBody(function);
    if (!isProduct(op) || !isReadOnce || !hasFewRows(op.getResult()) ||
        !elementType(op->getOperand(0)).isF32() ||
        !elementType(op.getResult()).isF32() ||
        weightBytes(weights) < leastBytes ||
        dimsOf(weights).back() < kLeastColumns)
      return;
    if (bits == 16)
      round(op);
    else if (fitsScales(weights))
      narrowWithScales(op);
    else
      return;
    if constexpr (std::is_same_v<Op, MatMulOp>)
      op.setAccumulator(elementType(op.getLhs()));
  }

  void round(Operation *op) {
    OpBuilder builder(op);
    op->setOperand(1, CastOp::create(builder, op->getLoc(), op->getOperand(1),
                                     builder.getBF16Type()));
  }

  template <typename Op> void narrowWithScales(Op op) {
    Value weights = op->getOperand(1);
    OpBuilder builder(op);
    GraphBuilder b(builder, op.getLoc());
    ArrayRef<int64_t> dims = dimsOf(weights);
    Value matrix =
        dims.size() > 2 ? b.reshape(weights, {-1, dims.back()}) : weights;
    auto numbers = NarrowWeightsOp::create(builder, op.getLoc(), matrix);
    Value result = numbers.getResult();
    op->setOperand(1, dims.size() > 2 ? b.reshape(result, dims) : result);
    scaleSums(op, numbers.getScales());
  }

  /// Of weights that take longer to read than to multiply.
  int64_t leastBytes = 0;
};
} // namespace
