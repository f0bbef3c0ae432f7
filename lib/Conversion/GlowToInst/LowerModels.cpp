//===- LowerModels.cpp - attaches the lowerings to their ops --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Conversion/GlowToInst/GlowToInst.h"
#include "glow/Dialect/Glow/IR/GlowOpList.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
/// Implements the interface by the op's own method.
template <typename Op>
struct Lowering : LowerToInstOpInterface::ExternalModel<Lowering<Op>, Op> {
  LogicalResult lowerToInst(Operation *op, InstLowering &lowering) const {
    return cast<Op>(op).lower(lowering);
  }
};
} // namespace

void glow::registerGlowToInstModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, GlowDialect *) {
    GlowOps::attach<Lowered, Lowering>(*context);
  });
}
