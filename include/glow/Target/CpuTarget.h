//===- CpuTarget.h - the processor as a target ----------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TARGET_CPUTARGET_H
#define GLOW_TARGET_CPUTARGET_H

namespace mlir {
class DialectRegistry;
}

namespace mlir::glow {

/// Lets `#glow.cpu` answer what a target is asked.
void registerCpuTarget(DialectRegistry &registry);

} // namespace mlir::glow

#endif // GLOW_TARGET_CPUTARGET_H
