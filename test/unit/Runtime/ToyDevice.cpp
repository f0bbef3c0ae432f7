//===- ToyDevice.cpp - A card that multiplies by a number -------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Its programs are text, "toy 2.5": out = 2.5 * in, in f32. "toy slow" takes
// 50 milliseconds and writes zeros, "toy fail" fails.
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/SimpleDevice.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

using namespace glow::runtime;

namespace {

struct ToyProgram : SimpleProgram {
  std::string text;
};

class ToyDevice : public HostMemoryDevice {
public:
  SimpleInfo info() override { return {"toy", "{\"toys\": 1}", 1 << 20, 64}; }

  GlowStatus load(const ProgramImage &image,
                  std::unique_ptr<SimpleProgram> &program) override {
    auto loaded = std::make_unique<ToyProgram>();
    loaded->text = image.text();
    if (loaded->text.compare(0, 4, "toy ") != 0)
      return fail(GLOW_INVALID_MODEL, "this is no program for a toy");
    loaded->text.erase(0, 4);
    program = std::move(loaded);
    return GLOW_OK;
  }

  GlowStatus run(SimpleProgram &program,
                 const std::vector<SimpleBinding> &bindings) override {
    const std::string &text = static_cast<ToyProgram &>(program).text;
    if (text == "fail")
      return fail(GLOW_INTERNAL, "the toy broke");
    if (text == "slow")
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (bindings.size() != 2 || bindings[0].bytes != bindings[1].bytes)
      return fail(GLOW_INVALID_ARGUMENT, "a toy has one input and one output");
    float factor = std::strtof(text.c_str(), nullptr);
    auto *in = static_cast<const float *>(bindings[0].address);
    auto *out = static_cast<float *>(bindings[1].address);
    for (uint64_t i = 0; i < bindings[0].bytes / sizeof(float); ++i)
      out[i] = factor * in[i];
    return GLOW_OK;
  }
};

} // namespace

GLOW_SIMPLE_DEVICE_DRIVER("toy", ToyDevice)
