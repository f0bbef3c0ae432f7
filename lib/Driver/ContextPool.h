//===- ContextPool.h - contexts of programs, to run them again -*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DRIVER_CONTEXTPOOL_H
#define GLOW_LIB_DRIVER_CONTEXTPOOL_H

#include "glow-c/Runtime.h"
#include "glow/Runtime/Context.h"
#include "llvm/Support/Error.h"
#include <list>
#include <memory>
#include <mutex>

namespace mlir::glow {

/// Keeps a few objects of programs that are not in use: memory is touched for
/// the first time in its first run, which can take longer than the run.
template <typename T>
class IdlePool : public std::enable_shared_from_this<IdlePool<T>> {
public:
  using Program = std::shared_ptr<GlowRtProgram>;

  /// Null if none of `program` is idle.
  std::unique_ptr<T> take(const Program &program) {
    std::lock_guard lock(mutex);
    for (auto idle = objects.begin(); idle != objects.end(); ++idle)
      if (idle->program == program) {
        std::unique_ptr<T> object = std::move(idle->object);
        objects.erase(idle);
        return object;
      }
    return nullptr;
  }

  /// `object` comes back when its last copy is gone, which may be after the
  /// pool's owner.
  std::shared_ptr<T> lend(const Program &program, std::unique_ptr<T> object) {
    return {object.release(), [pool = this->shared_from_this(), program](T *t) {
              pool->put({program, std::unique_ptr<T>(t)});
            }};
  }

private:
  struct Idle {
    Program program;
    std::unique_ptr<T> object;
  };
  static constexpr size_t kMostIdle = 4;

  void put(Idle idle) {
    std::list<Idle> dropped; // outside the lock
    std::lock_guard lock(mutex);
    objects.push_front(std::move(idle));
    if (objects.size() > kMostIdle)
      dropped.splice(dropped.begin(), objects, std::prev(objects.end()));
  }

  std::mutex mutex;
  std::list<Idle> objects; // the last used first
};

/// The contexts of a program, which come back after a run, and their outputs,
/// which come back when nobody looks at them any more.
class ContextPool {
public:
  llvm::Expected<std::shared_ptr<GlowRtContext>>
  take(const std::shared_ptr<GlowRtProgram> &program);

private:
  using Outputs = ::glow::runtime::ContextOutputs;
  std::shared_ptr<IdlePool<GlowRtContext>> contexts =
      std::make_shared<IdlePool<GlowRtContext>>();
  std::shared_ptr<IdlePool<Outputs>> outputs =
      std::make_shared<IdlePool<Outputs>>();
};

} // namespace mlir::glow

#endif // GLOW_LIB_DRIVER_CONTEXTPOOL_H
