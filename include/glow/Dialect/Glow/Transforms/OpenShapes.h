//===- OpenShapes.h - the symbols of a model's inputs -----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_TRANSFORMS_OPENSHAPES_H
#define GLOW_DIALECT_GLOW_TRANSFORMS_OPENSHAPES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <string>

namespace mlir::glow {

/// The dynamic dimensions of a function's arguments, by name.
struct OpenShapes {
  std::vector<std::string> symbols;
  /// For each argument its extents as functions of the symbols.
  SmallVector<AffineMap> arguments;
};

/// Dimensions of one name in `glow.dim_names` are one symbol; one without a
/// name is called `input.axis`. A name like `past + 1` or `2*n`, whose parts
/// are names of other dimensions, is computed from them.
OpenShapes openShapesOf(func::FuncOp function);

} // namespace mlir::glow

#endif // GLOW_DIALECT_GLOW_TRANSFORMS_OPENSHAPES_H
