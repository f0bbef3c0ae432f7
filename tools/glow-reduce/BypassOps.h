//===- BypassOps.h - how graph ops are reduced -----------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TOOLS_GLOW_REDUCE_BYPASSOPS_H
#define GLOW_TOOLS_GLOW_REDUCE_BYPASSOPS_H

namespace mlir {
class DialectRegistry;
}

namespace mlir::glow {

/// Makes the glow dialect offer patterns to MLIR's reducer.
void registerReductionPatterns(DialectRegistry &registry);

} // namespace mlir::glow

#endif // GLOW_TOOLS_GLOW_REDUCE_BYPASSOPS_H
