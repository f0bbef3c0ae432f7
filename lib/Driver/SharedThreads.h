//===- SharedThreads.h - the threads of all contexts -----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DRIVER_SHAREDTHREADS_H
#define GLOW_LIB_DRIVER_SHAREDTHREADS_H

#include "llvm/Support/ThreadPool.h"

namespace mlir::glow {

/// Threads for compiling, shared by all contexts of a process. They are never
/// joined: a child of fork(2) has none, and would wait for them forever when a
/// context or the process ends. Such a child gets its own.
llvm::ThreadPoolInterface &sharedThreads();

} // namespace mlir::glow

#endif // GLOW_LIB_DRIVER_SHAREDTHREADS_H
