//===- Inst.h - the instruction dialect with all its ops -------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_INST_IR_INST_H
#define GLOW_DIALECT_INST_IR_INST_H

#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "glow/Interfaces/Kernel.h"
#include "glow/Interfaces/OpTraits.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::glow::inst {

/// Shape, strides and offset of the memref are static.
bool isStaticBuffer(Type type);

inline MemRefType typeOf(Value buffer) {
  return cast<MemRefType>(buffer.getType());
}
inline ArrayRef<int64_t> shapeOf(Value buffer) {
  return typeOf(buffer).getShape();
}

/// Strides in elements and offset of a static buffer.
struct StridedLayout {
  SmallVector<int64_t> strides;
  int64_t offset;
};
StridedLayout layoutOf(Value buffer);
/// Row-major without gaps, from wherever it starts.
bool isDense(MemRefType type);

/// What names a buffer, or ends its life, and computes nothing: an allocation,
/// a constant, a view, a slide, a window.
bool namesBuffer(Operation *op);
/// The allocation, constant, argument or window behind any number of views and
/// slides.
Value rootBuffer(Value buffer);

/// Size in bytes of one stored element: sub-byte types take one byte.
int64_t elementBytes(Type type);
/// Size in bytes of all elements, wherever they lie.
int64_t bytesOf(MemRefType type);
/// What buffers have in place of elements that are only moved: i128 for a
/// string, and si64 and si128, which no number has, for a complex number.
Type storedAs(Type element);
/// Bytes from the first to the last element of a buffer, and of a dense one.
int64_t bufferBytes(Value buffer);
/// What a step has of a dense buffer whose axis 1 has `steps` places; null if
/// it is not such a buffer.
MemRefType typeOfStep(MemRefType all, int64_t steps);
/// Of the scratch memory of a loop or of sections, neither the size nor the
/// place is negative.
LogicalResult verifyScratch(Operation *op);

} // namespace mlir::glow::inst

#include "glow/Dialect/Inst/IR/InstDialect.h.inc"

#define GET_OP_CLASSES
#include "glow/Dialect/Inst/IR/InstMemoryOps.h.inc"
#define GET_OP_CLASSES
#include "glow/Dialect/Inst/IR/InstComputeOps.h.inc"
#define GET_OP_CLASSES
#include "glow/Dialect/Inst/IR/InstControlOps.h.inc"

#endif // GLOW_DIALECT_INST_IR_INST_H
