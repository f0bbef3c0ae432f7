//===- StatedValues.cpp - values as options state them --------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StatedValues.h"
#include "glow-c/ModelABI.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <type_traits>

using namespace mlir::glow;
using ::glow::runtime::Array;

/// Calls `take` with each element as a number of type T.
template <typename T, typename Function>
static void forEach(const Array &array, Function take) {
  const auto *bytes = static_cast<const char *>(array.data.data());
  for (size_t i = 0; i + sizeof(T) <= array.data.size(); i += sizeof(T)) {
    T value;
    std::memcpy(&value, bytes + i, sizeof(T));
    take(value);
  }
}

std::optional<std::vector<std::string>>
mlir::glow::textsOfValues(const Array &array) {
  std::vector<std::string> texts;
  auto add = [&](auto value) {
    using T = decltype(value);
    std::string text;
    llvm::raw_string_ostream out(text);
    if constexpr (std::is_floating_point_v<T>)
      out << llvm::format("%.17g", static_cast<double>(value));
    else
      out << static_cast<int64_t>(value);
    texts.push_back(std::move(text));
  };
  auto addHalves = [&](const llvm::fltSemantics &kind) {
    forEach<uint16_t>(array, [&](uint16_t bits) {
      llvm::APFloat value(kind, llvm::APInt(16, bits));
      bool isInexact;
      value.convert(llvm::APFloat::IEEEdouble(),
                    llvm::APFloat::rmNearestTiesToEven, &isInexact);
      add(value.convertToDouble());
    });
  };
  switch (array.dtype) {
  case GLOW_F16:
    addHalves(llvm::APFloat::IEEEhalf());
    break;
  case GLOW_BF16:
    addHalves(llvm::APFloat::BFloat());
    break;
  case GLOW_I64:
    forEach<int64_t>(array, add);
    break;
  case GLOW_I32:
    forEach<int32_t>(array, add);
    break;
  case GLOW_BOOL:
  case GLOW_U8:
    forEach<uint8_t>(array, add);
    break;
  case GLOW_F32:
    forEach<float>(array, add);
    break;
  case GLOW_F64:
    forEach<double>(array, add);
    break;
  default:
    return std::nullopt;
  }
  return texts;
}

std::optional<std::string> mlir::glow::rangeOfValues(llvm::StringRef name,
                                                     const Array &array) {
  if (array.dims.size() > 1)
    return std::nullopt;
  int64_t lower = 0, upper = 1;
  auto add = [&](int64_t value) {
    lower = std::min(lower, value);
    upper = std::max(upper, value);
  };
  if (array.dtype == GLOW_I64)
    forEach<int64_t>(array, add);
  else if (array.dtype == GLOW_I32)
    forEach<int32_t>(array, add);
  else
    return std::nullopt;
  return (name + "=" + llvm::Twine(lower) + ".." + llvm::Twine(upper)).str();
}
