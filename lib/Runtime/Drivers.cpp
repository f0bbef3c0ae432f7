//===- Drivers.cpp - The drivers of this process ----------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow-c/Device.h"
#include "glow/Runtime/CpuDevice.h"
#include "glow/Runtime/SharedObject.h"

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

using namespace glow::runtime;

namespace {
struct Registry {
  std::mutex mutex;
  std::vector<const GlowDeviceTable *> tables{cpuDeviceTable()};

  const GlowDeviceTable *find(const char *name) {
    for (const GlowDeviceTable *table : tables)
      if (std::strcmp(table->driver, name) == 0)
        return table;
    return nullptr;
  }
};
} // namespace

/// Never destroyed: devices may be closed at any time before exit.
static Registry &registry() {
  static Registry *registry = new Registry;
  return *registry;
}

static bool isComplete(const GlowDeviceTable &table) {
  return table.enumerate && table.open && table.close && table.query &&
         table.alloc && table.free && table.host_map && table.host_unmap &&
         table.load && table.unload && table.queue_create &&
         table.queue_destroy && table.submit && table.fence_create &&
         table.fence_destroy && table.fence_read && table.fence_wait &&
         table.reset && table.trace_read;
}

static GlowStatus checkTable(const GlowDeviceTable *table) {
  if (!table)
    return fail(GLOW_INVALID_ARGUMENT, "the driver's table is NULL");
  if (table->abi_version != GLOW_DEVICE_ABI_VERSION)
    return fail(GLOW_UNSUPPORTED, "the driver has device interface version ",
                table->abi_version, ", this runtime has ",
                GLOW_DEVICE_ABI_VERSION, "; build it against this version");
  if (table->size < sizeof(GlowDeviceTable) || !isComplete(*table))
    return fail(GLOW_INVALID_ARGUMENT, "the driver's table lacks functions");
  if (!table->driver || !*table->driver ||
      std::strspn(table->driver, "abcdefghijklmnopqrstuvwxyz0123456789-_") !=
          std::strlen(table->driver))
    return fail(GLOW_INVALID_ARGUMENT,
                "the driver's name must be of lower-case "
                "letters, digits, '-' and '_'");
  return GLOW_OK;
}

GlowStatus glow_device_add_driver(const GlowDeviceTable *table) {
  if (GlowStatus status = checkTable(table))
    return status;
  std::lock_guard<std::mutex> lock(registry().mutex);
  const GlowDeviceTable *known = registry().find(table->driver);
  if (known && known != table)
    return fail(GLOW_INVALID_ARGUMENT, "there is a driver called '",
                table->driver, "' already");
  if (!known)
    registry().tables.push_back(table);
  return GLOW_OK;
}

GlowStatus glow_device_open_plugin(const char *path) {
  SharedObject object;
  void *symbol;
  GlowStatus status = object.open(path);
  if (status == GLOW_OK)
    status = object.find("glow_device_table", symbol);
  if (status == GLOW_OK)
    status =
        glow_device_add_driver(reinterpret_cast<GlowDeviceTableFn>(symbol)());
  if (status)
    return addContext(status, "device plug-in: ");
  object.keep();
  return GLOW_OK;
}

namespace {
/// Whether the plug-ins of GLOW_DEVICE_PLUGINS could be opened, and else why
/// not.
struct Opening {
  GlowStatus status = GLOW_OK;
  std::string message;

  Opening() {
    const char *list = std::getenv("GLOW_DEVICE_PLUGINS");
    std::istringstream paths(list ? list : "");
    for (std::string path; !status && std::getline(paths, path, ':');)
      if (!path.empty())
        status = glow_device_open_plugin(path.c_str());
    if (status)
      message = std::string("GLOW_DEVICE_PLUGINS: ") + glow_last_error();
  }
};
} // namespace

/// Opens them the first time; other threads wait for that.
static GlowStatus openFromEnvironment() {
  static const Opening opening;
  return opening.status ? setLastError(opening.status, opening.message)
                        : GLOW_OK;
}

const GlowDeviceTable *glow_device_find_driver(const char *name) {
  if (openFromEnvironment())
    return nullptr;
  std::lock_guard<std::mutex> lock(registry().mutex);
  const GlowDeviceTable *table = registry().find(name);
  if (!table)
    fail(GLOW_NOT_FOUND, "there is no driver called '", name,
         "'; name its plug-in in GLOW_DEVICE_PLUGINS");
  return table;
}
