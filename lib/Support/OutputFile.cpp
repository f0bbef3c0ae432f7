//===- OutputFile.cpp - files that appear when complete -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Support/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
namespace fs = llvm::sys::fs;

static llvm::Error cannotWrite(StringRef path, llvm::Error why) {
  return llvm::createStringError("cannot write '" + path +
                                 "': " + llvm::toString(std::move(why)));
}

/// Writes all of it, or says why not.
static llvm::Error
writeTo(llvm::raw_fd_ostream &out, StringRef path,
        llvm::function_ref<llvm::Error(raw_ostream &)> write) {
  llvm::Error error = write(out);
  out.flush();
  std::error_code failed = out.error();
  out.clear_error();
  if (error || !failed)
    return error;
  return cannotWrite(path, llvm::errorCodeToError(failed));
}

llvm::Error
glow::writeOutput(StringRef path,
                  llvm::function_ref<llvm::Error(raw_ostream &)> write) {
  if (path == "-")
    return writeTo(llvm::outs(), path, write);
  // Devices and pipes are written as they are.
  fs::file_status status;
  if (!fs::status(path, status) && fs::exists(status) &&
      !fs::is_regular_file(status)) {
    std::error_code failed;
    llvm::raw_fd_ostream out(path, failed);
    return failed ? cannotWrite(path, llvm::errorCodeToError(failed))
                  : writeTo(out, path, write);
  }
  auto file = fs::TempFile::create(path + ".%%%%%%%%");
  if (!file)
    return cannotWrite(path, file.takeError());
  llvm::Error error = llvm::Error::success();
  {
    llvm::raw_fd_ostream out(file->FD, /*shouldClose=*/false);
    error = writeTo(out, path, write);
  }
  if (error)
    return llvm::joinErrors(std::move(error), file->discard());
  if (llvm::Error kept = file->keep(path))
    return cannotWrite(path, std::move(kept));
  return llvm::Error::success();
}
