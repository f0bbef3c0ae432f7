//===- Indices.h - index operands, checked ----------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_INTERPRETER_INDICES_H
#define GLOW_LIB_INTERPRETER_INDICES_H

#include "glow/Interpreter/Tensor.h"
#include "mlir/IR/Operation.h"

namespace mlir::glow {

/// Turns an index that counts from the end into one that counts from the
/// start; fails with a message on `op` if it is out of range.
LogicalResult resolveIndex(Operation *op, int64_t &index, int64_t axis,
                           int64_t extent);

/// For every tuple along the last axis of `indices`, the offset in `input` that
/// it addresses. The first `batchDims` axes of both are common.
FailureOr<std::vector<int64_t>> tupleOffsets(Operation *op, const Tensor &input,
                                             const Tensor &indices,
                                             int64_t batchDims);

} // namespace mlir::glow

#endif // GLOW_LIB_INTERPRETER_INDICES_H
