//===- Context.h - One execution at a time, with its buffers ----*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_CONTEXT_H
#define GLOW_RUNTIME_CONTEXT_H

#include "glow/Runtime/Binding.h"
#include "glow/Runtime/ContextExec.h"
#include "glow/Runtime/Program.h"

namespace glow::runtime {

/// What a run leaves. Who keeps it need not keep the context, whose scratch
/// memory then serves the next run.
struct ContextOutputs {
  explicit ContextOutputs(const Program &program);

  std::vector<Binding> bindings;
  StringPool texts; // the bytes of strings in them
};

} // namespace glow::runtime

/// The C API's context, see glow-c/Runtime.h.
struct GlowRtContext {
  explicit GlowRtContext(glow::runtime::ProgramPtr program);

  GlowStatus bindInput(uint32_t index, const void *data, uint64_t bytes);
  GlowStatus bindOutput(uint32_t index, void *data, uint64_t bytes);
  GlowStatus setSymbols(const int64_t *values, uint32_t count);
  GlowStatus run();

  glow::runtime::ProgramPtr program;
  std::unique_ptr<glow::runtime::Execution> execution;
  glow::runtime::ContextExec exec;
  glow::runtime::Profile profile;
  std::string profileText;

  std::vector<glow::runtime::Binding> inputs;
  std::shared_ptr<glow::runtime::ContextOutputs> outputs;

private:
  GlowStatus prepare();
  /// Whether all symbols have the greatest of their values.
  bool hasLargestExtents() const;
  GlowStatus finish();

  std::vector<void *> inputPointers, outputPointers;
  glow::runtime::Buffer symbols, computed; // their values
};

#endif // GLOW_RUNTIME_CONTEXT_H
