//===- KernelObjects.h - kernels on their way to machine code --*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TARGET_LLVM_KERNELOBJECTS_H
#define GLOW_TARGET_LLVM_KERNELOBJECTS_H

#include "glow/Target/LLVM/KernelCache.h"
#include "glow/Target/LLVM/Machine.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include <vector>

namespace mlir::glow {

/// The kernels of a program and their names for the linker, which come from
/// their contents: an object fits every program that has the kernel.
class KernelObjects {
public:
  struct Entry {
    std::string symbol;
    KernelKey key;
    ModuleOp module; // null once `object` is there
    std::unique_ptr<llvm::MemoryBuffer> object;
  };

  /// Names the nested modules of `module`. Those that the cache knows are
  /// erased: their objects need not be made again.
  KernelObjects(ModuleOp module, const Machine &machine,
                const KernelCache *cache = nullptr);

  /// The linker's name of a kernel.
  StringRef symbolOf(StringRef kernel) const {
    auto found = symbols.find(kernel);
    return found == symbols.end() ? StringRef() : StringRef(found->second);
  }

  std::vector<Entry> entries; // one for each symbol
  const KernelCache *cache;

private:
  llvm::StringMap<std::string> symbols;
};

} // namespace mlir::glow

#endif // GLOW_TARGET_LLVM_KERNELOBJECTS_H
