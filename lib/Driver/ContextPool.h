//===- ContextPool.h - contexts of programs, to run them again -*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DRIVER_CONTEXTPOOL_H
#define GLOW_LIB_DRIVER_CONTEXTPOOL_H

#include "glow-c/Runtime.h"
#include "llvm/Support/Error.h"
#include <list>
#include <memory>
#include <mutex>

namespace mlir::glow {

/// Keeps a few contexts that are not in use: the memory of a new one is touched
/// for the first time in its first run, which can take longer than the run.
class ContextPool : public std::enable_shared_from_this<ContextPool> {
public:
  ~ContextPool();

  /// A context of `program`. It comes back when the last copy is gone, which
  /// may be after the pool's owner.
  llvm::Expected<std::shared_ptr<GlowRtContext>>
  take(const std::shared_ptr<GlowRtProgram> &program);

private:
  struct Idle {
    std::shared_ptr<GlowRtProgram> program;
    GlowRtContext *context;
  };
  static constexpr size_t kMostIdle = 4;

  void put(Idle idle);

  std::mutex mutex;
  std::list<Idle> contexts; // the last used first
};

} // namespace mlir::glow

#endif // GLOW_LIB_DRIVER_CONTEXTPOOL_H
