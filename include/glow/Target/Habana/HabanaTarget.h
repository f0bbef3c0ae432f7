//===- HabanaTarget.h - the card as a target ------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TARGET_HABANA_HABANATARGET_H
#define GLOW_TARGET_HABANA_HABANATARGET_H

#include "glow/Interfaces/Target.h"

namespace mlir::glow::habana {

/// Lets `#habana.target` answer what a target is asked.
void registerHabanaTarget(DialectRegistry &registry);

/// One row per graph op that the card runs.
ArrayRef<Capability> habanaCapabilities();

/// Writes the module's one `habana.program` as a recipe.
LogicalResult emitRecipe(ModuleOp module, StringRef path);

} // namespace mlir::glow::habana

#endif // GLOW_TARGET_HABANA_HABANATARGET_H
