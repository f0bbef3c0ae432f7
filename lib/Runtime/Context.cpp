//===- Context.cpp - One execution at a time, with its buffers --*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/Context.h"
#include "glow/Runtime/Error.h"

#include <cstring>

using namespace glow::runtime;

GlowRtContext::GlowRtContext(ProgramPtr loaded)
    : program(std::move(loaded)), exec(program->threads),
      inputs(program->inputs.size()), outputs(program->outputs.size()) {}

/// Memory that does not have the alignment which kernels rely on is copied.
bool GlowRtContext::Binding::isStaged() const {
  return user && reinterpret_cast<uintptr_t>(user) % GLOW_BUFFER_ALIGNMENT;
}

void *GlowRtContext::Binding::aligned(uint64_t bytes) {
  if (user && !isStaged())
    return user;
  if (!own.data() && own.allocate(bytes, "an input or output"))
    return nullptr;
  return own.data();
}

static GlowStatus bind(std::vector<GlowRtContext::Binding> &bindings,
                       const std::vector<GlowTensorDesc> &tensors,
                       const char *kind, uint32_t index, void *data,
                       uint64_t bytes) {
  if (index >= tensors.size())
    return fail(GLOW_INVALID_ARGUMENT, "there is no ", kind, " ", index,
                ", the model has ", tensors.size());
  const GlowTensorDesc &tensor = tensors[index];
  if (data && bytes != tensor.bytes)
    return fail(GLOW_INVALID_ARGUMENT, kind, " '", tensor.name, "' has ",
                tensor.bytes, " bytes, the bound memory has ", bytes);
  bindings[index].user = data;
  return GLOW_OK;
}

GlowStatus GlowRtContext::bindInput(uint32_t index, const void *data,
                                    uint64_t bytes) {
  return bind(inputs, program->inputs, "input", index, const_cast<void *>(data),
              bytes);
}

GlowStatus GlowRtContext::bindOutput(uint32_t index, void *data,
                                     uint64_t bytes) {
  return bind(outputs, program->outputs, "output", index, data, bytes);
}

GlowStatus GlowRtContext::collect(std::vector<Binding> &bindings,
                                  const std::vector<GlowTensorDesc> &tensors,
                                  std::vector<void *> &pointers) {
  pointers.clear();
  for (size_t i = 0; i < bindings.size(); ++i) {
    pointers.push_back(bindings[i].aligned(tensors[i].bytes));
    if (!pointers.back())
      return GLOW_OUT_OF_MEMORY;
  }
  return GLOW_OK;
}

GlowStatus GlowRtContext::run() {
  if (GlowStatus status = collect(inputs, program->inputs, inputPointers))
    return status;
  if (GlowStatus status = collect(outputs, program->outputs, outputPointers))
    return status;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].isStaged())
      std::memcpy(inputPointers[i], inputs[i].user, program->inputs[i].bytes);
  Profile *timing = exec.profiling();
  if (GlowStatus status = execution->run(exec, timing, inputPointers.data(),
                                         outputPointers.data()))
    return status;
  for (size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i].isStaged())
      std::memcpy(outputs[i].user, outputPointers[i],
                  program->outputs[i].bytes);
  return GLOW_OK;
}
