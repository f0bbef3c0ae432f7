//===- NpyStrings.cpp - Strings in NumPy's file format ----------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "NpyStrings.h"
#include "glow/Runtime/Error.h"
#include "glow/Runtime/Utf8.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <vector>

using namespace glow::runtime;

uint64_t glow::runtime::npyStringBytes(std::string_view descr) {
  if (descr.size() < 2 || (descr[0] != 'U' && descr[0] != 'S'))
    return 0;
  uint32_t length = 0;
  const char *end = descr.data() + descr.size();
  if (std::from_chars(descr.data() + 1, end, length).ptr != end)
    return 0;
  return length >> 28 ? 0 : uint64_t(length) * (descr[0] == 'U' ? 4 : 1);
}

/// Appends one element; false if it holds no character of Unicode.
static bool readElement(bool isUnicode, std::string_view element,
                        std::string &to) {
  if (!isUnicode) {
    size_t end = element.find_last_not_of('\0');
    to += element.substr(0, end + 1);
    return true;
  }
  size_t end = to.size();
  for (size_t i = 0; i < element.size(); i += 4) {
    uint32_t code;
    std::memcpy(&code, element.data() + i, 4);
    if (code > 0x10FFFF)
      return false;
    encodeUtf8(code, to);
    if (code)
      end = to.size();
  }
  to.resize(end);
  return true;
}

GlowStatus glow::runtime::readNpyStrings(std::string_view descr,
                                         std::string_view elements,
                                         const std::string &where,
                                         Buffer &strings, Buffer &texts) {
  uint64_t width = npyStringBytes(descr), count = elements.size() / width;
  std::string all;
  std::vector<size_t> ends;
  for (uint64_t i = 0; i < count; ++i) {
    if (!readElement(descr[0] == 'U', elements.substr(i * width, width), all))
      return fail(GLOW_INVALID_ARGUMENT, "'", where, "': element ", i,
                  " is no text");
    ends.push_back(all.size());
  }
  if (GlowStatus status =
          strings.allocate(count * sizeof(GlowString), where.c_str()))
    return status;
  if (GlowStatus status = texts.allocate(all.size(), where.c_str()))
    return status;
  std::memcpy(texts.data(), all.data(), all.size());
  auto *out = static_cast<GlowString *>(strings.data());
  size_t begin = 0;
  for (size_t end : ends) {
    *out++ = {static_cast<const char *>(texts.data()) + begin, end - begin};
    begin = end;
  }
  return GLOW_OK;
}

/// The codes of a text; false if it is no UTF-8.
static bool decode(std::string_view text, std::vector<uint32_t> &codes) {
  codes.clear();
  while (!text.empty()) {
    size_t size = decodeUtf8(text, codes.emplace_back());
    if (size == 0)
      return false;
    text.remove_prefix(size);
  }
  return true;
}

GlowStatus glow::runtime::writeNpyStrings(const GlowString *strings,
                                          uint64_t count,
                                          const std::string &where,
                                          std::string &descr,
                                          std::string &elements) {
  bool isUnicode = true;
  uint64_t characters = 1, bytes = 1;
  std::vector<uint32_t> codes;
  for (uint64_t i = 0; i < count; ++i) {
    isUnicode &= decode({strings[i].data, strings[i].size}, codes);
    characters = std::max<uint64_t>(characters, codes.size());
    bytes = std::max(bytes, strings[i].size);
  }
  uint64_t width = isUnicode ? 4 * characters : bytes, total;
  if (__builtin_mul_overflow(width, count, &total) || total >> 34)
    return fail(GLOW_INVALID_ARGUMENT, "cannot write '", where,
                "': strings of one length would be too large");
  descr = (isUnicode ? "<U" : "|S") +
          std::to_string(isUnicode ? characters : bytes);
  elements.assign(total, '\0');
  for (uint64_t i = 0; i < count; ++i) {
    std::string_view text(strings[i].data, strings[i].size);
    if (isUnicode)
      decode(text, codes);
    if (!text.empty())
      std::memcpy(&elements[i * width],
                  isUnicode ? static_cast<const void *>(codes.data())
                            : text.data(),
                  isUnicode ? 4 * codes.size() : text.size());
  }
  return GLOW_OK;
}
