//===- Contract.cpp - products of matrices of lanes -----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Contract.h"
#include "Evaluators.h"

using namespace mlir;
using namespace mlir::glow;

/// C += A B for `Rows` by `Columns` elements, which stay in registers.
template <int Rows, int Columns, typename Lane>
static void contractTile(const Lane *a, int64_t strideA, const Lane *b,
                         int64_t strideB, Lane *c, int64_t strideC,
                         int64_t depth) {
  Lane sums[Rows][Columns] = {};
  for (int64_t k = 0; k < depth; ++k)
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < Columns; ++j)
        sums[i][j] += a[i * strideA + k] * b[k * strideB + j];
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Columns; ++j)
      c[i * strideC + j] += sums[i][j];
}

template <int Rows, typename Lane>
static void contractRows(const Lane *a, int64_t strideA,
                         const LaneMatrix<const Lane> &b, Lane *c,
                         int64_t strideC) {
  int64_t j = 0;
  for (; j + 4 <= b.columns; j += 4)
    contractTile<Rows, 4>(a, strideA, b.data + j, b.stride, c + j, strideC,
                          b.rows);
  for (; j < b.columns; ++j)
    contractTile<Rows, 1>(a, strideA, b.data + j, b.stride, c + j, strideC,
                          b.rows);
}

template <typename Lane>
static void contractAll(const LaneMatrix<const Lane> &a,
                        const LaneMatrix<const Lane> &b,
                        const LaneMatrix<Lane> &c) {
  int64_t i = 0;
  for (; i + 4 <= a.rows; i += 4)
    contractRows<4>(a.data + i * a.stride, a.stride, b, c.data + i * c.stride,
                    c.stride);
  for (; i < a.rows; ++i)
    contractRows<1>(a.data + i * a.stride, a.stride, b, c.data + i * c.stride,
                    c.stride);
}

void glow::contract(LaneMatrix<const double> a, LaneMatrix<const double> b,
                    LaneMatrix<double> c) {
  contractAll(a, b, c);
}
void glow::contract(LaneMatrix<const uint64_t> a, LaneMatrix<const uint64_t> b,
                    LaneMatrix<uint64_t> c) {
  contractAll(a, b, c);
}

Type glow::sumType(Region &epilogue, Type result) {
  if (epilogue.empty())
    return result;
  Type first = epilogue.front().getArgument(0).getType();
  return first == ScalarBuilder::signless(result) ? result : first;
}

LogicalResult glow::applyEpilogue(Operation *op, Region &epilogue,
                                  const Tensor &sums, ArrayRef<Tensor> inputs,
                                  Tensor &out) {
  if (epilogue.empty()) {
    out = sums;
    return success();
  }
  SmallVector<Tensor> arguments{sums};
  llvm::append_range(arguments, inputs);
  FailureOr<Tensor> result = evaluateBody(
      op->getLoc(), epilogue.front(), arguments, elementType(op->getResult(0)));
  if (failed(result))
    return failure();
  out = *result;
  return success();
}
