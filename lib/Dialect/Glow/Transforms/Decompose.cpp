//===- Decompose.cpp - composite ops become primitive ones ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each composite op knows its own decomposition (DecomposeOpInterface); the
// pass only decides which ones stay. The methods are in Decompose<Family>.cpp.
//
//===----------------------------------------------------------------------===//
#include "KeptOps.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"

namespace mlir::glow {
#define GEN_PASS_DEF_DECOMPOSE
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

/// Replaces one op. The new values get the op's own types, which may know more
/// dimensions than inference finds from the parts.
static LogicalResult decomposeOp(DecomposeOpInterface op) {
  OpBuilder builder(op);
  FailureOr<SmallVector<Value>> values = op.decompose(builder);
  if (failed(values))
    return failure();
  for (auto [value, result] : llvm::zip_equal(*values, op->getResults()))
    value.setType(result.getType());
  op->replaceAllUsesWith(*values);
  op->erase();
  return success();
}

namespace {
struct Decompose : glow::impl::DecomposeBase<Decompose> {
  using DecomposeBase::DecomposeBase;

  LogicalResult initialize(MLIRContext *context) override {
    for (const std::string &name : keep)
      if (!RegisteredOperationName::lookup(name, context))
        return emitError(UnknownLoc::get(context))
               << "cannot keep '" << name << "': there is no such op";
    return success();
  }

  void runOnOperation() override {
    KeptOps kept(getOperation(), *keep);
    // A decomposition may use composite ops itself, so look again until none
    // is left.
    while (true) {
      SmallVector<DecomposeOpInterface> ops;
      getOperation().walk([&](DecomposeOpInterface op) {
        if (op.isComposite() && !kept.contains(op))
          ops.push_back(op);
      });
      if (ops.empty())
        return;
      bool failedAny = false;
      for (DecomposeOpInterface op : ops)
        failedAny |= failed(decomposeOp(op));
      if (failedAny)
        return signalPassFailure();
    }
  }
};
} // namespace
