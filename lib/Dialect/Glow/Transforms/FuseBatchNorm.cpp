//===- FuseBatchNorm.cpp - batch normalisation into weights ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line per channel after a contraction is the same contraction with scaled
// weights and another bias. The new weights are written as ops on constants,
// which `glow-fold-constants` evaluates.
//
//===----------------------------------------------------------------------===//
#include "BatchNorm.h"
#include "ConvWeights.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Support/Rewrite.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::glow {
#define GEN_PASS_DEF_FUSEBATCHNORM
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

static bool isKnown(Value value) { return isComputedFromConstants(value); }
static bool isKnownOrAbsent(Value value) { return !value || isKnown(value); }

/// `weights` times the factor of each channel; channels are on `axis`.
static Value scaleWeights(GraphBuilder &b, Value weights, Value factor,
                          int64_t axis) {
  factor = b.castTo(factor, elementType(weights));
  return b.mul(weights, b.alongAxis(factor, axis, dimsOf(weights).size()));
}

/// bias factor + offset, in the element type of `like`.
static Value lineOfBias(GraphBuilder &b, Value bias, const ChannelLine &line,
                        Value like) {
  Value result = line.offset;
  if (bias)
    result = b.add(b.mul(b.castTo(bias, elementType(line.factor)), line.factor),
                   result);
  return b.castTo(result, elementType(like));
}

namespace {

/// Common to the patterns: op(batch_norm(producer)), with constant parameters
/// and nobody else reading the producer.
template <typename Producer>
struct FuseBatchNormInto : OpRewritePattern<BatchNormOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BatchNormOp op,
                                PatternRewriter &rewriter) const override {
    auto producer = op.getInput().getDefiningOp<Producer>();
    if (!producer || !producer->hasOneUse() || !isFusible(producer))
      return rewriter.notifyMatchFailure(op, "no producer to fuse into");
    if (!llvm::all_of(op->getOperands().drop_front(), isKnown))
      return rewriter.notifyMatchFailure(op, "parameters are not constant");
    GraphBuilder b(rewriter,
                   rewriter.getFusedLoc({producer.getLoc(), op.getLoc()}));
    ChannelLine line = channelLine(b, op);
    Value result = fuse(b, producer, line);
    result.setType(op.getType());
    rewriter.replaceOp(op, result);
    return success();
  }

  static bool isFusible(Producer producer);
  static Value fuse(GraphBuilder &b, Producer producer,
                    const ChannelLine &line);
};

} // namespace

template <> bool FuseBatchNormInto<ConvOp>::isFusible(ConvOp conv) {
  return hasPlainWeights(conv);
}
template <>
Value FuseBatchNormInto<ConvOp>::fuse(GraphBuilder &b, ConvOp conv,
                                      const ChannelLine &line) {
  return withWeights(b, conv, scaleWeights(b, conv.getFilter(), line.factor, 0),
                     lineOfBias(b, conv.getBias(), line, conv.getFilter()));
}

/// In groups, an input channel would meet only its group's factors.
template <>
bool FuseBatchNormInto<ConvTransposeOp>::isFusible(ConvTransposeOp conv) {
  return isKnown(conv.getFilter()) && isKnownOrAbsent(conv.getBias()) &&
         conv.getGroup() == 1;
}
template <>
Value FuseBatchNormInto<ConvTransposeOp>::fuse(GraphBuilder &b,
                                               ConvTransposeOp conv,
                                               const ChannelLine &line) {
  return b.create<ConvTransposeOp>(
      conv.getInput(), scaleWeights(b, conv.getFilter(), line.factor, 1),
      lineOfBias(b, conv.getBias(), line, conv.getFilter()),
      conv.getStridesAttr(), conv.getPadsAttr(), conv.getDilationsAttr(),
      conv.getOutputPaddingAttr(), conv.getGroupAttr());
}

template <> bool FuseBatchNormInto<GemmOp>::isFusible(GemmOp gemm) {
  return isKnown(gemm.getB()) && isKnownOrAbsent(gemm.getC());
}
template <>
Value FuseBatchNormInto<GemmOp>::fuse(GraphBuilder &b, GemmOp gemm,
                                      const ChannelLine &line) {
  Value bias = gemm.getC();
  if (bias)
    bias = b.mul(bias,
                 b.scalar(gemm.getBeta().convertToDouble(), elementType(bias)));
  return b.create<GemmOp>(
      gemm.getA(),
      scaleWeights(b, gemm.getB(), line.factor, gemm.getTransB() ? 0 : 1),
      lineOfBias(b, bias, line, gemm.getB()), gemm.getAlpha(), APFloat(1.0),
      gemm.getTransA(), gemm.getTransB());
}

template <> bool FuseBatchNormInto<MatMulOp>::isFusible(MatMulOp matmul) {
  return isKnown(matmul.getRhs()) && dimsOf(matmul.getRhs()).size() == 2 &&
         dimsOf(matmul.getResult()).size() == 2 &&
         matmul.getEpilogue().empty() && !matmul.getPacked() &&
         !matmul.getAccumulator();
}
template <>
Value FuseBatchNormInto<MatMulOp>::fuse(GraphBuilder &b, MatMulOp matmul,
                                        const ChannelLine &line) {
  Value product = b.matmul(matmul.getLhs(),
                           scaleWeights(b, matmul.getRhs(), line.factor, 1));
  return b.add(product, lineOfBias(b, Value(), line, product));
}

namespace {
struct FuseBatchNorm : glow::impl::FuseBatchNormBase<FuseBatchNorm> {
  using FuseBatchNormBase::FuseBatchNormBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FuseBatchNormInto<ConvOp>, FuseBatchNormInto<ConvTransposeOp>,
                 FuseBatchNormInto<GemmOp>, FuseBatchNormInto<MatMulOp>>(
        &getContext());
    if (failed(rewriteAll(getOperation(), std::move(patterns),
                          "fusing batch normalizations")))
      signalPassFailure();
  }
};
} // namespace
