//===- Models.h - from instructions to kernel descriptions -----*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_CONVERSION_INSTTOKERNELS_MODELS_H
#define GLOW_LIB_CONVERSION_INSTTOKERNELS_MODELS_H

#include "glow/Dialect/Inst/IR/Inst.h"
#include "glow/Kernels/Kernels.h"

namespace mlir::glow {

using KernelPtr = std::unique_ptr<Kernel>;

KernelPtr makeKernel(inst::CopyOp op, const KernelTarget &target);
KernelPtr makeKernel(inst::FillOp op, const KernelTarget &target);
KernelPtr makeKernel(inst::MapOp op, const KernelTarget &target);
KernelPtr makeKernel(inst::ReduceOp op, const KernelTarget &target);
KernelPtr makeKernel(inst::ArgReduceOp op, const KernelTarget &target);
KernelPtr makeKernel(inst::CumSumOp op, const KernelTarget &target);
KernelPtr makeKernel(inst::TopKOp op, const KernelTarget &target);
KernelPtr makeKernel(inst::GatherOp op, const KernelTarget &target);
KernelPtr makeKernel(inst::GatherElementsOp op, const KernelTarget &target);
KernelPtr makeKernel(inst::GatherNDOp op, const KernelTarget &target);
KernelPtr makeKernel(inst::ScatterElementsOp op, const KernelTarget &target);
KernelPtr makeKernel(inst::ScatterNDOp op, const KernelTarget &target);
KernelPtr makeKernel(inst::ConvOp op, const KernelTarget &target);
KernelPtr makeKernel(inst::MatMulOp op, const KernelTarget &target);
KernelPtr makeKernel(inst::PoolOp op, const KernelTarget &target);

} // namespace mlir::glow

#endif // GLOW_LIB_CONVERSION_INSTTOKERNELS_MODELS_H
