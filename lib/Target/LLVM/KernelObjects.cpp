//===- KernelObjects.cpp - kernels on their way to machine code -----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Target/LLVM/KernelObjects.h"
#include "KernelText.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Threading.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::glow;

/// What kind of instruction the kernel is for: its name without the number.
static StringRef kindOf(StringRef kernel) {
  return kernel.rtrim("0123456789").rtrim('_');
}

/// The whole content of a kernel, whatever its name and the options with which
/// IR is printed for people.
static std::string contentOf(ModuleOp kernel) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (Operation &op : *kernel.getBody()) {
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    bool isKernel = symbol && symbol.getName() == kernel.getName();
    StringAttr name = isKernel ? symbol.getNameAttr() : StringAttr();
    if (isKernel)
      symbol.setName("kernel");
    op.print(out, wholeText());
    if (isKernel)
      symbol.setName(name);
  }
  return text;
}

/// The functions that this kernel calls: others, or those of a library.
static SmallVector<FunctionOpInterface> calleesOf(ModuleOp kernel) {
  return llvm::filter_to_vector(
      kernel.getOps<FunctionOpInterface>(),
      [](FunctionOpInterface function) { return function.isExternal(); });
}

/// Calls other kernels by their linker's names, which tell their contents.
static void linkCallees(ModuleOp kernel,
                        const llvm::StringMap<std::string> &symbols) {
  llvm::StringSet<> declared;
  for (FunctionOpInterface callee : calleesOf(kernel)) {
    auto symbol = symbols.find(callee.getName());
    if (symbol == symbols.end())
      continue;
    auto name = StringAttr::get(kernel.getContext(), symbol->second);
    [[maybe_unused]] LogicalResult replaced =
        SymbolTable::replaceAllSymbolUses(callee.getNameAttr(), name, kernel);
    SymbolTable::setSymbolName(callee, name);
    // Two of them may have the same contents.
    if (!declared.insert(name).second)
      callee.erase();
  }
}

KernelObjects::KernelObjects(ModuleOp module, const Machine &machine,
                             const KernelCache *cache)
    : cache(cache) {
  // Those that call others last, as their contents name these.
  SmallVector<ModuleOp> kernels, callers;
  for (auto kernel : module.getOps<ModuleOp>())
    (calleesOf(kernel).empty() ? kernels : callers).push_back(kernel);
  size_t leaves = kernels.size();
  llvm::append_range(kernels, callers);
  std::vector<Entry> all(kernels.size());
  // What code is made for but the IR does not tell.
  std::string registers = std::to_string(machine.kernels.vectorBits);
  auto identify = [&](size_t i) {
    Entry &entry = all[i];
    StringRef kind = kindOf(kernels[i].getName().value_or("kernel"));
    entry.module = kernels[i];
    entry.key = KernelKey::of({compilerIdentity(), machine.triple, machine.cpu,
                               machine.features, registers, kind,
                               contentOf(kernels[i])});
    entry.symbol =
        ("glow_" + kind + "_" + entry.key.text().substr(0, 32)).str();
    if (cache)
      entry.object = cache->find(entry.key);
  };
  auto publish = [&](size_t i) {
    symbols[*kernels[i].getName()] = all[i].symbol;
  };
  parallelFor(module.getContext(), 0, leaves, identify);
  for (size_t i = 0; i < leaves; ++i)
    publish(i);
  // Each is behind those that it calls.
  for (size_t i = leaves; i < all.size(); ++i) {
    linkCallees(kernels[i], symbols);
    identify(i);
    publish(i);
  }
  llvm::StringSet<> known;
  for (Entry &entry : all) {
    bool isNew = known.insert(entry.symbol).second;
    if (!isNew || entry.object)
      entry.module.erase();
    if (!isNew)
      continue;
    if (entry.object)
      entry.module = {};
    entries.push_back(std::move(entry));
  }
}
