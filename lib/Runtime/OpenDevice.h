//===- OpenDevice.h - What stands behind the table of a SimpleDevice ------===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One mutex guards all handles, queues and fences, and one condition tells of
// every change. A second mutex is held around each call of the device itself,
// never together with the first.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_RUNTIME_OPENDEVICE_H
#define GLOW_LIB_RUNTIME_OPENDEVICE_H

#include "glow/Runtime/Memory.h"
#include "glow/Runtime/SimpleDevice.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <pthread.h>
#include <unistd.h>

namespace glow::runtime {

class OpenDevice {
public:
  explicit OpenDevice(std::unique_ptr<SimpleDevice> device);
  /// Fails what is still queued and waits for what is running.
  ~OpenDevice();
  /// Opened by this process, not before it was forked.
  bool isOwn() const { return owner == getpid(); }

  /// The functions of the table; see glow-c/Device.h.
  GlowStatus query(const std::string &key, std::string &value);
  GlowStatus alloc(uint64_t bytes, uint64_t alignment, GlowMemory &memory);
  void free(GlowMemory memory);
  GlowStatus hostMap(GlowMemory memory, void *&data);
  GlowStatus hostUnmap(GlowMemory memory);
  GlowStatus load(const ProgramImage &image, GlowDeviceProgram &program);
  void unload(GlowDeviceProgram program);
  GlowStatus createQueue(uint32_t depth, GlowQueue &queue);
  void destroyQueue(GlowQueue queue);
  GlowStatus submit(GlowQueue queue, const GlowCommand *commands,
                    uint64_t numCommands, const GlowFencePoint *waits,
                    uint64_t numWaits, const GlowFencePoint *signals,
                    uint64_t numSignals);
  GlowStatus createFence(uint64_t value, GlowFence &fence);
  void destroyFence(GlowFence fence);
  GlowStatus readFence(GlowFence fence, uint64_t &value);
  GlowStatus waitFence(GlowFence fence, uint64_t value, uint64_t timeoutNs);
  GlowStatus reset();
  std::string trace();

private:
  /// Released with its last user, which may be a submission under way.
  struct Memory {
    OpenDevice *owner = nullptr;
    void *address = nullptr;
    uint64_t bytes = 0;
    Buffer mapped; // the host's copy while mapped
    ~Memory();
  };
  struct Program {
    OpenDevice *owner = nullptr;
    std::unique_ptr<SimpleProgram> program;
    ~Program();
  };
  /// Points from `failedAt` on end in `status`.
  struct Fence {
    uint64_t value = 0;
    uint64_t failedAt = UINT64_MAX;
    GlowStatus status = GLOW_OK;
    std::string message;
    bool isReached(uint64_t point) const {
      return value >= point || failedAt <= point;
    }
  };
  struct Point {
    std::shared_ptr<Fence> fence;
    uint64_t value;
  };
  /// A span with its handle looked up and its bounds checked.
  struct Place {
    void *address = nullptr;
    uint64_t bytes = 0;
    std::shared_ptr<Memory> memory; // null: host
  };
  struct Command {
    uint32_t kind;
    uint8_t value;
    Place target, source;
    std::shared_ptr<Program> program;
    std::vector<Place> bindings;
  };
  struct Submission {
    std::vector<Command> commands;
    std::vector<Point> waits, signals;
    uint64_t epoch;
  };
  struct Queue {
    OpenDevice *owner;
    GlowQueue handle;
    uint32_t depth;
    std::deque<Submission> pending; // the first may be running
    bool isStopping = false;
    pthread_t thread;
  };
  struct TraceEvent {
    const char *name;
    uint64_t queue, begin, end;
  };

  GlowStatus resolve(const GlowSpan &span, Place &place);
  GlowStatus resolve(const GlowCommand &command, Command &resolved);
  GlowStatus resolve(const GlowFencePoint *points, uint64_t count,
                     std::vector<Point> &resolved);
  GlowStatus checkProcess() const;
  bool isCancelled(const Queue &queue, const Submission &submission) const {
    return queue.isStopping || submission.epoch != epoch;
  }
  void serve(Queue &queue);
  GlowStatus awaitStart(std::unique_lock<std::mutex> &lock, Queue &queue,
                        const Submission &submission);
  GlowStatus execute(const Command &command);
  GlowStatus fill(const Command &command);
  void finish(Queue &queue, GlowStatus status);

  std::unique_ptr<SimpleDevice> device;
  const SimpleInfo info;
  std::mutex calls; // held during each call of `device`

  std::mutex mutex; // guards all that follows
  std::condition_variable changed;
  /// A child of fork(2) has none of the queues' threads.
  const pid_t owner = getpid();
  uint64_t lastHandle = 0;
  uint64_t epoch = 0; // number of resets
  uint64_t usedBytes = 0;
  std::map<uint64_t, std::shared_ptr<Memory>> memories;
  std::map<uint64_t, std::shared_ptr<Program>> programs;
  std::map<uint64_t, std::shared_ptr<Queue>> queues;
  std::map<uint64_t, std::shared_ptr<Fence>> fences;
  std::vector<TraceEvent> events;
};

} // namespace glow::runtime
#endif // GLOW_LIB_RUNTIME_OPENDEVICE_H
