//===- MemoryToHabana.cpp - buffers, views, copies, fills -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Patterns.h"
#include "Staging.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::glow::habana;
namespace inst = mlir::glow::inst;

namespace {
struct ConstantToAlloc : OpRewritePattern<inst::ConstantOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(inst::ConstantOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<AllocOp>(
        op, op.getType(), Section::Constants, /*offset=*/nullptr,
        /*index=*/nullptr, /*name=*/nullptr, op.getValueAttr());
    return success();
  }
};

/// A view counts from its root, as a cast of the root does.
struct ViewToCast : OpRewritePattern<inst::ViewOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(inst::ViewOp op,
                                PatternRewriter &rewriter) const override {
    Strided layout = stridedOf(op.getType());
    rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
        op, cast<MemRefType>(op.getType()), op.getSource(), layout.offset,
        cast<MemRefType>(op.getType()).getShape(), layout.strides);
    return success();
  }
};

struct CopyToDma : OpRewritePattern<inst::CopyOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(inst::CopyOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<DmaOp>(op, op.getSource(), op.getDestination());
    return success();
  }
};

struct FillToFill : OpRewritePattern<inst::FillOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(inst::FillOp op,
                                PatternRewriter &rewriter) const override {
    auto value = dyn_cast<FloatAttr>(op.getValue());
    if (!value || !op.getFurther().empty())
      return rewriter.notifyMatchFailure(op, "not one buffer of floats");
    rewriter.replaceOpWithNewOp<FillOp>(op, op.getDestination(), value);
    return success();
  }
};

struct EraseDealloc : OpRewritePattern<inst::DeallocOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(inst::DeallocOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void glow::habana::populateMemoryPatterns(RewritePatternSet &patterns) {
  patterns
      .add<ConstantToAlloc, ViewToCast, CopyToDma, FillToFill, EraseDealloc>(
          patterns.getContext());
}
