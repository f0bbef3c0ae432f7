//===- ThreadLimits.cpp - How many threads this process should use --------===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The affinity mask says which processors may be used, the cgroup's quota how
// much time on them: a container with a quota of 2 on a 64-processor host is
// throttled badly by 64 threads.
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/ThreadLimits.h"
#include "glow/Runtime/ThreadPool.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sched.h>
#include <unistd.h>

using namespace glow::runtime;

static int32_t affinityThreads() {
  // The mask of a machine with many processors does not fit cpu_set_t.
  for (size_t processors = 1024; processors <= (1 << 20); processors *= 2) {
    cpu_set_t *set = CPU_ALLOC(processors);
    if (!set)
      break;
    size_t bytes = CPU_ALLOC_SIZE(processors);
    bool known = sched_getaffinity(0, bytes, set) == 0;
    int32_t count = known ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (known)
      return std::max(count, 1);
  }
  return std::max<int32_t>(1, int32_t(sysconf(_SC_NPROCESSORS_ONLN)));
}

/// Threads for a quota of `quota` microseconds per `period`; 0: unlimited.
static int32_t threadsForQuota(double quota, double period) {
  if (!(quota > 0) || !(period > 0))
    return 0;
  return std::max(1, int32_t(std::min(std::ceil(quota / period), 1e6)));
}

/// cpu.max of version 2: "max 100000" or "200000 100000".
static int32_t quotaOfV2(const std::string &folder) {
  std::ifstream file(folder + "/cpu.max");
  std::string quota;
  double period = 0;
  if (!(file >> quota >> period) || quota == "max")
    return 0;
  return threadsForQuota(std::strtod(quota.c_str(), nullptr), period);
}

static int32_t quotaOfV1(const std::string &folder) {
  std::ifstream quotaFile(folder + "/cpu.cfs_quota_us");
  std::ifstream periodFile(folder + "/cpu.cfs_period_us");
  double quota = 0, period = 0;
  if (!(quotaFile >> quota) || !(periodFile >> period))
    return 0;
  return threadsForQuota(quota, period);
}

/// The tightest quota of `group` and the groups around it. In a container the
/// group's own path is often not visible; then the mount's root is the group.
template <typename Quota>
static int32_t tightest(const std::string &mount, std::string group,
                        Quota quotaOf) {
  int32_t threads = 0;
  for (;;) {
    if (int32_t here = quotaOf(mount + group))
      threads = threads ? std::min(threads, here) : here;
    if (group.empty() || group == "/")
      return threads;
    group.erase(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
}

int32_t glow::runtime::cgroupThreads(const std::string &groupFile,
                                     const std::string &mount) {
  int32_t threads = 0;
  std::ifstream file(groupFile);
  // Each line is id:controllers:path; version 2 has id 0 and no controllers.
  for (std::string line; std::getline(file, line);) {
    size_t first = line.find(':');
    size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      continue;
    std::string controllers =
        "," + line.substr(first + 1, second - first - 1) + ",";
    std::string group = line.substr(second + 1);
    int32_t here = 0;
    if (controllers == ",,")
      here = tightest(mount, group, quotaOfV2);
    else if (controllers.find(",cpu,") != std::string::npos)
      here = tightest(mount + "/cpu", group, quotaOfV1);
    if (here)
      threads = threads ? std::min(threads, here) : here;
  }
  return threads;
}

int32_t glow::runtime::maxThreads() {
  static const int32_t threads = [] {
    int32_t mask = affinityThreads();
    int32_t quota = cgroupThreads("/proc/self/cgroup", "/sys/fs/cgroup");
    return quota ? std::min(mask, quota) : mask;
  }();
  return threads;
}

int32_t glow::runtime::defaultThreads() {
  const char *text = std::getenv("GLOW_NUM_THREADS");
  if (!text || !*text)
    return maxThreads();
  char *end = nullptr;
  long wanted = std::strtol(text, &end, 10);
  if (*end || wanted < 1)
    return maxThreads();
  return int32_t(std::min<long>(wanted, maxThreads()));
}
