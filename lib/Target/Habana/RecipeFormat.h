//===- RecipeFormat.h - numbers that reader and writer share --*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TARGET_HABANA_RECIPEFORMAT_H
#define GLOW_LIB_TARGET_HABANA_RECIPEFORMAT_H

#include <cstdint>

namespace habana_recipe {

constexpr char kMagic[8] = {'G', 'L', 'R', 'E', 'C', 'I', 'P', 'E'};
constexpr uint64_t kHeaderBytes = 64, kEntryBytes = 32, kFileAlignment = 64;
constexpr uint32_t kRequired = 1; // flag of a section that must be understood

enum class Kind : uint32_t {
  Interface = 1,
  Kernels = 2,
  Commands = 3,
  Constants = 4,
  Origin = 5
};

} // namespace habana_recipe

#endif // GLOW_LIB_TARGET_HABANA_RECIPEFORMAT_H
