//===- InstToKernels.cpp - the kernel interface of the instructions -------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Conversion/InstToKernels/InstToKernels.h"
#include "glow/Dialect/Inst/IR/InstOpList.h"
#include "glow/Kernels/Kernels.h"
#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
/// Implements the interface by the instruction's own kernel.
template <typename Op>
struct KernelModel : KernelOpInterface::ExternalModel<KernelModel<Op>, Op> {
  int64_t getNumTickets(Operation *op, const KernelTarget &target) const {
    return cast<Op>(op).makeKernel(target)->tickets();
  }
  LogicalResult emitKernel(Operation *op, OpBuilder &builder,
                           ValueRange buffers, Value begin, Value end,
                           const KernelTarget &target) const {
    KernelBuilder kernels(builder, op->getLoc(), target);
    cast<Op>(op).makeKernel(target)->emit(kernels, buffers, begin, end);
    return success();
  }
  int64_t getFlops(Operation *op) const {
    return cast<Op>(op).makeKernel(KernelTarget())->flops();
  }
};
} // namespace

void glow::registerKernelInterfaces(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, inst::InstDialect *) {
    context->loadDialect<scf::SCFDialect, vector::VectorDialect,
                         x86vector::X86VectorDialect, amx::AMXDialect>();
    inst::InstOps::attach<HasKernel, KernelModel>(*context);
  });
}
