//===- StringPool.cpp - The bytes of strings --------------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/StringPool.h"
#include "glow/Runtime/Error.h"

#include <algorithm>
#include <cstring>
#include <new>

using namespace glow::runtime;

/// Small strings share blocks of this size.
static constexpr uint64_t kBlockBytes = 16384;
static constexpr uint64_t kMostBytes = uint64_t(1) << 32;

GlowStatus glow::runtime::checkStrings(const GlowString *strings,
                                       uint64_t count, const char *what) {
  for (uint64_t i = 0; i < count; ++i) {
    if (strings[i].size > kMostStringBytes)
      return fail(GLOW_INVALID_ARGUMENT, "'", what, "': element ", i, " has ",
                  strings[i].size, " bytes, more than a string can have");
    if (strings[i].size && !strings[i].data)
      return fail(GLOW_INVALID_ARGUMENT, "'", what, "': element ", i, " has ",
                  strings[i].size, " bytes but no address");
  }
  return GLOW_OK;
}

char *StringPool::allocate(uint64_t size) {
  if (size > kMostBytes - total)
    return nullptr;
  if (size > left) {
    uint64_t bytes = std::max(size, kBlockBytes);
    std::unique_ptr<char[]> block(new (std::nothrow) char[bytes]);
    if (!block)
      return nullptr;
    // A large string gets a block of its own; the one in use stays in use.
    char *start = block.get();
    blocks.push_back(std::move(block));
    total += size;
    if (bytes - size > left) {
      next = start + size;
      left = bytes - size;
    }
    return start;
  }
  char *start = next;
  next += size;
  left -= size;
  total += size;
  return start;
}

bool StringPool::copy(std::string_view text, GlowString &to) {
  to = {nullptr, 0};
  if (text.empty())
    return true;
  char *bytes = allocate(text.size());
  if (!bytes)
    return false;
  std::memcpy(bytes, text.data(), text.size());
  to = {bytes, text.size()};
  return true;
}

GlowStatus StringPool::adopt(GlowString *strings, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i)
    if (!copy(textOf(strings[i]), strings[i]))
      return fail(GLOW_OUT_OF_MEMORY,
                  "there is no memory for the strings of the results");
  return GLOW_OK;
}

void StringPool::clear() {
  blocks.clear();
  next = nullptr;
  left = total = 0;
}
