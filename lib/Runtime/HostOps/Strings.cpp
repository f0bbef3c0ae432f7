//===- Strings.cpp - Comparing, joining and choosing strings ----*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostOps.h"

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace glow::runtime;

/// Calls `body` with each element of the result and the strings of the two
/// operands, which are broadcast, that belong to it.
template <typename Result, typename Body>
static GlowStatus forEachPair(HostCall &call, Body body) {
  HostDims dims;
  if (GlowStatus status = call.expect({GLOW_STRING, GLOW_STRING}))
    return status;
  if (GlowStatus status = call.broadcast(dims))
    return status;
  auto *out = call.resultOf<Result>(0, dims);
  if (!out)
    return GLOW_INVALID_ARGUMENT;
  Span<GlowString> a = call.inputs[0].strings(), b = call.inputs[1].strings();
  std::vector<uint64_t> left = call.places(0, dims),
                        right = call.places(1, dims);
  for (size_t i = 0; i < left.size(); ++i)
    if (GlowStatus status =
            body(out[i], textOf(a[left[i]]), textOf(b[right[i]])))
      return status;
  return GLOW_OK;
}

static GlowStatus stringEqual(HostCall &call) {
  return forEachPair<uint8_t>(call, [](uint8_t &out, auto a, auto b) {
    out = a == b;
    return GLOW_OK;
  });
}

static GlowStatus stringConcat(HostCall &call) {
  std::string joined;
  return forEachPair<GlowString>(call, [&](GlowString &out, auto a, auto b) {
    joined = a;
    joined += b;
    return call.setString(out, joined);
  });
}

/// The strings keep their bytes: whoever owns the operands' owns the result's.
static GlowStatus stringWhere(HostCall &call) {
  HostDims dims;
  if (GlowStatus status = call.expect({GLOW_BOOL, GLOW_STRING, GLOW_STRING}))
    return status;
  if (GlowStatus status = call.broadcast(dims))
    return status;
  auto *out = call.resultOf<GlowString>(0, dims);
  if (!out)
    return GLOW_INVALID_ARGUMENT;
  Span<uint8_t> condition = call.inputs[0].elements<uint8_t>();
  std::vector<uint64_t> at = call.places(0, dims);
  std::vector<uint64_t> sides[] = {call.places(2, dims), call.places(1, dims)};
  for (size_t i = 0; i < at.size(); ++i) {
    bool isFirst = condition[at[i]] != 0;
    out[i] = call.inputs[isFirst ? 1 : 2].strings()[sides[isFirst][i]];
  }
  return GLOW_OK;
}

/// Of each string, how many others are less: a number for each that is in the
/// same order. Bytes of UTF-8 are in the order of the characters.
static GlowStatus stringRank(HostCall &call) {
  if (GlowStatus status = call.expect({GLOW_STRING}))
    return status;
  auto *out = call.resultOf<int64_t>(0, call.inputs[0].dims);
  if (!out)
    return GLOW_INVALID_ARGUMENT;
  Span<GlowString> strings = call.inputs[0].strings();
  std::vector<uint64_t> order(call.inputs[0].count);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint64_t a, uint64_t b) {
    return textOf(strings[a]) < textOf(strings[b]);
  });
  for (size_t i = 0; i < order.size(); ++i)
    out[order[i]] =
        i && textOf(strings[order[i]]) == textOf(strings[order[i - 1]])
            ? out[order[i - 1]]
            : int64_t(i);
  return GLOW_OK;
}

GlowStatus glow::runtime::makeStringEqual(const HostAttrs &attrs,
                                          HostFunctionPtr &result) {
  return PlainFunction<stringEqual>::make(attrs, result);
}
GlowStatus glow::runtime::makeStringConcat(const HostAttrs &attrs,
                                           HostFunctionPtr &result) {
  return PlainFunction<stringConcat>::make(attrs, result);
}
GlowStatus glow::runtime::makeStringRank(const HostAttrs &attrs,
                                         HostFunctionPtr &result) {
  return PlainFunction<stringRank>::make(attrs, result);
}
GlowStatus glow::runtime::makeStringWhere(const HostAttrs &attrs,
                                          HostFunctionPtr &result) {
  return PlainFunction<stringWhere>::make(attrs, result);
}
