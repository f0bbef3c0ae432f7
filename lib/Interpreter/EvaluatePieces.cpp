//===- EvaluatePieces.cpp - numbers as sums of bf16 -----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Evaluators.h"
#include <cstring>

using namespace mlir;
using namespace mlir::glow;

/// The nearest bf16, halves to even.
static uint16_t roundToBf16(uint32_t bits) {
  constexpr uint32_t kInfinity = 0x7f800000, kQuiet = 0x400000;
  if ((bits & ~(1u << 31)) > kInfinity)
    return (bits | kQuiet) >> 16;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

/// Takes `count` numbers of f32 apart; the pieces of all lie one `distance`
/// behind the other. What is left of a number needs no rounding.
static void takeApart(const char *from, char *to, int64_t count, int64_t pieces,
                      int64_t distance) {
  for (int64_t i = 0; i < count; ++i) {
    float rest;
    std::memcpy(&rest, from + i * sizeof rest, sizeof rest);
    for (int64_t p = 0; p < pieces; ++p) {
      uint32_t bits;
      std::memcpy(&bits, &rest, sizeof bits);
      uint16_t piece = roundToBf16(bits);
      std::memcpy(to + (p * distance + i) * sizeof piece, &piece, sizeof piece);
      bits = uint32_t(piece) << 16;
      float taken;
      std::memcpy(&taken, &bits, sizeof taken);
      rest -= taken;
    }
  }
}

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
  if (input.getElementType().isF32()) {
    // Weights have hundreds of millions.
    int64_t distance = filled * view.inner;
    for (int64_t i = 0; i < view.outer; ++i)
      takeApart(input.bytes() + i * block * sizeof(float),
                out[0].mutableBytes() +
                    i * pieces * distance * sizeof(uint16_t),
                block, pieces, distance);
    return success();
  }
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
