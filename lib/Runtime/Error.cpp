//===- Error.cpp - The last error of each thread -*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/Error.h"

using namespace glow::runtime;

static thread_local std::string lastError;
static thread_local uint64_t numErrors;

uint64_t glow::runtime::errorCount() { return numErrors; }

GlowStatus glow::runtime::setLastError(GlowStatus status, std::string message) {
  ++numErrors;
  lastError = std::move(message);
  return status;
}

GlowStatus glow::runtime::addContext(GlowStatus status,
                                     const std::string &prefix) {
  lastError = prefix + lastError;
  return status;
}

const char *glow_last_error(void) { return lastError.c_str(); }

const char *glow_status_name(int status) {
  static const char *const names[] = {
      "ok",          "invalid argument", "not found",     "invalid model",
      "unsupported", "out of memory",    "I/O error",     "busy",
      "timeout",     "device lost",      "internal error"};
  if (status < 0 || status >= int(sizeof(names) / sizeof(*names)))
    return "unknown status";
  return names[status];
}
