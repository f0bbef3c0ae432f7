//===- DeviceTest.cpp - What SimpleDevice makes of six functions *- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow-c/Device.h"

#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace {

class Device : public ::testing::Test {
protected:
  Device() {
    EXPECT_EQ(glow_device_open_plugin(GLOW_TEST_DEVICE), GLOW_OK)
        << glow_last_error();
    table = glow_device_find_driver("toy");
    EXPECT_EQ(table->open(0, &device), GLOW_OK);
    EXPECT_EQ(table->queue_create(device, 4, &queue), GLOW_OK);
    EXPECT_EQ(table->fence_create(device, 0, &fence), GLOW_OK);
  }
  ~Device() override {
    if (device)
      table->close(device);
  }

  GlowDeviceProgram load(const std::string &text) {
    GlowDeviceProgram program = 0;
    EXPECT_EQ(table->load(device, text.data(), text.size(), nullptr, &program),
              GLOW_OK);
    return program;
  }
  GlowMemory alloc(uint64_t bytes) {
    GlowMemory memory = 0;
    EXPECT_EQ(table->alloc(device, bytes, 64, &memory), GLOW_OK);
    return memory;
  }
  static GlowSpan host(void *data, uint64_t bytes) {
    return {0, reinterpret_cast<uintptr_t>(data), bytes};
  }
  static GlowCommand copy(GlowSpan target, GlowSpan source) {
    GlowCommand command = {};
    command.kind = GLOW_COMMAND_COPY;
    command.target = target;
    command.source = source;
    return command;
  }
  static GlowCommand run(GlowDeviceProgram program,
                         const std::vector<GlowSpan> &bindings) {
    GlowCommand command = {};
    command.kind = GLOW_COMMAND_RUN;
    command.program = program;
    command.bindings = bindings.data();
    command.num_bindings = bindings.size();
    return command;
  }
  /// Submits and signals `fence` with `value`.
  GlowStatus submit(std::vector<GlowCommand> commands, uint64_t value,
                    std::vector<GlowFencePoint> waits = {}) {
    GlowFencePoint signal = {fence, value};
    return table->submit(device, queue, commands.data(), commands.size(),
                         waits.data(), waits.size(), &signal, 1);
  }
  GlowStatus wait(uint64_t value, uint64_t timeout = GLOW_WAIT_FOREVER) {
    return table->fence_wait(device, fence, value, timeout);
  }
  std::string query(const char *key) {
    char text[200];
    uint64_t bytes = sizeof(text);
    return table->query(device, key, text, &bytes) ? "" : text;
  }

  const GlowDeviceTable *table = nullptr;
  GlowDevice *device = nullptr;
  GlowQueue queue = 0;
  GlowFence fence = 0;
};

TEST_F(Device, AnswersQueries) {
  EXPECT_EQ(query("name"), "toy");
  EXPECT_EQ(query("machine"), "{\"toys\": 1}");
  EXPECT_EQ(query("host-memory"), "0");
  GlowMemory memory = alloc(100);
  EXPECT_EQ(query("memory.used"), "100");
  table->free(device, memory);
  EXPECT_EQ(query("memory.used"), "0");
  uint64_t bytes = 0;
  EXPECT_EQ(table->query(device, "name", nullptr, &bytes), GLOW_OK);
  EXPECT_EQ(bytes, 4u);
  char text[4];
  bytes = 3;
  EXPECT_EQ(table->query(device, "name", text, &bytes), GLOW_INVALID_ARGUMENT);
  EXPECT_EQ(table->query(device, "colour", nullptr, &bytes), GLOW_NOT_FOUND);
}

TEST_F(Device, RunsABatch) {
  std::vector<float> x = {1, 2, 3}, y(3);
  GlowMemory in = alloc(12), out = alloc(12);
  std::vector<GlowSpan> bindings = {{in, 0, 12}, {out, 0, 12}};
  ASSERT_EQ(submit({copy({in, 0, 12}, host(x.data(), 12)),
                    run(load("toy 2.5"), bindings),
                    copy(host(y.data(), 12), {out, 0, 12})},
                   1),
            GLOW_OK);
  ASSERT_EQ(wait(1), GLOW_OK) << query("error");
  EXPECT_EQ(y, (std::vector<float>{2.5, 5, 7.5}));
  uint64_t value = 0;
  EXPECT_EQ(table->fence_read(device, fence, &value), GLOW_OK);
  EXPECT_EQ(value, 1u);
  uint64_t bytes = 0;
  EXPECT_EQ(table->trace_read(device, nullptr, &bytes), GLOW_OK);
  EXPECT_GT(bytes, 100u);
}

TEST_F(Device, FillsAndMaps) {
  GlowMemory memory = alloc(8);
  GlowCommand fill = {};
  fill.kind = GLOW_COMMAND_FILL;
  fill.value = 7;
  fill.target = {memory, 2, 4};
  void *data;
  ASSERT_EQ(table->host_map(device, memory, &data), GLOW_OK);
  std::fill_n(static_cast<char *>(data), 8, 1);
  ASSERT_EQ(table->host_unmap(device, memory), GLOW_OK);
  ASSERT_EQ(submit({fill}, 1), GLOW_OK);
  ASSERT_EQ(wait(1), GLOW_OK);
  ASSERT_EQ(table->host_map(device, memory, &data), GLOW_OK);
  EXPECT_EQ(std::string(static_cast<char *>(data), 8),
            std::string("\1\1\7\7\7\7\1\1"));
  EXPECT_EQ(table->host_unmap(device, memory), GLOW_OK);
  EXPECT_EQ(table->host_unmap(device, memory), GLOW_INVALID_ARGUMENT);
}

TEST_F(Device, RefusesWhatIsOutOfBounds) {
  char data[16];
  GlowMemory memory = alloc(8);
  auto expectRefused = [&](GlowCommand command) {
    EXPECT_EQ(submit({command}, 1), GLOW_INVALID_ARGUMENT);
  };
  expectRefused(copy({memory, 1, 8}, host(data, 8)));
  expectRefused(copy({memory, 9, 0}, host(data, 0)));
  expectRefused(copy({memory, UINT64_MAX, 2}, host(data, 2)));
  expectRefused(copy({memory, 2, UINT64_MAX}, host(data, UINT64_MAX)));
  expectRefused(copy({memory, 0, 8}, host(data, 4)));
  expectRefused(copy({memory + 99, 0, 8}, host(data, 8)));
  expectRefused(copy(host(data, 8), host(data, 8)));
  expectRefused(copy({memory, 0, 8}, host(nullptr, 8)));
  expectRefused(run(12345, {}));
  expectRefused(run(load("toy 1"), {host(data, 8), host(data, 8)}));
  GlowMemory big;
  EXPECT_EQ(table->alloc(device, UINT64_MAX, 64, &big), GLOW_INVALID_ARGUMENT);
  EXPECT_EQ(table->alloc(device, 8, 48, &big), GLOW_INVALID_ARGUMENT);
  EXPECT_EQ(table->alloc(device, 2 << 20, 64, &big), GLOW_OUT_OF_MEMORY);
  GlowCommand unknown = {};
  unknown.kind = 9;
  unknown.target = host(data, 1);
  EXPECT_EQ(submit({unknown}, 1), GLOW_UNSUPPORTED);
}

TEST_F(Device, FailureReachesTheFence) {
  ASSERT_EQ(submit({}, 1), GLOW_OK);
  ASSERT_EQ(submit({run(load("toy fail"), {})}, 2), GLOW_OK);
  EXPECT_EQ(wait(2), GLOW_INTERNAL);
  EXPECT_EQ(query("error"), "the toy broke");
  EXPECT_EQ(wait(1), GLOW_OK); // an earlier point stays reached
  // What waits for a failed submission fails in the same way.
  GlowFence next = 0;
  ASSERT_EQ(table->fence_create(device, 0, &next), GLOW_OK);
  GlowFencePoint waits = {fence, 2}, signals = {next, 1};
  ASSERT_EQ(table->submit(device, queue, nullptr, 0, &waits, 1, &signals, 1),
            GLOW_OK);
  EXPECT_EQ(table->fence_wait(device, next, 1, GLOW_WAIT_FOREVER),
            GLOW_INTERNAL);
}

TEST_F(Device, MalformedProgramIsRefused) {
  GlowDeviceProgram program;
  EXPECT_EQ(table->load(device, "ploy", 4, nullptr, &program),
            GLOW_INVALID_MODEL);
  EXPECT_EQ(query("error"), "this is no program for a toy");
}

TEST_F(Device, WaitsForOtherQueues) {
  GlowFence gate = 0;
  GlowQueue other = 0;
  ASSERT_EQ(table->fence_create(device, 0, &gate), GLOW_OK);
  ASSERT_EQ(table->queue_create(device, 4, &other), GLOW_OK);
  ASSERT_EQ(submit({}, 1, {{gate, 5}}), GLOW_OK);
  EXPECT_EQ(wait(1, 1000000), GLOW_TIMEOUT);
  GlowFencePoint open = {gate, 5};
  ASSERT_EQ(table->submit(device, other, nullptr, 0, nullptr, 0, &open, 1),
            GLOW_OK);
  EXPECT_EQ(wait(1), GLOW_OK);
}

TEST_F(Device, FullQueueIsBusy) {
  GlowFence never = 0;
  ASSERT_EQ(table->fence_create(device, 0, &never), GLOW_OK);
  for (uint64_t i = 1; i <= 4; ++i)
    ASSERT_EQ(submit({}, i, {{never, 1}}), GLOW_OK);
  EXPECT_EQ(submit({}, 5), GLOW_BUSY);
}

TEST_F(Device, ResetFailsWhatWasSubmitted) {
  GlowFence never = 0;
  ASSERT_EQ(table->fence_create(device, 0, &never), GLOW_OK);
  ASSERT_EQ(submit({}, 1, {{never, 1}}), GLOW_OK);
  ASSERT_EQ(submit({}, 2), GLOW_OK);
  ASSERT_EQ(table->reset(device), GLOW_OK);
  EXPECT_EQ(wait(1), GLOW_DEVICE_LOST);
  EXPECT_EQ(wait(2), GLOW_DEVICE_LOST);
  // A new fence works on.
  ASSERT_EQ(table->fence_create(device, 0, &fence), GLOW_OK);
  ASSERT_EQ(submit({}, 1), GLOW_OK);
  EXPECT_EQ(wait(1), GLOW_OK);
}

TEST_F(Device, CloseEndsEverything) {
  GlowMemory memory = alloc(8);
  std::vector<GlowSpan> bindings = {{memory, 0, 8}, {memory, 0, 8}};
  GlowDeviceProgram slow = load("toy slow");
  for (uint64_t i = 1; i <= 3; ++i)
    ASSERT_EQ(submit({run(slow, bindings)}, i), GLOW_OK);
  table->free(device, memory); // still in use
  table->unload(device, slow);
  table->close(device);
  device = nullptr;
}

TEST_F(Device, DestroyedFenceReleasesWaiters) {
  GlowStatus status = GLOW_OK;
  std::thread waiter([&] { status = wait(1); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  table->fence_destroy(device, fence);
  waiter.join();
  EXPECT_NE(status, GLOW_OK);
}

TEST_F(Device, ManyThreadsSubmit) {
  GlowDeviceProgram program = load("toy 3");
  auto work = [&] {
    GlowQueue own = 0;
    GlowFence done = 0;
    ASSERT_EQ(table->queue_create(device, 2, &own), GLOW_OK);
    ASSERT_EQ(table->fence_create(device, 0, &done), GLOW_OK);
    GlowMemory in = alloc(4), out = alloc(4);
    std::vector<GlowSpan> bindings = {{in, 0, 4}, {out, 0, 4}};
    for (uint64_t i = 1; i <= 100; ++i) {
      float x = float(i), y = 0;
      GlowCommand commands[] = {copy({in, 0, 4}, host(&x, 4)),
                                run(program, bindings),
                                copy(host(&y, 4), {out, 0, 4})};
      GlowFencePoint signal = {done, i};
      ASSERT_EQ(table->submit(device, own, commands, 3, nullptr, 0, &signal, 1),
                GLOW_OK);
      ASSERT_EQ(table->fence_wait(device, done, i, GLOW_WAIT_FOREVER), GLOW_OK);
      ASSERT_EQ(y, 3 * x);
    }
    table->queue_destroy(device, own);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back(work);
  for (std::thread &thread : threads)
    thread.join();
}

TEST(Drivers, Registry) {
  ASSERT_NE(glow_device_find_driver("cpu"), nullptr);
  EXPECT_EQ(glow_device_find_driver("none"), nullptr);
  EXPECT_EQ(glow_device_open_plugin(GLOW_TEST_MODEL), GLOW_NOT_FOUND);
  GlowDeviceTable copy = *glow_device_find_driver("cpu");
  EXPECT_EQ(glow_device_add_driver(&copy), GLOW_INVALID_ARGUMENT); // the name
  copy.driver = "Bad Name";
  EXPECT_EQ(glow_device_add_driver(&copy), GLOW_INVALID_ARGUMENT);
  copy.driver = "other";
  copy.submit = nullptr;
  EXPECT_EQ(glow_device_add_driver(&copy), GLOW_INVALID_ARGUMENT);
  copy.abi_version = 99;
  EXPECT_EQ(glow_device_add_driver(&copy), GLOW_UNSUPPORTED);
  EXPECT_EQ(glow_device_add_driver(nullptr), GLOW_INVALID_ARGUMENT);
}

} // namespace
