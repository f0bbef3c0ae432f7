//===- MachineOption.h - --machine and --tuning -----------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DRIVER_MACHINEOPTION_H
#define GLOW_DRIVER_MACHINEOPTION_H

#include "llvm/Support/CommandLine.h"
#include <string>

namespace mlir::glow {

struct MachineOption : llvm::cl::opt<std::string> {
  explicit MachineOption(llvm::cl::OptionCategory &category)
      : opt("machine", llvm::cl::value_desc("key=value,... or file.json"),
            llvm::cl::desc("Sizes that differ from those found for the "
                           "machine, as l2=2M"),
            llvm::cl::cat(category)) {}
};

struct TuningOption : llvm::cl::opt<std::string> {
  explicit TuningOption(llvm::cl::OptionCategory &category)
      : opt("tuning", llvm::cl::value_desc("file"),
            llvm::cl::desc("Choices of kernels that glow-tune has measured"),
            llvm::cl::cat(category)) {}
};

} // namespace mlir::glow

#endif // GLOW_DRIVER_MACHINEOPTION_H
