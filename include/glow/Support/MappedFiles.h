//===- MappedFiles.h - pages of mapped files --------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights are read where the model's file is mapped, and each is read once:
// its packed copy takes its place. The pages read count as memory of the
// process until they are given back; a constant does not know whether it lies
// in a file.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_SUPPORT_MAPPEDFILES_H
#define GLOW_SUPPORT_MAPPEDFILES_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace mlir::glow {

/// The buffer, known to `dropFilePages` as long as it lives if it is a mapping.
std::shared_ptr<llvm::MemoryBuffer>
shareFile(std::unique_ptr<llvm::MemoryBuffer> buffer);

/// Gives back the pages inside `bytes` if they are those of a file that was
/// shared. They may be read again, from the file.
void dropFilePages(ArrayRef<char> bytes);

} // namespace mlir::glow

#endif // GLOW_SUPPORT_MAPPEDFILES_H
