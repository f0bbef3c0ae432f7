//===- Contract.h - products of matrices of lanes ---------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions and matrix products both end here. Floats are summed in double,
// integers modulo 2^64, so the order of the terms hardly matters.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_INTERPRETER_CONTRACT_H
#define GLOW_LIB_INTERPRETER_CONTRACT_H

#include "glow/Interpreter/Tensor.h"
#include "mlir/IR/Region.h"

namespace mlir::glow {

/// A row-major matrix of lanes in other memory.
template <typename Lane> struct LaneMatrix {
  Lane *data;
  int64_t rows, columns, stride;
};

/// C += A B.
void contract(LaneMatrix<const double> a, LaneMatrix<const double> b,
              LaneMatrix<double> c);
void contract(LaneMatrix<const uint64_t> a, LaneMatrix<const uint64_t> b,
              LaneMatrix<uint64_t> c);

/// Calls `body` with a zero of the lane type for sums of `type`.
template <typename Body>
auto withSumLane(const ElementFormat &format, Body body) {
  return format.isFloat() ? body(0.0) : body(uint64_t(0));
}

/// The type that sums have before the epilogue: that of its first argument.
Type sumType(Region &epilogue, Type result);
/// Sets `out` to the sums after the epilogue, if there is one.
LogicalResult applyEpilogue(Operation *op, Region &epilogue, const Tensor &sums,
                            ArrayRef<Tensor> inputs, Tensor &out);

} // namespace mlir::glow

#endif // GLOW_LIB_INTERPRETER_CONTRACT_H
