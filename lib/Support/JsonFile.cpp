//===- JsonFile.cpp - JSON that a user names ------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Support/JsonFile.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

static constexpr unsigned kMostLevels = 64;

/// True if arrays and objects of `text` nest deeper than is read.
static bool isTooDeep(StringRef text) {
  unsigned level = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i; // whatever it escapes
      else if (c == '"')
        inString = false;
      continue;
    }
    if (c == '"')
      inString = true;
    else if ((c == '[' || c == '{') && ++level > kMostLevels)
      return true;
    else if ((c == ']' || c == '}') && level > 0)
      --level;
  }
  return false;
}

Expected<json::Value> mlir::glow::readJsonFile(StringRef path) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file)
    return createStringError("cannot read '" + path +
                             "': " + file.getError().message());
  if (isTooDeep((*file)->getBuffer()))
    return createStringError("'" + path + "' nests deeper than " +
                             Twine(kMostLevels) + " levels");
  Expected<json::Value> value = json::parse((*file)->getBuffer());
  if (!value)
    return createStringError("'" + path +
                             "' is not JSON: " + toString(value.takeError()));
  return value;
}
