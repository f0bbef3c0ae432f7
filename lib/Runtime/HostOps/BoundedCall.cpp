//===- BoundedCall.cpp - Calls with more room than elements -----*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiled model has buffers for the largest extents. The attribute `extents`
// of a call says whether its last input holds the extents that its inputs have,
// and whether its last result takes those of its results. Functions see dense
// tensors all the same.
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/DType.h"
#include "glow/Runtime/HostFunctions.h"
#include "glow/Runtime/Prefix.h"

#include <algorithm>
#include <memory>
#include <new>

using namespace glow::runtime;

namespace {
class BoundedCall : public HostCall {
public:
  using HostCall::HostCall;

  GlowStatus begin() {
    Span<int64_t> which = ints("extents");
    if (which.size != 2 || which[0] > int64_t(inputs.size()) ||
        which[1] > int64_t(numResults))
      return damaged();
    if (which[0] != 0)
      if (GlowStatus status = readExtents())
        return status;
    givesExtents = which[1] != 0;
    numResults -= givesExtents;
    written.resize(numResults);
    dense.resize(numResults);
    return GLOW_OK;
  }

  GlowStatus checkRoom(uint32_t index, const HostDims &dims) const override {
    const GlowHostTensor &whole = tensorOf(index);
    if (index >= numResults || dims.size() != whole.rank)
      return damaged();
    for (uint32_t axis = 0; axis < whole.rank; ++axis)
      if (dims[axis] > whole.dims[axis])
        return fail(GLOW_INVALID_ARGUMENT, "its result has ", dims[axis],
                    " elements along axis ", axis,
                    ", the model was compiled for at most ", whole.dims[axis],
                    "; compile it with --most=", call.node ? call.node : "",
                    "=", dims[axis]);
    return GLOW_OK;
  }

  void *result(uint32_t index, const HostDims &dims) override {
    if (checkRoom(index, dims))
      return nullptr;
    const GlowHostTensor &whole = tensorOf(index);
    written[index] = dims;
    if (isDensePrefix(dims.data(), whole.dims, whole.rank))
      return results[index];
    dense[index] = allocate(dims, whole.dtype);
    return dense[index].get();
  }

  /// Puts the results where the model expects them.
  GlowStatus finish() {
    int64_t *extents =
        givesExtents ? static_cast<int64_t *>(results[numResults]) : nullptr;
    for (uint32_t i = 0; i < numResults; ++i) {
      const GlowHostTensor &whole = tensorOf(i);
      if (written[i].size() != whole.rank)
        return fail(GLOW_INVALID_MODEL, "does not compute all of its results");
      if (dense[i] && elementCount(written[i]) != 0)
        copyPrefix(results[i], whole.dims, dense[i].get(), written[i].data(),
                   written[i].data(), whole.rank, elementBytes(whole.dtype));
      if (extents)
        extents = std::copy(written[i].begin(), written[i].end(), extents);
    }
    return GLOW_OK;
  }

private:
  /// Elements of less than a byte take one each.
  static uint64_t elementBytes(uint32_t dtype) {
    return (dtypeBits(dtype) + 7) / 8;
  }
  const GlowHostTensor &tensorOf(uint32_t index) const {
    return call.tensors[call.num_inputs + index];
  }
  GlowStatus damaged() const {
    return fail(GLOW_INVALID_MODEL, "the extents of its tensors are damaged");
  }

  using Memory = std::unique_ptr<char[]>;
  Memory allocate(const HostDims &dims, uint32_t dtype) const {
    uint64_t bytes = elementCount(dims) * elementBytes(dtype);
    Memory memory(new (std::nothrow) char[std::max<uint64_t>(bytes, 1)]);
    if (!memory)
      noMemory();
    return memory;
  }

  /// Makes the inputs what lies within their extents.
  GlowStatus readExtents() {
    HostTensor last = std::move(inputs.back());
    inputs.pop_back();
    uint64_t axes = 0;
    for (const HostTensor &input : inputs)
      axes += input.dims.size();
    if (last.dtype != GLOW_I64 || last.count != axes)
      return damaged();
    const int64_t *next = last.elements<int64_t>().data;
    for (HostTensor &input : inputs) {
      HostDims dims(next, next + input.dims.size());
      next += dims.size();
      if (GlowStatus status = narrow(input, std::move(dims)))
        return status;
    }
    return GLOW_OK;
  }

  GlowStatus narrow(HostTensor &input, HostDims dims) {
    for (size_t axis = 0; axis < dims.size(); ++axis)
      if (dims[axis] < 0 || dims[axis] > input.dims[axis])
        return damaged();
    uint32_t rank = dims.size();
    input.count = elementCount(dims);
    if (input.count != 0 &&
        !isDensePrefix(dims.data(), input.dims.data(), rank)) {
      Memory memory = allocate(dims, input.dtype);
      if (!memory)
        return GLOW_OUT_OF_MEMORY;
      copyPrefix(memory.get(), dims.data(), input.data, input.dims.data(),
                 dims.data(), rank, elementBytes(input.dtype));
      input.data = memory.get();
      narrowed.push_back(std::move(memory));
    }
    input.dims = std::move(dims);
    return GLOW_OK;
  }

  std::vector<Memory> narrowed, dense;
  std::vector<HostDims> written;
  bool givesExtents = false;
};
} // namespace

GlowStatus glow::runtime::runHostFunction(HostFunction &function,
                                          const GlowHostCall &call,
                                          void *const *args, StringPool &pool) {
  if (HostAttrs(call).ints("extents").empty()) {
    HostCall plain(call, args, pool);
    return function.run(plain);
  }
  BoundedCall bounded(call, args, pool);
  if (GlowStatus status = bounded.begin())
    return status;
  if (GlowStatus status = function.run(bounded))
    return status;
  return bounded.finish();
}
