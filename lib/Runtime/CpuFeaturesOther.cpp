//===- CpuFeaturesOther.cpp - Features of processors that are not x86 -----===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linux reports the features of an AArch64 processor as bits of the auxiliary
// vector, already restricted to what the kernel supports.
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/CpuFeatures.h"

#if !defined(__x86_64__)
#include <cstdint>
#if defined(__linux__)
#include <sys/auxv.h>
#endif

using namespace glow::runtime;

#if defined(__aarch64__) && defined(__linux__)
namespace {
struct Row {
  const char *name;
  unsigned long vector;
  uint8_t bit;
};
} // namespace

// The bits are the kernel's ABI (asm/hwcap.h); the header of an older system
// lacks the newer names.
static constexpr Row rows[] = {
    {"fp-armv8", AT_HWCAP, 0},  {"neon", AT_HWCAP, 1},
    {"aes", AT_HWCAP, 3},       {"sha2", AT_HWCAP, 6},
    {"crc", AT_HWCAP, 7},       {"lse", AT_HWCAP, 8},
    {"fullfp16", AT_HWCAP, 10}, {"rdm", AT_HWCAP, 12},
    {"jsconv", AT_HWCAP, 13},   {"complxnum", AT_HWCAP, 14},
    {"rcpc", AT_HWCAP, 15},     {"sha3", AT_HWCAP, 17},
    {"sm4", AT_HWCAP, 19},      {"dotprod", AT_HWCAP, 20},
    {"sve", AT_HWCAP, 22},      {"fp16fml", AT_HWCAP, 23},
    {"flagm", AT_HWCAP, 27},    {"ssbs", AT_HWCAP, 28},
    {"sb", AT_HWCAP, 29},       {"pauth", AT_HWCAP, 30},
    {"sve2", AT_HWCAP2, 1},     {"i8mm", AT_HWCAP2, 13},
    {"bf16", AT_HWCAP2, 14},    {"bti", AT_HWCAP2, 17},
    {"sme", AT_HWCAP2, 23},     {"sme2", AT_HWCAP2, 37},
};

Feature glow::runtime::cpuFeature(std::string_view name) {
  for (const Row &row : rows)
    if (name == row.name)
      return getauxval(row.vector) >> row.bit & 1 ? Feature::Present
                                                  : Feature::Absent;
  return Feature::Unknown;
}
#else
Feature glow::runtime::cpuFeature(std::string_view) { return Feature::Unknown; }
#endif
#endif
