//===- BindingTest.cpp - The memory of one input or output ------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/Binding.h"

#include <gtest/gtest.h>

using namespace glow::runtime;

namespace {

/// Whether the model sees the caller's memory itself, `offset` bytes behind an
/// address that suits all types.
bool usesMemory(uint32_t dtype, uint64_t elementBytes, size_t offset) {
  int64_t dims[] = {4};
  GlowTensorDesc desc = {};
  desc.name = "x";
  desc.dtype = dtype;
  desc.dims = dims;
  desc.rank = 1;
  desc.bytes = 4 * elementBytes;
  Binding binding(desc);
  alignas(64) char memory[128];
  binding.bind(memory + offset);
  return binding.aligned() == memory + offset;
}

TEST(Binding, MemoryAlignedToItsElementsIsNotCopied) {
  EXPECT_TRUE(usesMemory(GLOW_F32, 4, 4));
  EXPECT_FALSE(usesMemory(GLOW_F32, 4, 2));
  EXPECT_TRUE(usesMemory(GLOW_U8, 1, 1));
  EXPECT_TRUE(usesMemory(GLOW_U4, 1, 1));
  EXPECT_TRUE(usesMemory(GLOW_C128, 16, 8));
  EXPECT_FALSE(usesMemory(GLOW_STRING, 16, 4));
}

} // namespace
