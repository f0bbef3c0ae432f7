//===- Epilogue.cpp - what follows on a contraction's sums ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/Epilogue.h"

using namespace mlir;
using namespace mlir::glow;

/// Places among the axes' operands.
enum : size_t { Out, Lhs, Rhs, FirstEpilogue };

void glow::emitEpilogue(
    KernelBuilder &b, const ScalarRegion &region, const ContractionSpec &spec,
    ArrayRef<KernelBuffer> buffers, Value sums, int64_t lanes, Value mask,
    function_ref<std::pair<Value, int64_t>(size_t operand)> place) {
  // Of the buffers the output is the last one, of the operands the first.
  size_t further = buffers.size() + 1 - region.numResults();
  SmallVector<Value> arguments{b.convert(sums, spec.accumulator, spec.sum)};
  for (size_t i = FirstEpilogue; i < further; ++i) {
    auto [offset, stride] = place(i);
    arguments.push_back(b.load(buffers[i - 1], offset, lanes, stride,
                               stride == 1 ? mask : Value()));
  }
  auto store = [&](Value result, const KernelBuffer &output, size_t operand) {
    if (getElementTypeOrSelf(result) != output.type)
      result = b.convert(result, spec.sum, output.element);
    auto [offset, stride] = place(operand);
    b.store(result, output, offset, stride, mask);
  };
  SmallVector<Value> results = region.emit(b, arguments, lanes);
  store(results.front(), buffers.back(), Out);
  for (auto [i, result] : llvm::enumerate(llvm::drop_begin(results)))
    store(result, buffers[further + i - 1], further + i);
}
