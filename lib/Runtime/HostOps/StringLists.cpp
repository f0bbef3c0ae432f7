//===- StringLists.cpp - Normalising and splitting strings ------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostOps.h"
#include "LetterCase.h"

#include <algorithm>
#include <unordered_set>

using namespace glow::runtime;

namespace {

/// Drops stop words from a list and changes the case of the others.
class StringNormalize : public HostFunction {
public:
  GlowStatus initialize(const HostAttrs &attrs) {
    std::string_view action = attrs.string("case");
    if (action == "LOWER")
      change = LetterCase::Lower;
    else if (action == "UPPER")
      change = LetterCase::Upper;
    else if (action != "NONE")
      return attrs.fail(GLOW_INVALID_MODEL,
                        "the change of case must be NONE, "
                        "LOWER or UPPER, not '",
                        action, "'");
    compared = attrs.integer("case_sensitive", 0) ? LetterCase::Keep
                                                  : LetterCase::Lower;
    for (const GlowString &word : attrs.strings("stopwords"))
      stopwords.insert(withCase(textOf(word), compared));
    return GLOW_OK;
  }

  GlowStatus run(HostCall &call) override {
    if (GlowStatus status = call.expect({GLOW_STRING}))
      return status;
    HostDims dims = call.inputs[0].dims;
    if (dims.empty() || dims.size() > 2 || (dims.size() == 2 && dims[0] != 1))
      return call.fail(GLOW_INVALID_ARGUMENT,
                       "takes a list of strings, or a matrix of one row");
    std::vector<std::string_view> kept;
    for (const GlowString &element : call.inputs[0].strings()) {
      std::string_view text = textOf(element);
      if (stopwords.empty() || !stopwords.count(withCase(text, compared)))
        kept.push_back(text);
    }
    if (kept.empty())
      kept.push_back({}); // ONNX has no empty result here
    dims.back() = int64_t(kept.size());
    auto *out = call.resultOf<GlowString>(0, dims);
    if (!out)
      return GLOW_INVALID_ARGUMENT;
    for (std::string_view text : kept)
      if (GlowStatus status = call.setString(*out++, withCase(text, change)))
        return status;
    return GLOW_OK;
  }

private:
  LetterCase change = LetterCase::Keep, compared = LetterCase::Keep;
  std::unordered_set<std::string> stopwords;
};

/// Cuts each string into pieces: at a delimiter, or without one at runs of
/// white space of ASCII, none of which is in front.
class StringSplit : public HostFunction {
public:
  explicit StringSplit(const HostAttrs &attrs)
      : delimiter(attrs.string("delimiter")),
        mostCuts(attrs.integer("maxsplit", -1)) {}

  GlowStatus run(HostCall &call) override {
    if (GlowStatus status = call.expect({GLOW_STRING}, 2))
      return status;
    HostDims dims = call.inputs[0].dims;
    std::vector<std::vector<std::string_view>> all;
    size_t most = 0;
    for (const GlowString &element : call.inputs[0].strings()) {
      all.push_back(split(textOf(element)));
      most = std::max(most, all.back().size());
    }
    HostDims whole = dims;
    whole.push_back(int64_t(most));
    if (GlowStatus status = call.checkSize(whole, GLOW_STRING))
      return status;
    auto *out = call.resultOf<GlowString>(0, whole);
    auto *counts = out ? call.resultOf<int64_t>(1, dims) : nullptr;
    if (!counts)
      return GLOW_INVALID_ARGUMENT;
    for (const auto &pieces : all) {
      *counts++ = int64_t(pieces.size());
      for (size_t i = 0; i < most; ++i)
        if (GlowStatus status = call.setString(
                *out++, i < pieces.size() ? pieces[i] : std::string_view()))
          return status;
    }
    return GLOW_OK;
  }

private:
  std::vector<std::string_view> split(std::string_view text) const {
    return delimiter.empty() ? splitAtSpaces(text) : splitAtDelimiter(text);
  }
  bool isFull(const std::vector<std::string_view> &pieces) const {
    return mostCuts >= 0 && int64_t(pieces.size()) >= mostCuts;
  }

  std::vector<std::string_view> splitAtDelimiter(std::string_view text) const {
    std::vector<std::string_view> pieces;
    for (size_t at; !isFull(pieces) &&
                    (at = text.find(delimiter)) != std::string_view::npos;) {
      pieces.push_back(text.substr(0, at));
      text.remove_prefix(at + delimiter.size());
    }
    pieces.push_back(text);
    return pieces;
  }

  std::vector<std::string_view> splitAtSpaces(std::string_view text) const {
    static constexpr std::string_view spaces = " \t\n\r\v\f";
    std::vector<std::string_view> pieces;
    for (;;) {
      size_t begin = std::min(text.find_first_not_of(spaces), text.size());
      text.remove_prefix(begin);
      if (text.empty())
        return pieces;
      size_t end = isFull(pieces) ? text.size() : text.find_first_of(spaces);
      pieces.push_back(text.substr(0, end));
      text.remove_prefix(pieces.back().size());
    }
  }

  std::string delimiter;
  int64_t mostCuts;
};

} // namespace

GlowStatus glow::runtime::makeStringNormalize(const HostAttrs &attrs,
                                              HostFunctionPtr &result) {
  auto function = std::make_unique<StringNormalize>();
  if (GlowStatus status = function->initialize(attrs))
    return status;
  result = std::move(function);
  return GLOW_OK;
}

GlowStatus glow::runtime::makeStringSplit(const HostAttrs &attrs,
                                          HostFunctionPtr &result) {
  result = std::make_unique<StringSplit>(attrs);
  return GLOW_OK;
}
