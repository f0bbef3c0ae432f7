//===- InstToKernels.cpp - the kernel interface of the instructions -------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Conversion/InstToKernels/InstToKernels.h"
#include "glow/Dialect/Inst/IR/InstOpList.h"
#include "glow/Dialect/Inst/IR/Pitch.h"
#include "glow/Dialect/Inst/IR/WorkLimits.h"
#include "glow/Kernels/LoopNest.h"
#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"

using namespace mlir;
using namespace mlir::glow;

BoundedAxes glow::boundedAxesOf(Operation *op) {
  BoundedAxes axes;
  if (AffineMap limits = inst::limitsOf(op))
    for (auto [axis, extent] : llvm::enumerate(limits.getResults()))
      if (!isa<AffineConstantExpr>(extent))
        axes.insert(axis);
  return axes;
}

/// Computes the extents of an instruction's output, and its unit, from the last
/// buffers, see limitOperandsOf. Returns the others.
static ValueRange readExtents(Operation *op, KernelBuilder &b,
                              ValueRange buffers) {
  AffineMap limits = inst::symbolMapOf(op);
  auto read = [&](Value buffer, unsigned count) {
    KernelBuffer opened = b.open(buffer);
    SmallVector<Value> values;
    for (unsigned i = 0; i < count; ++i)
      values.push_back(b.toIndex(b.load(opened, b.index(i))));
    return values;
  };
  SmallVector<Value> symbols = read(buffers.back(), limits.getNumSymbols()),
                     point;
  buffers = buffers.drop_back();
  if (limits.getNumDims()) {
    point = read(buffers.back(), 1);
    buffers = buffers.drop_back();
  }
  if (AffineMap unit = inst::unitOf(op))
    b.unit = affine::expandAffineExpr(b.builder, b.loc, unit.getResult(0), {},
                                      symbols);
  for (int64_t axis : boundedAxesOf(op))
    // A mask may compare positions with less than nothing, and a point may lie
    // beyond what there is.
    b.extents[axis] =
        b.max(b.index(0),
              affine::expandAffineExpr(b.builder, b.loc, limits.getResult(axis),
                                       point, symbols));
  return buffers;
}

/// Reads how far an instruction goes from its last operand, if it has such a
/// one. Returns the others.
static ValueRange readCount(Operation *op, KernelBuilder &b,
                            ValueRange buffers) {
  auto counted = dyn_cast<CountedOpInterface>(op);
  if (!counted || !counted.getCount())
    return buffers;
  Value count = b.load(b.open(buffers.back()), b.index(0));
  b.extents[LoopAxis::kCounted] = b.max(b.index(0), b.toIndex(count));
  return buffers.drop_back();
}

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
    if (inst::symbolMapOf(op))
      buffers = readExtents(op, kernels, buffers);
    buffers = readCount(op, kernels, buffers);
    KernelPtr kernel = cast<Op>(op).makeKernel(target);
    for (const inst::Pitch &pitch : inst::pitchesOf(op))
      if (!kernel->staysWithinLimits(pitch.operand))
        return op->emitOpError(
                   "has a kernel that reaches beyond the extents of "
                   "operand ")
               << pitch.operand << ", which holds nothing there";
    kernel->emit(kernels, buffers, begin, end);
    return success();
  }
  bool staysWithinLimits(Operation *op, unsigned operand,
                         const KernelTarget &target) const {
    return cast<Op>(op).makeKernel(target)->staysWithinLimits(operand);
  }
  bool canEndEarly(Operation *op, unsigned input, int64_t stride,
                   const KernelTarget &target) const {
    return cast<Op>(op).makeKernel(target)->canEndEarly(input, stride);
  }
  int64_t getFlops(Operation *op) const {
    return cast<Op>(op).makeKernel(KernelTarget())->flops();
  }
};
} // namespace

void glow::registerKernelInterfaces(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, inst::InstDialect *) {
    context
        ->loadDialect<LLVM::LLVMDialect, scf::SCFDialect, vector::VectorDialect,
                      x86vector::X86VectorDialect, amx::AMXDialect>();
    inst::InstOps::attach<HasKernel, KernelModel>(*context);
  });
}
