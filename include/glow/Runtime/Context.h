//===- Context.h - One execution at a time, with its buffers ----*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_CONTEXT_H
#define GLOW_RUNTIME_CONTEXT_H

#include "glow/Runtime/ContextExec.h"
#include "glow/Runtime/Memory.h"
#include "glow/Runtime/Program.h"

/// The C API's context, see glow-c/Runtime.h.
struct GlowRtContext {
  explicit GlowRtContext(glow::runtime::ProgramPtr program);

  GlowStatus bindInput(uint32_t index, const void *data, uint64_t bytes);
  GlowStatus bindOutput(uint32_t index, void *data, uint64_t bytes);
  GlowStatus run();

  glow::runtime::ProgramPtr program;
  std::unique_ptr<glow::runtime::Execution> execution;
  glow::runtime::ContextExec exec;
  glow::runtime::Profile profile;
  std::string profileText;

  /// The memory of one input or output.
  struct Binding {
    void *user = nullptr;      // the caller's, if bound
    glow::runtime::Buffer own; // ours, or the aligned copy of the caller's

    bool isStaged() const;
    /// What the model sees; null if memory is short.
    void *aligned(uint64_t bytes);
  };
  std::vector<Binding> inputs, outputs;

private:
  GlowStatus collect(std::vector<Binding> &bindings,
                     const std::vector<GlowTensorDesc> &tensors,
                     std::vector<void *> &pointers);
  std::vector<void *> inputPointers, outputPointers;
};

#endif // GLOW_RUNTIME_CONTEXT_H
