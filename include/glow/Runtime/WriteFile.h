//===- WriteFile.h - Files that are complete or not there -------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_WRITEFILE_H
#define GLOW_RUNTIME_WRITEFILE_H

#include "glow-c/Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace glow::runtime {

struct Piece {
  const void *data;
  uint64_t bytes;
};

/// Writes the pieces one after the other. The file takes its name only once it
/// is complete; a device or pipe is written to directly.
GlowStatus writeFile(const std::string &path, const std::vector<Piece> &pieces);

} // namespace glow::runtime
#endif // GLOW_RUNTIME_WRITEFILE_H
