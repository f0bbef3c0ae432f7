//===- Utf8.h - Characters of UTF-8 -----------------------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_UTF8_H
#define GLOW_RUNTIME_UTF8_H

#include <cstdint>
#include <string>
#include <string_view>

namespace glow::runtime {

/// The number of bytes of the character at the start of `text`, which is not
/// empty, and its code; 0 if they are no UTF-8.
inline size_t decodeUtf8(std::string_view text, uint32_t &code) {
  auto byte = [&](size_t i) { return uint8_t(text[i]); };
  uint8_t first = byte(0);
  size_t size = first < 0x80   ? 1
                : first < 0xC2 ? 0
                : first < 0xE0 ? 2
                : first < 0xF0 ? 3
                : first < 0xF5 ? 4
                               : 0;
  if (size == 0 || size > text.size())
    return 0;
  code = size == 1 ? first : first & (0x7F >> size);
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80)
      return 0;
    code = code << 6 | (byte(i) & 0x3F);
  }
  bool isOverlong =
      (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  bool isSurrogate = code >= 0xD800 && code < 0xE000;
  return isOverlong || isSurrogate || code > 0x10FFFF ? 0 : size;
}

/// Appends the character with this code, at most 0x10FFFF.
inline void encodeUtf8(uint32_t code, std::string &to) {
  if (code < 0x80) {
    to += char(code);
    return;
  }
  int size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  to += char(uint8_t(0xF00 >> size) | code >> (6 * (size - 1)));
  for (int i = size - 2; i >= 0; --i)
    to += char(0x80 | (code >> (6 * i) & 0x3F));
}

} // namespace glow::runtime
#endif // GLOW_RUNTIME_UTF8_H
