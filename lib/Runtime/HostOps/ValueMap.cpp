//===- ValueMap.cpp - Tables from labels to labels --------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostOps.h"
#include "Numbers.h"

#include <cmath>
#include <limits>

using namespace glow::runtime;

namespace {

/// Keys and values are integers, reals or strings, as the attributes that are
/// there. What is no key gets the default; without one it is an error.
class MapValues : public HostFunction {
public:
  GlowStatus initialize(const HostAttrs &attrs) {
    Span<int64_t> intKeys = attrs.ints("keys");
    Span<double> realKeys = attrs.reals("keys");
    Span<GlowString> textKeys = attrs.strings("keys");
    uint64_t count = intKeys.size + realKeys.size + textKeys.size;
    ints = copy(attrs.ints("values"));
    reals = copy(attrs.reals("values"));
    for (const GlowString &text : attrs.strings("values"))
      texts.emplace_back(textOf(text));
    if (ints.size() + reals.size() + texts.size() != count)
      return attrs.fail(GLOW_INVALID_MODEL, "has ", count, " keys but ",
                        ints.size() + reals.size() + texts.size(), " values");
    // Of equal keys the last counts.
    for (uint64_t i = 0; i < intKeys.size; ++i)
      byInt[intKeys[i]] = i;
    for (uint64_t i = 0; i < realKeys.size; ++i)
      byReal[canonical(realKeys[i])] = i;
    for (uint64_t i = 0; i < textKeys.size; ++i)
      byText[std::string(textOf(textKeys[i]))] = i;
    none = count;
    // The default comes behind the values.
    hasDefault = true;
    if (Span<int64_t> value = attrs.ints("default"); !value.empty())
      ints.push_back(value[0]);
    else if (Span<double> value = attrs.reals("default"); !value.empty())
      reals.push_back(value[0]);
    else if (Span<GlowString> value = attrs.strings("default"); !value.empty())
      texts.emplace_back(textOf(value[0]));
    else
      hasDefault = false;
    return GLOW_OK;
  }

  GlowStatus run(HostCall &call) override {
    if (GlowStatus status = call.expect({0}))
      return status;
    const HostTensor &input = call.inputs[0];
    std::vector<uint64_t> rows;
    if (GlowStatus status = find(call, input, rows))
      return status;
    if (!hasDefault)
      for (uint64_t i = 0; i < rows.size(); ++i)
        if (rows[i] == none)
          return call.fail(GLOW_INVALID_ARGUMENT, "element ", i,
                           " of its input is none of the known labels");
    void *out = call.result(0, input.dims);
    if (!out)
      return GLOW_INVALID_ARGUMENT;
    if (call.resultType(0) == GLOW_STRING)
      return writeTexts(call, rows, static_cast<GlowString *>(out));
    bool written = withNumbers(call.resultType(0), [&](auto zero) {
      auto *numbers = static_cast<decltype(zero) *>(out);
      for (uint64_t row : rows)
        *numbers++ = row < ints.size()
                         ? convertTo<decltype(zero)>(ints[row])
                         : convertTo<decltype(zero)>(
                               row < reals.size() ? reals[row] : 0.0);
    });
    return written ? GLOW_OK
                   : call.fail(GLOW_INVALID_MODEL,
                               "cannot give results of this element type");
  }

private:
  template <typename T> static std::vector<T> copy(Span<T> span) {
    return {span.begin(), span.end()};
  }
  /// Both zeros are one key, and so are all NaNs.
  static uint64_t canonical(double key) {
    key =
        std::isnan(key) ? std::numeric_limits<double>::quiet_NaN() : key + 0.0;
    uint64_t bits;
    std::memcpy(&bits, &key, sizeof(bits));
    return bits;
  }
  template <typename Table, typename Key>
  uint64_t rowOf(const Table &table, const Key &key) const {
    auto found = table.find(key);
    return found == table.end() ? none : found->second;
  }

  /// The row of each element, `none` where it is no key.
  GlowStatus find(const HostCall &call, const HostTensor &input,
                  std::vector<uint64_t> &rows) const {
    if (input.dtype == GLOW_STRING) {
      std::string key;
      for (const GlowString &text : input.strings()) {
        key = textOf(text);
        rows.push_back(rowOf(byText, key));
      }
      return GLOW_OK;
    }
    bool known = withNumbers(input.dtype, [&](auto zero) {
      for (auto element : input.elements<decltype(zero)>())
        if constexpr (std::is_integral_v<decltype(zero)>)
          rows.push_back(byReal.empty() ? rowOf(byInt, int64_t(element))
                                        : rowOf(byReal, canonical(element)));
        else
          rows.push_back(byInt.empty() ? rowOf(byReal, canonical(element))
                                       : rowOfWhole(element));
    });
    return known ? GLOW_OK
                 : call.fail(GLOW_INVALID_MODEL,
                             "does not take elements of this type");
  }
  uint64_t rowOfWhole(double element) const {
    bool isWhole = std::abs(element) < 0x1p63 && element == std::trunc(element);
    return isWhole ? rowOf(byInt, int64_t(element)) : none;
  }

  GlowStatus writeTexts(HostCall &call, const std::vector<uint64_t> &rows,
                        GlowString *out) const {
    for (uint64_t row : rows) {
      std::string_view text;
      if (row < texts.size())
        text = texts[row];
      if (GlowStatus status = call.setString(*out++, text))
        return status;
    }
    return GLOW_OK;
  }

  std::unordered_map<int64_t, uint64_t> byInt;
  std::unordered_map<uint64_t, uint64_t> byReal;
  std::unordered_map<std::string, uint64_t> byText;
  std::vector<int64_t> ints;
  std::vector<double> reals;
  std::vector<std::string> texts;
  uint64_t none = 0;
  bool hasDefault = false;
};

} // namespace

GlowStatus glow::runtime::makeMapValues(const HostAttrs &attrs,
                                        HostFunctionPtr &result) {
  auto function = std::make_unique<MapValues>();
  if (GlowStatus status = function->initialize(attrs))
    return status;
  result = std::move(function);
  return GLOW_OK;
}
