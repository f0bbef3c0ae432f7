//===- ScaleModel.h - A model in C, loaded by the C interface ---*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_UNITTEST_SCALEMODEL_H
#define GLOW_UNITTEST_SCALEMODEL_H

#include "TempFolder.h"
#include "glow-c/Runtime.h"

#include <gtest/gtest.h>

/// A copy of ScaleModel.c's library, and what a test loads.
class ScaleModel : public ::testing::Test {
protected:
  ScaleModel() : path(folder.copy(GLOW_TEST_MODEL, "model.so")) {
    folder.write("ScaleModel.weights", twoAsBytes);
  }
  ~ScaleModel() override {
    glow_rt_context_free(context);
    glow_rt_program_free(program);
  }
  void load(int32_t threads) {
    GlowRtOptions options = {sizeof(options), threads, nullptr, nullptr};
    ASSERT_EQ(glow_rt_load_file(path.c_str(), &options, &program), GLOW_OK)
        << glow_last_error();
    ASSERT_EQ(glow_rt_context_create(program, &context), GLOW_OK);
  }
  void expectLoadFails(GlowStatus status, const char *text) {
    EXPECT_EQ(glow_rt_load_file(path.c_str(), nullptr, &program), status);
    EXPECT_NE(std::string(glow_last_error()).find(text), std::string::npos)
        << glow_last_error();
  }
  /// Fills the input with 0, 1, 2 ... and expects three times that.
  void expectRuns() {
    auto *x = static_cast<float *>(glow_rt_context_input(context, 0));
    for (int i = 0; i < 1000; ++i)
      x[i] = float(i);
    ASSERT_EQ(glow_rt_run(context), GLOW_OK) << glow_last_error();
    auto *y = static_cast<float *>(glow_rt_context_output(context, 0));
    for (int i = 0; i < 1000; ++i)
      ASSERT_EQ(y[i], 3.0f * float(i));
  }

  /// 2.0f, the weight.
  inline static const std::string twoAsBytes{"\0\0\0\x40", 4};

  TempFolder folder;
  std::string path;
  GlowRtProgram *program = nullptr;
  GlowRtContext *context = nullptr;
};

#endif // GLOW_UNITTEST_SCALEMODEL_H
