//===- HostCall.cpp - A call as its function sees it ------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/DType.h"
#include "glow/Runtime/HostFunctions.h"

#include <algorithm>

using namespace glow::runtime;

// -- Attributes ---------------------------------------------------------------

const GlowHostAttr *HostAttrs::find(std::string_view name,
                                    uint32_t dtype) const {
  for (uint32_t i = 0; i < call.num_attrs; ++i)
    if (call.attrs[i].name == name && call.attrs[i].dtype == dtype)
      return &call.attrs[i];
  return nullptr;
}

template <typename T> static Span<T> spanOf(const GlowHostAttr *attr) {
  if (!attr)
    return {};
  return {static_cast<const T *>(attr->values), attr->count};
}

Span<int64_t> HostAttrs::ints(std::string_view name) const {
  return spanOf<int64_t>(find(name, GLOW_I64));
}
Span<double> HostAttrs::reals(std::string_view name) const {
  return spanOf<double>(find(name, GLOW_F64));
}
Span<GlowString> HostAttrs::strings(std::string_view name) const {
  return spanOf<GlowString>(find(name, GLOW_STRING));
}
int64_t HostAttrs::integer(std::string_view name, int64_t otherwise) const {
  Span<int64_t> values = ints(name);
  return values.empty() ? otherwise : values[0];
}
std::string_view HostAttrs::string(std::string_view name) const {
  Span<GlowString> values = strings(name);
  return values.empty() ? std::string_view() : textOf(values[0]);
}

// -- Tensors ------------------------------------------------------------------

uint64_t glow::runtime::elementCount(const HostDims &dims) {
  uint64_t count = 1;
  for (int64_t extent : dims)
    if (extent < 0 || __builtin_mul_overflow(count, uint64_t(extent), &count))
      return 0;
  return count;
}

HostCall::HostCall(const GlowHostCall &call, void *const *args,
                   StringPool &pool)
    : HostAttrs(call), results(args ? args + call.num_inputs : nullptr),
      numResults(call.num_outputs), pool(pool) {
  for (uint32_t i = 0; args && i < call.num_inputs; ++i) {
    const GlowHostTensor &tensor = call.tensors[i];
    HostDims dims(tensor.dims, tensor.dims + tensor.rank);
    uint64_t count = elementCount(dims);
    inputs.push_back({std::move(dims), tensor.dtype, args[i], count});
  }
}

GlowStatus HostCall::expect(std::initializer_list<uint32_t> dtypes,
                            uint32_t resultCount) const {
  if (inputs.size() != dtypes.size() || numResults != resultCount)
    return fail(GLOW_INVALID_MODEL, "takes ", dtypes.size(), " inputs and has ",
                resultCount, " results, not ", inputs.size(), " and ",
                numResults);
  uint32_t i = 0;
  for (uint32_t dtype : dtypes) {
    if (dtype && inputs[i].dtype != dtype)
      return fail(GLOW_INVALID_MODEL, "input ", i, " must be ",
                  dtypeName(dtype), ", not ", dtypeName(inputs[i].dtype));
    ++i;
  }
  return GLOW_OK;
}

uint32_t HostCall::resultType(uint32_t index) const {
  return index < numResults ? call.tensors[call.num_inputs + index].dtype
                            : uint32_t(GLOW_UNDEFINED);
}

GlowStatus HostCall::noMemory() const {
  return fail(GLOW_OUT_OF_MEMORY, "there is no memory for its strings");
}

GlowStatus HostCall::checkSize(const HostDims &dims, uint32_t dtype) const {
  uint64_t bytes;
  if (tensorBytes(dtype, dims.data(), uint32_t(dims.size()), bytes,
                  /*isPacked=*/false) &&
      bytes <= uint64_t(1) << 34)
    return GLOW_OK;
  return fail(GLOW_OUT_OF_MEMORY, "its result would be too large");
}

void *HostCall::result(uint32_t index, const HostDims &dims) {
  const GlowHostTensor &tensor = call.tensors[call.num_inputs + index];
  if (std::equal(dims.begin(), dims.end(), tensor.dims,
                 tensor.dims + tensor.rank))
    return results[index];
  fail(GLOW_INVALID_ARGUMENT, "its result has another shape for this data than "
                              "the one that the model was compiled for");
  return nullptr;
}

GlowStatus HostCall::broadcast(HostDims &dims, uint32_t coreRank) const {
  dims.clear();
  for (const HostTensor &input : inputs) {
    if (input.dims.size() < coreRank)
      return fail(GLOW_INVALID_MODEL, "needs inputs of at least ", coreRank,
                  " axes");
    size_t rank = input.dims.size() - coreRank;
    if (rank > dims.size())
      dims.insert(dims.begin(), rank - dims.size(), 1);
    for (size_t i = 0; i < rank; ++i) {
      int64_t &extent = dims[dims.size() - rank + i];
      if (extent != 1 && input.dims[i] != 1 && extent != input.dims[i])
        return fail(GLOW_INVALID_ARGUMENT, "the extents ", extent, " and ",
                    input.dims[i], " do not broadcast");
      if (extent == 1)
        extent = input.dims[i];
    }
  }
  return checkSize(dims, GLOW_STRING);
}

std::vector<uint64_t> HostCall::places(uint32_t index,
                                       const HostDims &dims) const {
  const HostDims &own = inputs[index].dims;
  HostDims strides(dims.size(), 0);
  int64_t stride = 1;
  for (size_t i = 0; i < own.size(); ++i) {
    size_t from = own.size() - 1 - i, to = dims.size() - 1 - i;
    strides[to] = own[from] == 1 ? 0 : stride;
    stride *= own[from];
  }
  std::vector<uint64_t> result(elementCount(dims));
  HostDims place(dims.size(), 0);
  uint64_t at = 0;
  for (uint64_t &element : result) {
    element = at;
    for (size_t axis = dims.size(); axis-- > 0;) {
      at += strides[axis];
      if (++place[axis] < dims[axis])
        break;
      at -= strides[axis] * dims[axis];
      place[axis] = 0;
    }
  }
  return result;
}
