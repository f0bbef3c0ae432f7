//===- ThreadLimits.h - The cgroup's limit, with its files as parameters --===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_THREADLIMITS_H
#define GLOW_RUNTIME_THREADLIMITS_H

#include <cstdint>
#include <string>

namespace glow::runtime {

/// Threads that the CPU quota of the groups listed in `groupFile` allows, 0 if
/// there is no quota. `mount` is where the cgroup file systems are mounted.
int32_t cgroupThreads(const std::string &groupFile, const std::string &mount);

} // namespace glow::runtime
#endif // GLOW_RUNTIME_THREADLIMITS_H
