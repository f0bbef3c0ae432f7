//===- Scan.cpp - positions of extremes, and running sums -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/Scan.h"

using namespace mlir;
using namespace mlir::glow;

ScanKernel::ScanKernel(SmallVector<LoopAxis> parallel, LoopAxis given,
                       double work)
    : row(std::move(given)), nest(std::move(parallel), work * row.extent, 1) {}

void ScanKernel::emit(KernelBuilder &b, ValueRange operands, Value begin,
                      Value end) const {
  SmallVector<KernelBuffer> buffers = b.open(operands);
  nest.emit(b, begin, end, [&](ArrayRef<Value> offsets, Value low, Value high) {
    b.loop(low, high, 1, [&](Value i) {
      SmallVector<Value> starts;
      for (auto [offset, stride] : llvm::zip(offsets, nest.inner().strides))
        starts.push_back(b.add(offset, b.mul(i, stride)));
      emitRow(b, buffers, starts);
    });
  });
}

ArgReduceKernel::ArgReduceKernel(ReduceKind kind, bool selectLast,
                                 SmallVector<LoopAxis> parallel, LoopAxis row)
    : ScanKernel(std::move(parallel), std::move(row), 2), kind(kind),
      selectLast(selectLast) {}

void ArgReduceKernel::emitRow(KernelBuilder &b, ArrayRef<KernelBuffer> buffers,
                              ArrayRef<Value> starts) const {
  using P = ScalarBuilder::Predicate;
  P predicate = kind == ReduceKind::Max ? (selectLast ? P::ge : P::gt)
                                        : (selectLast ? P::le : P::lt);
  ScalarBuilder scalars = b.scalars(buffers[0].element);
  KernelRow input = rowOf(buffers, starts, 0);
  SmallVector<Value> best{b.load(buffers[0], starts[0]), b.index(0)};
  best = b.loop(b.index(1), b.index(row.extent), 1, best,
                [&](Value i, ValueRange values) {
                  Value element = input.load(b, i);
                  Value wins = scalars.compare(predicate, element, values[0]);
                  return SmallVector<Value>{
                      scalars.select(wins, element, values[0]),
                      scalars.select(wins, i, values[1])};
                });
  b.store(b.fromIndex(best[1], buffers[1].type), buffers[1], starts[1]);
}

RunningKernel::RunningKernel(ReduceKind kind, bool exclusive, bool reverse,
                             SmallVector<LoopAxis> parallel, LoopAxis row)
    : ScanKernel(std::move(parallel), std::move(row), 2), kind(kind),
      exclusive(exclusive), reverse(reverse) {}

void RunningKernel::emitRow(KernelBuilder &b, ArrayRef<KernelBuffer> buffers,
                            ArrayRef<Value> starts) const {
  Combiner combiner(kind, buffers[0].element);
  KernelRow input = rowOf(buffers, starts, 0),
            output = rowOf(buffers, starts, 1);
  // A sum that runs backwards begins behind the limit.
  Value steps = reverse ? b.index(row.extent) : row.limit(b);
  b.loop(b.index(0), steps, 1, combiner.neutral(b, 1),
         [&](Value step, ValueRange values) {
           Value i = reverse ? b.sub(b.index(row.extent - 1), step) : step;
           Value element = input.load(b, i);
           Value next =
               combiner.combine(b, values[0], combiner.widen(b, element));
           output.store(b, combiner.narrow(b, exclusive ? values[0] : next), i);
           return SmallVector<Value>{next};
         });
}
