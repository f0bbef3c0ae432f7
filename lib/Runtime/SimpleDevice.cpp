//===- SimpleDevice.cpp - The table of functions over a SimpleDevice ------===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpenDevice.h"

#include <cstring>

using namespace glow::runtime;

/// GlowDevice belongs to each driver; here it is an OpenDevice.
static OpenDevice &open(GlowDevice *device) {
  return *reinterpret_cast<OpenDevice *>(device);
}

/// Hands a text to a caller in C.
static GlowStatus give(const std::string &text, char *value, uint64_t *bytes) {
  uint64_t room = *bytes;
  *bytes = text.size() + 1;
  if (!value)
    return GLOW_OK;
  if (room < text.size() + 1)
    return fail(GLOW_INVALID_ARGUMENT, "the text needs ", text.size() + 1,
                " bytes");
  std::memcpy(value, text.c_str(), text.size() + 1);
  return GLOW_OK;
}

static GlowStatus query(GlowDevice *device, const char *key, char *value,
                        uint64_t *bytes) {
  std::string text;
  if (GlowStatus status = open(device).query(key, text))
    return status;
  return give(text, value, bytes);
}

GlowStatus glow::runtime::openSimpleDevice(std::unique_ptr<SimpleDevice> device,
                                           GlowDevice **result) {
  *result = reinterpret_cast<GlowDevice *>(new OpenDevice(std::move(device)));
  return GLOW_OK;
}

GlowDeviceTable glow::runtime::simpleDeviceTable(
    const char *driver, GlowStatus (*enumerate)(uint32_t *),
    GlowStatus (*openDevice)(uint32_t, GlowDevice **)) {
  GlowDeviceTable table = {};
  table.abi_version = GLOW_DEVICE_ABI_VERSION;
  table.size = sizeof(GlowDeviceTable);
  table.driver = driver;
  table.enumerate = enumerate;
  table.open = openDevice;
  // A child of fork(2) has what the device consists of, but not its threads,
  // and must not free what the parent uses.
  table.close = [](GlowDevice *device) {
    if (open(device).isOwn())
      delete &open(device);
  };
  table.query = query;
  table.alloc = [](GlowDevice *device, uint64_t bytes, uint64_t alignment,
                   GlowMemory *memory) {
    return open(device).alloc(bytes, alignment, *memory);
  };
  table.free = [](GlowDevice *device, GlowMemory memory) {
    open(device).free(memory);
  };
  table.host_map = [](GlowDevice *device, GlowMemory memory, void **data) {
    return open(device).hostMap(memory, *data);
  };
  table.host_unmap = [](GlowDevice *device, GlowMemory memory) {
    return open(device).hostUnmap(memory);
  };
  table.load = [](GlowDevice *device, const void *program, uint64_t bytes,
                  const char *path, GlowDeviceProgram *loaded) {
    return open(device).load({program, bytes, path ? path : ""}, *loaded);
  };
  table.unload = [](GlowDevice *device, GlowDeviceProgram program) {
    open(device).unload(program);
  };
  table.queue_create = [](GlowDevice *device, uint32_t depth,
                          GlowQueue *queue) {
    return open(device).createQueue(depth, *queue);
  };
  table.queue_destroy = [](GlowDevice *device, GlowQueue queue) {
    open(device).destroyQueue(queue);
  };
  table.submit = [](GlowDevice *device, GlowQueue queue,
                    const GlowCommand *commands, uint64_t numCommands,
                    const GlowFencePoint *waits, uint64_t numWaits,
                    const GlowFencePoint *signals, uint64_t numSignals) {
    return open(device).submit(queue, commands, numCommands, waits, numWaits,
                               signals, numSignals);
  };
  table.fence_create = [](GlowDevice *device, uint64_t value,
                          GlowFence *fence) {
    return open(device).createFence(value, *fence);
  };
  table.fence_destroy = [](GlowDevice *device, GlowFence fence) {
    open(device).destroyFence(fence);
  };
  table.fence_read = [](GlowDevice *device, GlowFence fence, uint64_t *value) {
    return open(device).readFence(fence, *value);
  };
  table.fence_wait = [](GlowDevice *device, GlowFence fence, uint64_t value,
                        uint64_t timeoutNs) {
    return open(device).waitFence(fence, value, timeoutNs);
  };
  table.reset = [](GlowDevice *device) { return open(device).reset(); };
  table.trace_read = [](GlowDevice *device, char *value, uint64_t *bytes) {
    return give(open(device).trace(), value, bytes);
  };
  return table;
}
