//===- Scan.cpp - positions of extremes, and running sums -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/Scan.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::glow;

// Parts of rows that are narrower than what is walked along together would be
// lines far from each other, which processors do not fetch ahead.
ScanKernel::ScanKernel(SmallVector<LoopAxis> parallel, LoopAxis given,
                       double work, Strip strip)
    : row(std::move(given)),
      nest(std::move(parallel), work * row.extent / strip.lanes,
           /*granule=*/strip.lanes * strip.unroll),
      strip(strip) {}

void ScanKernel::emit(KernelBuilder &b, ValueRange operands, Value begin,
                      Value end) const {
  SmallVector<KernelBuffer> buffers = b.open(operands);
  nest.emit(b, begin, end, [&](ArrayRef<Value> offsets, Value low, Value high) {
    strip.emit(
        b, low, high, [&](Value at, int64_t lanes, int64_t count, Value mask) {
          Rows rows{buffers, {}, lanes, count, mask};
          for (auto [offset, stride] : llvm::zip(offsets, nest.inner().strides))
            rows.starts.push_back(b.add(offset, b.mul(at, stride)));
          emitRows(b, rows);
        });
  });
}

KernelRow ScanKernel::rowOf(KernelBuilder &b, const Rows &rows, size_t operand,
                            int64_t vector) const {
  return {rows.buffers[operand],
          b.add(rows.starts[operand], vector * rows.lanes),
          row.strides[operand], rows.lanes, rows.mask};
}

/// Of the larger one of an element and its position.
static int64_t bitsOf(Type element) {
  return std::max(32u,
                  ScalarBuilder::signless(element).getIntOrFloatBitWidth());
}

Strip ScanKernel::stripOf(ArrayRef<LoopAxis> parallel, Type element,
                          int64_t unroll, const KernelTarget &target) {
  SmallVector<LoopAxis> axes = mergeAxes(parallel);
  if (axes.empty() ||
      llvm::any_of(axes.back().strides, [](int64_t s) { return s != 1; }))
    return {};
  return Strip::choose(target, bitsOf(element), axes.back().extent, unroll,
                       true);
}

Type ScanKernel::positionType(KernelBuilder &b) const {
  return llvm::isInt<32>(row.extent) ? b.builder.getI32Type()
                                     : b.builder.getI64Type();
}

Value ScanKernel::positionOf(KernelBuilder &b, const Rows &rows,
                             Value at) const {
  return b.broadcast(b.fromIndex(at, positionType(b)), rows.lanes);
}

/// Vectors that are walked along together, so that neither the distance to the
/// next step nor a sum's latency is waited for.
static constexpr int64_t kUnroll = 4;

int64_t ScanKernel::alongRow(const LoopAxis &row, Type element,
                             const KernelTarget &target) {
  if (row.strides[0] != 1)
    return 1;
  return Strip::choose(target, bitsOf(element), row.extent / 2, 1, false).lanes;
}

ArgReduceKernel::ArgReduceKernel(ReduceKind kind, bool selectLast,
                                 SmallVector<LoopAxis> parallel, LoopAxis row,
                                 ValueRange buffers, const KernelTarget &target)
    : ScanKernel(
          parallel, row,
          2.0 / alongRow(row, BufferShape(buffers[0]).element, target),
          stripOf(parallel, BufferShape(buffers[0]).element, kUnroll, target)),
      kind(kind), selectLast(selectLast),
      lanesAlong(alongRow(row, BufferShape(buffers[0]).element, target)) {}

ArgReduceKernel::Best ArgReduceKernel::meet(KernelBuilder &b, Best best,
                                            Best rival, Type element,
                                            bool isBehind) const {
  using P = ScalarBuilder::Predicate;
  ScalarBuilder scalars = b.scalars(element);
  bool winsTies = isBehind && selectLast;
  P predicate = kind == ReduceKind::Max ? (winsTies ? P::ge : P::gt)
                                        : (winsTies ? P::le : P::lt);
  Value wins = scalars.compare(predicate, rival.first, best.first);
  if (!isBehind) {
    ScalarBuilder places = b.scalars(getElementTypeOrSelf(best.second));
    Value isFirst =
        places.compare(selectLast ? P::gt : P::lt, rival.second, best.second);
    Value isEqual = scalars.compare(P::eq, rival.first, best.first);
    wins = scalars.ori(wins, scalars.andi(isEqual, isFirst));
  }
  return {scalars.select(wins, rival.first, best.first),
          scalars.select(wins, rival.second, best.second)};
}

ArgReduceKernel::Best ArgReduceKernel::emitAlong(KernelBuilder &b,
                                                 const KernelRow &input,
                                                 Value end) const {
  Type element = input.buffer.element, type = positionType(b);
  // Nothing but a greater number takes the place of the first element, be that
  // a number or not.
  auto positions = VectorType::get({lanesAlong}, type);
  SmallVector<APInt> integers;
  for (int64_t i = 0; i < lanesAlong; ++i)
    integers.emplace_back(type.getIntOrFloatBitWidth(), i);
  Value steps = arith::ConstantOp::create(
      b.builder, b.loc, DenseElementsAttr::get(positions, integers));
  SmallVector<Value> init{b.broadcast(input.load(b, b.index(0)), lanesAlong),
                          b.zero(type, lanesAlong)};
  init =
      b.loop(b.index(0), end, lanesAlong, init, [&](Value i, ValueRange last) {
        Value at = arith::AddIOp::create(
            b.builder, b.loc, steps,
            b.broadcast(b.fromIndex(i, type), lanesAlong));
        Best best =
            meet(b, {last[0], last[1]},
                 {b.load(input.buffer, input.offset(b, i), lanesAlong), at},
                 element, /*isBehind=*/true);
        return SmallVector<Value>{best.first, best.second};
      });
  Best best{init[0], init[1]};
  for (int64_t lanes = lanesAlong / 2; lanes > 0; lanes /= 2) {
    auto half = [&](int64_t first) {
      return Best(b.lanesFrom(best.first, first, lanes),
                  b.lanesFrom(best.second, first, lanes));
    };
    best = meet(b, half(0), half(lanes), element, /*isBehind=*/false);
  }
  return {vector::ExtractOp::create(b.builder, b.loc, best.first, 0),
          vector::ExtractOp::create(b.builder, b.loc, best.second, 0)};
}

void ArgReduceKernel::emitRows(KernelBuilder &b, const Rows &rows) const {
  if (!row.isBounded())
    return emitPresent(b, rows);
  // Where there is no element, none is read.
  for (int64_t v = 0; v < rows.count; ++v)
    rowOf(b, rows, 1, v)
        .store(b, b.zero(rows.buffers[1].type, rows.lanes), b.index(0));
  b.ifThen(b.less(b.index(0), row.limit(b)), [&] { emitPresent(b, rows); });
}

void ArgReduceKernel::emitPresent(KernelBuilder &b, const Rows &rows) const {
  const KernelBuffer &positions = rows.buffers[1];
  // Each vector's best elements, and the positions of those.
  SmallVector<Value> best;
  SmallVector<KernelRow> inputs;
  bool isAlong = rows.lanes == 1 && lanesAlong > 1;
  Value end = row.limit(b);
  Value first =
      isAlong ? b.mul(b.div(end, lanesAlong), lanesAlong) : b.index(1);
  for (int64_t v = 0; v < rows.count; ++v) {
    inputs.push_back(rowOf(b, rows, 0, v));
    Best start = isAlong ? emitAlong(b, inputs[v], first)
                         : Best(inputs[v].load(b, b.index(0)),
                                positionOf(b, rows, b.index(0)));
    best.append({start.first, start.second});
  }
  best = b.loop(first, end, 1, best, [&](Value i, ValueRange last) {
    SmallVector<Value> next;
    for (auto [v, input] : llvm::enumerate(inputs)) {
      Best better = meet(b, {last[2 * v], last[2 * v + 1]},
                         {input.load(b, i), positionOf(b, rows, i)},
                         input.buffer.element, /*isBehind=*/true);
      next.append({better.first, better.second});
    }
    return next;
  });
  for (int64_t v = 0; v < rows.count; ++v)
    rowOf(b, rows, 1, v)
        .store(b,
               b.convert(best[2 * v + 1], positionType(b), positions.element),
               b.index(0));
}

RunningKernel::RunningKernel(ReduceKind kind, bool exclusive, bool reverse,
                             SmallVector<LoopAxis> parallel, LoopAxis row,
                             ValueRange buffers, const KernelTarget &target)
    : ScanKernel(parallel, std::move(row), 2,
                 stripOf(parallel, BufferShape(buffers[0]).element,
                         target.vectorRegisters / 2, target)),
      kind(kind), exclusive(exclusive), reverse(reverse) {}

void RunningKernel::emitRows(KernelBuilder &b, const Rows &rows) const {
  Combiner combiner(kind, rows.buffers[0].element);
  SmallVector<Value> sums(rows.count, combiner.neutral(b, rows.lanes));
  // A sum that runs backwards begins behind the limit of its results.
  bool isLimited = !reverse || row.isCounted();
  Value steps = isLimited ? row.limit(b) : b.index(row.extent);
  b.loop(b.index(0), steps, 1, sums, [&](Value step, ValueRange last) {
    Value i = reverse ? b.sub(b.sub(steps, b.index(1)), step) : step;
    SmallVector<Value> elements, next;
    for (int64_t v = 0; v < rows.count; ++v)
      elements.push_back(rowOf(b, rows, 0, v).load(b, i));
    for (int64_t v = 0; v < rows.count; ++v) {
      next.push_back(
          combiner.combine(b, last[v], combiner.widen(b, elements[v])));
      rowOf(b, rows, 1, v)
          .store(b, combiner.narrow(b, exclusive ? last[v] : next[v]), i);
    }
    return next;
  });
}
