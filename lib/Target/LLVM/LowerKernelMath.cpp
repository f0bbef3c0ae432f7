//===- LowerKernelMath.cpp - functions of vectors as polynomials ----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NarrowFloats.h"
#include "glow/Kernels/Kernels.h"
#include "glow/Support/Rewrite.h"
#include "glow/Target/LLVM/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::glow {
#define GEN_PASS_DEF_LOWERKERNELMATH
#include "glow/Target/LLVM/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;

namespace {
struct LowerKernelMath : glow::impl::LowerKernelMathBase<LowerKernelMath> {
  using LowerKernelMathBase::LowerKernelMathBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    glow::populateKernelMathPatterns(patterns, scalesVectors);
    glow::populateNarrowFloatPatterns(patterns);
    // LLVM would call a function for every element.
    if (!convertsBfloat16)
      arith::populateExpandBFloat16Patterns(patterns);
    else if (flushesBfloat16)
      glow::populateRoundToBfloat16Patterns(patterns);
    if (failed(glow::rewriteAll(getOperation(), std::move(patterns),
                                "lowering mathematical functions")))
      signalPassFailure();
  }
};
} // namespace
