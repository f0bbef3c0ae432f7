//===- StagedFiles.cpp - outputs that appear when complete ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StagedFiles.h"
#include "glow/Support/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::glow;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static llvm::Error cannotWrite(StringRef file, std::error_code error) {
  return llvm::createStringError(error, "cannot write '" + file +
                                            "': " + error.message());
}

StagedFiles::~StagedFiles() {
  if (!folder.empty())
    fs::remove_directories(folder);
}

llvm::Error StagedFiles::create(StringRef output) {
  SmallString<128> prefix(output);
  std::error_code error = fs::make_absolute(prefix);
  if (!error)
    error = makeFolderBeside(prefix, folder);
  return error ? cannotWrite(output, error) : llvm::Error::success();
}

std::string StagedFiles::file(const Twine &name) const {
  SmallString<128> result(folder);
  path::append(result, name);
  return std::string(result);
}

std::string StagedFiles::newFile(const Twine &name) const {
  std::string result = file(name);
  setUnfinished(result, true);
  return result;
}

llvm::Error
StagedFiles::write(const Twine &name,
                   llvm::function_ref<void(raw_ostream &)> body) const {
  return writeOutput(newFile(name), [&](raw_ostream &out) {
    body(out);
    return llvm::Error::success();
  });
}

llvm::Error StagedFiles::publish(const Twine &name) const {
  SmallString<128> place(path::parent_path(folder));
  path::append(place, name);
  std::string staged = file(name);
  if (std::error_code error = fs::rename(staged, place))
    return cannotWrite(place, error);
  setUnfinished(staged, false);
  return llvm::Error::success();
}
