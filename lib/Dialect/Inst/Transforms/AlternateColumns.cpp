//===- AlternateColumns.cpp - products forth and back ---------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "glow/Kernels/KernelBuilder.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_ALTERNATECOLUMNS
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// Products of more rows do not wait for the matrix.
static constexpr int64_t kFewRows = 16;

/// A smaller part of the second-level cache is still there as a whole.
static constexpr double kWholePart = 0.75;

static bool waitsForMatrix(MatMulOp op, const KernelTarget &target) {
  BufferShape rhs(op.getRhs()), out(op.getOutput());
  return rhs.elements() * rhs.bytes() > kWholePart * target.l2Bytes &&
         out.elements() <= kFewRows * out.shape.back();
}

namespace {
struct AlternateColumns
    : public mlir::glow::inst::impl::AlternateColumnsBase<AlternateColumns> {
  using AlternateColumnsBase::AlternateColumnsBase;

  void runOnOperation() override {
    // Every other step of sequences, each of which reads the same.
    bool isStep = getOperation()->hasAttr(GlowDialect::kStepsAttrName);
    for (Block &block : getOperation().getBody()) {
      llvm::SmallDenseSet<Value> readForwards;
      for (auto op : block.getOps<MatMulOp>()) {
        if (!waitsForMatrix(op, target))
          continue;
        bool isBackwards = readForwards.erase(op.getRhs()) || isStep;
        op.setBackwards(isBackwards);
        if (!isBackwards)
          readForwards.insert(op.getRhs());
      }
    }
  }
};
} // namespace
