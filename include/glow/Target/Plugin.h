//===- Plugin.h - what a target outside the tree begins with ---*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TARGET_PLUGIN_H
#define GLOW_TARGET_PLUGIN_H

#include "glow/Interfaces/Target.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::glow {

/// Writes a file of a program or a package with `print`. A file that cannot be
/// written is an error of the module.
LogicalResult
writeProgramFile(ModuleOp module, StringRef path,
                 llvm::function_ref<void(llvm::raw_ostream &)> print);

} // namespace mlir::glow

/// Makes a shared object a plug-in for --load-dialect-plugin that registers
/// DIALECT, with its target attribute.
#define GLOW_DIALECT_PLUGIN(NAME, VERSION, DIALECT)                            \
  extern "C" LLVM_ATTRIBUTE_WEAK ::mlir::DialectPluginLibraryInfo              \
  mlirGetDialectPluginInfo() {                                                 \
    return {MLIR_PLUGIN_API_VERSION, NAME, VERSION,                            \
            [](::mlir::DialectRegistry *registry) {                            \
              registry->insert<DIALECT>();                                     \
            }};                                                                \
  }

#endif // GLOW_TARGET_PLUGIN_H
