//===- PadFolds.cpp - padding done by the op that reads it ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Folds.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::glow;

/// The value that a constant pad writes; null if it is not known.
static TypedAttr paddingOf(PadOp pad) {
  Attribute value;
  if (!pad.getValue())
    return Builder(pad.getContext())
        .getZeroAttr(ScalarBuilder::signless(elementType(pad.getInput())));
  if (!matchPattern(pad.getValue(), m_Constant(&value)))
    return {};
  return repeatedElement(value);
}

static bool isZero(TypedAttr value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return number.getValue().isZero();
  return cast<IntegerAttr>(value).getValue().isZero();
}

static bool isMinusInfinity(TypedAttr value) {
  auto number = dyn_cast<FloatAttr>(value);
  return number && number.getValue().isInfinity() &&
         number.getValue().isNegative();
}

/// Would `op` itself pad with this value?
static bool padsWith(ConvOp op, TypedAttr value) { return isZero(value); }
static bool padsWith(PoolOp op, TypedAttr value) {
  // With ceil_mode windows start in what is padded, and not in own padding.
  if (op.getCeilMode())
    return false;
  if (op.getKind() == PoolKind::Max)
    return isMinusInfinity(value);
  // The padding counts as elements, which the op's own does only if told so.
  bool unpadded = llvm::all_of(op.getPads(), [](int64_t n) { return n == 0; });
  return isZero(value) && (unpadded || op.getCountIncludePad());
}

static void afterFolding(ConvOp) {}
static void afterFolding(PoolOp op) {
  if (op.getKind() == PoolKind::Average)
    op.setCountIncludePad(true);
}

namespace {

/// op(pad(x)) = op(x) with larger pads, for conv and pool.
template <typename Op> struct FoldPadInto : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto pad = op.getInput().template getDefiningOp<PadOp>();
    if (!pad || pad.getMode() != PadMode::Constant)
      return rewriter.notifyMatchFailure(op, "no constant padding");
    auto amounts = constantInts(pad.getPads());
    TypedAttr value = paddingOf(pad);
    if (!amounts || !value || !padsWith(op, value) ||
        llvm::any_of(*amounts, [](int64_t n) { return n < 0; }))
      return rewriter.notifyMatchFailure(op, "not what the op pads itself");
    int64_t rank = amounts->size() / 2, spatial = op.getSpatialRank();
    int64_t first = op.getFirstSpatialAxis();
    SmallVector<int64_t> pads(op.getPads());
    for (int64_t axis = 0; axis < rank; ++axis)
      for (int64_t end : {0, 1}) {
        int64_t amount = (*amounts)[end * rank + axis];
        bool isSpatial = axis >= first && axis < first + spatial;
        if (isSpatial)
          pads[end * spatial + axis - first] += amount;
        else if (amount != 0)
          return rewriter.notifyMatchFailure(op, "pads batch or channels");
      }
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputMutable().assign(pad.getInput());
      op.setPads(pads);
      afterFolding(op);
    });
    return success();
  }
};

} // namespace

void glow::populatePadFolds(RewritePatternSet &patterns) {
  patterns.add<FoldPadInto<ConvOp>, FoldPadInto<PoolOp>>(patterns.getContext());
}
