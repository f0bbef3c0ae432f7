//===- OperandChecks.h - what verifiers of instructions ask ----*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_IR_OPERANDCHECKS_H
#define GLOW_LIB_DIALECT_INST_IR_OPERANDCHECKS_H

#include "glow/Dialect/Inst/IR/Inst.h"

namespace mlir::glow::inst {

inline Type elementOf(Value value) { return typeOf(value).getElementType(); }

/// NumPy broadcasting of one shape to another.
inline bool broadcastsTo(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  return from.size() <= to.size() &&
         llvm::all_of(llvm::zip(from, to.take_back(from.size())),
                      [](auto pair) {
                        return std::get<0>(pair) == 1 ||
                               std::get<0>(pair) == std::get<1>(pair);
                      });
}

inline LogicalResult verifyAxis(Operation *op, int64_t axis, Value buffer) {
  int64_t rank = shapeOf(buffer).size();
  if (axis >= 0 && axis < rank)
    return success();
  return op->emitOpError("axis ")
         << axis << " is out of range for " << buffer.getType();
}

inline LogicalResult verifyShape(Operation *op, StringRef name, Value buffer,
                                 ArrayRef<int64_t> wanted) {
  if (shapeOf(buffer) == wanted)
    return success();
  return op->emitOpError() << name << " has type " << buffer.getType()
                           << ", but its shape must be [" << wanted << "]";
}

inline LogicalResult verifySameElement(Operation *op, Value a, Value b) {
  if (elementOf(a) == elementOf(b))
    return success();
  return op->emitOpError("element types differ: ")
         << a.getType() << " and " << b.getType();
}

inline LogicalResult verifyIndices(Operation *op, Value indices) {
  Type type = elementOf(indices);
  if (type.isInteger(32) || type.isInteger(64))
    return success();
  return op->emitOpError("indices must be i32 or i64, not ")
         << indices.getType();
}

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_IR_OPERANDCHECKS_H
