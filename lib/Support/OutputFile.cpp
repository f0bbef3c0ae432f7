//===- OutputFile.cpp - files that appear when complete -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::glow;
namespace fs = llvm::sys::fs;

static llvm::Error cannotWrite(StringRef path, std::error_code why) {
  return llvm::createStringError("cannot write '" + path +
                                 "': " + why.message());
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
  return cannotWrite(path, failed);
}

static bool signalsRemove = false;

void glow::removeUnfinishedOnSignals() { signalsRemove = true; }

void glow::setUnfinished(StringRef path, bool isUnfinished) {
  if (signalsRemove && isUnfinished)
    llvm::sys::RemoveFileOnSignal(path);
  else if (signalsRemove)
    llvm::sys::DontRemoveFileOnSignal(path);
}

/// Tries names that begin with `stem` until `make` finds one that is free.
static std::error_code
findName(const Twine &stem, SmallVectorImpl<char> &name,
         llvm::function_ref<std::error_code(const Twine &)> make) {
  std::error_code error;
  for (int tries = 0; tries < 100; ++tries) {
    name.clear();
    (stem + llvm::utohexstr(llvm::sys::Process::GetRandomNumber()))
        .toVector(name);
    error = make(name);
    if (error != std::errc::file_exists)
      break;
  }
  return error;
}

std::error_code glow::makeFolderBeside(StringRef path,
                                       SmallVectorImpl<char> &folder) {
  return findName(path + ".partial-", folder, [](const Twine &name) {
    return fs::create_directory(name, /*IgnoreExisting=*/false, fs::all_all);
  });
}

llvm::Expected<UnfinishedFile> UnfinishedFile::create(StringRef place,
                                                      unsigned permissions) {
  UnfinishedFile file(place);
  std::error_code failed =
      findName(place + ".", file.path, [&](const Twine &name) {
        return fs::openFileForReadWrite(name, file.descriptor, fs::CD_CreateNew,
                                        fs::OF_None, permissions);
      });
  if (failed) {
    file.path.clear(); // it is not this one's
    return cannotWrite(place, failed);
  }
  setUnfinished(file.path, true);
  return std::move(file);
}

UnfinishedFile::UnfinishedFile(UnfinishedFile &&other)
    : place(std::move(other.place)), path(other.path),
      descriptor(other.descriptor) {
  other.path.clear();
  other.descriptor = -1;
}

UnfinishedFile::~UnfinishedFile() {
  if (descriptor >= 0)
    llvm::sys::Process::SafelyCloseFileDescriptor(descriptor);
  if (path.empty())
    return;
  fs::remove(path);
  setUnfinished(path, false);
}

llvm::Error
UnfinishedFile::write(llvm::function_ref<llvm::Error(raw_ostream &)> body) {
  llvm::raw_fd_ostream out(descriptor, /*shouldClose=*/false);
  return writeTo(out, place, body);
}

llvm::Error UnfinishedFile::keep() {
  std::error_code failed =
      llvm::sys::Process::SafelyCloseFileDescriptor(descriptor);
  descriptor = -1;
  if (!failed)
    failed = fs::rename(path, place);
  if (failed)
    return cannotWrite(place, failed);
  setUnfinished(path, false);
  path.clear();
  return llvm::Error::success();
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
    return failed ? cannotWrite(path, failed) : writeTo(out, path, write);
  }
  llvm::Expected<UnfinishedFile> file = UnfinishedFile::create(path);
  if (!file)
    return file.takeError();
  if (llvm::Error error = file->write(write))
    return error;
  return file->keep();
}
