//===- Package.h - partitions as a folder of programs ---------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TARGET_PACKAGE_H
#define GLOW_TARGET_PACKAGE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::glow {

struct PackageOptions {
  /// The name of the model.
  std::string name = "model";
  /// Called with the pass manager of each partition before it runs, for
  /// instrumentation.
  llvm::function_ref<void(PassManager &)> configure;
};

/// Takes what `glow-partition` made, runs the pipeline of each partition's
/// target on it, and writes a program per partition and a manifest.json to the
/// folder `path`, replacing an older package. Nothing is left there after a
/// failure. The format is that of glow/Runtime/Manifest.h.
LogicalResult emitPackage(ModuleOp module, StringRef path,
                          const PackageOptions &options);

} // namespace mlir::glow

#endif // GLOW_TARGET_PACKAGE_H
