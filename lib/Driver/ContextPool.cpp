//===- ContextPool.cpp - contexts of programs, to run them again ----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ContextPool.h"

using namespace mlir::glow;

ContextPool::~ContextPool() {
  for (const Idle &idle : contexts)
    glow_rt_context_free(idle.context);
}

llvm::Expected<std::shared_ptr<GlowRtContext>>
ContextPool::take(const std::shared_ptr<GlowRtProgram> &program) {
  GlowRtContext *context = nullptr;
  {
    std::lock_guard lock(mutex);
    for (auto idle = contexts.begin(); idle != contexts.end(); ++idle)
      if (idle->program == program) {
        context = idle->context;
        contexts.erase(idle);
        break;
      }
  }
  if (!context && glow_rt_context_create(program.get(), &context))
    return llvm::createStringError(glow_last_error());
  return std::shared_ptr<GlowRtContext>(
      context, [pool = shared_from_this(), program](GlowRtContext *used) {
        pool->put({program, used});
      });
}

void ContextPool::put(Idle idle) {
  std::lock_guard lock(mutex);
  contexts.push_front(std::move(idle));
  if (contexts.size() <= kMostIdle)
    return;
  glow_rt_context_free(contexts.back().context);
  contexts.pop_back();
}
