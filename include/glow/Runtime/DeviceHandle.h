//===- DeviceHandle.h - An open device of any driver ------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_DEVICEHANDLE_H
#define GLOW_RUNTIME_DEVICEHANDLE_H

#include "glow-c/Device.h"

#include <memory>
#include <string>

namespace glow::runtime {

/// Closes its device at the end.
class DeviceHandle {
public:
  DeviceHandle(const GlowDeviceTable *table, GlowDevice *device)
      : table(table), device(device) {}
  ~DeviceHandle() { table->close(device); }
  DeviceHandle(const DeviceHandle &) = delete;
  DeviceHandle &operator=(const DeviceHandle &) = delete;

  /// Opens device `index` of a driver, or finds it open already.
  static GlowStatus open(const std::string &driver, uint32_t index,
                         std::shared_ptr<DeviceHandle> &result);

  /// The text of a key, empty if the device does not know it.
  std::string query(const char *key) const;
  bool runsOnHostMemory() const { return query("host-memory") == "1"; }
  /// Makes the device's error this thread's last error; passes `status` on.
  GlowStatus check(GlowStatus status) const;

  const GlowDeviceTable *const table;
  GlowDevice *const device;
};

} // namespace glow::runtime
#endif // GLOW_RUNTIME_DEVICEHANDLE_H
