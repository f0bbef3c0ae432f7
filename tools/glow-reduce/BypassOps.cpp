//===- BypassOps.cpp - how graph ops are reduced --------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On its own MLIR's reducer erases ops, so nothing whose result is used. Here
// an op gives way to an operand of its result's type. The reducer wants the
// module to stay interesting, so that is tried on a copy first.
//
//===----------------------------------------------------------------------===//
#include "BypassOps.h"
#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Reducer/ReductionPatternInterface.h"
#include "mlir/Reducer/Tester.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
struct BypassOp : RewritePattern {
  BypassOp(MLIRContext *context, Tester &tester)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context),
        tester(tester) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa_and_nonnull<GlowDialect>(op->getDialect()) ||
        op->getNumResults() != 1)
      return failure();
    for (Value operand : op->getOperands())
      if (operand.getType() == op->getResult(0).getType() &&
          staysInteresting(op, operand)) {
        rewriter.replaceOp(op, operand);
        return success();
      }
    return failure();
  }

private:
  bool staysInteresting(Operation *op, Value replacement) const {
    IRMapping mapping;
    OwningOpRef<ModuleOp> copy(
        cast<ModuleOp>(op->getParentOfType<ModuleOp>()->clone(mapping)));
    Operation *twin = mapping.lookup(op);
    twin->getResult(0).replaceAllUsesWith(mapping.lookup(replacement));
    twin->erase();
    return tester.isInteresting(*copy).first == Tester::Interestingness::True;
  }

  Tester &tester;
};

struct GlowReductionPatterns : DialectReductionPatternInterface {
  explicit GlowReductionPatterns(Dialect *dialect)
      : DialectReductionPatternInterface(dialect) {}
  void populateReductionPatterns(RewritePatternSet &) const override {}
  void populateReductionPatternsWithTester(RewritePatternSet &patterns,
                                           Tester &tester) const override {
    patterns.add<BypassOp>(patterns.getContext(), tester);
  }
};
} // namespace

void glow::registerReductionPatterns(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, GlowDialect *dialect) {
    dialect->addInterfaces<GlowReductionPatterns>();
  });
}
