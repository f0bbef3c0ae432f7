//===- HostMemoryDevice.cpp - Devices in the host's memory ------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/SimpleDevice.h"

#include <cstdlib>
#include <cstring>

using namespace glow::runtime;

GlowStatus HostMemoryDevice::alloc(uint64_t bytes, uint64_t alignment,
                                   void *&address) {
  SimpleInfo limits = info();
  bool fits = limits.memoryBytes == 0 || bytes <= limits.memoryBytes;
  if (fits && posix_memalign(&address, alignment, bytes) == 0)
    return GLOW_OK;
  address = nullptr;
  return fail(GLOW_OUT_OF_MEMORY, limits.name, " has no ", bytes,
              " bytes left");
}

void HostMemoryDevice::free(void *address) { std::free(address); }

GlowStatus HostMemoryDevice::copy(void *target, const void *source,
                                  uint64_t bytes, CopyKind) {
  std::memcpy(target, source, bytes);
  return GLOW_OK;
}

GlowStatus
glow::runtime::checkBindings(const std::vector<SimplePort> &ports,
                             const std::vector<SimpleBinding> &bindings) {
  if (bindings.size() != ports.size())
    return fail(GLOW_INVALID_ARGUMENT, "the program has ", ports.size(),
                " inputs and outputs, but ", bindings.size(),
                " buffers are bound");
  for (size_t i = 0; i < ports.size(); ++i)
    if (bindings[i].bytes != ports[i].bytes)
      return fail(GLOW_INVALID_ARGUMENT, "'", ports[i].name, "' has ",
                  ports[i].bytes, " bytes, but ", bindings[i].bytes,
                  " are bound");
  return GLOW_OK;
}
