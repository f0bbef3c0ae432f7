//===- ContextPool.cpp - contexts of programs, to run them again ----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ContextPool.h"

using namespace mlir::glow;

llvm::Expected<std::shared_ptr<GlowRtContext>>
ContextPool::take(const std::shared_ptr<GlowRtProgram> &program) {
  std::unique_ptr<GlowRtContext> context = contexts->take(program);
  if (!context) {
    GlowRtContext *created = nullptr;
    if (glow_rt_context_create(program.get(), &created))
      return llvm::createStringError(glow_last_error());
    context.reset(created);
  }
  std::unique_ptr<Outputs> fresh = outputs->take(program);
  if (!fresh)
    fresh = std::make_unique<Outputs>(*program->impl);
  context->outputs = outputs->lend(program, std::move(fresh));
  return contexts->lend(program, std::move(context));
}
