//===- CompilePackage.h - a graph on several devices ----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DRIVER_COMPILEPACKAGE_H
#define GLOW_DRIVER_COMPILEPACKAGE_H

#include "glow/Driver/Compile.h"

namespace mlir::glow {

struct PackageCompileOptions {
  /// The card, as `parseTarget` takes it.
  std::string target;
  /// The processor, where everything else runs.
  MachineOptions machine;
  /// The name of the model.
  std::string name = "model";
  /// Shapes of inputs, as name=1x3x224x224.
  std::vector<std::string> shapes;
  /// File for the report of what went where; empty: none.
  std::string report;
  /// Leave what is not worth its transfers on the host.
  bool byCost = true;
};

/// Splits an imported module between a card and the host and writes a package.
LogicalResult compileToPackage(ModuleOp module, StringRef path,
                               const PackageCompileOptions &options,
                               StageLog &log);

} // namespace mlir::glow

#endif // GLOW_DRIVER_COMPILEPACKAGE_H
