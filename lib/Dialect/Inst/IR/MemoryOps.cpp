//===- MemoryOps.cpp - allocation, constants and views --------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MostElements.h"
#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

#define GET_OP_CLASSES
#include "glow/Dialect/Inst/IR/InstMemoryOps.cpp.inc"

void InstDialect::registerMemoryOps() {
  addOperations<
#define GET_OP_LIST
#include "glow/Dialect/Inst/IR/InstMemoryOps.cpp.inc"
      >();
}

LogicalResult AllocOp::verify() {
  if (!getResult().getType().getLayout().isIdentity())
    return emitOpError("allocates dense buffers only, not ")
           << getResult().getType();
  int64_t offset = getOffset().value_or(0);
  if (offset < 0 || offset > kMostBytes)
    return emitOpError("offset must not be ")
           << (offset < 0 ? "negative" : "so large");
  return success();
}

LogicalResult DeallocOp::verify() {
  if (!getBuffer().getDefiningOp<AllocOp>())
    return emitOpError("frees only the result of an alloc, not a view or an "
                       "argument");
  return success();
}

LogicalResult ConstantOp::verify() {
  auto type = cast<ShapedType>(getValue().getType());
  auto buffer = cast<MemRefType>(getResult().getType());
  Type element = storedAs(type.getElementType());
  if (type.getShape() != buffer.getShape() ||
      element != buffer.getElementType() || !buffer.getLayout().isIdentity())
    return emitOpError("value ") << type << " does not fill a dense " << buffer;
  return success();
}

Value ViewOp::getViewSource() { return getSource(); }
Value ViewOp::getViewDest() { return getResult(); }

LogicalResult ViewOp::verify() {
  Value root = rootBuffer(getSource());
  auto source = cast<MemRefType>(root.getType());
  auto type = cast<MemRefType>(getResult().getType());
  if (source.getMemorySpace() != type.getMemorySpace())
    return emitOpError("changes the memory space");
  if (type.getNumElements() == 0)
    return success();
  StridedLayout layout = layoutOf(getResult());
  int64_t low = layout.offset, high = layout.offset;
  for (auto [extent, stride] : llvm::zip(type.getShape(), layout.strides))
    (stride < 0 ? low : high) += (extent - 1) * stride;
  int64_t bytes = bufferBytes(root);
  if (low < 0 || (high + 1) * elementBytes(type.getElementType()) > bytes)
    return emitOpError("covers elements ")
           << low << " to " << high << " of " << type.getElementType()
           << ", outside the " << bytes << " bytes of " << source;
  return success();
}

OpFoldResult ViewOp::fold(FoldAdaptor) {
  return getSource().getType() == getType() ? getSource() : Value();
}

namespace {
/// view(view(x)) = view(x), since views count from the root.
struct MergeViews : OpRewritePattern<ViewOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ViewOp op,
                                PatternRewriter &rewriter) const override {
    Value root = rootBuffer(op.getSource());
    if (root == op.getSource())
      return rewriter.notifyMatchFailure(op, "already views the root");
    rewriter.modifyOpInPlace(op, [&] { op.getSourceMutable().assign(root); });
    return success();
  }
};
} // namespace

void ViewOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<MergeViews>(context);
}
