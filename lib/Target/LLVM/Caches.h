//===- Caches.h - sizes of a processor's caches ----------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TARGET_LLVM_CACHES_H
#define GLOW_LIB_TARGET_LLVM_CACHES_H

#include "glow/Interfaces/KernelTarget.h"

namespace mlir::glow {

/// Sets the sizes that processors of LLVM's name `cpu` have, if it is known,
/// and how they are best asked for data.
void setCachesOf(StringRef cpu, KernelTarget &target);

/// Sets the sizes that the system under `root`, / on a real machine, tells of
/// its first processor. What it does not tell, or tells nonsense about, stays.
void detectCaches(StringRef root, KernelTarget &target);

} // namespace mlir::glow

#endif // GLOW_LIB_TARGET_LLVM_CACHES_H
