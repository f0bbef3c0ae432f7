//===- DynamicShapesTest.cpp - how often programs are compiled ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Driver/Program.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace mlir::glow;

namespace {

/// What a decoder does with its cache: `new` is appended, and all is summed up.
constexpr llvm::StringLiteral kCache = R"(
func.func @cache(
    %past: tensor<2x?x3xf32> {glow.name = "past",
                              glow.dim_names = ["", "past", ""]},
    %new: tensor<2x1x3xf32> {glow.name = "new"})
    -> (tensor<2x?x3xf32> {glow.name = "present"},
        tensor<2x3xf32> {glow.name = "sum"}) {
  %present = glow.concat %past, %new {axis = 1 : i64}
      : (tensor<2x?x3xf32>, tensor<2x1x3xf32>) -> tensor<2x?x3xf32>
  %sum = glow.reduce sum %present {axes = array<i64: 1>}
      : (tensor<2x?x3xf32>) -> tensor<2x3xf32>
  return %present, %sum : tensor<2x?x3xf32>, tensor<2x3xf32>
})";

class DynamicShapes : public ::testing::Test {
protected:
  void compile(mlir::glow::DynamicShapes mode) {
    ProgramOptions options;
    options.dynamicShapes = mode;
    options.threads = 1;
    options.compile.kernelCache = "off";
    auto compiled = Program::compile(kCache, "", options);
    ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
    program = std::move(*compiled);
  }

  /// Appends ones to a cache of `past` twos.
  void decode(int64_t past) {
    std::vector<float> cache(6 * past, 2.0f), token(6, 1.0f);
    int64_t pastDims[] = {2, past, 3}, tokenDims[] = {2, 1, 3};
    auto results = program->run(
        {GlowTensor{"past", cache.data(), pastDims, cache.size() * 4, GLOW_F32,
                    3},
         GlowTensor{"new", token.data(), tokenDims, 24, GLOW_F32, 3}});
    ASSERT_TRUE(bool(results)) << llvm::toString(results.takeError());
    const OutputTensor &present = results->front();
    EXPECT_EQ(present.dims, (std::vector<int64_t>{2, past + 1, 3}));
    auto *data = static_cast<const float *>(present.data.get());
    for (int64_t i = 0; i < 6 * (past + 1); ++i)
      EXPECT_EQ(data[i], i / 3 % (past + 1) == past ? 1.0f : 2.0f);
    auto *sum = static_cast<const float *>(results->back().data.get());
    for (int64_t i = 0; i < 6; ++i)
      EXPECT_EQ(sum[i], 2.0f * past + 1);
  }

  size_t compilations() const {
    return llvm::count_if(program->stages().rows,
                          [](const auto &row) { return row.name == "link"; });
  }

  std::unique_ptr<Program> program;
};

TEST_F(DynamicShapes, DecoderCompilesRarely) {
  compile(mlir::glow::DynamicShapes::Auto);
  for (int64_t past = 0; past < 100; ++past)
    decode(past);
  // log2(100) = 6.6
  EXPECT_LE(compilations(), 6u);
  size_t before = compilations();
  for (int64_t past = 0; past < 100; ++past)
    decode(past);
  EXPECT_EQ(compilations(), before);
}

TEST_F(DynamicShapes, Exact) {
  compile(mlir::glow::DynamicShapes::Exact);
  for (int64_t past : {3, 4, 3})
    decode(past);
  EXPECT_EQ(compilations(), 2u);
}

TEST_F(DynamicShapes, Ranges) {
  compile(mlir::glow::DynamicShapes::Ranges);
  for (int64_t past : {3, 4, 8, 0})
    decode(past);
  EXPECT_EQ(compilations(), 2u); // for 1 to 8, and for 0
  for (int i = 0; i < 20; ++i)
    decode(5);
  EXPECT_EQ(compilations(), 2u);
}

TEST_F(DynamicShapes, FrequentShape) {
  compile(mlir::glow::DynamicShapes::Auto);
  decode(1);
  for (int i = 0; i < 20; ++i)
    decode(5);
  EXPECT_EQ(compilations(), 3u);
}

TEST_F(DynamicShapes, GivenRange) {
  ProgramOptions options;
  options.compile.shapes = {"past=2x0..16x3"};
  auto compiled = Program::compile(kCache, "", options);
  ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  program = std::move(*compiled);
  EXPECT_EQ(program->inputs[0].dims, (std::vector<int64_t>{2, -1, 3}));
  for (int64_t past : {16, 0, 7})
    decode(past);
  EXPECT_EQ(compilations(), 1u);
}

TEST_F(DynamicShapes, WrongRanges) {
  for (auto [shape, message] :
       {std::pair("past=1..2x4x3", "cannot have the range 1..2 along axis 0"),
        std::pair("post=2x1..4x3", "has no input 'post'")}) {
    ProgramOptions options;
    options.compile.shapes = {shape};
    auto compiled = Program::compile(kCache, "", options);
    ASSERT_FALSE(bool(compiled));
    std::string text = llvm::toString(compiled.takeError());
    EXPECT_NE(text.find(message), std::string::npos) << text;
  }
}

} // namespace
