//===- ComplexParts.cpp - Complex numbers as pairs of others ----*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostOps.h"
#include "glow/Runtime/DType.h"

#include <cstring>

using namespace glow::runtime;

/// The same bytes with a last axis that the other side does not have.
static GlowStatus copyParts(HostCall &call, HostDims dims, uint32_t whole,
                            uint32_t part) {
  bool isSame = whole == GLOW_C64 ? part == GLOW_F32
                                  : whole == GLOW_C128 && part == GLOW_F64;
  if (!isSame)
    return call.fail(GLOW_INVALID_MODEL, "cannot turn ",
                     dtypeName(call.inputs[0].dtype), " into ",
                     dtypeName(call.resultType(0)));
  void *out = call.result(0, dims);
  if (!out)
    return GLOW_INVALID_ARGUMENT;
  const HostTensor &input = call.inputs[0];
  if (uint64_t bytes = input.count * (dtypeBits(input.dtype) / 8))
    std::memcpy(out, input.data, bytes);
  return GLOW_OK;
}

static GlowStatus complexToParts(HostCall &call) {
  if (GlowStatus status = call.expect({0}))
    return status;
  HostDims dims = call.inputs[0].dims;
  dims.push_back(2);
  return copyParts(call, dims, call.inputs[0].dtype, call.resultType(0));
}

static GlowStatus partsToComplex(HostCall &call) {
  if (GlowStatus status = call.expect({0}))
    return status;
  HostDims dims = call.inputs[0].dims;
  if (dims.empty() || dims.back() != 2)
    return call.fail(GLOW_INVALID_MODEL, "its last axis must have 2 elements");
  dims.pop_back();
  return copyParts(call, dims, call.resultType(0), call.inputs[0].dtype);
}

GlowStatus glow::runtime::makeComplexToParts(const HostAttrs &attrs,
                                             HostFunctionPtr &result) {
  return PlainFunction<complexToParts>::make(attrs, result);
}
GlowStatus glow::runtime::makePartsToComplex(const HostAttrs &attrs,
                                             HostFunctionPtr &result) {
  return PlainFunction<partsToComplex>::make(attrs, result);
}
