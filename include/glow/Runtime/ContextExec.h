//===- ContextExec.h - What a context offers a model while it runs --------===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_CONTEXTEXEC_H
#define GLOW_RUNTIME_CONTEXTEXEC_H

#include "glow/Runtime/HostFunctions.h"
#include "glow/Runtime/Profile.h"
#include "glow/Runtime/ThreadPool.h"

namespace glow::runtime {

/// The GlowExec of a context: on Glow's pool or on the caller's, timing every
/// instruction if a profile is set.
class ContextExec : public GlowExec {
public:
  explicit ContextExec(int32_t threads);
  /// Null: back to Glow's pool.
  void setUser(GlowExec *exec);
  /// Null: no timing.
  void setProfile(Profile *newProfile);
  Profile *profiling() const { return profile; }
  /// What the model calls beside its kernels.
  HostRunner host;

private:
  static void parallelFor(GlowExec *exec, uint32_t instr, GlowKernel kernel,
                          void *const *args, int64_t tickets);
  static int32_t callHost(GlowExec *exec, uint32_t instr,
                          const GlowHostCall *call, void *const *args);
  int32_t dispatch(uint32_t instr, GlowKernel kernel, void *const *args,
                   int64_t tickets);
  void update();

  int32_t threads;
  GlowExec *userExec = nullptr;
  Profile *profile = nullptr;
};

} // namespace glow::runtime
#endif // GLOW_RUNTIME_CONTEXTEXEC_H
