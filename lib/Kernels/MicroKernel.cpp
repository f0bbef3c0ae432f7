//===- MicroKernel.cpp - one tile of a contraction ------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All values are 1-D vectors and all addresses one base plus constants: LLVM
// keeps this form as it is, with the sums in registers.
//
//===----------------------------------------------------------------------===//
#include "glow/Kernels/MicroKernel.h"

using namespace mlir;
using namespace mlir::glow;

/// Places among the axes' operands.
enum : size_t { Out, Lhs, Rhs, FirstEpilogue };

void MicroKernel::emit(const MicroTile &tile, const KernelBuffer &rhs) const {
  int64_t vectors = tile.columns->vectors, lanes = tile.columns->lanes;
  SmallVector<Value> sums(tile.rows * vectors,
                          b.zero(spec.accumulator, lanes));
  sums = emitSums(tile, rhs, 0, tile.offsets[Lhs], b.index(0), sums);
  for (int64_t row = 0; row < tile.rows; ++row)
    for (int64_t v = 0; v < vectors; ++v)
      emitEpilogue(tile, row, v, sums[row * vectors + v]);
}

SmallVector<Value> MicroKernel::emitSums(const MicroTile &tile,
                                         const KernelBuffer &rhs, size_t axis,
                                         Value lhs, Value step,
                                         ValueRange sums) const {
  if (axis + 1 == plan.reduced.size())
    return emitSteps(tile, rhs, lhs, step, sums);
  const ContractionAxis &reduced = plan.reduced[axis];
  // `step` counts rows of a panel; without panels it is an offset.
  int64_t stride = reduced.rhsStride;
  if (plan.packs) {
    stride = 1;
    for (size_t i = axis + 1; i < plan.reduced.size(); ++i)
      stride *= plan.reduced[i].extent;
    stride *= tile.rhsStep;
  }
  return b.loop(b.index(0), b.index(reduced.extent), 1, sums,
                [&](Value i, ValueRange values) {
                  return emitSums(tile, rhs, axis + 1,
                                  b.add(lhs, b.mul(i, reduced.lhsStride)),
                                  b.add(step, b.mul(i, stride)), values);
                });
}

SmallVector<Value> MicroKernel::emitSteps(const MicroTile &tile,
                                          const KernelBuffer &rhs, Value lhs,
                                          Value step, ValueRange sums) const {
  // Small tiles do several steps per turn of the loop.
  int64_t products = tile.rows * tile.columns->vectors;
  int64_t unroll = std::clamp<int64_t>(16 / products, 1, 8);
  const ContractionAxis &axis = plan.reduced.back();
  auto stepsFrom = [&](Value first, int64_t count, ValueRange init) {
    SmallVector<Value> values(init);
    for (int64_t i = 0; i < count; ++i)
      values = emitStep(
          tile, rhs,
          b.add(b.add(lhs, b.mul(first, axis.lhsStride)), i * axis.lhsStride),
          b.add(b.add(step, b.mul(first, tile.rhsStep)), i * tile.rhsStep),
          values);
    return values;
  };
  int64_t whole = axis.extent / unroll * unroll;
  SmallVector<Value> next = b.loop(
      b.index(0), b.index(whole), unroll, sums,
      [&](Value i, ValueRange values) { return stepsFrom(i, unroll, values); });
  return b.loop(
      b.index(whole), b.index(axis.extent), 1, next,
      [&](Value i, ValueRange values) { return stepsFrom(i, 1, values); });
}

SmallVector<Value> MicroKernel::emitStep(const MicroTile &tile,
                                         const KernelBuffer &rhs, Value lhs,
                                         Value step, ValueRange sums) const {
  int64_t vectors = tile.columns->vectors, lanes = tile.columns->lanes;
  auto widen = [&](Value value, const KernelBuffer &buffer) {
    return buffer.type == spec.accumulator
               ? value
               : b.convert(value, buffer.element, spec.accumulator);
  };
  SmallVector<Value> columns;
  for (int64_t v = 0; v < vectors; ++v) {
    // Panels are filled up, so only plain matrices need the mask.
    Value mask = plan.packed || plan.packs ? Value() : maskOf(tile, v);
    Value vector =
        b.load(rhs, b.add(tile.rhsOffsets[v], step), lanes, 1, mask);
    columns.push_back(widen(vector, rhs));
  }
  SmallVector<Value> next(sums);
  for (int64_t row = 0; row < tile.rows; ++row) {
    Value at = b.add(lhs, row * plan.rows.strides[Lhs]);
    Value element = widen(b.load(buffers[0], at), buffers[0]);
    Value repeated = b.broadcast(element, lanes);
    for (int64_t v = 0; v < vectors; ++v) {
      Value &sum = next[row * vectors + v];
      sum = b.multiplyAdd(repeated, columns[v], sum);
    }
  }
  return next;
}

void MicroKernel::emitEpilogue(const MicroTile &tile, int64_t row,
                               int64_t vector, Value sum) const {
  int64_t lanes = tile.columns->lanes;
  Value mask = maskOf(tile, vector);
  auto offsetOf = [&](size_t operand) {
    return b.add(tile.offsets[operand],
                 row * plan.rows.strides[operand] +
                     vector * lanes * plan.columns.strides[operand]);
  };
  SmallVector<Value> arguments{b.convert(sum, spec.accumulator, spec.sum)};
  for (size_t i = FirstEpilogue; i < plan.columns.strides.size(); ++i) {
    int64_t stride = plan.columns.strides[i];
    arguments.push_back(b.load(buffers[i - 1], offsetOf(i), lanes, stride,
                               stride == 1 ? mask : Value()));
  }
  Value result = epilogue.emit(b, arguments, lanes).front();
  const KernelBuffer &output = buffers.back();
  if (getElementTypeOrSelf(result) != output.type)
    result = b.convert(result, spec.sum, output.element);
  b.store(result, output, offsetOf(Out), 1, mask);
}
