//===- Transpose.cpp - copies between crossed axes ------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/Transpose.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::glow;

/// Operands of the nest: destination, source, and the number of the block of
/// `lanes` places along the crossed axis.
enum : size_t { To, From, BlockNumber };

std::unique_ptr<Kernel> TransposeKernel::make(Value source, Value destination,
                                              const BoundedAxes &bounded,
                                              const KernelTarget &target,
                                              bool nontemporal) {
  BufferShape from(source), to(destination);
  SmallVector<LoopAxis> axes =
      makeAxes(to.shape, {to.strides, from.strides}, bounded);
  orderAxes(axes, To);
  axes = mergeAxes(axes);
  auto *across = llvm::find_if(
      axes, [](const LoopAxis &axis) { return axis.strides[From] == 1; });
  if (axes.size() < 2 || across == axes.end() || across == &axes.back() ||
      axes.back().strides[To] != 1)
    return nullptr;
  int64_t most = std::min<int64_t>(16, target.vectorBits / (8 * to.bytes()));
  int64_t lanes = llvm::bit_floor<uint64_t>(
      std::min({most, across->extent, axes.back().extent}));
  if (lanes < 4)
    return nullptr;
  LoopAxis crossed = *across, inner = axes.back();
  axes.erase(across);
  axes.pop_back();
  for (LoopAxis &axis : axes)
    axis.strides.push_back(0);
  axes.push_back({(crossed.extent + lanes - 1) / lanes,
                  {crossed.strides[To] * lanes, lanes, 1},
                  crossed.bound,
                  crossed.perBound,
                  lanes});
  axes.push_back(
      {inner.extent, {1, inner.strides[From], 0}, inner.bound, inner.perBound});
  return std::unique_ptr<Kernel>(new TransposeKernel(
      std::move(axes), lanes, crossed, inner.strides[From],
      nontemporal && target.hasNontemporalStores() && to.liesInVectors(lanes) &&
          lanes * to.bytes() >= KernelTarget::kLineBytes));
}

void TransposeKernel::emit(KernelBuilder &b, ValueRange operands, Value begin,
                           Value end) const {
  SmallVector<KernelBuffer> buffers = b.open(operands);
  auto emitAll = [&] { emitNest(b, buffers, begin, end); };
  if (!nontemporal)
    return emitAll();
  // One of the nest's axes counts blocks.
  Value elements = nest.elements(b);
  if (elements)
    elements = b.mul(elements, lanes);
  b.storeNontemporal(MutableArrayRef(buffers).drop_front(), elements, emitAll);
}

void TransposeKernel::emitNest(KernelBuilder &b, ArrayRef<KernelBuffer> buffers,
                               Value begin, Value end) const {
  int64_t wholeBlocks = across.extent / lanes, rest = across.extent % lanes;
  nest.emit(b, begin, end, [&](ArrayRef<Value> offsets, Value low, Value high) {
    auto emitWhole = [&] {
      Value whole = b.add(low, b.mul(b.div(b.sub(high, low), lanes), lanes));
      b.loop(low, whole, lanes, [&](Value i) {
        emitSquare(b, buffers, b.add(offsets[To], i),
                   b.add(offsets[From], b.mul(i, sourceStep)));
      });
      emitElements(b, buffers, offsets[To], offsets[From], whole, high, lanes);
      return SmallVector<Value>();
    };
    auto emitRest = [&] {
      emitElements(b, buffers, offsets[To], offsets[From], low, high, rest);
      return SmallVector<Value>();
    };
    if (!rest)
      emitWhole();
    else
      b.ifElse(b.less(offsets[BlockNumber], b.index(wholeBlocks)), {},
               emitWhole, emitRest);
  });
}

void TransposeKernel::emitElements(KernelBuilder &b,
                                   ArrayRef<KernelBuffer> buffers,
                                   Value destination, Value source, Value low,
                                   Value high, int64_t rows) const {
  b.loop(b.index(0), b.index(rows), 1, [&](Value row) {
    Value to = b.add(destination, b.mul(row, across.strides[To]));
    Value from = b.add(source, row);
    b.loop(low, high, 1, [&](Value i) {
      Value element = b.load(buffers[0], b.add(from, b.mul(i, sourceStep)));
      b.store(element, buffers[1], b.add(to, i));
    });
  });
}

/// Exchanges the off-diagonal blocks of each pair of rows `distance` apart;
/// over all powers of two this turns the square.
static void exchangeBlocks(KernelBuilder &b, MutableArrayRef<Value> rows,
                           int64_t distance) {
  int64_t lanes = rows.size();
  SmallVector<int64_t> upper, lower;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    bool isRight = lane & distance;
    upper.push_back(isRight ? lanes + lane - distance : lane);
    lower.push_back(isRight ? lanes + lane : lane + distance);
  }
  for (int64_t row = 0; row < lanes; ++row) {
    if (row & distance)
      continue;
    Value x = rows[row], y = rows[row + distance];
    rows[row] = vector::ShuffleOp::create(b.builder, b.loc, x, y, upper);
    rows[row + distance] =
        vector::ShuffleOp::create(b.builder, b.loc, x, y, lower);
  }
}

void glow::turnSquare(KernelBuilder &b, MutableArrayRef<Value> rows) {
  for (size_t distance = 1; distance < rows.size(); distance *= 2)
    exchangeBlocks(b, rows, distance);
}

void TransposeKernel::emitSquare(KernelBuilder &b,
                                 ArrayRef<KernelBuffer> buffers,
                                 Value destination, Value source) const {
  SmallVector<Value> rows;
  for (int64_t i = 0; i < lanes; ++i)
    rows.push_back(b.load(buffers[0], b.add(source, i * sourceStep), lanes));
  turnSquare(b, rows);
  for (int64_t i = 0; i < lanes; ++i)
    b.store(rows[i], buffers[1], b.add(destination, i * across.strides[To]));
}
