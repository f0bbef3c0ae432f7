//===- PackageExecution.cpp - Running a package -----------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// A run submits one batch per partition (copies in, the program, copies out)
// and waits for it before the next.
//
//===----------------------------------------------------------------------===//
#include "LoadedPackage.h"
#include "glow/Runtime/Memory.h"
#include "glow/Runtime/Profile.h"

#include <utility>

using namespace glow::runtime;

namespace {

class PackageExecution : public Execution {
public:
  explicit PackageExecution(std::shared_ptr<Package> package)
      : package(std::move(package)) {}
  ~PackageExecution() override;
  GlowStatus init();
  GlowStatus run(GlowExec &exec, Profile *profile, const void *const *inputs,
                 void *const *outputs) override;

private:
  /// What this execution owns on one device.
  struct Seat {
    GlowQueue queue = 0;
    GlowFence fence = 0;
    uint64_t submitted = 0;
    std::map<uint32_t, GlowMemory> memory; // by value
  };
  GlowStatus initSeat(const PackageDevice &device, Seat &seat);
  GlowStatus runStep(size_t index);
  std::vector<GlowCommand> batch(const Step &step,
                                 const std::vector<GlowSpan> &bindings) const;
  GlowStatus complete(uint32_t device,
                      const std::vector<GlowCommand> &commands);
  GlowSpan hostSpan(uint32_t value) const;
  GlowSpan deviceSpan(uint32_t device, uint32_t value) const;

  std::shared_ptr<Package> package;
  std::vector<Seat> seats;
  std::vector<Buffer> buffers; // by value; empty if not on the host
  std::vector<void *> host;    // by value
};

} // namespace

GlowStatus Package::createExecution(std::unique_ptr<Execution> &result) {
  auto execution = std::make_unique<PackageExecution>(
      std::static_pointer_cast<Package>(shared_from_this()));
  if (GlowStatus status = execution->init())
    return status;
  result = std::move(execution);
  return GLOW_OK;
}

PackageExecution::~PackageExecution() {
  for (size_t i = 0; i < seats.size(); ++i) {
    const auto &[table, device] = *package->devices[i].handle;
    if (seats[i].queue)
      table->queue_destroy(device, seats[i].queue);
    if (seats[i].fence)
      table->fence_destroy(device, seats[i].fence);
    for (auto &entry : seats[i].memory)
      table->free(device, entry.second);
  }
}

GlowStatus PackageExecution::init() {
  const std::vector<TensorInfo> &values = package->manifest.values;
  buffers.resize(values.size());
  host.resize(values.size());
  std::vector<bool> isBound(values.size());
  for (uint32_t value : package->manifest.inputs)
    isBound[value] = true;
  for (uint32_t value : package->manifest.outputs)
    isBound[value] = true;
  for (size_t value = 0; value < values.size(); ++value) {
    if (!package->onHost[value] || isBound[value])
      continue;
    if (GlowStatus status = buffers[value].allocate(values[value].bytes,
                                                    values[value].name.c_str()))
      return status;
    host[value] = buffers[value].data();
  }
  seats.resize(package->devices.size());
  for (size_t i = 0; i < seats.size(); ++i)
    if (GlowStatus status = initSeat(package->devices[i], seats[i]))
      return status;
  return GLOW_OK;
}

GlowStatus PackageExecution::initSeat(const PackageDevice &device, Seat &seat) {
  const DeviceHandle &handle = *device.handle;
  if (GlowStatus status =
          handle.table->queue_create(handle.device, /*depth=*/8, &seat.queue))
    return handle.check(status);
  for (uint32_t value : device.values) {
    const TensorInfo &info = package->manifest.values[value];
    GlowMemory memory = 0;
    if (GlowStatus status = handle.table->alloc(handle.device, info.bytes,
                                                GLOW_BUFFER_ALIGNMENT, &memory))
      return addContext(handle.check(status), "value '" + info.name + "': ");
    seat.memory.emplace(value, memory);
  }
  return GLOW_OK;
}

GlowSpan PackageExecution::hostSpan(uint32_t value) const {
  return {0, reinterpret_cast<uintptr_t>(host[value]),
          package->manifest.values[value].bytes};
}

GlowSpan PackageExecution::deviceSpan(uint32_t device, uint32_t value) const {
  if (package->devices[device].onHost)
    return hostSpan(value);
  return {seats[device].memory.at(value), 0,
          package->manifest.values[value].bytes};
}

/// Copies in, the program on `bindings`, copies out.
std::vector<GlowCommand>
PackageExecution::batch(const Step &step,
                        const std::vector<GlowSpan> &bindings) const {
  std::vector<GlowCommand> commands;
  auto copy = [&](GlowSpan target, GlowSpan source) {
    GlowCommand command = {};
    command.kind = GLOW_COMMAND_COPY;
    command.target = target;
    command.source = source;
    commands.push_back(command);
  };
  for (uint32_t value : step.uploads)
    copy(deviceSpan(step.device, value), hostSpan(value));
  GlowCommand run = {};
  run.kind = GLOW_COMMAND_RUN;
  run.program = step.program;
  run.bindings = bindings.data();
  run.num_bindings = bindings.size();
  commands.push_back(run);
  for (uint32_t value : step.downloads)
    copy(hostSpan(value), deviceSpan(step.device, value));
  return commands;
}

/// Submits a batch and waits until it is done.
GlowStatus
PackageExecution::complete(uint32_t index,
                           const std::vector<GlowCommand> &commands) {
  Seat &seat = seats[index];
  const DeviceHandle &handle = *package->devices[index].handle;
  GlowStatus status = GLOW_OK;
  if (!seat.fence)
    status = handle.table->fence_create(handle.device, 0, &seat.fence);
  GlowFencePoint done = {seat.fence, ++seat.submitted};
  if (status == GLOW_OK)
    status = handle.table->submit(handle.device, seat.queue, commands.data(),
                                  commands.size(), nullptr, 0, &done, 1);
  if (status == GLOW_OK)
    status = handle.table->fence_wait(handle.device, done.fence, done.value,
                                      GLOW_WAIT_FOREVER);
  if (status == GLOW_OK)
    return GLOW_OK;
  handle.check(status);
  // A failed fence stays failed; the next run needs another.
  if (seat.fence)
    handle.table->fence_destroy(handle.device, std::exchange(seat.fence, 0));
  seat.submitted = 0;
  return status;
}

GlowStatus PackageExecution::runStep(size_t index) {
  const Step &step = package->steps[index];
  const Partition &partition = package->manifest.partitions[index];
  std::vector<GlowSpan> bindings;
  for (uint32_t value : partition.reads)
    bindings.push_back(deviceSpan(step.device, value));
  for (uint32_t value : partition.writes)
    bindings.push_back(deviceSpan(step.device, value));
  if (GlowStatus status = complete(step.device, batch(step, bindings)))
    return addContext(status, step.name + ": ");
  return GLOW_OK;
}

GlowStatus PackageExecution::run(GlowExec &, Profile *profile,
                                 const void *const *inputs,
                                 void *const *outputs) {
  const Manifest &manifest = package->manifest;
  for (size_t i = 0; i < manifest.inputs.size(); ++i)
    host[manifest.inputs[i]] = const_cast<void *>(inputs[i]);
  for (size_t i = 0; i < manifest.outputs.size(); ++i)
    host[manifest.outputs[i]] = outputs[i];
  for (size_t i = 0; i < package->steps.size(); ++i) {
    uint64_t begin = profile ? profile->now() : 0;
    if (GlowStatus status = runStep(i))
      return status;
    if (profile)
      profile->record(uint32_t(i), 1, begin, profile->now());
  }
  return GLOW_OK;
}
