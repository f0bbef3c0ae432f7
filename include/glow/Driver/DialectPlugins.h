//===- DialectPlugins.h - dialects from shared objects ---------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DRIVER_DIALECTPLUGINS_H
#define GLOW_DRIVER_DIALECTPLUGINS_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::glow {

/// Adds the dialects of each plug-in to `registry`, and its passes to those of
/// the process. What --load-dialect-plugin does.
llvm::Error loadDialectPlugins(ArrayRef<std::string> files,
                               DialectRegistry &registry);

} // namespace mlir::glow

#endif // GLOW_DRIVER_DIALECTPLUGINS_H
