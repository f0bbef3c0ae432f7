//===- DeviceQueue.cpp - Queues of a SimpleDevice: submissions and their threads
//*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpenDevice.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

using namespace glow::runtime;

// Enough for a look at what happened; a trace must not eat the memory of a
// server that nobody looks at.
static constexpr size_t kMostEvents = 1 << 16;
static constexpr uint64_t kMostCommands = 1 << 20;

// --- From handles to objects -------------------------------------------------

GlowStatus OpenDevice::resolve(const GlowSpan &span, Place &place) {
  place.bytes = span.bytes;
  if (span.memory == 0) {
    place.address = reinterpret_cast<void *>(uintptr_t(span.offset));
    if (!place.address && span.bytes)
      return fail(GLOW_INVALID_ARGUMENT, "a host address is NULL");
    return GLOW_OK;
  }
  auto found = memories.find(span.memory);
  if (found == memories.end())
    return fail(GLOW_INVALID_ARGUMENT, "the device has no memory ",
                span.memory);
  uint64_t size = found->second->bytes;
  if (span.offset > size || span.bytes > size - span.offset)
    return fail(GLOW_INVALID_ARGUMENT, "bytes ", span.offset, " to ",
                span.offset, "+", span.bytes, " are outside a memory of ",
                size);
  place.memory = found->second;
  place.address = static_cast<char *>(found->second->address) + span.offset;
  return GLOW_OK;
}

GlowStatus OpenDevice::resolve(const GlowCommand &command, Command &resolved) {
  resolved.kind = command.kind;
  resolved.value = uint8_t(command.value);
  if (command.kind == GLOW_COMMAND_RUN) {
    auto found = programs.find(command.program);
    if (found == programs.end())
      return fail(GLOW_INVALID_ARGUMENT, "the device has no program ",
                  command.program);
    resolved.program = found->second;
    if (command.num_bindings > kMostCommands)
      return fail(GLOW_INVALID_ARGUMENT, "too many bindings");
    resolved.bindings.resize(command.num_bindings);
    for (uint64_t i = 0; i < command.num_bindings; ++i) {
      Place &place = resolved.bindings[i];
      if (GlowStatus status = resolve(command.bindings[i], place))
        return status;
      if (!place.memory && !info.runsOnHostMemory)
        return fail(GLOW_INVALID_ARGUMENT, "device '", info.name,
                    "' cannot run on host memory");
    }
    return GLOW_OK;
  }
  if (GlowStatus status = resolve(command.target, resolved.target))
    return status;
  if (command.kind == GLOW_COMMAND_FILL)
    return GLOW_OK;
  if (command.kind != GLOW_COMMAND_COPY)
    return fail(GLOW_UNSUPPORTED, "unknown command ", command.kind);
  if (GlowStatus status = resolve(command.source, resolved.source))
    return status;
  if (command.target.bytes != command.source.bytes)
    return fail(GLOW_INVALID_ARGUMENT, "a copy from ", command.source.bytes,
                " to ", command.target.bytes, " bytes");
  if (!resolved.target.memory && !resolved.source.memory)
    return fail(GLOW_INVALID_ARGUMENT, "a copy from host to host");
  return GLOW_OK;
}

GlowStatus OpenDevice::resolve(const GlowFencePoint *points, uint64_t count,
                               std::vector<Point> &resolved) {
  for (uint64_t i = 0; i < count; ++i) {
    auto found = fences.find(points[i].fence);
    if (found == fences.end())
      return fail(GLOW_INVALID_ARGUMENT, "the device has no fence ",
                  points[i].fence);
    resolved.push_back({found->second, points[i].value});
  }
  return GLOW_OK;
}

// --- Submitting --------------------------------------------------------------

GlowStatus OpenDevice::checkProcess() const {
  if (isOwn())
    return GLOW_OK;
  return fail(GLOW_UNSUPPORTED, "device '", info.name,
              "' was opened before the process forked; open it in the child");
}

GlowStatus OpenDevice::createQueue(uint32_t depth, GlowQueue &handle) {
  if (GlowStatus status = checkProcess())
    return status;
  auto queue = std::make_shared<Queue>();
  queue->owner = this;
  {
    std::lock_guard<std::mutex> lock(mutex);
    queue->handle = handle = ++lastHandle;
  }
  queue->depth = std::max(depth, 1u);
  auto entry = [](void *self) -> void * {
    auto *queue = static_cast<Queue *>(self);
    queue->owner->serve(*queue);
    return nullptr;
  };
  if (pthread_create(&queue->thread, nullptr, entry, queue.get()) != 0)
    return fail(GLOW_OUT_OF_MEMORY, "cannot start a thread for the queue");
  std::lock_guard<std::mutex> lock(mutex);
  queues.emplace(handle, std::move(queue));
  return GLOW_OK;
}

void OpenDevice::destroyQueue(GlowQueue handle) {
  std::shared_ptr<Queue> queue;
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = queues.find(handle);
    if (found == queues.end() || found->second->isStopping)
      return;
    queue = found->second;
    queue->isStopping = true;
    changed.notify_all();
  }
  if (isOwn())
    pthread_join(queue->thread, nullptr);
  // Until here a reset waits for what it still does.
  std::lock_guard<std::mutex> lock(mutex);
  queues.erase(handle);
}

GlowStatus OpenDevice::submit(GlowQueue handle, const GlowCommand *commands,
                              uint64_t numCommands, const GlowFencePoint *waits,
                              uint64_t numWaits, const GlowFencePoint *signals,
                              uint64_t numSignals) {
  if (GlowStatus status = checkProcess())
    return status;
  if (std::max({numCommands, numWaits, numSignals}) > kMostCommands)
    return fail(GLOW_INVALID_ARGUMENT, "the submission is too large");
  // Declared before the lock: objects that it holds must be let go unlocked.
  Submission submission;
  std::lock_guard<std::mutex> lock(mutex);
  auto found = queues.find(handle);
  if (found == queues.end() || found->second->isStopping)
    return fail(GLOW_INVALID_ARGUMENT, "the device has no queue ", handle);
  Queue &queue = *found->second;
  if (queue.pending.size() >= queue.depth)
    return fail(GLOW_BUSY, "the queue holds ", queue.depth,
                " submissions already");
  submission.commands.resize(numCommands);
  for (uint64_t i = 0; i < numCommands; ++i)
    if (GlowStatus status = resolve(commands[i], submission.commands[i]))
      return status;
  if (GlowStatus status = resolve(waits, numWaits, submission.waits))
    return status;
  if (GlowStatus status = resolve(signals, numSignals, submission.signals))
    return status;
  submission.epoch = epoch;
  queue.pending.push_back(std::move(submission));
  changed.notify_all();
  return GLOW_OK;
}

/// Returns once nothing submitted before is left.
GlowStatus OpenDevice::reset() {
  if (GlowStatus status = checkProcess())
    return status;
  std::unique_lock<std::mutex> lock(mutex);
  ++epoch;
  changed.notify_all();
  changed.wait(lock, [&] {
    return std::all_of(queues.begin(), queues.end(), [&](auto &entry) {
      auto &pending = entry.second->pending;
      return pending.empty() || pending.front().epoch == epoch;
    });
  });
  return GLOW_OK;
}

// --- The thread of a queue ---------------------------------------------------

static uint64_t clockNs() {
  return uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(
                      std::chrono::steady_clock::now().time_since_epoch())
                      .count());
}

void OpenDevice::serve(Queue &queue) {
  static const char *const names[] = {"", "copy", "fill", "run"};
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    changed.wait(lock,
                 [&] { return queue.isStopping || !queue.pending.empty(); });
    if (queue.pending.empty())
      return;
    Submission &submission = queue.pending.front();
    GlowStatus status = awaitStart(lock, queue, submission);
    for (Command &command : submission.commands) {
      if (status)
        break;
      uint64_t begin = clockNs();
      lock.unlock();
      status = execute(command);
      lock.lock();
      if (events.size() < kMostEvents)
        events.push_back({names[command.kind], queue.handle, begin, clockNs()});
      if (!status && isCancelled(queue, submission))
        status = fail(GLOW_DEVICE_LOST, "the device was reset or closed");
    }
    finish(queue, status);
    // The objects that the submission held must be let go unlocked.
    Submission done = std::move(submission);
    queue.pending.pop_front();
    changed.notify_all();
    lock.unlock();
    done = {};
    lock.lock();
  }
}

/// Waits for the fences that a submission waits for.
GlowStatus OpenDevice::awaitStart(std::unique_lock<std::mutex> &lock,
                                  Queue &queue, const Submission &submission) {
  for (const Point &point : submission.waits) {
    changed.wait(lock, [&] {
      return isCancelled(queue, submission) ||
             point.fence->isReached(point.value);
    });
    if (point.fence->failedAt <= point.value)
      return setLastError(point.fence->status, point.fence->message);
  }
  if (isCancelled(queue, submission))
    return fail(GLOW_DEVICE_LOST, "the device was reset or closed");
  return GLOW_OK;
}

/// Signals the first submission's fences: the only place that does.
void OpenDevice::finish(Queue &queue, GlowStatus status) {
  for (const Point &point : queue.pending.front().signals) {
    Fence &fence = *point.fence;
    if (status && point.value < fence.failedAt) {
      fence.failedAt = point.value;
      fence.status = status;
      fence.message = glow_last_error();
    }
    fence.value = std::max(fence.value, point.value);
  }
}

GlowStatus OpenDevice::execute(const Command &command) {
  std::lock_guard<std::mutex> lock(calls);
  if (command.kind == GLOW_COMMAND_FILL)
    return fill(command);
  if (command.kind == GLOW_COMMAND_RUN) {
    std::vector<SimpleBinding> bindings;
    for (const Place &place : command.bindings)
      bindings.push_back({place.address, place.bytes});
    return device->run(*command.program->program, bindings);
  }
  if (command.target.bytes == 0)
    return GLOW_OK;
  CopyKind kind = !command.target.memory   ? CopyKind::DeviceToHost
                  : !command.source.memory ? CopyKind::HostToDevice
                                           : CopyKind::DeviceToDevice;
  return device->copy(command.target.address, command.source.address,
                      command.target.bytes, kind);
}

GlowStatus OpenDevice::fill(const Command &command) {
  const Place &target = command.target;
  char *address = static_cast<char *>(target.address);
  if (!target.memory) {
    std::fill_n(address, target.bytes, char(command.value));
    return GLOW_OK;
  }
  std::vector<char> block(std::min<uint64_t>(target.bytes, 1 << 20),
                          char(command.value));
  for (uint64_t at = 0; at < target.bytes; at += block.size()) {
    uint64_t bytes = std::min<uint64_t>(block.size(), target.bytes - at);
    if (GlowStatus status = device->copy(address + at, block.data(), bytes,
                                         CopyKind::HostToDevice))
      return status;
  }
  return GLOW_OK;
}

std::string OpenDevice::trace() {
  std::lock_guard<std::mutex> lock(mutex);
  auto list = nlohmann::ordered_json::array();
  for (const TraceEvent &event : events)
    list.push_back({{"ph", "X"},
                    {"pid", info.name},
                    {"tid", event.queue},
                    {"name", event.name},
                    {"ts", double(event.begin) * 1e-3},
                    {"dur", double(event.end - event.begin) * 1e-3}});
  return list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}
