//===- CpuFeaturesX86.cpp - CPUID bits under LLVM's feature names ---------===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/CpuFeatures.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <cstdint>

using namespace glow::runtime;

namespace {
enum Register { EAX, EBX, ECX, EDX };
/// Registers that the operating system must save, as bits of XCR0.
enum : uint64_t {
  None = 0,
  Ymm = 0x6,
  Zmm = 0xe6,
  Tile = 0x60000,
  Apx = 0x80000,
};
struct Row {
  const char *name;
  uint32_t leaf, subleaf;
  Register reg;
  uint8_t bit;
  uint64_t state;
};
} // namespace

// clang-format off
static constexpr Row rows[] = {
    {"cx8", 1, 0, EDX, 8, None},          {"cmov", 1, 0, EDX, 15, None},
    {"mmx", 1, 0, EDX, 23, None},         {"fxsr", 1, 0, EDX, 24, None},
    {"sse", 1, 0, EDX, 25, None},         {"sse2", 1, 0, EDX, 26, None},
    {"x87", 1, 0, EDX, 0, None},          {"sse3", 1, 0, ECX, 0, None},
    {"pclmul", 1, 0, ECX, 1, None},       {"ssse3", 1, 0, ECX, 9, None},
    {"fma", 1, 0, ECX, 12, Ymm},          {"cx16", 1, 0, ECX, 13, None},
    {"sse4.1", 1, 0, ECX, 19, None},      {"sse4.2", 1, 0, ECX, 20, None},
    {"crc32", 1, 0, ECX, 20, None},       {"movbe", 1, 0, ECX, 22, None},
    {"popcnt", 1, 0, ECX, 23, None},      {"aes", 1, 0, ECX, 25, None},
    {"xsave", 1, 0, ECX, 26, None},       {"avx", 1, 0, ECX, 28, Ymm},
    {"f16c", 1, 0, ECX, 29, Ymm},         {"rdrnd", 1, 0, ECX, 30, None},

    {"fsgsbase", 7, 0, EBX, 0, None},     {"sgx", 7, 0, EBX, 2, None},
    {"bmi", 7, 0, EBX, 3, None},          {"avx2", 7, 0, EBX, 5, Ymm},
    {"bmi2", 7, 0, EBX, 8, None},         {"invpcid", 7, 0, EBX, 10, None},
    {"rtm", 7, 0, EBX, 11, None},         {"avx512f", 7, 0, EBX, 16, Zmm},
    {"avx512dq", 7, 0, EBX, 17, Zmm},     {"rdseed", 7, 0, EBX, 18, None},
    {"adx", 7, 0, EBX, 19, None},         {"avx512ifma", 7, 0, EBX, 21, Zmm},
    {"clflushopt", 7, 0, EBX, 23, None},  {"clwb", 7, 0, EBX, 24, None},
    {"avx512cd", 7, 0, EBX, 28, Zmm},     {"sha", 7, 0, EBX, 29, None},
    {"avx512bw", 7, 0, EBX, 30, Zmm},     {"avx512vl", 7, 0, EBX, 31, Zmm},
    {"avx512vbmi", 7, 0, ECX, 1, Zmm},    {"pku", 7, 0, ECX, 4, None},
    {"waitpkg", 7, 0, ECX, 5, None},      {"avx512vbmi2", 7, 0, ECX, 6, Zmm},
    {"shstk", 7, 0, ECX, 7, None},        {"gfni", 7, 0, ECX, 8, None},
    {"vaes", 7, 0, ECX, 9, Ymm},          {"vpclmulqdq", 7, 0, ECX, 10, Ymm},
    {"avx512vnni", 7, 0, ECX, 11, Zmm},   {"avx512bitalg", 7, 0, ECX, 12, Zmm},
    {"avx512vpopcntdq", 7, 0, ECX, 14, Zmm}, {"rdpid", 7, 0, ECX, 22, None},
    {"kl", 7, 0, ECX, 23, None},          {"cldemote", 7, 0, ECX, 25, None},
    {"movdiri", 7, 0, ECX, 27, None},     {"movdir64b", 7, 0, ECX, 28, None},
    {"enqcmd", 7, 0, ECX, 29, None},      {"uintr", 7, 0, EDX, 5, None},
    {"avx512vp2intersect", 7, 0, EDX, 8, Zmm}, {"serialize", 7, 0, EDX, 14, None},
    {"tsxldtrk", 7, 0, EDX, 16, None},    {"pconfig", 7, 0, EDX, 18, None},
    {"amx-bf16", 7, 0, EDX, 22, Tile},    {"avx512fp16", 7, 0, EDX, 23, Zmm},
    {"amx-tile", 7, 0, EDX, 24, Tile},    {"amx-int8", 7, 0, EDX, 25, Tile},

    {"sha512", 7, 1, EAX, 0, Ymm},        {"sm3", 7, 1, EAX, 1, Ymm},
    {"sm4", 7, 1, EAX, 2, Ymm},           {"raoint", 7, 1, EAX, 3, None},
    {"avxvnni", 7, 1, EAX, 4, Ymm},       {"avx512bf16", 7, 1, EAX, 5, Zmm},
    {"cmpccxadd", 7, 1, EAX, 7, None},    {"amx-fp16", 7, 1, EAX, 21, Tile},
    {"hreset", 7, 1, EAX, 22, None},      {"avxifma", 7, 1, EAX, 23, Ymm},
    {"movrs", 7, 1, EAX, 31, None},       {"avxvnniint8", 7, 1, EDX, 4, Ymm},
    {"avxneconvert", 7, 1, EDX, 5, Ymm},  {"amx-complex", 7, 1, EDX, 8, Tile},
    {"avxvnniint16", 7, 1, EDX, 10, Ymm}, {"prefetchi", 7, 1, EDX, 14, None},
    {"usermsr", 7, 1, EDX, 15, None},     {"avx10.1", 7, 1, EDX, 19, Zmm},
    {"egpr", 7, 1, EDX, 21, Apx},         {"push2pop2", 7, 1, EDX, 21, Apx},
    {"ppx", 7, 1, EDX, 21, Apx},          {"ndd", 7, 1, EDX, 21, Apx},
    {"ccmp", 7, 1, EDX, 21, Apx},         {"nf", 7, 1, EDX, 21, Apx},
    {"cf", 7, 1, EDX, 21, Apx},           {"zu", 7, 1, EDX, 21, Apx},

    {"xsaveopt", 0xd, 1, EAX, 0, None},   {"xsavec", 0xd, 1, EAX, 1, None},
    {"xsaves", 0xd, 1, EAX, 3, None},     {"ptwrite", 0x14, 0, EBX, 4, None},
    {"widekl", 0x19, 0, EBX, 2, None},    {"amx-fp8", 0x1e, 1, EAX, 4, Tile},
    {"amx-tf32", 0x1e, 1, EAX, 6, Tile},  {"amx-avx512", 0x1e, 1, EAX, 7, Tile},
    {"amx-movrs", 0x1e, 1, EAX, 8, Tile},

    {"sahf", 0x80000001, 0, ECX, 0, None},   {"lzcnt", 0x80000001, 0, ECX, 5, None},
    {"sse4a", 0x80000001, 0, ECX, 6, None},  {"prfchw", 0x80000001, 0, ECX, 8, None},
    {"xop", 0x80000001, 0, ECX, 11, Ymm},    {"lwp", 0x80000001, 0, ECX, 15, None},
    {"fma4", 0x80000001, 0, ECX, 16, Ymm},   {"tbm", 0x80000001, 0, ECX, 21, None},
    {"mwaitx", 0x80000001, 0, ECX, 29, None}, {"64bit", 0x80000001, 0, EDX, 29, None},
    {"clzero", 0x80000008, 0, EBX, 0, None}, {"rdpru", 0x80000008, 0, EBX, 4, None},
    {"wbnoinvd", 0x80000008, 0, EBX, 9, None},
};
// clang-format on

static uint64_t savedStates() {
  uint32_t a, b, c, d;
  constexpr uint32_t kOsxsave = 1u << 27;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & kOsxsave))
    return 0;
  uint32_t low, high;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t(high) << 32 | low;
}

Feature glow::runtime::cpuFeature(std::string_view name) {
  static const uint64_t saved = savedStates();
  for (const Row &row : rows) {
    if (name != row.name)
      continue;
    uint32_t regs[4] = {};
    // Subleaves beyond those that exist read as zero.
    if (!__get_cpuid_count(row.leaf, row.subleaf, &regs[EAX], &regs[EBX],
                           &regs[ECX], &regs[EDX]))
      return Feature::Absent;
    bool present = regs[row.reg] >> row.bit & 1;
    bool usable = (saved & row.state) == row.state;
    return present && usable ? Feature::Present : Feature::Absent;
  }
  return Feature::Unknown;
}
#endif
