//===- TestEmitKernels.cpp - kernels in the place of instructions ---------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shows what the generators emit without the code around it: each instruction
// is replaced by the serial run of all its tickets.
//
//===----------------------------------------------------------------------===//
#include "glow/Conversion/InstToKernels/InstToKernels.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "glow/Dialect/Inst/IR/WorkLimits.h"
#include "glow/Kernels/Kernels.h"
#include "glow/Support/Rewrite.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
struct TestEmitKernels : PassWrapper<TestEmitKernels, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestEmitKernels)
  TestEmitKernels() = default;
  TestEmitKernels(const TestEmitKernels &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "glow-test-emit-kernels"; }
  StringRef getDescription() const override {
    return "Replace instructions by their kernels' code";
  }

  void runOnOperation() override {
    WalkResult result = getOperation().walk([&](KernelOpInterface op) {
      return succeeded(replace(op, target)) ? WalkResult::advance()
                                            : WalkResult::interrupt();
    });
    RewritePatternSet patterns(&getContext());
    if (math)
      populateKernelMathPatterns(patterns);
    if (result.wasInterrupted() ||
        failed(rewriteAll(getOperation(), std::move(patterns),
                          "lowering mathematical functions")))
      signalPassFailure();
  }

  LogicalResult replace(KernelOpInterface op, const KernelTarget &target) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Value begin = arith::ConstantIndexOp::create(builder, loc, 0);
    Value end =
        arith::ConstantIndexOp::create(builder, loc, op.getNumTickets(target));
    SmallVector<Value> buffers(op->getOperands());
    llvm::append_range(buffers, inst::limitOperandsOf(op));
    if (failed(op.emitKernel(builder, buffers, begin, end, target)))
      return failure();
    op->erase();
    return success();
  }

  static KernelTarget avx512() {
    KernelTarget target;
    target.vectorBits = 512;
    target.vectorRegisters = 32;
    target.fma = true;
    return target;
  }
  Option<KernelTarget> target{*this, "target", llvm::cl::init(avx512())};
  Option<bool> math{*this, "math", llvm::cl::init(false),
                    llvm::cl::desc("Lower mathematical functions too")};
};
} // namespace

void glow::registerTestEmitKernelsPass() {
  PassRegistration<TestEmitKernels>();
}
