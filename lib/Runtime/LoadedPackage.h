//===- LoadedPackage.h - A package and its plan of copies -------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_RUNTIME_LOADEDPACKAGE_H
#define GLOW_LIB_RUNTIME_LOADEDPACKAGE_H

#include "glow/Runtime/DeviceHandle.h"
#include "glow/Runtime/Package.h"

#include <map>
#include <set>

namespace glow::runtime {

/// One partition's part in each run.
struct Step {
  uint32_t device;
  GlowDeviceProgram program;
  std::vector<uint32_t> uploads, downloads; // values to copy before and after
  std::string name;                         // for messages
};

struct PackageDevice {
  std::shared_ptr<DeviceHandle> handle;
  bool onHost;                    // runs on host memory
  std::set<uint32_t> values = {}; // values kept in its memory, if not onHost
};

/// A model split over several devices.
class Package : public Program {
public:
  ~Package() override;
  GlowStatus createExecution(std::unique_ptr<Execution> &result) override;
  GlowStatus init(Manifest from, const std::vector<ProgramImage> &images);

  Manifest manifest;
  std::vector<PackageDevice> devices;
  std::vector<Step> steps;
  std::vector<bool> onHost; // per value: has a place in host memory
  Owner owner;

private:
  GlowStatus openDevice(const Partition &partition, uint32_t &index);
  GlowStatus loadPrograms(const std::vector<ProgramImage> &images);
  void planCopies();
  std::map<std::string, uint32_t> deviceIndex;
};

} // namespace glow::runtime
#endif // GLOW_LIB_RUNTIME_LOADEDPACKAGE_H
