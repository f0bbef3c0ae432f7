//===- GlowDialect.h - dialect, types and attributes, without the ops -----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_IR_GLOWDIALECT_H
#define GLOW_DIALECT_GLOW_IR_GLOWDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

#include "glow/Dialect/Glow/IR/GlowDialect.h.inc"
#include "glow/Dialect/Glow/IR/GlowEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "glow/Dialect/Glow/IR/GlowTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "glow/Dialect/Glow/IR/GlowAttrs.h.inc"

namespace mlir::glow {
/// Whether elements are moved, but not computed with.
inline bool isOnlyMoved(Type element) {
  return isa<StringType, ComplexType>(element);
}
} // namespace mlir::glow

#endif // GLOW_DIALECT_GLOW_IR_GLOWDIALECT_H
