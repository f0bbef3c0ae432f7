//===- Tuning.h - choices found by measurement -----------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INTERFACES_TUNING_H
#define GLOW_INTERFACES_TUNING_H

#include "glow/Interfaces/KernelTarget.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace mlir::glow {

/// What is free to choose for a contraction: any values give correct results,
/// at most rounded elsewhere. 0 leaves it to the analytic model.
struct ContractionChoices {
  /// Rows and vectors of columns of the tile that is kept in registers.
  int64_t tileRows = 0, tileVectors = 0;
  /// Tiles of rows and of columns that are computed one after the other.
  int64_t blockRows = 0, blockColumns = 0;
};

/// Choices for kernels by their shapes, on several machines; what `glow-tune`
/// writes and `--tuning` reads.
class Tuning {
public:
  /// Reads a file. Anything but what `write` writes is an error that says
  /// where.
  static llvm::Expected<Tuning> load(StringRef file);
  llvm::Error write(StringRef file) const;

  /// The choices for a kernel, or null. Entries for other machines do not
  /// count.
  const ContractionChoices *find(const KernelTarget &target,
                                 StringRef kernel) const;
  void set(const KernelTarget &target, StringRef kernel,
           const ContractionChoices &choices);
  /// The number of kernels that are known for `target`.
  size_t countFor(const KernelTarget &target) const;

  /// The file it came from.
  std::string file;

private:
  using Kernels = std::map<std::string, ContractionChoices>;
  /// By the machine as text.
  std::map<std::string, Kernels> machines;
};

} // namespace mlir::glow

#endif // GLOW_INTERFACES_TUNING_H
