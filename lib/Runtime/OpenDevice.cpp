//===- OpenDevice.cpp - Memory, programs and fences of a SimpleDevice -----===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpenDevice.h"

#include <chrono>

using namespace glow::runtime;

/// What `handles` knows under `handle`, or null and an error.
template <typename T>
static std::shared_ptr<T>
find(const std::map<uint64_t, std::shared_ptr<T>> &handles, uint64_t handle,
     const char *kind) {
  auto found = handles.find(handle);
  if (found != handles.end())
    return found->second;
  fail(GLOW_INVALID_ARGUMENT, "the device has no ", kind, " ", handle);
  return nullptr;
}

/// Takes `handle` out of `handles`; its destructor must run unlocked.
template <typename T>
static std::shared_ptr<T>
extract(std::map<uint64_t, std::shared_ptr<T>> &handles, uint64_t handle) {
  auto node = handles.extract(handle);
  return node ? std::move(node.mapped()) : nullptr;
}

OpenDevice::Memory::~Memory() {
  if (!address || !owner->isOwn())
    return;
  {
    std::lock_guard<std::mutex> lock(owner->calls);
    owner->device->free(address);
  }
  std::lock_guard<std::mutex> lock(owner->mutex);
  owner->usedBytes -= bytes;
}

OpenDevice::Program::~Program() {
  if (!owner->isOwn()) {
    (void)program.release();
    return;
  }
  std::lock_guard<std::mutex> lock(owner->calls);
  program.reset();
}

OpenDevice::OpenDevice(std::unique_ptr<SimpleDevice> opened)
    : device(std::move(opened)), info(device->info()) {}

OpenDevice::~OpenDevice() {
  // Joining a queue's thread needs the lock to be free, so one at a time.
  while (!queues.empty())
    destroyQueue(queues.begin()->first);
  programs.clear();
  memories.clear();
}

GlowStatus OpenDevice::query(const std::string &key, std::string &value) {
  std::lock_guard<std::mutex> lock(mutex);
  if (key == "name")
    value = info.name;
  else if (key == "machine")
    value = info.machine;
  else if (key == "memory.total")
    value = std::to_string(info.memoryBytes);
  else if (key == "memory.used")
    value = std::to_string(usedBytes);
  else if (key == "alignment")
    value = std::to_string(info.alignment);
  else if (key == "host-memory")
    value = info.runsOnHostMemory ? "1" : "0";
  else if (key == "error")
    value = glow_last_error();
  else
    return fail(GLOW_NOT_FOUND, "device '", info.name, "' knows nothing of '",
                key, "'");
  return GLOW_OK;
}

// --- Memory ------------------------------------------------------------------

GlowStatus OpenDevice::alloc(uint64_t bytes, uint64_t alignment,
                             GlowMemory &handle) {
  if (GlowStatus status = checkProcess())
    return status;
  if (bytes >> 62 || alignment >> 32 || (alignment & (alignment - 1)))
    return fail(GLOW_INVALID_ARGUMENT, "cannot allocate ", bytes,
                " bytes aligned to ", alignment);
  alignment = std::max(alignment, info.alignment);
  auto memory = std::make_shared<Memory>();
  memory->owner = this;
  {
    std::lock_guard<std::mutex> lock(calls);
    if (GlowStatus status = device->alloc(std::max<uint64_t>(bytes, 1),
                                          alignment, memory->address))
      return status;
  }
  memory->bytes = bytes;
  std::lock_guard<std::mutex> lock(mutex);
  usedBytes += bytes;
  handle = ++lastHandle;
  memories.emplace(handle, std::move(memory));
  return GLOW_OK;
}

void OpenDevice::free(GlowMemory handle) {
  std::shared_ptr<Memory> last;
  std::lock_guard<std::mutex> lock(mutex);
  last = extract(memories, handle);
}

GlowStatus OpenDevice::hostMap(GlowMemory handle, void *&data) {
  if (GlowStatus status = checkProcess())
    return status;
  std::shared_ptr<Memory> memory;
  {
    std::lock_guard<std::mutex> lock(mutex);
    memory = find(memories, handle, "memory");
    if (!memory)
      return GLOW_INVALID_ARGUMENT;
  }
  data = memory->address;
  if (info.runsOnHostMemory)
    return GLOW_OK;
  std::lock_guard<std::mutex> lock(calls);
  if (memory->mapped.data())
    return fail(GLOW_INVALID_ARGUMENT, "the memory is already mapped");
  if (GlowStatus status = memory->mapped.allocate(memory->bytes, "a mapping"))
    return status;
  data = memory->mapped.data();
  return device->copy(data, memory->address, memory->bytes,
                      CopyKind::DeviceToHost);
}

GlowStatus OpenDevice::hostUnmap(GlowMemory handle) {
  std::shared_ptr<Memory> memory;
  {
    std::lock_guard<std::mutex> lock(mutex);
    memory = find(memories, handle, "memory");
    if (!memory)
      return GLOW_INVALID_ARGUMENT;
  }
  if (info.runsOnHostMemory)
    return GLOW_OK;
  std::lock_guard<std::mutex> lock(calls);
  if (!memory->mapped.data())
    return fail(GLOW_INVALID_ARGUMENT, "the memory is not mapped");
  Buffer mapped = std::move(memory->mapped);
  return device->copy(memory->address, mapped.data(), memory->bytes,
                      CopyKind::HostToDevice);
}

// --- Programs ----------------------------------------------------------------

GlowStatus OpenDevice::load(const ProgramImage &image,
                            GlowDeviceProgram &handle) {
  if (GlowStatus status = checkProcess())
    return status;
  auto program = std::make_shared<Program>();
  program->owner = this;
  {
    std::lock_guard<std::mutex> lock(calls);
    if (GlowStatus status = device->load(image, program->program))
      return status;
  }
  std::lock_guard<std::mutex> lock(mutex);
  handle = ++lastHandle;
  programs.emplace(handle, std::move(program));
  return GLOW_OK;
}

void OpenDevice::unload(GlowDeviceProgram handle) {
  std::shared_ptr<Program> last;
  std::lock_guard<std::mutex> lock(mutex);
  last = extract(programs, handle);
}

// --- Fences ------------------------------------------------------------------

GlowStatus OpenDevice::createFence(uint64_t value, GlowFence &handle) {
  auto fence = std::make_shared<Fence>();
  fence->value = value;
  std::lock_guard<std::mutex> lock(mutex);
  handle = ++lastHandle;
  fences.emplace(handle, std::move(fence));
  return GLOW_OK;
}

/// Whoever still waits gets an error instead of waiting forever.
void OpenDevice::destroyFence(GlowFence handle) {
  std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<Fence> fence = extract(fences, handle);
  if (!fence)
    return;
  fence->failedAt = 0;
  fence->status = GLOW_DEVICE_LOST;
  fence->message = "the fence was destroyed";
  changed.notify_all();
}

GlowStatus OpenDevice::readFence(GlowFence handle, uint64_t &value) {
  std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<Fence> fence = find(fences, handle, "fence");
  if (!fence)
    return GLOW_INVALID_ARGUMENT;
  value = fence->value;
  return GLOW_OK;
}

GlowStatus OpenDevice::waitFence(GlowFence handle, uint64_t value,
                                 uint64_t timeoutNs) {
  std::unique_lock<std::mutex> lock(mutex);
  std::shared_ptr<Fence> fence = find(fences, handle, "fence");
  if (!fence)
    return GLOW_INVALID_ARGUMENT;
  // A year is forever, and does not overflow the clock.
  const uint64_t year = uint64_t(365) * 24 * 3600 * 1000000000;
  auto timeout = std::chrono::nanoseconds(std::min(timeoutNs, year));
  if (!changed.wait_for(lock, timeout, [&] { return fence->isReached(value); }))
    return fail(GLOW_TIMEOUT, "device '", info.name, "' did not finish in ",
                timeoutNs / 1000000, " ms");
  if (fence->failedAt <= value)
    return setLastError(fence->status, fence->message);
  return GLOW_OK;
}
