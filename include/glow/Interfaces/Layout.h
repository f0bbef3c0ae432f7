//===- Layout.h - what layouts an op may run in ----*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INTERFACES_LAYOUT_H
#define GLOW_INTERFACES_LAYOUT_H

#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::glow {
/// One layout an op offers, and what the op costs in it.
struct LayoutChoice {
  LayoutAttr layout;
  double nanoseconds;
};
} // namespace mlir::glow

#include "glow/Interfaces/Layout.h.inc"

#endif // GLOW_INTERFACES_LAYOUT_H
