//===- RecipeFuzzer.cpp - recipes from anywhere ---------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Damaged contents get right checksums, as an attacker's would have, so that
// the fuzzer reaches what lies behind them.
//
//===----------------------------------------------------------------------===//
#include "glow/Target/Habana/Recipe.h"

#include <cstring>

static constexpr size_t kHeaderBytes = 64, kEntryBytes = 32;

static void repairChecksums(std::string &bytes) {
  uint32_t count;
  std::memcpy(&count, &bytes[12], sizeof(count));
  if (count > (bytes.size() - kHeaderBytes) / kEntryBytes)
    return;
  for (uint32_t i = 0; i < count; ++i) {
    char *entry = &bytes[kHeaderBytes + kEntryBytes * i];
    uint64_t offset, size;
    std::memcpy(&offset, entry + 8, sizeof(offset));
    std::memcpy(&size, entry + 16, sizeof(size));
    if (offset > bytes.size() || size > bytes.size() - offset)
      continue;
    uint32_t crc = habana_recipe::crc32c(bytes.data() + offset, size);
    std::memcpy(entry + 24, &crc, sizeof(crc));
  }
  uint32_t crc =
      habana_recipe::crc32c(&bytes[kHeaderBytes], kEntryBytes * count);
  std::memcpy(&bytes[24], &crc, sizeof(crc));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string bytes(reinterpret_cast<const char *>(data), size);
  if (size > kHeaderBytes)
    repairChecksums(bytes);
  habana_recipe::Program program;
  std::string error;
  if (habana_recipe::decode(bytes.data(), bytes.size(), program, error) &&
      habana_recipe::encode(program).empty())
    __builtin_trap();
  return 0;
}
