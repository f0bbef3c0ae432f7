//===- VerifyLoweredGraph.cpp - what the graph stage promises -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KeptOps.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"

namespace mlir::glow {
#define GEN_PASS_DEF_VERIFYLOWEREDGRAPH
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

static LogicalResult verifyStatic(Operation *op, Type type, StringRef what) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.hasStaticShape())
    return success();
  return op->emitOpError(what)
         << " has type " << type
         << ", but every shape must be known here; fix the shapes of the "
            "model's inputs, for example with --shape";
}

/// Reports everything that is wrong with one op of the graph dialect.
static LogicalResult verifyOp(Operation *op, const KeptOps &kept) {
  bool failedAny = false;
  for (Type type : op->getResultTypes())
    failedAny |= failed(verifyStatic(op, type, "result"));
  if (isa<ScalarBodyOpInterface>(op)) {
    op->emitOpError("is an element-wise op outside a glow.map; run "
                    "glow-fuse-elementwise");
    failedAny = true;
  }
  auto composite = dyn_cast<DecomposeOpInterface>(op);
  if (composite && composite.isComposite() &&
      !kept.contains(op)) {
    op->emitOpError("is a composite op that the target does not have; run "
                    "glow-decompose");
    failedAny = true;
  }
  return failure(failedAny);
}

namespace {
struct VerifyLoweredGraph
    : glow::impl::VerifyLoweredGraphBase<VerifyLoweredGraph> {
  using VerifyLoweredGraphBase::VerifyLoweredGraphBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    KeptOps kept(function, *keep);
    bool failedAny = false;
    for (Type type : function.getArgumentTypes())
      failedAny |= failed(verifyStatic(function, type, "argument"));
    Dialect *dialect = getContext().getLoadedDialect<GlowDialect>();
    // Not into the regions: they hold scalars.
    for (Block &block : function.getBody())
      for (Operation &op : block)
        if (op.getDialect() == dialect)
          failedAny |= failed(verifyOp(&op, kept));
    if (failedAny)
      signalPassFailure();
    else
      markAllAnalysesPreserved();
  }
};
} // namespace
