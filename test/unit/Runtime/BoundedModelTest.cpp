//===- BoundedModelTest.cpp - Shapes that are known at run time -*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow-c/Runtime.h"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace {

/// y = 2 x on up to 4 rows of up to 6 columns, computed for all of them, and
/// the rows' first elements, negated.
int32_t run(GlowExec *, const void *const *inputs, void *const *outputs, void *,
            const void *) {
  auto *x = static_cast<const float *>(inputs[0]);
  auto *y = static_cast<float *>(outputs[0]);
  auto *first = static_cast<float *>(outputs[1]);
  auto *symbols = static_cast<const int64_t *>(inputs[1]);
  for (int i = 0; i < 24; ++i)
    y[i] = 2 * x[i];
  for (int i = 0; i < symbols[0]; ++i)
    first[i] = -x[6 * i];
  return 0;
}

void extents(const int64_t *symbols, int64_t *dims) {
  dims[0] = dims[3] = dims[5] = symbols[0];
  dims[1] = dims[4] = symbols[1];
  dims[2] = 2;
}

class BoundedModel : public ::testing::Test {
protected:
  BoundedModel() {
    model.abi_version = GLOW_ABI_VERSION;
    model.size = sizeof(GlowModel);
    model.name = "bounded";
    model.target_triple = GLOW_TEST_TRIPLE;
    model.cpu_features = "";
    model.inputs = inputs;
    model.outputs = outputs;
    model.num_inputs = model.num_outputs = 2;
    model.alignment = 64;
    model.run = run;
    model.symbols = symbols;
    model.num_symbols = 2;
    model.extents = extents;
    GlowRtOptions options = {sizeof(options), 1, nullptr, nullptr};
    EXPECT_EQ(glow_rt_load_model(&model, nullptr, &options, &program), GLOW_OK)
        << glow_last_error();
    EXPECT_EQ(glow_rt_context_create(program, &context), GLOW_OK);
  }
  ~BoundedModel() override {
    glow_rt_context_free(context);
    glow_rt_program_free(program);
  }

  void setSymbols(int64_t rows, int64_t columns) {
    const int64_t values[] = {rows, columns};
    ASSERT_EQ(glow_rt_set_symbols(context, values, 2), GLOW_OK)
        << glow_last_error();
  }
  /// Runs on 1, 2, 3 ... in `x`.
  void expectRuns(float *x, int64_t rows, int64_t columns) {
    std::iota(x, x + rows * columns, 1.0f);
    ASSERT_EQ(glow_rt_run(context), GLOW_OK) << glow_last_error();
    auto *y = static_cast<float *>(glow_rt_context_output(context, 0));
    for (int i = 0; i < rows * columns; ++i)
      EXPECT_EQ(y[i], 2 * x[i]);
    auto *first = static_cast<float *>(glow_rt_context_output(context, 1));
    for (int i = 0; i < rows; ++i)
      EXPECT_EQ(first[i], -x[i * columns]);
  }

  int64_t matrix[2] = {4, 6}, rows[1] = {4}, two[1] = {2};
  uint8_t both[2] = {1, 1};
  GlowTensorDesc inputs[2] = {
      {"x", matrix, 96, nullptr, nullptr, 0, -1, GLOW_F32, 2, both},
      {"symbols", two, 16, nullptr, nullptr, 0, -1, GLOW_I64, 1, nullptr}};
  GlowTensorDesc outputs[2] = {
      {"y", matrix, 96, nullptr, nullptr, 0, -1, GLOW_F32, 2, both},
      {"first", rows, 16, nullptr, nullptr, 0, -1, GLOW_F32, 1, both}};
  GlowSymbol symbols[3] = {
      {"rows", 1, 4, 0, 0}, {"columns", 0, 6, 0, 1}, {"third", 1, 1, 0, 0}};
  GlowModel model = {};
  GlowRtProgram *program = nullptr;
  GlowRtContext *context = nullptr;
};

TEST_F(BoundedModel, DescribesItself) {
  EXPECT_EQ(glow_rt_num_inputs(program), 1u);
  ASSERT_EQ(glow_rt_num_symbols(program), 2u);
  EXPECT_STREQ(glow_rt_symbol(program, 1)->name, "columns");
  EXPECT_EQ(glow_rt_symbol(program, 2), nullptr);
  EXPECT_EQ(glow_rt_context_input_desc(context, 0)->bytes, 96u);
  setSymbols(3, 5);
  const GlowTensorDesc *y = glow_rt_context_output_desc(context, 0);
  EXPECT_EQ(y->dims[0], 3);
  EXPECT_EQ(y->dims[1], 5);
  EXPECT_EQ(y->bytes, 60u);
  EXPECT_EQ(glow_rt_input(program, 0)->bytes, 96u);
  EXPECT_EQ(glow_rt_context_input_desc(context, 1), nullptr);
}

TEST_F(BoundedModel, OwnBuffers) {
  expectRuns(static_cast<float *>(glow_rt_context_input(context, 0)), 4, 6);
  for (int rows : {1, 4, 2, 3})
    for (int columns : {6, 1, 5, 0}) {
      setSymbols(rows, columns);
      auto *x = static_cast<float *>(glow_rt_context_input(context, 0));
      if (columns)
        expectRuns(x, rows, columns);
    }
}

TEST_F(BoundedModel, BuffersOfTheCaller) {
  alignas(64) float x[25], y[25];
  for (int rows : {1, 4, 3})
    for (int columns : {6, 2}) {
      setSymbols(rows, columns);
      uint64_t bytes = rows * columns * sizeof(float);
      for (int shift : {0, 1}) {
        std::fill(y, y + 25, -1.0f);
        ASSERT_EQ(glow_rt_bind_input(context, 0, x + shift, bytes), GLOW_OK);
        ASSERT_EQ(glow_rt_bind_output(context, 0, y + shift, bytes), GLOW_OK);
        expectRuns(x + shift, rows, columns);
        // Nothing behind the elements is written.
        for (int i = rows * columns + shift; i < 25; ++i)
          EXPECT_EQ(y[i], -1.0f);
      }
    }
}

TEST_F(BoundedModel, OtherShapesUnbind) {
  float x[24];
  setSymbols(2, 6);
  EXPECT_EQ(glow_rt_bind_input(context, 0, x, 96), GLOW_INVALID_ARGUMENT);
  EXPECT_STREQ(glow_last_error(),
               "input 'x' has 48 bytes, the bound memory has 96");
  EXPECT_EQ(glow_rt_bind_input(context, 0, x, 48), GLOW_OK);
  setSymbols(2, 6);
  EXPECT_EQ(glow_rt_context_input(context, 0), x);
  setSymbols(3, 6);
  EXPECT_NE(glow_rt_context_input(context, 0), x);
}

TEST_F(BoundedModel, WrongSymbolsAreRefused) {
  const int64_t values[] = {5, 6};
  EXPECT_EQ(glow_rt_set_symbols(context, values, 1), GLOW_INVALID_ARGUMENT);
  EXPECT_STREQ(glow_last_error(), "the model has 2 symbols, not 1");
  EXPECT_EQ(glow_rt_set_symbols(context, values, 2), GLOW_INVALID_ARGUMENT);
  EXPECT_STREQ(glow_last_error(),
               "symbol 'rows' is 5, the model was compiled for 1 to 4");
}

TEST_F(BoundedModel, WrongDescriptorsAreRefused) {
  auto expectRefused = [&](const char *text) {
    GlowRtProgram *refused;
    EXPECT_EQ(glow_rt_load_model(&model, nullptr, nullptr, &refused),
              GLOW_INVALID_MODEL);
    EXPECT_NE(std::string(glow_last_error()).find(text), std::string::npos)
        << glow_last_error();
  };
  model.num_symbols = 3;
  expectRefused("cannot hold the values of 3 symbols");
  model.num_symbols = 2;
  model.extents = nullptr;
  expectRefused("no symbols are listed");
  model.extents = extents;
  symbols[1].axis = 2;
  expectRefused("symbol 'columns' is not the extent");
  symbols[1] = {"columns", 3, 2, 0, 1};
  expectRefused("symbol 1 has no name or no values");
}

} // namespace
