//===- CpuDevice.h - The processor as a device ------------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_CPUDEVICE_H
#define GLOW_RUNTIME_CPUDEVICE_H

#include "glow/Runtime/SimpleDevice.h"

namespace glow::runtime {

/// Runs compiled models on host memory. A program image is a `.so` if it has a
/// path; without one it is a GlowModel descriptor in memory, by its address and
/// sizeof(GlowModel).
std::unique_ptr<SimpleDevice> createCpuDevice(int32_t threads);

/// The driver "cpu".
const GlowDeviceTable *cpuDeviceTable();

} // namespace glow::runtime
#endif // GLOW_RUNTIME_CPUDEVICE_H
