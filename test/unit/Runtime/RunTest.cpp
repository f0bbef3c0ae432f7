//===- RunTest.cpp - A model in C, loaded and run through the C interface *- C++
//-*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TempFolder.h"
#include "glow-c/Runtime.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

namespace {

const std::string twoAsBytes("\0\0\0\x40", 4); // 2.0f

class Run : public ::testing::Test {
protected:
  Run() : path(folder.copy(GLOW_TEST_MODEL, "model.so")) {
    folder.write("ScaleModel.weights", twoAsBytes);
  }
  ~Run() override {
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

  TempFolder folder;
  std::string path;
  GlowRtProgram *program = nullptr;
  GlowRtContext *context = nullptr;
};

TEST_F(Run, DescribesItself) {
  load(1);
  EXPECT_STREQ(glow_rt_program_name(program), "scale");
  ASSERT_EQ(glow_rt_num_inputs(program), 1u);
  ASSERT_EQ(glow_rt_num_outputs(program), 1u);
  const GlowTensorDesc *x = glow_rt_input(program, 0);
  EXPECT_STREQ(x->name, "x");
  EXPECT_EQ(x->dims[1], 100);
  EXPECT_EQ(x->scales[0], 0.5f);
  EXPECT_EQ(glow_rt_output(program, 1), nullptr);
  EXPECT_EQ(glow_rt_find_input(program, "x"), 0);
  EXPECT_EQ(glow_rt_find_output(program, "x"), -1);
  EXPECT_EQ(glow_rt_arena_bytes(program), 4000u);
  EXPECT_EQ(glow_rt_weights_bytes(program), 4u);
}

TEST_F(Run, OwnBuffers) {
  load(1);
  expectRuns();
}

TEST_F(Run, Threads) {
  load(0);
  for (int i = 0; i < 50; ++i)
    expectRuns();
}

TEST_F(Run, UnalignedBuffersAreCopied) {
  load(1);
  std::vector<char> x(4001), y(4001);
  const float five = 5, fifteen = 15;
  std::memcpy(&x[1], &five, sizeof five);
  ASSERT_EQ(glow_rt_bind_input(context, 0, &x[1], 4000), GLOW_OK);
  ASSERT_EQ(glow_rt_bind_output(context, 0, &y[1], 4000), GLOW_OK);
  EXPECT_EQ(glow_rt_context_input(context, 0), &x[1]);
  ASSERT_EQ(glow_rt_run(context), GLOW_OK) << glow_last_error();
  EXPECT_EQ(std::memcmp(&y[1], &fifteen, sizeof fifteen), 0);
}

TEST_F(Run, WrongBindingsAreRefused) {
  load(1);
  float x[1000];
  EXPECT_EQ(glow_rt_bind_input(context, 0, x, 3999), GLOW_INVALID_ARGUMENT);
  EXPECT_STREQ(glow_last_error(),
               "input 'x' has 4000 bytes, the bound memory has 3999");
  EXPECT_EQ(glow_rt_bind_output(context, 1, x, 4000), GLOW_INVALID_ARGUMENT);
}

TEST_F(Run, ContextsRunAtOnce) {
  load(0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      GlowRtContext *own = nullptr;
      ASSERT_EQ(glow_rt_context_create(program, &own), GLOW_OK);
      auto *x = static_cast<float *>(glow_rt_context_input(own, 0));
      x[999] = 5;
      for (int run = 0; run < 100; ++run)
        ASSERT_EQ(glow_rt_run(own), GLOW_OK);
      EXPECT_EQ(static_cast<float *>(glow_rt_context_output(own, 0))[999], 15);
      glow_rt_context_free(own);
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(Run, ContextKeepsProgram) {
  load(1);
  glow_rt_program_free(program);
  program = nullptr;
  expectRuns();
}

TEST_F(Run, CallersPool) {
  load(1);
  int calls = 0;
  GlowExec exec = {};
  exec.size = sizeof(exec);
  exec.user = &calls;
  exec.parallel_for = [](GlowExec *self, uint32_t, GlowKernel kernel,
                         void *const *args, int64_t tickets) {
    ++*static_cast<int *>(self->user);
    for (int64_t i = tickets; i-- > 0;)
      kernel(args, i, i + 1, 0);
  };
  // How much scratch memory there must be cannot be guessed.
  EXPECT_EQ(glow_rt_context_set_exec(context, &exec), GLOW_INVALID_ARGUMENT);
  exec.workers = 1;
  ASSERT_EQ(glow_rt_context_set_exec(context, &exec), GLOW_OK);
  expectRuns();
  EXPECT_EQ(calls, 2);
  exec.size = 4;
  EXPECT_EQ(glow_rt_context_set_exec(context, &exec), GLOW_INVALID_ARGUMENT);
}

TEST_F(Run, Profile) {
  load(0);
  ASSERT_EQ(glow_rt_profile_enable(context, 1), GLOW_OK);
  expectRuns();
  expectRuns();
  ASSERT_EQ(glow_rt_profile_enable(context, 0), GLOW_OK);
  expectRuns();
  const GlowRtEvent *events;
  uint64_t count;
  ASSERT_EQ(glow_rt_profile_events(context, &events, &count), GLOW_OK);
  ASSERT_EQ(count, 4u);
  for (uint64_t i = 0; i < count; ++i) {
    EXPECT_EQ(events[i].instr, i % 2);
    EXPECT_GE(events[i].workers, 1u);
    EXPECT_LE(events[i].begin_ns, events[i].end_ns);
    if (i)
      EXPECT_LE(events[i - 1].end_ns, events[i].begin_ns);
  }
  EXPECT_STREQ(glow_rt_profile_instr(context, 1)->op, "add");
  EXPECT_NE(std::strstr(glow_rt_profile_table(context), "/scale/Mul"), nullptr);
  auto table = nlohmann::json::parse(glow_rt_profile_json(context));
  EXPECT_EQ(table["operations"].size(), 2u);
  EXPECT_EQ(table["instructions"][0]["calls"], 2);
  auto trace = nlohmann::json::parse(glow_rt_profile_trace(context));
  ASSERT_EQ(trace["traceEvents"].size(), 5u);
  EXPECT_EQ(trace["traceEvents"][2]["name"], "/scale/Add");
  EXPECT_EQ(trace["traceEvents"][2]["ph"], "X");
}

TEST_F(Run, MissingFile) {
  path = folder / "absent.so";
  expectLoadFails(GLOW_NOT_FOUND, "absent.so");
}

TEST_F(Run, NotASharedObject) {
  path = folder.write("text.so", "hello");
  expectLoadFails(GLOW_INVALID_MODEL, "not a shared object");
}

TEST_F(Run, NewFileOfTheSameName) {
  std::ifstream file(path, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(file), {}};
  auto publish = [&](const std::string &name) {
    std::string changed = content;
    size_t at = changed.find(std::string("\0scale", 7));
    ASSERT_NE(at, std::string::npos);
    changed.replace(at + 1, 5, name);
    std::filesystem::rename(folder.write("new.so", changed), path);
  };
  ASSERT_NO_FATAL_FAILURE(load(1));
  // Files are named by their descriptors, which are reused: in any order.
  std::vector<GlowRtProgram *> others;
  for (const char *name : {"one__", "two__", "three", "four_"}) {
    publish(name);
    for (int twice = 0; twice < 2; ++twice) {
      others.push_back(nullptr);
      ASSERT_EQ(glow_rt_load_file(path.c_str(), nullptr, &others.back()),
                GLOW_OK)
          << glow_last_error();
      EXPECT_STREQ(glow_rt_program_name(others.back()), name);
    }
    glow_rt_program_free(others.front());
    others.erase(others.begin());
  }
  EXPECT_STREQ(glow_rt_program_name(program), "scale");
  EXPECT_STREQ(glow_rt_program_name(others.back()), "four_");
  expectRuns();
  for (GlowRtProgram *other : others)
    glow_rt_program_free(other);
}

TEST_F(Run, TruncatedAtAnyPlace) {
  std::ifstream file(path, std::ios::binary);
  std::string whole{std::istreambuf_iterator<char>(file), {}};
  // Only what the program headers cover is needed to load.
  for (size_t length = 1; length < whole.size() / 2; length += 97) {
    path = folder.write("cut.so", whole.substr(0, length));
    EXPECT_NE(glow_rt_load_file(path.c_str(), nullptr, &program), GLOW_OK);
  }
}

TEST_F(Run, WithoutModelSymbol) {
  path = GLOW_TEST_LIBRARY;
  expectLoadFails(GLOW_INVALID_MODEL, "exports no 'glow_model'");
}

TEST_F(Run, WeightsMustMatch) {
  std::filesystem::remove(folder / "ScaleModel.weights");
  expectLoadFails(GLOW_NOT_FOUND, "ScaleModel.weights");
  folder.write("ScaleModel.weights", "12345");
  expectLoadFails(GLOW_INVALID_MODEL, "has 5 bytes");
  folder.write("ScaleModel.weights", "1234");
  expectLoadFails(GLOW_INVALID_MODEL, "belongs to another model");
  folder.write("real", twoAsBytes);
  std::filesystem::remove(folder / "ScaleModel.weights");
  std::filesystem::create_symlink(folder / "real",
                                  folder / "ScaleModel.weights");
  expectLoadFails(GLOW_INVALID_MODEL, "is a link");
}

TEST(Load, ReleasesItsOwner) {
  static float weight = 0;
  GlowModel model = {};
  model.abi_version = GLOW_ABI_VERSION;
  model.size = sizeof(model);
  model.name = "empty";
  model.target_triple = GLOW_TEST_TRIPLE;
  model.cpu_features = "";
  model.alignment = 4;
  model.weights = &weight;
  model.run = [](GlowExec *, const void *const *, void *const *, void *,
                 const void *weights) -> int32_t {
    return weights == &weight ? GLOW_TIMEOUT : GLOW_OK;
  };
  int released = 0;
  GlowRtOptions options = {sizeof(options), 1,
                           [](void *user) { ++*static_cast<int *>(user); },
                           &released};
  GlowRtProgram *program = nullptr;
  GlowRtContext *context = nullptr;
  ASSERT_EQ(glow_rt_load_model(&model, nullptr, &options, &program), GLOW_OK)
      << glow_last_error();
  ASSERT_EQ(glow_rt_context_create(program, &context), GLOW_OK);
  EXPECT_EQ(glow_rt_run(context), GLOW_TIMEOUT);
  EXPECT_STREQ(glow_last_error(), "model 'empty' stopped: timeout");
  glow_rt_program_free(program);
  EXPECT_EQ(released, 0);
  glow_rt_context_free(context);
  EXPECT_EQ(released, 1);
}

TEST(Load, OptionsAreChecked) {
  GlowRtOptions options = {};
  GlowRtProgram *program = nullptr;
  EXPECT_EQ(glow_rt_load_file("x.so", &options, &program),
            GLOW_INVALID_ARGUMENT);
  options.size = sizeof(options);
  options.threads = -1;
  EXPECT_EQ(glow_rt_load_file("x.so", &options, &program),
            GLOW_INVALID_ARGUMENT);
  EXPECT_EQ(glow_rt_load_file(nullptr, nullptr, &program),
            GLOW_INVALID_ARGUMENT);
}

} // namespace
