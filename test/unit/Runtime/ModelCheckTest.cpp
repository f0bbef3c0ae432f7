//===- ModelCheckTest.cpp - Each bad field of a descriptor is refused -----===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/CpuFeatures.h"
#include "glow/Runtime/DType.h"
#include "glow/Runtime/Program.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>

using namespace glow::runtime;

namespace {

int32_t doNothing(GlowExec *, const void *const *, void *const *, void *,
                  const void *) {
  return 0;
}

/// A correct descriptor whose parts a test may spoil.
struct Sample {
  int64_t dims[2] = {2, 3};
  float scales[3] = {1, 2, 3};
  int64_t zeroPoints[3] = {0, 0, 0};
  GlowTensorDesc inputs[2] = {};
  GlowTensorDesc output = {};
  GlowInstrDesc instr = {"conv", "node", "kernel", 0, 0};
  alignas(64) char weights[64] = {};
  GlowModel model = {};

  Sample() {
    for (GlowTensorDesc *tensor : {&inputs[0], &inputs[1], &output})
      *tensor = {"x", dims, 24, scales, zeroPoints, 0, -1, GLOW_F32, 2};
    inputs[1].name = "x2";
    model.abi_version = GLOW_ABI_VERSION;
    model.size = sizeof(GlowModel);
    model.name = "sample";
    model.target_triple = GLOW_TEST_TRIPLE;
    model.cpu_features = "";
    model.inputs = inputs;
    model.outputs = &output;
    model.instrs = &instr;
    model.weights = weights;
    model.weights_bytes = 64;
    model.arena_bytes = 128;
    model.num_inputs = 2;
    model.num_outputs = 1;
    model.num_instrs = 1;
    model.alignment = 64;
    model.run = doNothing;
  }
};

/// Expects that the descriptor spoilt by `spoil` is refused, with a message
/// that contains `text`.
void expectRefused(const char *text, std::function<void(Sample &)> spoil,
                   GlowStatus status = GLOW_INVALID_MODEL) {
  Sample sample;
  ASSERT_EQ(checkModel(&sample.model), GLOW_OK) << glow_last_error();
  spoil(sample);
  EXPECT_EQ(checkModel(&sample.model), status) << text;
  EXPECT_NE(std::string(glow_last_error()).find(text), std::string::npos)
      << glow_last_error();
}

TEST(ModelCheck, Header) {
  EXPECT_EQ(checkModel(nullptr), GLOW_INVALID_ARGUMENT);
  expectRefused(
      "version 99", [](Sample &s) { s.model.abi_version = 99; },
      GLOW_UNSUPPORTED);
  expectRefused("descriptor has", [](Sample &s) { s.model.size = 8; });
  expectRefused("no name", [](Sample &s) { s.model.name = nullptr; });
  expectRefused("no name", [](Sample &s) { s.model.target_triple = nullptr; });
  expectRefused("no name", [](Sample &s) { s.model.cpu_features = nullptr; });
  expectRefused("no code", [](Sample &s) { s.model.run = nullptr; });
}

TEST(ModelCheck, LaterVersionMayBeLarger) {
  Sample sample;
  sample.model.size += 16;
  EXPECT_EQ(checkModel(&sample.model), GLOW_OK);
}

TEST(ModelCheck, Processor) {
  auto refused = [](const char *text, std::function<void(Sample &)> spoil) {
    expectRefused(text, spoil, GLOW_UNSUPPORTED);
  };
  refused("compiled for 'avr'",
          [](Sample &s) { s.model.target_triple = "avr"; });
  refused("no-such-thing",
          [](Sample &s) { s.model.cpu_features = "-x,+no-such-thing"; });
  // No processor has registers of this length.
  refused("this processor lacks sve-bits=384",
          [](Sample &s) { s.model.cpu_features = "+sve-bits=384"; });
#if defined(__x86_64__)
  // No processor has both AMD's FMA4 and Intel's TSX load tracking.
  refused("this processor lacks",
          [](Sample &s) { s.model.cpu_features = "+fma4,+tsxldtrk"; });
  EXPECT_EQ(checkCpuFeatures("+sse2,+64bit,-avx512f,+cmov"), GLOW_OK);
#endif
}

TEST(ModelCheck, Lists) {
  static GlowList list = {"list", GLOW_SEQUENCE, 1, 0, 1};
  Sample sample;
  sample.model.lists = &list;
  sample.model.num_input_lists = 1;
  EXPECT_EQ(checkModel(&sample.model), GLOW_OK) << glow_last_error();
  expectRefused("no lists", [](Sample &s) { s.model.num_output_lists = 1; });
  expectRefused("tensors that there are not", [](Sample &s) {
    static GlowList beyond = {"list", GLOW_SEQUENCE, 1, 1, UINT32_MAX};
    s.model.lists = &beyond;
    s.model.num_output_lists = 1;
  });
}

TEST(ModelCheck, Memory) {
  for (uint32_t bad : {0u, 48u, 8192u})
    expectRefused("alignment", [&](Sample &s) { s.model.alignment = bad; });
  expectRefused("impossible size",
                [](Sample &s) { s.model.arena_bytes = UINT64_MAX; });
  expectRefused("impossible size",
                [](Sample &s) { s.model.weights_bytes = UINT64_MAX - 5; });
  expectRefused("both", [](Sample &s) { s.model.weights_file = "w"; });
  expectRefused("neither", [](Sample &s) { s.model.weights = nullptr; });
  expectRefused("not aligned",
                [](Sample &s) { s.model.weights = s.weights + 4; });
}

TEST(ModelCheck, Tensors) {
  expectRefused("no inputs", [](Sample &s) { s.model.inputs = nullptr; });
  expectRefused("no outputs",
                [](Sample &s) { s.model.num_outputs = 0x80000000u; });
  expectRefused("has no name", [](Sample &s) { s.output.name = nullptr; });
  expectRefused("are called 'x'", [](Sample &s) { s.inputs[1].name = "x"; });
  expectRefused("no shape", [](Sample &s) { s.output.dims = nullptr; });
  expectRefused("no shape", [](Sample &s) { s.output.rank = 0x10000000; });
  expectRefused("impossible", [](Sample &s) { s.dims[1] = -3; });
  expectRefused("impossible",
                [](Sample &s) { s.dims[0] = s.dims[1] = int64_t(1) << 32; });
  expectRefused("impossible", [](Sample &s) {
    s.dims[0] = 0; // must not hide its neighbour
    s.dims[1] = INT64_MAX;
  });
  expectRefused("unknown element type", [](Sample &s) { s.output.dtype = 77; });
  expectRefused("is said to have", // a string has 16 bytes
                [](Sample &s) { s.output.dtype = GLOW_STRING; });
  expectRefused("said to have 23 bytes",
                [](Sample &s) { s.output.bytes = 23; });
}

TEST(ModelCheck, Quantisation) {
  auto perAxis = [](Sample &s) {
    s.output.num_scales = 3;
    s.output.quant_axis = 1;
  };
  Sample sample;
  perAxis(sample);
  EXPECT_EQ(checkModel(&sample.model), GLOW_OK) << glow_last_error();
  expectRefused("that extent", [&](Sample &s) {
    perAxis(s);
    s.output.quant_axis = 0;
  });
  expectRefused("that extent", [&](Sample &s) {
    perAxis(s);
    s.output.quant_axis = 2;
  });
  expectRefused("no axis", [&](Sample &s) {
    perAxis(s);
    s.output.quant_axis = -1;
  });
  expectRefused("no scales", [&](Sample &s) {
    perAxis(s);
    s.output.zero_points = nullptr;
  });
  for (float bad : {0.0f, -1.0f, NAN, INFINITY})
    expectRefused("not positive", [&](Sample &s) {
      perAxis(s);
      s.scales[2] = bad;
    });
}

TEST(ModelCheck, Instructions) {
  expectRefused("no instructions", [](Sample &s) { s.model.instrs = nullptr; });
  expectRefused("instruction 0", [](Sample &s) { s.instr.kernel = nullptr; });
}

TEST(DType, NamesRoundTrip) {
  for (uint32_t dtype = 1; dtype <= GLOW_I2; ++dtype) {
    std::string name = dtypeName(dtype);
    if (name != "undefined")
      EXPECT_EQ(parseDType(name), dtype);
  }
  EXPECT_EQ(parseDType("f33"), uint32_t(GLOW_UNDEFINED));
  EXPECT_STREQ(dtypeName(GLOW_I2 + 1), "undefined");
}

TEST(DType, SubByteElementsArePacked) {
  int64_t dims[] = {3, 3};
  uint64_t bytes = 0;
  EXPECT_TRUE(tensorBytes(GLOW_I4, dims, 2, bytes));
  EXPECT_EQ(bytes, 5u);
  EXPECT_TRUE(tensorBytes(GLOW_U2, dims, 2, bytes));
  EXPECT_EQ(bytes, 3u);
  EXPECT_TRUE(tensorBytes(GLOW_F64, dims, 0, bytes));
  EXPECT_EQ(bytes, 8u);
}

} // namespace
