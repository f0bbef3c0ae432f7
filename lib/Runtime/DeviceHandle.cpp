//===- DeviceHandle.cpp - An open device of any driver ----------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/DeviceHandle.h"
#include "glow/Runtime/Error.h"

#include <map>
#include <mutex>

using namespace glow::runtime;

GlowStatus DeviceHandle::open(const std::string &driver, uint32_t index,
                              std::shared_ptr<DeviceHandle> &result) {
  const GlowDeviceTable *table = glow_device_find_driver(driver.c_str());
  if (!table)
    return GLOW_NOT_FOUND;
  // A card can often be opened once only, so packages share it.
  using Key = std::pair<std::string, uint32_t>;
  static std::mutex mutex;
  static auto *opened = new std::map<Key, std::weak_ptr<DeviceHandle>>;
  std::lock_guard<std::mutex> lock(mutex);
  std::weak_ptr<DeviceHandle> &known = (*opened)[{driver, index}];
  result = known.lock();
  if (result)
    return GLOW_OK;
  uint32_t count = 0;
  if (GlowStatus status = table->enumerate(&count))
    return fail(status, "driver '", driver, "' cannot list its devices");
  if (index >= count)
    return fail(GLOW_NOT_FOUND, "driver '", driver, "' has ", count,
                " devices, there is no number ", index);
  GlowDevice *device = nullptr;
  if (GlowStatus status = table->open(index, &device))
    return fail(status, "cannot open device ", driver, ":", index, ": ",
                glow_status_name(status));
  result = std::make_shared<DeviceHandle>(table, device);
  known = result;
  return GLOW_OK;
}

std::string DeviceHandle::query(const char *key) const {
  uint64_t bytes = 0;
  if (table->query(device, key, nullptr, &bytes) || bytes == 0 ||
      bytes > (1 << 28))
    return "";
  std::string text(bytes, '\0');
  if (table->query(device, key, text.data(), &bytes))
    return "";
  return text.c_str();
}

GlowStatus DeviceHandle::check(GlowStatus status) const {
  if (status == GLOW_OK)
    return status;
  // The driver may carry a copy of the runtime with a last error of its own.
  std::string text = query("error");
  return setLastError(status, text.empty() ? glow_status_name(status) : text);
}
