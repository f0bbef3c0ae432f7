//===- InstToKernels.cpp - the kernel interface of the instructions -------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Conversion/InstToKernels/InstToKernels.h"
#include "Models.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
/// Implements the interface by the kernel that `makeKernel` returns.
template <typename Op>
struct KernelModel : KernelOpInterface::ExternalModel<KernelModel<Op>, Op> {
  int64_t getNumTickets(Operation *op, const KernelTarget &target) const {
    return makeKernel(cast<Op>(op), target)->tickets();
  }
  LogicalResult emitKernel(Operation *op, OpBuilder &builder,
                           ValueRange buffers, Value begin, Value end,
                           const KernelTarget &target) const {
    KernelBuilder kernels(builder, op->getLoc(), target);
    makeKernel(cast<Op>(op), target)->emit(kernels, buffers, begin, end);
    return success();
  }
  int64_t getFlops(Operation *op) const {
    return makeKernel(cast<Op>(op), KernelTarget())->flops();
  }
};

template <typename... Ops> void attachModels(MLIRContext *context) {
  (Ops::template attachInterface<KernelModel<Ops>>(*context), ...);
}
} // namespace

void glow::registerKernelInterfaces(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, inst::InstDialect *) {
    context->loadDialect<scf::SCFDialect, vector::VectorDialect>();
    attachModels<inst::CopyOp, inst::FillOp, inst::MapOp, inst::ReduceOp,
                 inst::ArgReduceOp, inst::CumSumOp, inst::TopKOp,
                 inst::GatherOp, inst::GatherElementsOp, inst::GatherNDOp,
                 inst::ScatterElementsOp, inst::ScatterNDOp, inst::ConvOp,
                 inst::MatMulOp, inst::PoolOp>(context);
  });
}
