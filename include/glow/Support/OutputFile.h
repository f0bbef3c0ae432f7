//===- OutputFile.h - files that appear when complete -----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_SUPPORT_OUTPUTFILE_H
#define GLOW_SUPPORT_OUTPUTFILE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"

namespace mlir::glow {

/// Makes a folder beside `path`, of a name that nothing has, with the
/// permissions that new folders have. Unlike LLVM's function, which replaces
/// all of them, it leaves a '%' in `path` alone.
std::error_code makeFolderBeside(StringRef path, SmallVectorImpl<char> &folder);

/// A new file beside its place, which it takes when it is complete. Without
/// that it is removed.
class UnfinishedFile {
public:
  static llvm::Expected<UnfinishedFile> create(StringRef place,
                                               unsigned permissions = 0666);
  UnfinishedFile(UnfinishedFile &&other);
  UnfinishedFile &operator=(UnfinishedFile &&) = delete;
  ~UnfinishedFile();

  /// Writes it. A full disk is an error.
  llvm::Error write(llvm::function_ref<llvm::Error(raw_ostream &)> body);
  llvm::Error keep();

private:
  UnfinishedFile(StringRef place) : place(place) {}

  std::string place;
  SmallString<128> path; // empty once it is kept
  int descriptor = -1;
};

/// Signals remove unfinished files from now on, by LLVM's handlers.
void removeUnfinishedOnSignals();
/// Says of a file, which need not be there yet, that it is unfinished, or no
/// more.
void setUnfinished(StringRef path, bool isUnfinished);

/// Writes a file, which takes its name when it is complete, or to the standard
/// output for "-". After an error, as a full disk is, what was there before is
/// still there. LLVM's function of this kind ends the process then.
llvm::Error writeOutput(StringRef path,
                        llvm::function_ref<llvm::Error(raw_ostream &)> write);

} // namespace mlir::glow

#endif // GLOW_SUPPORT_OUTPUTFILE_H
