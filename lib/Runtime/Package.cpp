//===- Package.cpp - Loading a model split over several devices -*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// Where each value has to be, and so which copies each partition needs, is
// settled here and not at each run.
//
//===----------------------------------------------------------------------===//
#include "LoadedPackage.h"
#include "glow/Runtime/CpuDevice.h"
#include "glow/Runtime/Memory.h"

using namespace glow::runtime;

static constexpr uint64_t kLargestManifest = 64 << 20;

Package::~Package() {
  for (const Step &step : steps) {
    const DeviceHandle &handle = *devices[step.device].handle;
    handle.table->unload(handle.device, step.program);
  }
  devices.clear();
  if (owner.release)
    owner.release(owner.user);
}

/// The processor is opened for this package alone, with its thread count.
GlowStatus Package::openDevice(const Partition &partition, uint32_t &index) {
  auto [entry, isNew] =
      deviceIndex.emplace(partition.device(), uint32_t(devices.size()));
  index = entry->second;
  if (!isNew)
    return GLOW_OK;
  std::shared_ptr<DeviceHandle> handle;
  if (partition.driver == "cpu") {
    if (partition.deviceIndex != 0)
      return fail(GLOW_NOT_FOUND, "the processor is one device, number 0");
    GlowDevice *device;
    if (GlowStatus status = openSimpleDevice(createCpuDevice(threads), &device))
      return status;
    handle = std::make_shared<DeviceHandle>(cpuDeviceTable(), device);
  } else if (GlowStatus status = DeviceHandle::open(
                 partition.driver, partition.deviceIndex, handle)) {
    return status;
  }
  bool isHost = handle->runsOnHostMemory();
  devices.push_back({std::move(handle), isHost});
  return GLOW_OK;
}

GlowStatus Package::loadPrograms(const std::vector<ProgramImage> &images) {
  for (size_t i = 0; i < manifest.partitions.size(); ++i) {
    const Partition &partition = manifest.partitions[i];
    Step step = {};
    step.name = "partition '" + partition.name + "' on " + partition.device();
    GlowStatus status = openDevice(partition, step.device);
    if (status == GLOW_OK) {
      const DeviceHandle &handle = *devices[step.device].handle;
      const ProgramImage &image = images[i];
      status = handle.check(handle.table->load(
          handle.device, image.data, image.bytes,
          image.path.empty() ? nullptr : image.path.c_str(), &step.program));
    }
    if (status)
      return addContext(status, step.name + ": ");
    steps.push_back(std::move(step));
  }
  return GLOW_OK;
}

/// A value goes to a device just before its first reader there, and back to the
/// host right after its writer if anything elsewhere needs it.
void Package::planCopies() {
  size_t numValues = manifest.values.size();
  onHost.assign(numValues, false);
  for (uint32_t value : manifest.inputs)
    onHost[value] = true;
  for (uint32_t value : manifest.outputs)
    onHost[value] = true;
  std::vector<int64_t> writer(numValues, -1);
  for (size_t i = 0; i < steps.size(); ++i) {
    Step &step = steps[i];
    PackageDevice &device = devices[step.device];
    const Partition &partition = manifest.partitions[i];
    for (uint32_t value : partition.reads) {
      bool isElsewhere = device.onHost || !device.values.count(value);
      if (isElsewhere)
        onHost[value] = true;
      if (!device.onHost && device.values.insert(value).second)
        step.uploads.push_back(value);
    }
    for (uint32_t value : partition.writes) {
      writer[value] = int64_t(i);
      if (device.onHost)
        onHost[value] = true;
      else
        device.values.insert(value);
    }
  }
  for (uint32_t value = 0; value < numValues; ++value)
    if (writer[value] >= 0 && onHost[value])
      if (Step &step = steps[size_t(writer[value])];
          !devices[step.device].onHost)
        step.downloads.push_back(value);
}

GlowStatus Package::init(Manifest from,
                         const std::vector<ProgramImage> &images) {
  manifest = std::move(from);
  name = manifest.name;
  for (uint32_t value : manifest.inputs)
    inputs.push_back(manifest.values[value].desc());
  for (uint32_t value : manifest.outputs)
    outputs.push_back(manifest.values[value].desc());
  for (const Partition &partition : manifest.partitions)
    instrs.push_back(
        {partition.driver.c_str(), partition.name.c_str(), "partition", 0, 0});
  if (GlowStatus status = loadPrograms(images))
    return status;
  planCopies();
  for (uint32_t value = 0; value < manifest.values.size(); ++value)
    if (onHost[value])
      arenaBytes += manifest.values[value].bytes;
  for (uint32_t input : manifest.inputs)
    arenaBytes -= manifest.values[input].bytes;
  for (uint32_t output : manifest.outputs)
    arenaBytes -= manifest.values[output].bytes;
  return GLOW_OK;
}

GlowStatus glow::runtime::makePackage(Manifest manifest,
                                      const std::vector<ProgramImage> &images,
                                      int32_t threads, Owner owner,
                                      ProgramPtr &result) {
  if (GlowStatus status = checkManifest(manifest))
    return status;
  if (images.size() != manifest.partitions.size())
    return fail(GLOW_INVALID_ARGUMENT, "there are ", images.size(),
                " programs for ", manifest.partitions.size(), " partitions");
  auto package = std::make_shared<Package>();
  package->threads = threads;
  if (GlowStatus status = package->init(std::move(manifest), images))
    return addContext(status, "package '" + package->name + "': ");
  package->owner = owner;
  result = std::move(package);
  return GLOW_OK;
}

GlowStatus glow::runtime::loadPackage(const std::string &folder,
                                      int32_t threads, ProgramPtr &result) {
  MappedFile file;
  if (GlowStatus status = file.openInside(folder, "manifest.json"))
    return status;
  if (file.size() > kLargestManifest)
    return fail(GLOW_INVALID_MODEL, "'", folder,
                "/manifest.json' is too large");
  Manifest manifest;
  std::string_view text(static_cast<const char *>(file.data()), file.size());
  if (GlowStatus status = parseManifest(text, manifest))
    return addContext(status, "'" + folder + "': ");
  std::vector<MappedFile> files(manifest.partitions.size());
  std::vector<ProgramImage> images;
  for (size_t i = 0; i < files.size(); ++i) {
    const std::string &name = manifest.partitions[i].program;
    if (GlowStatus status = files[i].openInside(folder, name))
      return status;
    images.push_back({files[i].data(), files[i].size(), folder + "/" + name});
  }
  return makePackage(std::move(manifest), images, threads, {}, result);
}
