//===- BoundShapes.h - ops whose dimensions are bounds ----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INTERFACES_BOUNDSHAPES_H
#define GLOW_INTERFACES_BOUNDSHAPES_H

#include "mlir/IR/OpDefinition.h"

namespace mlir::glow {
class BoundedGraph;
} // namespace mlir::glow

#include "glow/Interfaces/BoundShapes.h.inc"

#endif // GLOW_INTERFACES_BOUNDSHAPES_H
