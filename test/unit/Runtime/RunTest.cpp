//===- RunTest.cpp - A model in C, run through the C interface -*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ScaleModel.h"

#include <cmath>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

namespace {

class Run : public ScaleModel {};

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

} // namespace
