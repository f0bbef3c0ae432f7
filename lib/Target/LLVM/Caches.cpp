//===- Caches.cpp - sizes of a processor's caches -------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Caches.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
struct KnownCaches {
  /// How LLVM's names begin, and KiB per core; of the last level, a core's
  /// share in a common model.
  StringLiteral prefix;
  int64_t l1, l2, l3;
};

struct KnownValue {
  StringLiteral prefix;
  int64_t value;
};
} // namespace

// clang-format off
// The first prefix that fits counts. As the makers' optimisation guides say.
static constexpr KnownCaches kKnown[] = {
    {"znver1", 32, 512, 2048},          {"znver2", 32, 512, 4096},
    {"znver3", 32, 512, 4096},          {"znver4", 32, 1024, 4096},
    {"znver5", 48, 1024, 4096},         {"haswell", 32, 256, 2048},
    {"core-avx2", 32, 256, 2048},       {"broadwell", 32, 256, 2048},
    {"skylake-avx512", 32, 1024, 1408}, {"skx", 32, 1024, 1408},
    {"skylake", 32, 256, 2048},         {"cascadelake", 32, 1024, 1408},
    {"cooperlake", 32, 1024, 1408},     {"icelake-server", 48, 1280, 1536},
    {"icelake-client", 48, 512, 2048},  {"tigerlake", 48, 1280, 3072},
    {"alderlake", 48, 1280, 2560},      {"sapphirerapids", 48, 2048, 1920},
    {"emeraldrapids", 48, 2048, 5120},  {"graniterapids", 48, 2048, 4096},
    {"x86-64-v4", 32, 1024, 1408},      {"x86-64", 32, 256, 1024},
    {"cortex-a53", 32, 512, 0},         {"cortex-a72", 32, 1024, 0},
    {"cortex-a76", 64, 512, 1024},      {"neoverse-n1", 64, 1024, 512},
    {"neoverse-n2", 64, 1024, 1024},    {"neoverse-v1", 64, 1024, 512},
    {"neoverse-v2", 64, 2048, 512},     {"apple-m", 128, 3072, 1024},
    {"a64fx", 64, 640, 0},
};
// clang-format on

// As measured; docs/Rationale/Kernels/Panels.md and Bfloat16.md have the
// numbers. Of pairs of bf16 it was Emerald Rapids; others of its kind are taken
// for alike, and Cooper Lake for one that gains nothing.
static constexpr KnownValue kFetchLevel[] = {{"znver5", 1}};
static constexpr KnownValue kFetchAhead[] = {{"znver4", 12 << 10}};
static constexpr KnownValue kStreamedRows[] = {{"znver4", 4}};
static constexpr KnownValue kBf16Percent[] = {{"cooperlake", 100},
                                              {"sapphirerapids", 50},
                                              {"emeraldrapids", 50},
                                              {"graniterapids", 50}};

/// The first entry whose prefix fits, or null.
template <typename T, size_t N>
static const T *find(const T (&table)[N], StringRef cpu) {
  const T *found = llvm::find_if(
      table, [&](const T &entry) { return cpu.starts_with(entry.prefix); });
  return found == std::end(table) ? nullptr : found;
}

void mlir::glow::setCachesOf(StringRef cpu, KernelTarget &target) {
  if (const KnownCaches *known = find(kKnown, cpu)) {
    target.l1Bytes = known->l1 << 10;
    target.l2Bytes = known->l2 << 10;
    target.l3Bytes = known->l3 << 10;
  }
  if (const KnownValue *known = find(kFetchLevel, cpu))
    target.fetchLevel = known->value;
  if (const KnownValue *known = find(kFetchAhead, cpu))
    target.fetchAhead = known->value;
  if (const KnownValue *known = find(kStreamedRows, cpu))
    target.streamedRows = known->value;
  if (const KnownValue *known = find(kBf16Percent, cpu))
    target.bf16Percent = known->value;
}

/// The text of a file of the kernel's, without the newline; empty if it cannot
/// be read.
static std::string readLine(const Twine &path) {
  auto file = llvm::MemoryBuffer::getFileAsStream(path);
  return file ? (*file)->getBuffer().trim().str() : std::string();
}

/// Members of a list like 0-3,8.
static int64_t countListed(StringRef list) {
  int64_t count = 0;
  for (StringRef part : llvm::split(list, ',')) {
    auto [first, last] = part.split('-');
    int64_t low, high;
    if (first.getAsInteger(10, low))
      return 0;
    if (last.empty())
      high = low;
    else if (last.getAsInteger(10, high) || high < low)
      return 0;
    count += high - low + 1;
  }
  return count;
}

void mlir::glow::detectCaches(StringRef root, KernelTarget &target) {
  SmallString<128> folder(root);
  llvm::sys::path::append(folder, "sys/devices/system/cpu/cpu0/cache");
  // Processors that share the first level are threads of one core.
  int64_t threads = 1;
  for (int index = 0; index < 8; ++index) {
    std::string cache = (folder + "/index" + Twine(index)).str();
    std::string level = readLine(cache + "/level");
    if (level.empty())
      break;
    if (readLine(cache + "/type") == "Instruction")
      continue;
    std::string size = readLine(cache + "/size");
    StringRef digits(size);
    int64_t bytes;
    if (!digits.consume_back("K") || digits.getAsInteger(10, bytes) ||
        bytes <= 0 || bytes > (int64_t(1) << 32))
      continue;
    bytes <<= 10;
    int64_t sharing =
        std::max<int64_t>(1, countListed(readLine(cache + "/shared_cpu_list")));
    if (level == "1")
      threads = sharing;
    else
      bytes /= std::max<int64_t>(1, sharing / threads);
    // One at a time: nonsense about one cache is no reason to forget others.
    KernelTarget changed = target;
    if (llvm::Error error =
            changed.update(("l" + level + "=" + Twine(bytes)).str()))
      llvm::consumeError(std::move(error));
    else
      target = changed;
  }
}
