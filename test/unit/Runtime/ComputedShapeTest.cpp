//===- ComputedShapeTest.cpp - Shapes that depend on data -------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow-c/Runtime.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace {

/// The columns of x that start with a positive element, and their number.
int32_t select(GlowExec *, const void *const *inputs, void *const *outputs,
               void *, const void *) {
  auto *x = static_cast<const float *>(inputs[0]);
  auto *y = static_cast<float *>(outputs[0]);
  auto &count = *static_cast<int64_t *>(outputs[1]);
  count = 0;
  for (int i = 0; i < 6; ++i)
    if (x[i] > 0) {
      y[count] = x[i];
      y[6 + count++] = x[6 + i];
    }
  if (x[0] == 99)
    count = 7;
  return 0;
}

class ComputedShape : public ::testing::Test {
protected:
  ComputedShape() {
    model.abi_version = GLOW_ABI_VERSION;
    model.size = sizeof(GlowModel);
    model.name = "computed";
    model.target_triple = GLOW_TEST_TRIPLE;
    model.cpu_features = "";
    model.inputs = &input;
    model.outputs = outputs;
    model.num_inputs = 1;
    model.num_outputs = 2;
    model.alignment = 64;
    model.run = select;
    model.symbols = &symbol;
    model.num_symbols = 1;
    model.extents = [](const int64_t *symbols, int64_t *dims) {
      dims[0] = dims[2] = 2;
      dims[1] = 6;
      dims[3] = symbols[0];
      dims[4] = 1;
    };
    GlowRtOptions options = {sizeof(options), 1, nullptr, nullptr};
    EXPECT_EQ(glow_rt_load_model(&model, nullptr, &options, &program), GLOW_OK)
        << glow_last_error();
    EXPECT_EQ(glow_rt_context_create(program, &context), GLOW_OK);
  }
  ~ComputedShape() override {
    glow_rt_context_free(context);
    glow_rt_program_free(program);
  }

  /// Runs with `count` columns to choose and checks what comes out in `y`.
  void expectRuns(int count) {
    auto *x = static_cast<float *>(glow_rt_context_input(context, 0));
    for (int i = 0; i < 12; ++i)
      x[i] = i >= 6 || i % 2 < count - i / 2 * 2 ? i + 1.0f : -1.0f;
    int expected = 0;
    for (int i = 0; i < 6; ++i)
      expected += x[i] > 0;
    ASSERT_EQ(glow_rt_run(context), GLOW_OK) << glow_last_error();
    const GlowTensorDesc *desc = glow_rt_context_output_desc(context, 0);
    EXPECT_EQ(desc->dims[0], 2);
    EXPECT_EQ(desc->dims[1], expected);
    EXPECT_EQ(desc->bytes, 8u * expected);
    auto *y = static_cast<float *>(glow_rt_context_output(context, 0));
    for (int i = 0, at = 0; i < 6; ++i)
      if (x[i] > 0) {
        EXPECT_EQ(y[at], x[i]);
        EXPECT_EQ(y[expected + at++], x[6 + i]);
      }
  }

  int64_t matrix[2] = {2, 6}, one[1] = {1};
  uint8_t columns[2] = {0, 1};
  GlowTensorDesc input = {"x", matrix, 48,       nullptr, nullptr,
                          0,   -1,     GLOW_F32, 2,       nullptr};
  GlowTensorDesc outputs[2] = {
      {"y", matrix, 48, nullptr, nullptr, 0, -1, GLOW_F32, 2, columns},
      {"count", one, 8, nullptr, nullptr, 0, -1, GLOW_I64, 1, nullptr}};
  GlowSymbol symbol = {"count", 0, 6, GLOW_COMPUTED, 0};
  GlowModel model = {};
  GlowRtProgram *program = nullptr;
  GlowRtContext *context = nullptr;
};

TEST_F(ComputedShape, OwnBuffers) {
  EXPECT_EQ(glow_rt_num_symbols(program), 0u);
  EXPECT_EQ(glow_rt_num_outputs(program), 1u);
  EXPECT_EQ(glow_rt_context_output_desc(context, 0)->dims[1], 6);
  for (int count : {3, 6, 0, 2, 6})
    expectRuns(count);
}

TEST_F(ComputedShape, BufferOfTheCaller) {
  alignas(64) float y[13];
  for (int shift : {0, 1}) {
    ASSERT_EQ(glow_rt_bind_output(context, 0, y + shift, 48), GLOW_OK)
        << glow_last_error();
    for (int count : {3, 6, 0, 2, 6}) {
      std::fill(y, y + 13, -9.0f);
      expectRuns(count);
      EXPECT_EQ(glow_rt_context_output(context, 0), y + shift);
      uint64_t bytes = glow_rt_context_output_desc(context, 0)->bytes;
      for (size_t i = bytes / sizeof(float) + shift; i < 13; ++i)
        EXPECT_EQ(y[i], -9.0f);
    }
  }
}

TEST_F(ComputedShape, ImpossibleValuesAreReported) {
  static_cast<float *>(glow_rt_context_input(context, 0))[0] = 99;
  EXPECT_EQ(glow_rt_run(context), GLOW_INVALID_MODEL);
  EXPECT_STREQ(glow_last_error(), "symbol 'count' came out as 7, not 0 to 6");
}

TEST_F(ComputedShape, WrongDescriptorsAreRefused) {
  GlowRtProgram *refused;
  outputs[1].dtype = GLOW_I32;
  outputs[1].bytes = 4;
  EXPECT_EQ(glow_rt_load_model(&model, nullptr, nullptr, &refused),
            GLOW_INVALID_MODEL);
  EXPECT_NE(std::string(glow_last_error())
                .find("its last output cannot hold the values of 1 symbols"),
            std::string::npos)
      << glow_last_error();
}

} // namespace
