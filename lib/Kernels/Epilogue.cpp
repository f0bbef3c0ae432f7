//===- Epilogue.cpp - what follows on a contraction's sums ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/Epilogue.h"
#include "ContractionOperands.h"

using namespace mlir;
using namespace mlir::glow;

static int64_t lanesOf(const SumVector &vector) {
  auto type = dyn_cast<VectorType>(vector.sums.getType());
  return type ? type.getNumElements() : 1;
}

/// The same for vectors of one length, whose steps may be taken side by side.
static void emitTogether(KernelBuilder &b, const ScalarRegion &region,
                         const ContractionSpec &spec,
                         ArrayRef<KernelBuffer> buffers,
                         ArrayRef<SumVector> vectors) {
  // Of the buffers the output is the last one, of the operands the first.
  size_t further = buffers.size() + 1 - region.numResults();
  int64_t lanes = lanesOf(vectors.front());
  SmallVector<SmallVector<Value>> values;
  for (const SumVector &vector : vectors) {
    SmallVector<Value> &arguments = values.emplace_back();
    arguments.push_back(b.convert(vector.sums, spec.accumulator, spec.sum));
    for (size_t i = FirstEpilogue; i < further; ++i) {
      auto [offset, stride] = vector.place(i);
      arguments.push_back(b.load(buffers[i - 1], offset, lanes, stride,
                                 stride == 1 ? vector.mask : Value()));
    }
  }
  values = region.emitAll(b, values, lanes);
  for (auto [vector, results] : llvm::zip(vectors, values)) {
    auto store = [&, &vector = vector](Value result, const KernelBuffer &output,
                                       size_t operand) {
      if (getElementTypeOrSelf(result) != output.type)
        result = b.convert(result, spec.sum, output.element);
      auto [offset, stride] = vector.place(operand);
      b.store(result, output, offset, stride, vector.mask);
    };
    store(results.front(), buffers.back(), Out);
    for (auto [i, result] : llvm::enumerate(llvm::drop_begin(results)))
      store(result, buffers[further + i - 1], further + i);
  }
}

void glow::emitEpilogue(KernelBuilder &b, const ScalarRegion &region,
                        const ContractionSpec &spec,
                        ArrayRef<KernelBuffer> buffers,
                        ArrayRef<SumVector> vectors) {
  llvm::MapVector<int64_t, SmallVector<SumVector>> byLanes;
  for (const SumVector &vector : vectors)
    byLanes[lanesOf(vector)].push_back(vector);
  size_t most = region.isLong() ? region.vectorsAtOnce() : 1;
  for (auto &[lanes, same] : byLanes)
    for (ArrayRef rest = same; !rest.empty();
         rest = rest.drop_front(std::min(most, rest.size())))
      emitTogether(b, region, spec, buffers, rest.take_front(most));
}
