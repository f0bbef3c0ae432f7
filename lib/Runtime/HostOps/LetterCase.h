//===- LetterCase.h - Upper and lower case of UTF-8 -------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_RUNTIME_HOSTOPS_LETTERCASE_H
#define GLOW_LIB_RUNTIME_HOSTOPS_LETTERCASE_H

#include <string>
#include <string_view>

namespace glow::runtime {

enum class LetterCase { Keep, Lower, Upper };

/// Changes letters one by one, by Unicode's simple mappings and whatever the
/// user's locale. A letter that would become several stays as it is, and so do
/// bytes that are no UTF-8.
std::string withCase(std::string_view text, LetterCase to);

} // namespace glow::runtime
#endif // GLOW_LIB_RUNTIME_HOSTOPS_LETTERCASE_H
