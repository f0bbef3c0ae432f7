//===- HostOps.cpp - The functions that models call by name -----*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostOps.h"

using namespace glow::runtime;

namespace {
struct Row {
  std::string_view name;
  MakeHostFunction make;
};
} // namespace

static constexpr Row rows[] = {
    {"combine_complex", makeCombineComplex},
    {"complex_to_parts", makeComplexToParts},
    {"couple_probabilities", makeCoupleProbabilities},
    {"decode_image", makeDecodeImage},
    {"map_values", makeMapValues},
    {"number_to_string", makeNumberToString},
    {"parts_to_complex", makePartsToComplex},
    {"regex_full_match", makeRegexFullMatch},
    {"string_concat", makeStringConcat},
    {"string_equal", makeStringEqual},
    {"string_normalize", makeStringNormalize},
    {"string_rank", makeStringRank},
    {"string_split", makeStringSplit},
    {"string_to_number", makeStringToNumber},
    {"string_where", makeStringWhere},
    {"tf_idf", makeTfIdf},
};

static const Row *findRow(std::string_view name) {
  for (const Row &row : rows)
    if (row.name == name)
      return &row;
  return nullptr;
}

GlowStatus glow::runtime::makeHostFunction(const GlowHostCall &call,
                                           HostFunctionPtr &result) {
  if (call.size < sizeof(GlowHostCall) || !call.function)
    return fail(GLOW_INVALID_MODEL, "the compiled model is damaged: it calls a "
                                    "function without a name");
  HostAttrs attrs(call);
  if (const Row *row = findRow(call.function))
    return row->make(attrs, result);
  return attrs.fail(GLOW_UNSUPPORTED,
                    "this runtime has no function of this name; use the "
                    "runtime of the compiler that made the model");
}

GlowStatus HostRunner::call(const GlowHostCall &call, void *const *args) {
  HostFunctionPtr &function = functions[&call];
  if (!function)
    if (GlowStatus status = makeHostFunction(call, function))
      return status;
  return runHostFunction(*function, call, args, strings);
}
