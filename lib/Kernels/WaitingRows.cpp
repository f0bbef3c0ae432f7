//===- WaitingRows.cpp - rows that are done later -------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/WaitingRows.h"

using namespace mlir;
using namespace mlir::glow;

/// Places in memory.
enum : size_t { Next, End, FirstValue };

WaitingRows::WaitingRows(KernelBuilder &builder, size_t numValues)
    : b(builder),
      memory(b.scratch(b.builder.getI64Type(), FirstValue + numValues)) {
  for (size_t i = 0; i < FirstValue + numValues; ++i)
    set(i, b.index(0));
}

Value WaitingRows::get(size_t place) const {
  return b.toIndex(b.load(memory, b.index(place)));
}

void WaitingRows::set(size_t place, Value index) const {
  b.store(b.fromIndex(index, memory.type), memory, b.index(place));
}

void WaitingRows::put(Value first, Value end, ValueRange values) const {
  set(Next, first);
  set(End, end);
  for (auto [i, value] : llvm::enumerate(values))
    set(FirstValue + i, value);
}

Value WaitingRows::value(size_t place) const { return get(FirstValue + place); }

void WaitingRows::take(int64_t count,
                       function_ref<void(Value row)> body) const {
  Value next = get(Next), last = b.min(b.add(next, count), get(End));
  b.loop(next, last, 1, body);
  set(Next, last);
}
