//===- EvaluatePieces.cpp - numbers as sums of bf16 -----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Evaluators.h"

using namespace mlir;
using namespace mlir::glow;

LogicalResult Bf16PiecesOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput();
  AxisView view(input.getShape(), getAxis());
  int64_t pieces = getPieces(), multiple = getMultiple();
  Dims dims(input.getShape());
  int64_t filled = llvm::alignTo(dims[getAxis()], multiple);
  dims[getAxis()] = pieces * filled;
  if (failed(allocateResult(*this, dims, out[0])))
    return failure();
  int64_t block = view.extent * view.inner;
  std::vector<double> rest(block), piece(block);
  for (int64_t i = 0; i < view.outer; ++i) {
    input.read(i * block, block, rest.data());
    for (int64_t p = 0; p < pieces; ++p) {
      int64_t place = (i * pieces + p) * filled * view.inner;
      out[0].write(place, block, rest.data());
      out[0].read(place, block, piece.data());
      for (int64_t j = 0; j < block; ++j)
        rest[j] -= piece[j];
    }
  }
  return success();
}

FailureOr<Tensor> glow::sumPieces(Location location, const Tensor &tensor,
                                  int64_t axis, int64_t blocks,
                                  int64_t pieces) {
  Dims dims(tensor.getShape());
  if (dims[axis] % (blocks * pieces))
    return emitError(location)
           << "an axis of " << dims[axis] << " elements does not hold "
           << pieces << " pieces";
  AxisView view(dims, axis);
  int64_t size = view.extent / blocks / pieces * view.inner;
  dims[axis] /= pieces;
  auto single = Float32Type::get(tensor.getElementType().getContext());
  FailureOr<Tensor> sums = Tensor::allocate(location, single, dims);
  if (failed(sums))
    return failure();
  std::vector<double> total(size), piece(size);
  for (int64_t i = 0; i < view.outer * blocks; ++i) {
    total.assign(size, 0);
    for (int64_t p = 0; p < pieces; ++p) {
      tensor.read((i * pieces + p) * size, size, piece.data());
      for (int64_t j = 0; j < size; ++j)
        total[j] += piece[j];
    }
    sums->write(i * size, size, total.data());
  }
  return sums;
}
