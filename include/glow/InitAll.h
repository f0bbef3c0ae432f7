//===- InitAll.h - the only registration lists ----------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INITALL_H
#define GLOW_INITALL_H

namespace mlir {
class DialectRegistry;
}

namespace mlir::glow {

/// Our dialects, the upstream ones that we lower through, and the interfaces
/// that either implement as external models.
void registerAllDialects(DialectRegistry &registry);

/// Our passes and pipelines, and the upstream ones that are useful with them.
void registerAllPasses();

} // namespace mlir::glow

#endif // GLOW_INITALL_H
