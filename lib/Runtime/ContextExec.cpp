//===- ContextExec.cpp - What a context offers a model while it runs ------===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/ContextExec.h"

using namespace glow::runtime;

ContextExec::ContextExec(int32_t threads) : GlowExec{}, threads(threads) {
  GlowExec::size = sizeof(GlowExec);
  call_host = callHost;
  update();
}

void ContextExec::setUser(GlowExec *exec) {
  userExec = exec;
  update();
}

void ContextExec::setProfile(Profile *newProfile) {
  profile = newProfile;
  update();
}

/// One thread without timing needs no hook: the model calls its kernels itself.
void ContextExec::update() {
  bool isPlain = !profile && !userExec && threads == 1;
  parallel_for = isPlain ? nullptr : parallelFor;
  workers = userExec ? userExec->workers : uint32_t(threads);
}

void ContextExec::parallelFor(GlowExec *exec, uint32_t instr, GlowKernel kernel,
                              void *const *args, int64_t tickets) {
  auto *self = static_cast<ContextExec *>(exec);
  if (!self->profile) {
    self->dispatch(instr, kernel, args, tickets);
    return;
  }
  uint64_t begin = self->profile->now();
  int32_t workers = self->dispatch(instr, kernel, args, tickets);
  self->profile->record(instr, uint32_t(workers), begin, self->profile->now());
}

int32_t ContextExec::callHost(GlowExec *exec, uint32_t instr,
                              const GlowHostCall *call, void *const *args) {
  auto *self = static_cast<ContextExec *>(exec);
  uint64_t begin = self->profile ? self->profile->now() : 0;
  GlowStatus status = self->host.call(*call, args);
  if (self->profile)
    self->profile->record(instr, 1, begin, self->profile->now());
  return status;
}

/// Returns how many threads took part; a pool of the caller's counts as one.
int32_t ContextExec::dispatch(uint32_t instr, GlowKernel kernel,
                              void *const *args, int64_t tickets) {
  if (userExec && userExec->parallel_for)
    userExec->parallel_for(userExec, instr, kernel, args, tickets);
  else if (userExec || threads == 1)
    kernel(args, 0, tickets, 0);
  else
    return ThreadPool::shared().run(kernel, args, tickets, threads);
  return 1;
}
