//===- Regex.cpp - Regular expressions --------------------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RE2 takes time that is linear in the text, whatever the expression, and no
// more memory than it is given.
//
//===----------------------------------------------------------------------===//
#include "HostOps.h"

#ifdef GLOW_HAS_RE2
#include <re2/re2.h>
#endif

using namespace glow::runtime;

#ifdef GLOW_HAS_RE2
namespace {
class RegexFullMatch : public HostFunction {
public:
  explicit RegexFullMatch(std::string_view pattern)
      : regex(re2::StringPiece(pattern.data(), pattern.size()), options()) {}

  GlowStatus run(HostCall &call) override {
    if (GlowStatus status = call.expect({GLOW_STRING}))
      return status;
    auto *out = call.resultOf<uint8_t>(0, call.inputs[0].dims);
    if (!out)
      return GLOW_INVALID_ARGUMENT;
    for (const GlowString &element : call.inputs[0].strings()) {
      std::string_view text = textOf(element);
      *out++ =
          RE2::FullMatch(re2::StringPiece(text.data(), text.size()), regex);
    }
    return GLOW_OK;
  }

  static RE2::Options options() {
    RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(int64_t(8) << 20);
    return options;
  }
  RE2 regex;
};
} // namespace
#endif

GlowStatus glow::runtime::makeRegexFullMatch(const HostAttrs &attrs,
                                             HostFunctionPtr &result) {
#ifdef GLOW_HAS_RE2
  std::string_view pattern = attrs.string("pattern");
  auto function = std::make_unique<RegexFullMatch>(pattern);
  if (!function->regex.ok())
    return attrs.fail(
        GLOW_INVALID_MODEL, "'", pattern,
        "' is no regular expression of RE2: ", function->regex.error());
  result = std::move(function);
  return GLOW_OK;
#else
  return attrs.fail(GLOW_UNSUPPORTED,
                    "regular expressions need RE2, which was not found when "
                    "Glow was built; install libre2-dev and build it again");
#endif
}
