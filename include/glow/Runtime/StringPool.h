//===- StringPool.h - The bytes of strings ----------------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_STRINGPOOL_H
#define GLOW_RUNTIME_STRINGPOOL_H

#include "glow-c/ModelABI.h"
#include "glow-c/Status.h"

#include <memory>
#include <string_view>
#include <vector>

namespace glow::runtime {

/// No string is longer: ONNX's files cannot hold longer ones.
constexpr uint64_t kMostStringBytes = (uint64_t(1) << 31) - 1;

inline std::string_view textOf(const GlowString &string) {
  return string.size ? std::string_view(string.data, string.size)
                     : std::string_view();
}

/// Fails if one of `count` strings is longer than that, or has no address.
/// `what` names the tensor.
GlowStatus checkStrings(const GlowString *strings, uint64_t count,
                        const char *what);

/// Memory for the bytes of strings, which are freed together.
class StringPool {
public:
  /// `size` bytes, or null if a run would have more than 4 GiB of them.
  char *allocate(uint64_t size);
  /// A copy of `text` in the pool; false if there is no room.
  bool copy(std::string_view text, GlowString &to);
  /// Copies the bytes of `count` strings, which are then the pool's own.
  GlowStatus adopt(GlowString *strings, uint64_t count);
  void clear();

private:
  std::vector<std::unique_ptr<char[]>> blocks;
  char *next = nullptr; // free bytes of the last block
  uint64_t left = 0, total = 0;
};

} // namespace glow::runtime
#endif // GLOW_RUNTIME_STRINGPOOL_H
