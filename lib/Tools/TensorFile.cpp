//===- TensorFile.cpp - tensors in files ----------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Tools/TensorFile.h"
#include "glow/Translate/ONNXTensor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
namespace rt = ::glow::runtime;

/// Finds the extents of nested lists, which must agree, and their strings.
static bool flatten(const llvm::json::Value &value, size_t depth,
                    std::vector<int64_t> &dims,
                    std::vector<StringRef> &strings) {
  constexpr size_t mostAxes = 64;
  if (auto text = value.getAsString()) {
    strings.push_back(*text);
    return depth == dims.size();
  }
  const llvm::json::Array *list = value.getAsArray();
  if (!list || depth >= mostAxes)
    return false;
  if (depth == dims.size() && strings.empty())
    dims.push_back(list->size());
  if (depth >= dims.size() || dims[depth] != int64_t(list->size()))
    return false;
  return llvm::all_of(*list, [&](const llvm::json::Value &element) {
    return flatten(element, depth + 1, dims, strings);
  });
}

/// Reads a string, or nested lists of strings, from JSON.
static llvm::Error readStrings(StringRef file, rt::Array &array) {
  auto contents = llvm::MemoryBuffer::getFile(file);
  if (!contents)
    return llvm::createStringError(contents.getError(),
                                   "cannot read '" + file + "'");
  auto value = llvm::json::parse((*contents)->getBuffer());
  if (!value)
    return value.takeError();
  std::vector<StringRef> strings;
  array.dtype = GLOW_STRING;
  array.dims.clear();
  if (!flatten(*value, 0, array.dims, strings))
    return llvm::createStringError(
        "'" + file + "' must hold strings, in nested lists of equal lengths");
  size_t size = 0;
  for (StringRef text : strings)
    size += text.size();
  if (array.data.allocate(strings.size() * sizeof(GlowString), "strings") ||
      array.texts.allocate(size, "strings"))
    return llvm::createStringError(glow_last_error());
  auto *out = static_cast<GlowString *>(array.data.data());
  auto *next = static_cast<char *>(array.texts.data());
  for (StringRef text : strings) {
    *out++ = {next, text.size()};
    next = llvm::copy(text, next);
  }
  return llvm::Error::success();
}

llvm::Error mlir::glow::readTensor(StringRef file, uint32_t dtype,
                                   rt::Array &array) {
  if (file.ends_with(".pb"))
    return readONNXTensor(file, array);
  if (file.ends_with(".json"))
    return readStrings(file, array);
  if (rt::readNpy(file.str(), dtype, array))
    return llvm::createStringError(glow_last_error());
  return llvm::Error::success();
}

static std::string join(StringRef folder, const Twine &file) {
  SmallString<128> path(folder);
  llvm::sys::path::append(path, file);
  return std::string(path);
}

std::string mlir::glow::npyFile(StringRef folder, StringRef name) {
  // Two names make two files, whatever they consist of.
  std::string file;
  for (char c : name)
    if (llvm::isAlnum(c) || c == '_' || c == '-' || c == '.')
      file += c;
    else
      file +=
          "%" + llvm::utohexstr(static_cast<uint8_t>(c), /*LowerCase=*/false,
                                /*Width=*/2);
  return join(folder, file + ".npy");
}

std::string mlir::glow::testDataFile(StringRef folder, StringRef kind,
                                     size_t index) {
  return join(folder, kind + "_" + Twine(index) + ".pb");
}
