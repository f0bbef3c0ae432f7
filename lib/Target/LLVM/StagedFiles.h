//===- StagedFiles.h - outputs that appear when complete -------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TARGET_LLVM_STAGEDFILES_H
#define GLOW_LIB_TARGET_LLVM_STAGEDFILES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::glow {

/// A folder beside the output, for it and for what it is made from. It goes
/// with everything that was not published.
class StagedFiles {
public:
  ~StagedFiles();
  /// Makes the folder; before anything else.
  llvm::Error create(StringRef output);

  /// The path of the file `name` in the folder.
  std::string file(const Twine &name) const;
  /// That of one which is to be written; signals remove it.
  std::string newFile(const Twine &name) const;
  /// Writes it, and reports a full disk.
  llvm::Error write(const Twine &name,
                    llvm::function_ref<void(raw_ostream &)> body) const;
  /// Moves it to its place, beside the folder.
  llvm::Error publish(const Twine &name) const;

private:
  SmallString<128> folder;
};

} // namespace mlir::glow

#endif // GLOW_LIB_TARGET_LLVM_STAGEDFILES_H
