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

static bool isDynamic(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

/// Reports the function's inputs of unknown shape.
static LogicalResult verifyArguments(func::FuncOp function) {
  bool failedAny = false;
  for (BlockArgument argument : function.getArguments()) {
    if (!isDynamic(argument.getType()))
      continue;
    unsigned number = argument.getArgNumber();
    auto name = function.getArgAttrOfType<StringAttr>(
        number, GlowDialect::kNameAttrName);
    failedAny = true;
    emitError(argument.getLoc())
        << "input '" << (name ? name.str() : std::to_string(number))
        << "' has type " << argument.getType()
        << ", but every shape must be known here; fix it, for example with "
           "--shape";
  }
  return failure(failedAny);
}

/// Reports everything that is wrong with one op of the graph dialect.
/// Shapes are its own fault only if the inputs' are known.
static LogicalResult verifyOp(Operation *op, const KeptOps &kept,
                              bool staticInputs) {
  bool failedAny = false;
  for (Type type : op->getResultTypes())
    if (isDynamic(type) && staticInputs) {
      op->emitOpError("result has type ")
          << type
          << ", which depends on values that are not known before run "
             "time; this is not supported";
      failedAny = true;
    }
  if (isa<ScalarBodyOpInterface>(op)) {
    op->emitOpError("is an element-wise op outside a glow.map; run "
                    "glow-fuse-elementwise");
    failedAny = true;
  }
  auto composite = dyn_cast<DecomposeOpInterface>(op);
  if (composite && composite.isComposite() && !kept.contains(op)) {
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
    bool staticInputs = succeeded(verifyArguments(function));
    bool failedAny = !staticInputs;
    Dialect *dialect = getContext().getLoadedDialect<GlowDialect>();
    // Not into the regions: they hold scalars.
    for (Block &block : function.getBody())
      for (Operation &op : block)
        if (op.getDialect() == dialect)
          failedAny |= failed(verifyOp(&op, kept, staticInputs));
    if (failedAny)
      signalPassFailure();
    else
      markAllAnalysesPreserved();
  }
};
} // namespace
