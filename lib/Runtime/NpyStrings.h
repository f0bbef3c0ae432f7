//===- NpyStrings.h - Strings in NumPy's file format ------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_RUNTIME_NPYSTRINGS_H
#define GLOW_LIB_RUNTIME_NPYSTRINGS_H

#include "glow-c/ModelABI.h"
#include "glow/Runtime/Memory.h"

#include <string>
#include <string_view>

namespace glow::runtime {

/// Bytes per element of a description as "U7", characters of four bytes, or
/// "S7", bytes; 0 if it is neither.
uint64_t npyStringBytes(std::string_view descr);

/// Turns elements of such a description into GlowString elements of `strings`,
/// with their bytes in `texts`. Zeros at the end do not count, as in NumPy.
GlowStatus readNpyStrings(std::string_view descr, std::string_view elements,
                          const std::string &where, Buffer &strings,
                          Buffer &texts);

/// The inverse: characters if all strings are UTF-8, else bytes.
GlowStatus writeNpyStrings(const GlowString *strings, uint64_t count,
                           const std::string &where, std::string &descr,
                           std::string &elements);

} // namespace glow::runtime
#endif // GLOW_LIB_RUNTIME_NPYSTRINGS_H
