//===- SimpleDevice.h - A driver in six functions ---------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Derive from SimpleDevice, write six functions (or from HostMemoryDevice and
// write three) that do one thing at a time and
// return when it is done, and end the file with GLOW_SIMPLE_DEVICE_DRIVER. The
// rest of glow-c/Device.h (handles, bounds, queues and their threads, fences,
// reset, traces) is supplied.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_SIMPLEDEVICE_H
#define GLOW_RUNTIME_SIMPLEDEVICE_H

#include "glow-c/Device.h"
#include "glow/Runtime/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace glow::runtime {

struct SimpleInfo {
  std::string name;
  std::string machine;           // machine description as JSON, may be empty
  uint64_t memoryBytes = 0;      // 0 if not known
  uint64_t alignment = 64;       // at least, of every allocation
  bool runsOnHostMemory = false; // programs may be bound to host memory
};

/// The bytes of a program file.
struct ProgramImage {
  std::string text() const {
    return std::string(static_cast<const char *>(data), bytes);
  }

  const void *data = nullptr;
  uint64_t bytes = 0;
  std::string path; // empty if it did not come from a file
};

/// An input or output of a program.
struct SimplePort {
  std::string name;
  uint64_t bytes = 0;
};

/// A loaded program: whatever the device needs to run it.
class SimpleProgram {
public:
  virtual ~SimpleProgram() = default;
};

/// An input or output of a run.
struct SimpleBinding {
  void *address = nullptr; // on the device, or on the host if it runs there
  uint64_t bytes = 0;
};

enum class CopyKind { HostToDevice, DeviceToHost, DeviceToDevice };

/// Calls never overlap, and come from different threads. A function that fails
/// says why with fail().
class SimpleDevice {
public:
  virtual ~SimpleDevice() = default;
  virtual SimpleInfo info() = 0;
  virtual GlowStatus alloc(uint64_t bytes, uint64_t alignment,
                           void *&address) = 0;
  virtual void free(void *address) = 0;
  virtual GlowStatus copy(void *target, const void *source, uint64_t bytes,
                          CopyKind kind) = 0;
  /// Must check the image: it may come from anywhere.
  virtual GlowStatus load(const ProgramImage &image,
                          std::unique_ptr<SimpleProgram> &program) = 0;
  /// Must check number and sizes of the bindings: inputs, then outputs.
  /// checkBindings does.
  virtual GlowStatus run(SimpleProgram &program,
                         const std::vector<SimpleBinding> &bindings) = 0;
};

/// A device whose memory is the host's, as a simulator's is. An allocation is
/// limited to the size that info() states.
class HostMemoryDevice : public SimpleDevice {
public:
  GlowStatus alloc(uint64_t bytes, uint64_t alignment, void *&address) override;
  void free(void *address) override;
  GlowStatus copy(void *target, const void *source, uint64_t bytes,
                  CopyKind kind) override;
};

/// Fails unless every port has a binding of its size. `ports` are a program's
/// inputs, then its outputs.
GlowStatus checkBindings(const std::vector<SimplePort> &ports,
                         const std::vector<SimpleBinding> &bindings);

/// Makes an open device of `device`, for the table below.
GlowStatus openSimpleDevice(std::unique_ptr<SimpleDevice> device,
                            GlowDevice **result);

/// A table in which only the first two entries are the driver's own.
GlowDeviceTable
simpleDeviceTable(const char *driver, GlowStatus (*enumerate)(uint32_t *count),
                  GlowStatus (*open)(uint32_t index, GlowDevice **device));

} // namespace glow::runtime

/// Exports a driver called NAME with one device of class CLASS.
#define GLOW_SIMPLE_DEVICE_DRIVER(NAME, CLASS)                                 \
  extern "C" const GlowDeviceTable *glow_device_table(void) {                  \
    static const GlowDeviceTable table = ::glow::runtime::simpleDeviceTable(   \
        NAME,                                                                  \
        [](uint32_t *count) {                                                  \
          *count = 1;                                                          \
          return GLOW_OK;                                                      \
        },                                                                     \
        [](uint32_t index, GlowDevice **device) {                              \
          if (index != 0)                                                      \
            return ::glow::runtime::fail(GLOW_NOT_FOUND,                       \
                                         "driver " NAME " has one device");    \
          return ::glow::runtime::openSimpleDevice(std::make_unique<CLASS>(),  \
                                                   device);                    \
        });                                                                    \
    return &table;                                                             \
  }

#endif // GLOW_RUNTIME_SIMPLEDEVICE_H
