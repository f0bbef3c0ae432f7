//===- VerifyGraph.cpp - MLIR's verifiers, where they are wanted ----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "mlir/IR/Verifier.h"

namespace mlir::glow {
#define GEN_PASS_DEF_VERIFYGRAPH
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

namespace {
struct VerifyGraph : glow::impl::VerifyGraphBase<VerifyGraph> {
  void runOnOperation() override {
    if (failed(verify(getOperation())))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
