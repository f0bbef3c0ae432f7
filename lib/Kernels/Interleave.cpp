//===- Interleave.cpp - copies of a few planes into one -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/Interleave.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::glow;

/// Operands of the nest: destination and source.
enum : size_t { To, From };

/// Each vector of the result takes a shuffle per plane but one.
static constexpr int64_t kMostPlanes = 4;

std::unique_ptr<Kernel> InterleaveKernel::make(Value source, Value destination,
                                               const BoundedAxes &bounded,
                                               const KernelTarget &target) {
  BufferShape from(source), to(destination);
  SmallVector<LoopAxis> axes =
      makeAxes(to.shape, {to.strides, from.strides}, bounded);
  orderAxes(axes, To);
  axes = mergeAxes(axes);
  if (axes.size() < 2)
    return nullptr;
  LoopAxis planes = axes.pop_back_val();
  const LoopAxis &places = axes.back();
  int64_t lanes = std::min<int64_t>(16, target.vectorBits / (8 * to.bytes()));
  if (planes.extent > kMostPlanes || planes.strides[To] != 1 ||
      places.strides[To] != planes.extent || places.strides[From] != 1 ||
      places.extent < lanes || lanes < 2)
    return nullptr;
  return std::unique_ptr<Kernel>(
      new InterleaveKernel(std::move(axes), lanes, std::move(planes)));
}

void InterleaveKernel::emit(KernelBuilder &b, ValueRange operands, Value begin,
                            Value end) const {
  SmallVector<KernelBuffer> buffers = b.open(operands);
  nest.emit(b, begin, end, [&](ArrayRef<Value> offsets, Value low, Value high) {
    Value whole = b.add(low, b.mul(b.div(b.sub(high, low), lanes), lanes));
    b.loop(low, whole, lanes, [&](Value i) {
      emitPlaces(b, buffers, b.add(offsets[To], b.mul(i, planes.extent)),
                 b.add(offsets[From], i));
    });
    b.loop(whole, high, 1, [&](Value i) {
      for (int64_t plane = 0; plane < planes.extent; ++plane) {
        Value from =
            b.add(b.add(offsets[From], i), plane * planes.strides[From]);
        Value to = b.add(offsets[To], b.mul(i, planes.extent));
        b.store(b.load(buffers[0], from), buffers[1], b.add(to, plane));
      }
    });
  });
}

void InterleaveKernel::emitPlaces(KernelBuilder &b,
                                  ArrayRef<KernelBuffer> buffers,
                                  Value destination, Value source) const {
  int64_t count = planes.extent;
  SmallVector<Value> rows;
  for (int64_t plane = 0; plane < count; ++plane)
    rows.push_back(
        b.load(buffers[0], b.add(source, plane * planes.strides[From]), lanes));
  for (int64_t part = 0; part < count; ++part) {
    // Elements of planes not yet seen are anything until their turn.
    Value result = rows[0];
    for (int64_t plane = 1; plane < count; ++plane) {
      SmallVector<int64_t> lanesFrom;
      for (int64_t lane = 0; lane < lanes; ++lane) {
        int64_t element = part * lanes + lane, own = element % count;
        bool isKept = own < plane && plane > 1;
        int64_t place = element / count;
        lanesFrom.push_back(own == plane ? lanes + place
                            : isKept     ? lane
                                         : place);
      }
      result = vector::ShuffleOp::create(b.builder, b.loc, result, rows[plane],
                                         lanesFrom);
    }
    b.store(result, buffers[1], b.add(destination, part * lanes));
  }
}
