//===- NumberText.cpp - Numbers as strings and back -------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers are written as Python writes them: the fewest digits that read back
// as the same number, with a power of ten from 1e16 on and below 1e-4.
//
//===----------------------------------------------------------------------===//
#include "HostOps.h"
#include "Numbers.h"

#include <algorithm>
#include <charconv>
#include <string>

using namespace glow::runtime;

// -- To strings ---------------------------------------------------------------

/// Digits and a power of ten from scientific notation, as 1.25e+03.
static std::string layOut(std::string_view scientific) {
  std::string sign, digits;
  if (scientific.front() == '-') {
    sign = "-";
    scientific.remove_prefix(1);
  }
  size_t e = scientific.find('e');
  for (char c : scientific.substr(0, e))
    if (c != '.')
      digits += c;
  int power = 0;
  std::string_view tail = scientific.substr(e + 1);
  if (tail.front() == '+')
    tail.remove_prefix(1);
  std::from_chars(tail.data(), tail.data() + tail.size(), power);
  if (power < -4 || power >= 16) {
    std::string text = sign + digits.substr(0, 1);
    if (digits.size() > 1)
      text += "." + digits.substr(1);
    std::string exponent = std::to_string(std::abs(power));
    return text + (power < 0 ? "e-" : "e+") + (exponent.size() < 2 ? "0" : "") +
           exponent;
  }
  if (power < 0)
    return sign + "0." + std::string(-power - 1, '0') + digits;
  size_t whole = size_t(power) + 1;
  if (digits.size() < whole)
    digits.append(whole - digits.size(), '0');
  std::string fraction = digits.substr(whole);
  return sign + digits.substr(0, whole) + "." +
         (fraction.empty() ? "0" : fraction);
}

/// Not finite, or null.
static const char *wordFor(double value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  return nullptr;
}

template <typename T> static std::string realText(T value) {
  if (const char *word = wordFor(value))
    return word;
  char text[64];
  auto end = std::to_chars(text, text + sizeof(text), value,
                           std::chars_format::scientific);
  return layOut({text, size_t(end.ptr - text)});
}

namespace {
/// Floats of 16 bits, which C++ does not have.
struct NarrowFloat {
  int precision, minExponent; // bits of the mantissa, the leading one included
  double decode(uint16_t bits) const {
    int mantissaBits = precision - 1, exponentBits = 16 - precision;
    int exponent = bits >> mantissaBits & ((1 << exponentBits) - 1);
    int mantissa = bits & ((1 << mantissaBits) - 1);
    double value;
    if (exponent == (1 << exponentBits) - 1)
      value = mantissa ? NAN : INFINITY;
    else if (exponent == 0)
      value = std::ldexp(mantissa, minExponent - mantissaBits);
    else
      value = std::ldexp(mantissa + (1 << mantissaBits),
                         exponent - 1 + minExponent - mantissaBits);
    return bits >> 15 ? -value : value;
  }
  double round(double value) const {
    if (value == 0)
      return value;
    int exponent = std::max(std::ilogb(value), minExponent);
    double spacing = std::ldexp(1.0, exponent - precision + 1);
    return std::nearbyint(value / spacing) * spacing;
  }
};
} // namespace

static std::string narrowText(double value, const NarrowFloat &format) {
  if (const char *word = wordFor(value))
    return word;
  char text[64];
  for (int digits = 0;; ++digits) {
    auto end = std::to_chars(text, text + sizeof(text), value,
                             std::chars_format::scientific, digits);
    double back = 0;
    std::from_chars(text, end.ptr, back);
    if (digits >= 8 || format.round(back) == value)
      return layOut({text, size_t(end.ptr - text)});
  }
}

static GlowStatus numberToString(HostCall &call) {
  if (GlowStatus status = call.expect({0}))
    return status;
  const HostTensor &input = call.inputs[0];
  auto *out = call.resultOf<GlowString>(0, input.dims);
  if (!out)
    return GLOW_INVALID_ARGUMENT;
  GlowStatus status = GLOW_OK;
  auto write = [&](const std::string &text) {
    if (!status)
      status = call.setString(*out++, text);
  };
  if (input.dtype == GLOW_F16 || input.dtype == GLOW_BF16) {
    NarrowFloat format =
        input.dtype == GLOW_F16 ? NarrowFloat{11, -14} : NarrowFloat{8, -126};
    for (uint16_t bits : input.elements<uint16_t>())
      write(narrowText(format.decode(bits), format));
    return status;
  }
  bool known = withNumbers(input.dtype, [&](auto zero) {
    for (auto element : input.elements<decltype(zero)>())
      if constexpr (std::is_floating_point_v<decltype(zero)>)
        write(realText(element));
      else if (input.dtype == GLOW_BOOL)
        write(element ? "True" : "False");
      else
        write(std::to_string(element));
  });
  return known ? status
               : call.fail(GLOW_INVALID_MODEL,
                           "cannot write elements of this type");
}

// -- From strings -------------------------------------------------------------

static std::string_view trim(std::string_view text) {
  constexpr std::string_view spaces = " \t\n\r\v\f";
  size_t begin = text.find_first_not_of(spaces);
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(spaces) + 1 - begin);
}

/// The whole of `text` as a number; without its plus sign, which from_chars
/// does not take.
template <typename T> static bool parse(std::string_view text, T &value) {
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (text.empty() || text.front() == '-')
      return false;
  }
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || text.empty())
    return false;
  if constexpr (std::is_floating_point_v<T>)
    if (error == std::errc::result_out_of_range) {
      // Underflow or overflow: what a longer double would round to.
      bool isSmall =
          text.find("e-") != text.npos || text.find("E-") != text.npos;
      value = std::copysign(isSmall ? T(0) : std::numeric_limits<T>::infinity(),
                            text.front() == '-' ? T(-1) : T(1));
      return true;
    }
  return error == std::errc();
}

template <typename T>
static bool readNumber(std::string_view text, bool isBool, T &to) {
  text = trim(text);
  if (isBool && (text == "True" || text == "False")) {
    to = text == "True";
    return true;
  }
  if (std::is_integral_v<T> && !isBool && parse(text, to))
    return true;
  std::conditional_t<std::is_floating_point_v<T>, T, double> real;
  if (!parse(text, real))
    return false;
  to = isBool ? T(real != 0) : convertTo<T>(real);
  return true;
}

/// The start of a text, for a message.
static std::string printable(std::string_view text) {
  std::string result(text.substr(0, 40));
  for (char &c : result)
    if (uint8_t(c) < 0x20)
      c = '?';
  return result;
}

static GlowStatus stringToNumber(HostCall &call) {
  if (GlowStatus status = call.expect({GLOW_STRING}))
    return status;
  const HostTensor &input = call.inputs[0];
  void *out = call.result(0, input.dims);
  if (!out)
    return GLOW_INVALID_ARGUMENT;
  bool isBool = call.resultType(0) == GLOW_BOOL;
  GlowStatus status = GLOW_OK;
  bool known = withNumbers(call.resultType(0), [&](auto zero) {
    auto *numbers = static_cast<decltype(zero) *>(out);
    for (const GlowString &text : input.strings())
      if (!status && !readNumber(textOf(text), isBool, *numbers++))
        status = call.fail(GLOW_INVALID_ARGUMENT, "'", printable(textOf(text)),
                           "' is no number");
  });
  return known ? status
               : call.fail(GLOW_INVALID_MODEL,
                           "cannot read elements of this type");
}

GlowStatus glow::runtime::makeNumberToString(const HostAttrs &attrs,
                                             HostFunctionPtr &result) {
  return PlainFunction<numberToString>::make(attrs, result);
}
GlowStatus glow::runtime::makeStringToNumber(const HostAttrs &attrs,
                                             HostFunctionPtr &result) {
  return PlainFunction<stringToNumber>::make(attrs, result);
}
