//===- CodeFlags.h - what decides which code tools make --------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DRIVER_CODEFLAGS_H
#define GLOW_DRIVER_CODEFLAGS_H

#include "glow/Driver/Compile.h"
#include "glow/Driver/KernelCacheOption.h"
#include "glow/Driver/PrecisionOption.h"

namespace mlir::glow {

/// --mcpu, --mattr and --machine.
struct MachineFlags {
  explicit MachineFlags(llvm::cl::OptionCategory &category)
      : cpu("mcpu", llvm::cl::desc("As in LLVM"), llvm::cl::cat(category)),
        features("mattr", llvm::cl::desc("As in LLVM"),
                 llvm::cl::cat(category)),
        description("machine",
                    llvm::cl::value_desc("key=value,... or "
                                         "file.json"),
                    llvm::cl::desc("Sizes that differ from those found for "
                                   "the machine, as l2=2M"),
                    llvm::cl::cat(category)) {}

  MachineOptions options() const {
    return {"", cpu.getValue(), features.getValue(), description.getValue(),
            ""};
  }

  llvm::cl::opt<std::string> cpu, features, description;
};

/// These, --precision, --tuning, --kernel-cache and --check-bounds.
struct CodeFlags : MachineFlags {
  explicit CodeFlags(llvm::cl::OptionCategory &category)
      : MachineFlags(category), precision(category), kernelCache(category),
        tuning("tuning", llvm::cl::value_desc("file"),
               llvm::cl::desc("Choices of kernels that glow-tune has measured"),
               llvm::cl::cat(category)),
        checkBounds("check-bounds",
                    llvm::cl::desc("Kernels stop before an access beyond a "
                                   "buffer; slow"),
                    llvm::cl::cat(category)) {}

  MachineOptions machine() const {
    MachineOptions machine = options();
    machine.tuning = tuning;
    return machine;
  }
  void set(CompileOptions &compile) const {
    compile.precision = precision;
    compile.kernelCache = kernelCache.setting();
    compile.checkBounds = checkBounds;
    compile.machine = machine();
  }
  /// So that the help fits a screen; --help-hidden has them too.
  void hideRareOnes() {
    description.setHiddenFlag(llvm::cl::Hidden);
    features.setHiddenFlag(llvm::cl::Hidden);
    tuning.setHiddenFlag(llvm::cl::Hidden);
  }

  PrecisionOption precision;
  KernelCacheOption kernelCache;
  llvm::cl::opt<std::string> tuning;
  llvm::cl::opt<bool> checkBounds;
};

} // namespace mlir::glow

#endif // GLOW_DRIVER_CODEFLAGS_H
