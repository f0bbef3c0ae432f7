//===- TopK.cpp - the best elements along an axis -------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The outputs hold the best elements so far. Most elements lose against the
// worst of them, and whole vectors of neighbours do. A few are kept in order,
// and others inserted at their place; many are kept as a heap, the worst at its
// root, and sorted in the end. Very few of rows side by side are kept in
// registers until the end.
//
//===----------------------------------------------------------------------===//
#include "glow/Kernels/Scan.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::glow;

/// Insertions move half of the elements on average, a heap few far ones.
static constexpr int64_t kMostInserted = 32;

/// How many of each row, and their positions, are kept in registers.
static int64_t mostInRegisters(const KernelTarget &target) {
  constexpr int64_t kMost = 8, kOthers = 4;
  return std::min(kMost, (target.vectorRegisters - kOthers) / 2);
}

TopKKernel::TopKKernel(LoopAxis given, bool largest,
                       SmallVector<LoopAxis> parallel, LoopAxis row,
                       ValueRange buffers, const KernelTarget &target)
    : ScanKernel(parallel, std::move(row), 4,
                 given.extent > mostInRegisters(target)
                     ? Strip()
                     : stripOf(parallel, BufferShape(buffers[0]).element,
                               /*unroll=*/1, target)),
      results(std::move(given)), k(results.extent), largest(largest),
      lanesAlong(alongRow(this->row, BufferShape(buffers[0]).element, target)) {
}

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

Value TopKKernel::countOf(KernelBuilder &b) const {
  Value count = results.limit(b);
  return row.isBounded() ? b.min(count, row.limit(b)) : count;
}

void TopKKernel::emitRows(KernelBuilder &b, const Rows &rows) const {
  if (k == 0)
    return;
  Value count = countOf(b);
  auto emit = [&] {
    if (rows.lanes > 1)
      emitVectors(b, rows, count);
    else if (k <= kMostInserted)
      emitInsertions(b, rows, count);
    else
      emitHeap(b, rows, count);
  };
  if (!row.isBounded() && !results.isBounded())
    return emit();
  Value isAny = b.less(b.index(0), count);
  if (rows.lanes > 1 || k <= kMostInserted)
    return b.ifThen(isAny, emit);
  // Of many that there may be, few are inserted.
  b.ifThen(b.less(b.index(kMostInserted), count), emit);
  Value areFew = b.less(count, b.index(kMostInserted + 1));
  b.ifThen(b.both(isAny, areFew), [&] { emitInsertions(b, rows, count); });
}

void TopKKernel::emitInsertions(KernelBuilder &b, const Rows &rows,
                                Value count) const {
  KernelRow input = rowOf(b, rows, 0);
  b.loop(b.index(0), count, 1,
         [&](Value i) { emitInsertion(b, rows, count, input.load(b, i), i); });
  forEachBetter(
      b, rows, count, b.sub(count, b.index(1)),
      [&](Value value, Value i) { emitInsertion(b, rows, count, value, i); });
}

void TopKKernel::forEachBetter(
    KernelBuilder &b, const Rows &rows, Value count, Value worstPlace,
    function_ref<void(Value value, Value index)> insert) const {
  const KernelBuffer &buffer = rows.buffers[0];
  KernelRow input = rowOf(b, rows, 0), values = rowOf(b, rows, 1);
  auto worst = [&] { return values.load(b, worstPlace); };
  auto insertOne = [&](Value i) {
    Value value = input.load(b, i);
    b.ifThen(isBetter(b, buffer, value, worst()), [&] { insert(value, i); });
  };
  Value rest = count, end = row.limit(b);
  if (lanesAlong > 1) {
    Value vectors = b.div(b.sub(end, count), lanesAlong);
    rest = b.add(count, b.mul(vectors, lanesAlong));
    b.loop(count, rest, lanesAlong, [&](Value first) {
      Value elements = b.load(buffer, input.offset(b, first), lanesAlong);
      Value better =
          isBetter(b, buffer, elements, b.broadcast(worst(), lanesAlong));
      b.ifThen(b.any(better),
               [&] { b.loop(first, b.add(first, lanesAlong), 1, insertOne); });
    });
  }
  b.loop(rest, end, 1, insertOne);
}

SmallVector<Value> TopKKernel::insert(KernelBuilder &b,
                                      const KernelBuffer &input, Value value,
                                      Value index, ValueRange best,
                                      Value isThere) const {
  ScalarBuilder scalars = b.scalars(input.element);
  SmallVector<Value> next;
  Value beatsLast;
  size_t count = best.size() / 2, most = std::min<size_t>(count + 1, k);
  for (size_t i = 0; i < most; ++i) {
    // What one of the better elements has lost its place to takes the next.
    Value wins;
    if (i < count)
      wins = isBetter(b, input, value, best[2 * i]);
    if (wins && isThere)
      wins = scalars.andi(wins, isThere);
    for (size_t part : {0, 1}) {
      Value moved = part == 0 ? value : index;
      if (beatsLast)
        moved = scalars.select(beatsLast, best[2 * (i - 1) + part], moved);
      next.push_back(wins ? scalars.select(wins, moved, best[2 * i + part])
                          : moved);
    }
    beatsLast = wins;
  }
  return next;
}

void TopKKernel::emitVectors(KernelBuilder &b, const Rows &rows,
                             Value count) const {
  const KernelBuffer &buffer = rows.buffers[0];
  KernelRow input = rowOf(b, rows, 0);
  SmallVector<Value> best;
  Value end = row.limit(b);
  for (int64_t i = 0; i < k; ++i) {
    Value at = b.index(i), isThere;
    if (row.isBounded() && i > 0) {
      isThere = b.broadcast(b.less(at, end), rows.lanes);
      at = b.min(at, b.sub(end, b.index(1)));
    }
    best = insert(b, buffer, input.load(b, at), positionOf(b, rows, at), best,
                  isThere);
  }
  best = b.loop(b.index(k), end, 1, best, [&](Value i, ValueRange last) {
    Value value = input.load(b, i);
    Value wins = isBetter(b, buffer, value, last[2 * (k - 1)]);
    return b.ifElse(
        b.any(wins), last.getTypes(),
        [&] { return insert(b, buffer, value, positionOf(b, rows, i), last); },
        [&] { return SmallVector<Value>(last); });
  });
  KernelRow values = rowOf(b, rows, 1), indices = rowOf(b, rows, 2);
  for (int64_t i = 0; i < k; ++i) {
    auto store = [&] {
      values.store(b, best[2 * i], b.index(i));
      indices.store(
          b,
          b.convert(best[2 * i + 1], positionType(b), indices.buffer.element),
          b.index(i));
    };
    if (results.isBounded())
      b.ifThen(b.less(b.index(i), count), store);
    else
      store();
  }
}

void TopKKernel::emitInsertion(KernelBuilder &b, const Rows &rows, Value count,
                               Value value, Value index) const {
  KernelRow values = rowOf(b, rows, 1), indices = rowOf(b, rows, 2);
  // Moves losers one place down until one is found that wins.
  Type type = b.builder.getIndexType();
  auto before = [&](OpBuilder &, Location, ValueRange arguments) {
    Value at = arguments[0];
    Value above = b.max(b.add(at, -1), b.index(0));
    Value rival = values.load(b, above);
    Value goesOn = b.scalars(b.builder.getI1Type())
                       .andi(b.less(b.index(0), at),
                             isBetter(b, rows.buffers[0], value, rival));
    scf::ConditionOp::create(b.builder, b.loc, goesOn, arguments);
  };
  auto after = [&](OpBuilder &, Location, ValueRange arguments) {
    Value at = arguments[0], above = b.add(at, -1);
    values.store(b, values.load(b, above), at);
    indices.store(b, indices.load(b, above), at);
    scf::YieldOp::create(b.builder, b.loc, above);
  };
  Value start = b.min(index, b.sub(count, b.index(1)));
  auto loop = scf::WhileOp::create(b.builder, b.loc, TypeRange(type),
                                   ValueRange(start), before, after);
  Value place = loop.getResult(0);
  values.store(b, value, place);
  indices.store(b, b.fromIndex(index, indices.buffer.type), place);
}

void TopKKernel::emitHeap(KernelBuilder &b, const Rows &rows,
                          Value count) const {
  ArrayRef<KernelBuffer> buffers = rows.buffers;
  KernelRow input = rowOf(b, rows, 0);
  ScalarBuilder bools = b.scalars(b.builder.getI1Type()),
                places = b.scalars(buffers[2].element);
  auto wins = [&](Value x, Value y) { return isBetter(b, buffers[0], x, y); };
  // Of equal elements the first is better; the worst is the heap's first.
  Heap heap(b, rowOf(b, rows, 1), rowOf(b, rows, 2),
            [&](Value x, Value i, Value y, Value j) {
              Value isFirst =
                  places.compare(ScalarBuilder::Predicate::lt, i, j);
              return bools.ori(wins(x, y),
                               bools.andi(bools.noti(wins(y, x)), isFirst));
            });
  auto indexOf = [&](Value i) { return b.fromIndex(i, buffers[2].type); };
  b.loop(b.index(0), count, 1, [&](Value i) {
    heap.valueRow().store(b, input.load(b, i), i);
    heap.indexRow().store(b, indexOf(i), i);
  });
  heap.make(count);
  forEachBetter(b, rows, count, /*worstPlace=*/b.index(0),
                [&](Value value, Value i) {
                  heap.sift(b.index(0), count, value, indexOf(i));
                });
  // The worst goes to the end, again and again.
  Value last = b.sub(count, b.index(1));
  b.loop(b.index(0), last, 1, [&](Value step) { heap.pop(b.sub(last, step)); });
}
