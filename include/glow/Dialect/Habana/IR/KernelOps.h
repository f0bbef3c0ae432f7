//===- KernelOps.h - scalar ops and the vector cores' instructions --------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_HABANA_IR_KERNELOPS_H
#define GLOW_DIALECT_HABANA_IR_KERNELOPS_H

#include "glow/Target/Habana/Recipe.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace mlir::glow::habana {

/// The instruction that computes a scalar op; its operands may be in another
/// order, and negated comparisons take two.
struct KernelChoice {
  habana_recipe::KernelOp op;
  bool isNegated = false; // the truth value of `op` is inverted
};
std::optional<KernelChoice> kernelOpOf(Operation *op);

} // namespace mlir::glow::habana

#endif // GLOW_DIALECT_HABANA_IR_KERNELOPS_H
