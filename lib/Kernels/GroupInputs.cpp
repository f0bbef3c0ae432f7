//===- GroupInputs.cpp - inputs of columns in groups ----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shuffles within parts of a vector are cheaper than between them. So what a
// group has is first repeated in all parts that its columns take, which is
// shared by the steps that take from it, each within its part.
//
//===----------------------------------------------------------------------===//
#include "GroupInputs.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::glow;

Value GroupInputs::take(Value inputs, int64_t place) const {
  auto type = cast<VectorType>(inputs.getType());
  int64_t lanes = type.getNumElements(), words = columns / size;
  Value vector = inputs;
  if (size > 1) {
    Type word = b.builder.getIntegerType(size * type.getElementTypeBitWidth());
    vector = vector::BitCastOp::create(
        b.builder, b.loc, VectorType::get({lanes / size}, word), vector);
  }
  auto shuffle = [&](function_ref<int64_t(int64_t lane)> source) {
    auto order = llvm::map_to_vector(llvm::seq(lanes), source);
    vector = vector::ShuffleOp::create(b.builder, b.loc, vector, vector, order);
  };
  int64_t part = std::min(columns, kPart);
  if (words != part || columns != part)
    shuffle([&](int64_t lane) {
      return lane / columns * words + place / part * part + lane % part % words;
    });
  if (words > 1)
    shuffle([&](int64_t lane) { return lane / part * part + place % part; });
  if (size == 1)
    return vector;
  return vector::BitCastOp::create(
      b.builder, b.loc, VectorType::get({lanes * size}, type.getElementType()),
      vector);
}
