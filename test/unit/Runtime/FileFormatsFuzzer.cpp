//===- FileFormatsFuzzer.cpp - Hostile .npy files, pictures and manifests -===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/Image.h"
#include "glow/Runtime/Manifest.h"

using namespace glow::runtime;

/// What is accepted must survive being printed and read again.
static void fuzzManifest(std::string_view text) {
  Manifest manifest, again;
  if (parseManifest(text, manifest) == GLOW_OK &&
      parseManifest(printManifest(manifest), again) != GLOW_OK)
    __builtin_trap();
}

/// The first byte chooses the format, and the type expected of an array.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  Array array;
  unsigned choice = data[0] % 3;
  if (choice == 0)
    parseNpy(data + 1, size - 1, data[0] / 3 % (GLOW_I2 + 1), "fuzz", array);
  else if (choice == 1)
    parseImage(data + 1, size - 1, "fuzz", array);
  else
    fuzzManifest({reinterpret_cast<const char *>(data) + 1, size - 1});
  return 0;
}
