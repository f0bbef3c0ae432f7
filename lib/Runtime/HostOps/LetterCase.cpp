//===- LetterCase.cpp - Upper and lower case of UTF-8 -----------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LetterCase.h"
#include "glow/Runtime/Utf8.h"

#include <clocale>
#include <cwctype>

using namespace glow::runtime;

/// The C library's tables of Unicode; null where it has none, and then only
/// ASCII letters change.
static locale_t unicode() {
  static const locale_t tables =
      newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t(nullptr));
  return tables;
}

static uint32_t mapped(uint32_t code, LetterCase to) {
  bool lower = to == LetterCase::Lower;
  if (code < 0x80) {
    bool changes =
        lower ? code >= 'A' && code <= 'Z' : code >= 'a' && code <= 'z';
    return changes ? code ^ 0x20 : code;
  }
  if (!unicode())
    return code;
  return uint32_t(lower ? towlower_l(wint_t(code), unicode())
                        : towupper_l(wint_t(code), unicode()));
}

std::string glow::runtime::withCase(std::string_view text, LetterCase to) {
  if (to == LetterCase::Keep)
    return std::string(text);
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    uint32_t code;
    size_t size = decodeUtf8(text, code);
    if (size)
      encodeUtf8(mapped(code, to), result);
    else
      result += text[size++];
    text.remove_prefix(size);
  }
  return result;
}
