//===- RecipeTest.cpp - recipes, whole and damaged ------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Target/Habana/Recipe.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace habana_recipe;

static Tensor vector(Section section, int64_t extent, int64_t offset = 0) {
  Tensor tensor;
  tensor.section = section;
  tensor.rank = 1;
  tensor.offset = offset;
  tensor.dims[0] = extent;
  tensor.strides[0] = 1;
  return tensor;
}

/// out = max(in + 2, 0) on 8 elements.
static Program smallProgram() {
  Program program;
  program.inputs = {{"x", {2, 4}, 32}};
  program.outputs = {{"y", {8}, 32}};
  program.scratchBytes = 64;
  program.constants.assign(32, 0);
  Kernel kernel;
  kernel.numInputs = 1;
  kernel.instrs = {{KernelOp::Constant, {}, 2.0f},
                   {KernelOp::Add, {0, 1}},
                   {KernelOp::Constant, {}, 0.0f},
                   {KernelOp::Max, {2, 3}}};
  kernel.results = {4};
  program.kernels = {kernel};
  Tensor in = vector(Section::Scratch, 8), out = vector(Section::Scratch, 8, 8);
  program.commands = {{Opcode::Dma, {}, {vector(Section::Input, 8), in}},
                      {Opcode::Launch, {0, 0}, {in, out}},
                      {Opcode::Dma, {}, {out, vector(Section::Output, 8)}}};
  program.origin = "test";
  return program;
}

static bool read(const std::string &bytes, std::string &error) {
  Program program;
  return decode(bytes.data(), bytes.size(), program, error);
}

TEST(Recipe, RoundTrip) {
  std::string bytes = encode(smallProgram()), error;
  Program program;
  ASSERT_TRUE(decode(bytes.data(), bytes.size(), program, error)) << error;
  EXPECT_EQ(program.inputs[0].name, "x");
  EXPECT_EQ(program.inputs[0].bytes, 32u);
  EXPECT_EQ(program.commands.size(), 3u);
  EXPECT_EQ(program.kernels[0], smallProgram().kernels[0]);
  EXPECT_EQ(encode(program), bytes);
}

TEST(Recipe, RefusesOtherFiles) {
  std::string error, bytes = encode(smallProgram());
  EXPECT_FALSE(read("", error));
  EXPECT_FALSE(read(std::string(100, 'x'), error));
  EXPECT_EQ(error, "this is not a recipe");
  std::string newer = bytes;
  newer[8] = 9;
  EXPECT_FALSE(read(newer, error));
  EXPECT_NE(error.find("version 9"), std::string::npos) << error;
}

TEST(Recipe, RefusesEveryTruncation) {
  std::string bytes = encode(smallProgram()), error;
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(read(bytes.substr(0, size), error)) << size;
}

TEST(Recipe, RefusesTensorsOutsideTheirSection) {
  std::string error;
  for (int64_t offset : {-1, 1, 1 << 20}) {
    Program program = smallProgram();
    program.commands[0].tensors[0].offset = offset;
    EXPECT_FALSE(read(encode(program), error)) << offset;
  }
  Program program = smallProgram();
  program.commands[0].tensors[0].strides[0] = INT64_MAX;
  EXPECT_FALSE(read(encode(program), error));
  program = smallProgram();
  program.commands[0].tensors[0].index = 7;
  EXPECT_FALSE(read(encode(program), error));
  program = smallProgram();
  program.commands[1].params[0] = 1;
  EXPECT_FALSE(read(encode(program), error));
  EXPECT_EQ(error, "command 1: a launch names no kernel");
}

TEST(Recipe, RefusesIllTypedKernels) {
  std::string error;
  Program program = smallProgram();
  program.kernels[0].instrs[1].operands[1] = 3; // defined later
  EXPECT_FALSE(read(encode(program), error));
  program = smallProgram();
  program.kernels[0].instrs[3].op = KernelOp::Less; // result is no number
  EXPECT_FALSE(read(encode(program), error));
  program = smallProgram();
  program.kernels[0].instrs[0].operands[0] = 1000; // has no operands
  EXPECT_FALSE(read(encode(program), error));
}

/// Puts right checksums on damaged contents, as an attacker would.
static void repairChecksums(std::string &bytes) {
  uint32_t count;
  std::memcpy(&count, &bytes[12], 4);
  for (uint32_t i = 0; i < count; ++i) {
    char *entry = &bytes[64 + 32 * i];
    uint64_t offset, size;
    std::memcpy(&offset, entry + 8, 8);
    std::memcpy(&size, entry + 16, 8);
    uint32_t crc = crc32c(bytes.data() + offset, size);
    std::memcpy(entry + 24, &crc, 4);
  }
  uint32_t crc = crc32c(&bytes[64], 32 * count);
  std::memcpy(&bytes[24], &crc, 4);
}

TEST(Recipe, SurvivesDamagedContents) {
  const std::string good = encode(smallProgram());
  std::mt19937 random(1);
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = good, error;
    for (int change = 0; change < 3; ++change)
      bytes[224 + random() % (bytes.size() - 224)] =
          static_cast<char>(random() % 4 ? random() % 16 : random());
    repairChecksums(bytes);
    accepted += read(bytes, error);
  }
  // Some changes only touch constants, names or padding.
  EXPECT_GT(accepted, 0);
  EXPECT_LT(accepted, 20000);
}
