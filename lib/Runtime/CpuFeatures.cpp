//===- CpuFeatures.cpp - What this processor can do -------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/CpuFeatures.h"
#include "glow/Runtime/Error.h"

#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

using namespace glow::runtime;

/// The architecture in a triple: "x86_64" of "x86_64-unknown-linux-gnu".
static std::string_view archOf(std::string_view triple) {
  std::string_view arch = triple.substr(0, triple.find('-'));
  if (arch == "amd64")
    return "x86_64";
  if (arch == "arm64")
    return "aarch64";
  return arch;
}

static constexpr std::string_view hostArch =
#if defined(__x86_64__)
    "x86_64";
#elif defined(__aarch64__)
    "aarch64";
#elif defined(__riscv) && __riscv_xlen == 64
    "riscv64";
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
    "powerpc64le";
#elif defined(__loongarch64)
    "loongarch64";
#else
    "";
#endif

GlowStatus glow::runtime::checkTriple(std::string_view triple) {
  if (archOf(triple) == hostArch)
    return GLOW_OK;
  return fail(GLOW_UNSUPPORTED, "the model was compiled for '", triple,
              "', this processor is ", hostArch,
              "; compile it again with the right --mtriple");
}

bool glow::runtime::requestAmxTiles() {
#if defined(__linux__) && defined(__x86_64__)
  constexpr int kRequestPermission = 0x1023; // ARCH_REQ_XCOMP_PERM
  constexpr int kTileData = 18;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}

int64_t glow::runtime::scalableVectorBits() {
#if defined(__linux__) && defined(__aarch64__)
  constexpr int kGetLength = 51, kLengthMask = 0xffff; // PR_SVE_GET_VL
  int bytes = prctl(kGetLength);
  return bytes < 0 ? 0 : 8 * (bytes & kLengthMask);
#else
  return 0;
#endif
}

/// Features of processors, and lengths of registers.
static Feature stateOf(std::string_view name) {
  constexpr std::string_view kLength = "sve-bits=";
  if (name.substr(0, kLength.size()) != kLength)
    return cpuFeature(name);
  return std::to_string(scalableVectorBits()) == name.substr(kLength.size())
             ? Feature::Present
             : Feature::Absent;
}

GlowStatus glow::runtime::checkCpuFeatures(std::string_view list) {
  std::string missing, unknown;
  bool usesTiles = false;
  while (!list.empty()) {
    size_t comma = list.find(',');
    std::string_view item = list.substr(0, comma);
    list = comma == list.npos ? "" : list.substr(comma + 1);
    if (item.size() < 2 || item[0] != '+')
      continue;
    std::string_view name = item.substr(1);
    usesTiles |= name == "amx-tile";
    Feature state = stateOf(name);
    if (state != Feature::Present)
      (state == Feature::Absent ? missing : unknown) += " " + std::string(name);
  }
  if (!missing.empty())
    return fail(GLOW_UNSUPPORTED, "this processor lacks", missing,
                ", which the model was compiled for; compile it again with "
                "--mcpu for this machine or --mattr without them");
  if (!unknown.empty())
    return fail(GLOW_UNSUPPORTED,
                "this runtime cannot tell whether the "
                "processor has",
                unknown, "; update it, or compile with --mattr without them");
  if (usesTiles && !requestAmxTiles())
    return fail(GLOW_UNSUPPORTED,
                "the operating system does not permit the AMX tiles that the "
                "model uses; Linux 5.16 or newer is needed, or compile with "
                "--mattr=-amx-tile");
  return GLOW_OK;
}
