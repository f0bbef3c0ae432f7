//===- Error.h - The runtime's way to fail -*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing in the runtime throws. A function that can fail returns a GlowStatus
// and leaves a sentence for glow_last_error().
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_ERROR_H
#define GLOW_RUNTIME_ERROR_H

#include "glow-c/Status.h"

#include <cstdint>
#include <sstream>
#include <string>

namespace glow::runtime {

/// Makes `message` the calling thread's last error and returns `status`.
GlowStatus setLastError(GlowStatus status, std::string message);

/// The same, with the message joined from `parts`.
template <typename... Parts>
GlowStatus fail(GlowStatus status, const Parts &...parts) {
  std::ostringstream message;
  (message << ... << parts);
  return setLastError(status, message.str());
}

/// How many errors the calling thread has had, which tells whether a call that
/// failed has left a message.
uint64_t errorCount();

/// Puts `prefix` before the last error's text; returns `status`.
GlowStatus addContext(GlowStatus status, const std::string &prefix);

} // namespace glow::runtime
#endif // GLOW_RUNTIME_ERROR_H
