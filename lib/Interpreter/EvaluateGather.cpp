//===- EvaluateGather.cpp - reads at indices ------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpList.h"
#include <cstring>

using namespace mlir;
using namespace mlir::glow;

GLOW_EVALUATE(GatherOp) {
  Tensor input = in.getInput(), indices = in.getIndices();
  int64_t axis = op.getAxis();
  Dims dims(input.getShape().take_front(axis));
  llvm::append_range(dims, indices.getShape());
  llvm::append_range(dims, input.getShape().drop_front(axis + 1));
  if (failed(allocateResult(op, dims, out[0])))
    return failure();
  AxisView view(input.getShape(), axis);
  SmallVector<int64_t> places = indices.ints();
  for (int64_t &place : places) {
    int64_t index = place;
    if (index < 0)
      place += view.extent;
    if (place < 0 || place >= view.extent)
      return op.emitOpError("index ") << index << " is out of range for axis "
                                      << axis << " of extent " << view.extent;
  }
  size_t part = view.inner * input.elementBytes();
  char *to = out[0].mutableBytes();
  for (int64_t i = 0; i < view.outer; ++i)
    for (int64_t place : places) {
      std::memcpy(to, input.bytes() + (i * view.extent + place) * part, part);
      to += part;
    }
  return success();
}
