//===- HostFunctionsTest.cpp - Functions that models call -------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/HostFunctions.h"
#include "glow-c/Runtime.h"

#include <gtest/gtest.h>
#include <string>

using namespace glow::runtime;

namespace {

struct Tensor {
  uint32_t dtype;
  std::vector<int64_t> dims;
  const void *data;
};

/// Runs a function as a compiled model does.
int32_t call(const char *function, std::vector<Tensor> tensors,
             uint32_t numInputs, std::vector<GlowHostAttr> attrs = {}) {
  std::vector<GlowHostTensor> descriptions;
  std::vector<void *> args;
  for (const Tensor &tensor : tensors) {
    descriptions.push_back(
        {tensor.dims.data(), uint32_t(tensor.dims.size()), tensor.dtype});
    args.push_back(const_cast<void *>(tensor.data));
  }
  GlowHostCall description = {
      sizeof(GlowHostCall),   numInputs,   uint32_t(tensors.size()) - numInputs,
      uint32_t(attrs.size()), function,    "here",
      descriptions.data(),    attrs.data()};
  GlowRtHost *host;
  EXPECT_EQ(glow_rt_host_create(&host), GLOW_OK);
  GlowExec exec = {sizeof(exec), nullptr, host, 1, glow_rt_call_host};
  int32_t status = exec.call_host(&exec, 0, &description, args.data());
  glow_rt_host_free(host);
  return status;
}

void expectError(const char *text) {
  EXPECT_NE(std::string(glow_last_error()).find(text), std::string::npos)
      << glow_last_error();
}

TEST(HostFunctions, EmptyStringsNeedNoAddress) {
  GlowString words[] = {{nullptr, 0}, {"a\0b", 3}, {"", 0}};
  GlowString word = {"a\0b", 3};
  uint8_t equal[3] = {9, 9, 9};
  EXPECT_EQ(call("string_equal",
                 {{GLOW_STRING, {3}, words},
                  {GLOW_STRING, {}, &word},
                  {GLOW_BOOL, {3}, equal}},
                 2),
            GLOW_OK);
  EXPECT_EQ(std::vector<uint8_t>(equal, equal + 3),
            (std::vector<uint8_t>{0, 1, 0}));
}

TEST(HostFunctions, CouplesProbabilities) {
  // Pairs that three probabilities explain exactly: these are found.
  const double p[3] = {0.5, 0.3, 0.2};
  double pairs[3] = {p[0] / (p[0] + p[1]), p[0] / (p[0] + p[2]),
                     p[1] / (p[1] + p[2])};
  double found[3];
  EXPECT_EQ(call("couple_probabilities",
                 {{GLOW_F64, {1, 3}, pairs}, {GLOW_F64, {1, 3}, found}}, 1),
            GLOW_OK);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(found[i], p[i], 5e-3);
  // 2 is no number of pairs.
  EXPECT_EQ(call("couple_probabilities",
                 {{GLOW_F64, {2}, pairs}, {GLOW_F64, {2}, found}}, 1),
            GLOW_INVALID_MODEL);
  expectError("for each two classes");
}

TEST(HostFunctions, UnknownName) {
  EXPECT_EQ(call("no_such_function", {}, 0), GLOW_UNSUPPORTED);
  expectError("node 'here' (no_such_function)");
}

TEST(HostFunctions, ChecksTensors) {
  GlowString word = {"a", 1};
  int64_t number = 1;
  uint8_t equal[2];
  Tensor text{GLOW_STRING, {1}, &word}, result{GLOW_BOOL, {2}, equal};
  EXPECT_EQ(call("string_equal", {text, result}, 1), GLOW_INVALID_MODEL);
  EXPECT_EQ(call("string_equal", {text, {GLOW_I64, {1}, &number}, result}, 2),
            GLOW_INVALID_MODEL);
  expectError("input 1 must be string, not i64");
  // A result of another shape than the function computes is not written.
  EXPECT_EQ(call("string_equal", {text, text, result}, 2),
            GLOW_INVALID_ARGUMENT);
  expectError("another shape");
}

/// Two rows of a buffer for 2 x 3 strings, of which 2 x 2 are there.
TEST(HostFunctions, RoomForMore) {
  GlowString words[] = {{"a", 1}, {"b c", 3}, {nullptr, 99},
                        {"", 0},  {"d", 1},   {nullptr, 99}};
  int64_t given[] = {2, 2}, flags[] = {1, 1};
  GlowString space = {" ", 1};
  GlowString pieces[2 * 3 * 4] = {};
  int64_t counts[2 * 3], extents[5] = {};
  std::vector<GlowHostAttr> attrs = {{"extents", flags, 2, GLOW_I64},
                                     {"delimiter", &space, 1, GLOW_STRING}};
  auto split = [&](int64_t room) {
    return call("string_split",
                {{GLOW_STRING, {2, 3}, words},
                 {GLOW_I64, {2}, given},
                 {GLOW_STRING, {2, 3, room}, pieces},
                 {GLOW_I64, {2, 3}, counts},
                 {GLOW_I64, {5}, extents}},
                2, attrs);
  };
  ASSERT_EQ(split(4), GLOW_OK);
  EXPECT_EQ(std::vector<int64_t>(extents, extents + 5),
            (std::vector<int64_t>{2, 2, 2, 2, 2}));
  EXPECT_EQ(counts[1], 2);
  EXPECT_EQ(counts[4], 1);
  EXPECT_EQ(pieces[4].size, 1u);         // of "b c", in the first row
  EXPECT_EQ(pieces[3 * 4 + 4].size, 1u); // "d", in the second
  EXPECT_EQ(split(1), GLOW_INVALID_ARGUMENT);
  expectError("2 elements along axis 2, the model was compiled for at most 1");
  // Extents beyond the buffers come from a damaged model.
  given[1] = 4;
  EXPECT_EQ(split(4), GLOW_INVALID_MODEL);
  given[1] = -1;
  EXPECT_EQ(split(4), GLOW_INVALID_MODEL);
}

TEST(HostFunctions, ChecksAttributes) {
  int64_t starts[] = {0, 3}, indices[] = {0, 1, 2, -5}, pool[] = {1, 2, 3, 4};
  GlowString mode = {"TF", 2};
  GlowHostAttr text = {"mode", &mode, 1, GLOW_STRING};
  auto tfIdf = [&](uint64_t numIndices, uint64_t numStarts) {
    return call("tf_idf", {}, 0,
                {text,
                 {"ngram_indexes", indices, numIndices, GLOW_I64},
                 {"ngram_counts", starts, numStarts, GLOW_I64},
                 {"pool_int64s", pool, 4, GLOW_I64}});
  };
  EXPECT_EQ(tfIdf(4, 2), GLOW_INVALID_MODEL);
  expectError("index -5");
  EXPECT_EQ(tfIdf(2, 1), GLOW_INVALID_MODEL);
  expectError("more n-grams than indices");
  EXPECT_EQ(tfIdf(3, 2), GLOW_INVALID_MODEL);
  expectError("has 1 elements of n-grams of 2");
}

TEST(HostFunctions, DamagedPictures) {
  const std::string files[] = {
      "",
      "GIF89a",
      std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16),
      "P6 99999999 99999999 255\n",
      "P6 2 2 255\nabc",
      std::string("BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\xff\xff\xff\x7f", 22),
      std::string("II*\0\x08\0\0\0\xff\xff", 10)};
  GlowString format = {"RGB", 3};
  for (const std::string &file : files) {
    uint8_t out[12];
    int32_t status = call("decode_image",
                          {{GLOW_U8, {int64_t(file.size())}, file.data()},
                           {GLOW_U8, {2, 2, 3}, out}},
                          1, {{"pixel_format", &format, 1, GLOW_STRING}});
    EXPECT_NE(status, GLOW_OK);
  }
}

TEST(StringPool, KeepsWhatItGave) {
  StringPool pool;
  std::vector<GlowString> strings(5000);
  std::vector<std::string> wanted;
  for (size_t i = 0; i < strings.size(); ++i) {
    wanted.push_back(std::string(i % 40 ? i % 97 : 20000, char('a' + i % 26)));
    ASSERT_TRUE(pool.copy(wanted.back(), strings[i]));
  }
  for (size_t i = 0; i < strings.size(); ++i)
    ASSERT_EQ(textOf(strings[i]), wanted[i]);
  EXPECT_EQ(pool.allocate(uint64_t(1) << 62), nullptr);
}

TEST(StringPool, ChecksInputs) {
  GlowString tooLong = {"a", ~uint64_t(0)}, nowhere = {nullptr, 1};
  EXPECT_EQ(checkStrings(&tooLong, 1, "x"), GLOW_INVALID_ARGUMENT);
  EXPECT_EQ(checkStrings(&nowhere, 1, "x"), GLOW_INVALID_ARGUMENT);
  expectError("'x': element 0 has 1 bytes but no address");
}

} // namespace
