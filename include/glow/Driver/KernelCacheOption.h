//===- KernelCacheOption.h - --kernel-cache of our tools --------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DRIVER_KERNELCACHEOPTION_H
#define GLOW_DRIVER_KERNELCACHEOPTION_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include <string>

namespace mlir::glow {

class KernelCacheOption : public llvm::cl::opt<std::string> {
public:
  explicit KernelCacheOption(llvm::cl::OptionCategory &category)
      : opt("kernel-cache", llvm::cl::value_desc("folder or off"),
            llvm::cl::desc("Where compiled kernels are kept"),
            llvm::cl::cat(category)),
        category(category) {}

  /// For CompileOptions. Options of LLVM and MLIR may change code without being
  /// part of a kernel's key: with one of them there is no cache.
  std::string setting() const {
    for (const auto &entry : llvm::cl::getRegisteredOptions()) {
      const llvm::cl::Option *option = entry.second;
      if (option->getNumOccurrences() > 0 &&
          !llvm::is_contained(option->Categories, &category))
        return "off";
    }
    return getValue();
  }

private:
  llvm::cl::OptionCategory &category;
};

} // namespace mlir::glow

#endif // GLOW_DRIVER_KERNELCACHEOPTION_H
