//===- HostOps.h - The functions that models call ---------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_RUNTIME_HOSTOPS_HOSTOPS_H
#define GLOW_LIB_RUNTIME_HOSTOPS_HOSTOPS_H

#include "glow/Runtime/HostFunctions.h"

namespace glow::runtime {

using MakeHostFunction = GlowStatus (*)(const HostAttrs &attrs,
                                        HostFunctionPtr &result);

// One per row of the table in HostOps.cpp.
GlowStatus makeCombineComplex(const HostAttrs &, HostFunctionPtr &);
GlowStatus makeComplexToParts(const HostAttrs &, HostFunctionPtr &);
GlowStatus makeCoupleProbabilities(const HostAttrs &, HostFunctionPtr &);
GlowStatus makeDecodeImage(const HostAttrs &, HostFunctionPtr &);
GlowStatus makeMapValues(const HostAttrs &, HostFunctionPtr &);
GlowStatus makeNumberToString(const HostAttrs &, HostFunctionPtr &);
GlowStatus makePartsToComplex(const HostAttrs &, HostFunctionPtr &);
GlowStatus makeRegexFullMatch(const HostAttrs &, HostFunctionPtr &);
GlowStatus makeStringConcat(const HostAttrs &, HostFunctionPtr &);
GlowStatus makeStringEqual(const HostAttrs &, HostFunctionPtr &);
GlowStatus makeStringNormalize(const HostAttrs &, HostFunctionPtr &);
GlowStatus makeStringRank(const HostAttrs &, HostFunctionPtr &);
GlowStatus makeStringSplit(const HostAttrs &, HostFunctionPtr &);
GlowStatus makeStringToNumber(const HostAttrs &, HostFunctionPtr &);
GlowStatus makeStringWhere(const HostAttrs &, HostFunctionPtr &);
GlowStatus makeTfIdf(const HostAttrs &, HostFunctionPtr &);

/// A function without attributes is a plain one.
template <GlowStatus (*Body)(HostCall &)> struct PlainFunction : HostFunction {
  GlowStatus run(HostCall &call) override { return Body(call); }
  static GlowStatus make(const HostAttrs &, HostFunctionPtr &result) {
    result = std::make_unique<PlainFunction>();
    return GLOW_OK;
  }
};

} // namespace glow::runtime
#endif // GLOW_LIB_RUNTIME_HOSTOPS_HOSTOPS_H
