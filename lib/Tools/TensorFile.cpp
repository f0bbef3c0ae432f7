//===- TensorFile.cpp - tensors in files ----------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Tools/TensorFile.h"
#include "glow/Translate/ONNXTensor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
namespace rt = ::glow::runtime;

llvm::Error mlir::glow::readTensor(StringRef file, uint32_t dtype,
                                   rt::Array &array) {
  if (file.ends_with(".pb"))
    return readONNXTensor(file, array);
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
  std::string file;
  for (char c : name)
    file += llvm::isAlnum(c) || c == '_' || c == '-' || c == '.' ? c : '_';
  return join(folder, file + ".npy");
}

std::string mlir::glow::testDataFile(StringRef folder, StringRef kind,
                                     size_t index) {
  return join(folder, kind + "_" + Twine(index) + ".pb");
}
