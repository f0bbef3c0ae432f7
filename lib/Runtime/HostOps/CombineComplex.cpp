//===- CombineComplex.cpp - Sums and products by place ----------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostOps.h"

#include <complex>

using namespace glow::runtime;

namespace {

/// What each place holds in the end, where updates are added to what it holds
/// or multiplied by it, for each update.
class CombineComplex : public HostFunction {
public:
  explicit CombineComplex(bool isProduct) : isProduct(isProduct) {}

  GlowStatus run(HostCall &call) override {
    if (GlowStatus status = call.expect({GLOW_I64, 0, 0}))
      return status;
    uint32_t dtype = call.inputs[1].dtype;
    if ((dtype != GLOW_C64 && dtype != GLOW_C128) ||
        call.inputs[2].dtype != dtype || call.resultType(0) != dtype ||
        call.inputs[1].dims != call.inputs[0].dims ||
        call.inputs[2].dims != call.inputs[0].dims)
      return call.fail(GLOW_INVALID_MODEL, "takes a place, what it holds and "
                                           "an update for each result, all "
                                           "of one complex type");
    return dtype == GLOW_C64 ? combine<float>(call) : combine<double>(call);
  }

private:
  template <typename Real> GlowStatus combine(HostCall &call) {
    using Number = std::complex<Real>;
    auto *out = call.resultOf<Number>(0, call.inputs[0].dims);
    if (!out)
      return GLOW_INVALID_ARGUMENT;
    auto places = call.inputs[0].elements<int64_t>();
    auto held = call.inputs[1].elements<Number>();
    auto updates = call.inputs[2].elements<Number>();
    std::unordered_map<int64_t, Number> results;
    for (uint64_t i = 0; i < places.size; ++i) {
      Number &result = results.try_emplace(places[i], held[i]).first->second;
      result = isProduct ? result * updates[i] : result + updates[i];
    }
    for (uint64_t i = 0; i < places.size; ++i)
      out[i] = results[places[i]];
    return GLOW_OK;
  }

  bool isProduct;
};

} // namespace

GlowStatus glow::runtime::makeCombineComplex(const HostAttrs &attrs,
                                             HostFunctionPtr &result) {
  std::string_view kind = attrs.string("kind");
  if (kind != "add" && kind != "mul")
    return attrs.fail(GLOW_UNSUPPORTED,
                      "complex numbers are only added or multiplied");
  result = std::make_unique<CombineComplex>(kind == "mul");
  return GLOW_OK;
}
