//===- TopK.cpp - the best elements along an axis -------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The outputs hold the best elements so far. Most elements lose against the
// worst of them. A few are kept in order, and others inserted at their place;
// many are kept as a heap, the worst at its root, and sorted in the end.
//
//===----------------------------------------------------------------------===//
#include "glow/Kernels/Scan.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::glow;

/// Insertions move half of the elements on average, a heap few far ones.
static constexpr int64_t kMostInserted = 32;

TopKKernel::TopKKernel(int64_t k, bool largest, SmallVector<LoopAxis> parallel,
                       LoopAxis row)
    : ScanKernel(std::move(parallel), std::move(row), 4), k(k),
      largest(largest) {}

/// A total order, so that NaN does not hide the elements behind it: it is the
/// largest value.
Value TopKKernel::isBetter(KernelBuilder &b, const KernelBuffer &input, Value x,
                           Value y) const {
  using P = ScalarBuilder::Predicate;
  ScalarBuilder scalars = b.scalars(input.element);
  Value wins = scalars.compare(largest ? P::gt : P::lt, x, y);
  if (!scalars.isFloat())
    return wins;
  Value number = largest ? y : x, nan = largest ? x : y;
  Value isNumber = scalars.compare(P::eq, number, number);
  return scalars.ori(wins, scalars.andi(isNumber, scalars.isNaN(nan)));
}

void TopKKernel::emitRow(KernelBuilder &b, ArrayRef<KernelBuffer> buffers,
                         ArrayRef<Value> starts) const {
  if (k == 0)
    return;
  if (k > kMostInserted)
    return emitHeap(b, buffers, starts);
  auto valueAt = [&](Value i) {
    return b.load(buffers[0], offsetAt(b, starts, 0, i));
  };
  b.loop(b.index(0), b.index(k), 1,
         [&](Value i) { emitInsertion(b, buffers, starts, valueAt(i), i); });
  b.loop(b.index(k), b.index(row.extent), 1, [&](Value i) {
    Value value = valueAt(i);
    Value last = b.load(buffers[1], offsetAt(b, starts, 1, b.index(k - 1)));
    b.ifThen(isBetter(b, buffers[0], value, last),
             [&] { emitInsertion(b, buffers, starts, value, i); });
  });
}

void TopKKernel::emitInsertion(KernelBuilder &b, ArrayRef<KernelBuffer> buffers,
                               ArrayRef<Value> starts, Value value,
                               Value index) const {
  const KernelBuffer &values = buffers[1], &indices = buffers[2];
  auto placeOf = [&](size_t operand, Value at) {
    return offsetAt(b, starts, operand, at);
  };
  // Moves losers one place down until one is found that wins.
  Type type = b.builder.getIndexType();
  auto before = [&](OpBuilder &, Location, ValueRange arguments) {
    Value at = arguments[0];
    Value above = b.max(b.add(at, -1), b.index(0));
    Value rival = b.load(values, placeOf(1, above));
    Value goesOn = b.scalars(b.builder.getI1Type())
                       .andi(b.less(b.index(0), at),
                             isBetter(b, buffers[0], value, rival));
    scf::ConditionOp::create(b.builder, b.loc, goesOn, arguments);
  };
  auto after = [&](OpBuilder &, Location, ValueRange arguments) {
    Value at = arguments[0], above = b.add(at, -1);
    b.store(b.load(values, placeOf(1, above)), values, placeOf(1, at));
    b.store(b.load(indices, placeOf(2, above)), indices, placeOf(2, at));
    scf::YieldOp::create(b.builder, b.loc, above);
  };
  Value start = b.min(index, b.index(k - 1));
  auto loop = scf::WhileOp::create(b.builder, b.loc, TypeRange(type),
                                   ValueRange(start), before, after);
  Value place = loop.getResult(0);
  b.store(value, values, placeOf(1, place));
  b.store(b.fromIndex(index, indices.type), indices, placeOf(2, place));
}

void TopKKernel::emitSift(KernelBuilder &b, ArrayRef<KernelBuffer> buffers,
                          ArrayRef<Value> starts, Value hole, Value size,
                          Value value, Value index) const {
  const KernelBuffer &values = buffers[1], &indices = buffers[2];
  Type indexType = b.builder.getIndexType(), boolType = b.builder.getI1Type();
  ScalarBuilder bools = b.scalars(boolType);
  auto valueAt = [&](Value at) {
    return b.load(values, offsetAt(b, starts, 1, at));
  };
  auto indexAt = [&](Value at) {
    return b.load(indices, offsetAt(b, starts, 2, at));
  };
  // Of equal elements the first is better.
  auto isBefore = [&](Value x, Value i, Value y, Value j) {
    Value isFirst =
        b.scalars(indices.element).compare(ScalarBuilder::Predicate::lt, i, j);
    Value loses = isBetter(b, buffers[0], y, x);
    return bools.ori(isBetter(b, buffers[0], x, y),
                     bools.andi(bools.noti(loses), isFirst));
  };
  // Moves the worse child up until none is worse than the element.
  auto before = [&](OpBuilder &, Location, ValueRange arguments) {
    Value left = b.add(b.mul(arguments[0], 2), 1), right = b.add(left, 1);
    auto none = [&] {
      return SmallVector<Value>{b.zero(boolType, 1), arguments[0]};
    };
    auto some = [&] {
      auto compare = [&] {
        return SmallVector<Value>{
            bools.select(isBefore(valueAt(left), indexAt(left), valueAt(right),
                                  indexAt(right)),
                         right, left)};
      };
      Value child = b.ifElse(b.less(right, size), indexType, compare, [&] {
                       return SmallVector<Value>{left};
                     }).front();
      return SmallVector<Value>{
          isBefore(value, index, valueAt(child), indexAt(child)), child};
    };
    auto found =
        b.ifElse(b.less(left, size), {boolType, indexType}, some, none);
    scf::ConditionOp::create(b.builder, b.loc, found[0],
                             ValueRange{arguments[0], found[1]});
  };
  auto after = [&](OpBuilder &, Location, ValueRange arguments) {
    Value at = arguments[0], child = arguments[1];
    b.store(valueAt(child), values, offsetAt(b, starts, 1, at));
    b.store(indexAt(child), indices, offsetAt(b, starts, 2, at));
    scf::YieldOp::create(b.builder, b.loc, child);
  };
  auto loop =
      scf::WhileOp::create(b.builder, b.loc, TypeRange{indexType, indexType},
                           ValueRange(hole), before, after);
  Value place = loop.getResult(0);
  b.store(value, values, offsetAt(b, starts, 1, place));
  b.store(index, indices, offsetAt(b, starts, 2, place));
}

void TopKKernel::emitHeap(KernelBuilder &b, ArrayRef<KernelBuffer> buffers,
                          ArrayRef<Value> starts) const {
  const KernelBuffer &values = buffers[1], &indices = buffers[2];
  auto inputAt = [&](Value i) {
    return b.load(buffers[0], offsetAt(b, starts, 0, i));
  };
  // A heap of the first elements, from the last one on.
  b.loop(b.index(0), b.index(k), 1, [&](Value step) {
    Value i = b.sub(b.index(k - 1), step);
    emitSift(b, buffers, starts, i, b.index(k), inputAt(i),
             b.fromIndex(i, indices.type));
  });
  b.loop(b.index(k), b.index(row.extent), 1, [&](Value i) {
    Value value = inputAt(i);
    Value worst = b.load(values, offsetAt(b, starts, 1, b.index(0)));
    b.ifThen(isBetter(b, buffers[0], value, worst), [&] {
      emitSift(b, buffers, starts, b.index(0), b.index(k), value,
               b.fromIndex(i, indices.type));
    });
  });
  // The worst goes to the end, again and again.
  b.loop(b.index(0), b.index(k - 1), 1, [&](Value step) {
    Value last = b.sub(b.index(k - 1), step);
    Value value = b.load(values, offsetAt(b, starts, 1, last));
    Value index = b.load(indices, offsetAt(b, starts, 2, last));
    for (size_t operand : {1, 2})
      b.store(
          b.load(buffers[operand], offsetAt(b, starts, operand, b.index(0))),
          buffers[operand], offsetAt(b, starts, operand, last));
    emitSift(b, buffers, starts, b.index(0), last, value, index);
  });
}
