//===- ElementFormat.cpp - how elements of a type lie in memory -----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Interpreter/ElementFormat.h"
#include "glow-c/ModelABI.h"
#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "glow/Support/Weight24.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>

using namespace mlir;
using namespace mlir::glow;

static uint64_t lowBits(unsigned width) {
  return width >= 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
}

static int64_t wrapOne(int64_t value, unsigned width, bool isUnsigned) {
  if (width >= 64)
    return value;
  uint64_t low = static_cast<uint64_t>(value) & lowBits(width);
  uint64_t sign = isUnsigned ? 0 : uint64_t(1) << (width - 1);
  return static_cast<int64_t>((low ^ sign) - sign);
}

void ElementFormat::wrap(int64_t *lanes, size_t count) const {
  for (size_t i = 0; i < count; ++i)
    lanes[i] = wrapOne(lanes[i], width, isUnsigned());
}

/// Truncates towards zero; NaN gives 0, what is out of range the nearest end.
static int64_t truncate(double value) {
  if (std::isnan(value))
    return 0;
  if (value >= 0x1p63)
    return std::numeric_limits<int64_t>::max();
  if (value < -0x1p63)
    return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

// -- Types with a C++ type of their own ---------------------------------------

template <typename T, typename Lane>
static void readNative(const ElementFormat &, const char *data, size_t count,
                       Lane *lanes) {
  for (size_t i = 0; i < count; ++i) {
    T element;
    std::memcpy(&element, data + i * sizeof(T), sizeof(T));
    if constexpr (std::is_floating_point_v<T> && std::is_integral_v<Lane>)
      lanes[i] = truncate(element);
    else
      lanes[i] = static_cast<Lane>(element);
  }
}

template <typename T, typename Lane>
static void writeNative(const ElementFormat &, const Lane *lanes, size_t count,
                        char *data) {
  for (size_t i = 0; i < count; ++i) {
    T element;
    if constexpr (std::is_floating_point_v<Lane> && std::is_integral_v<T>)
      element = static_cast<T>(truncate(lanes[i]));
    else
      element = static_cast<T>(lanes[i]);
    std::memcpy(data + i * sizeof(T), &element, sizeof(T));
  }
}

// -- Integers narrower than a byte --------------------------------------------

template <typename Lane>
static void readNarrow(const ElementFormat &format, const char *data,
                       size_t count, Lane *lanes) {
  for (size_t i = 0; i < count; ++i)
    lanes[i] =
        static_cast<Lane>(format.bits() == 1 ? data[i] != 0
                                             : wrapOne(data[i], format.bits(),
                                                       format.isUnsigned()));
}

template <typename Lane>
static void writeNarrow(const ElementFormat &format, const Lane *lanes,
                        size_t count, char *data) {
  for (size_t i = 0; i < count; ++i) {
    int64_t value;
    if constexpr (std::is_floating_point_v<Lane>)
      value = truncate(lanes[i]);
    else
      value = lanes[i];
    data[i] = static_cast<char>(value & lowBits(format.bits()));
  }
}

// -- Floats narrower than f32 -------------------------------------------------

/// A double with less precision, as an APFloat would convert it.
static APFloat convertSlowly(double value,
                             const llvm::fltSemantics &semantics) {
  APFloat number(value);
  bool lossy;
  number.convert(semantics, APFloat::rmNearestTiesToEven, &lossy);
  return number;
}

/// APFloat makes infinity of the NaN of a format without a mantissa.
static double asDouble(const APFloat &number) {
  return number.isNaN() ? std::numeric_limits<double>::quiet_NaN()
                        : number.convertToDouble();
}

/// Bits of a double's mantissa, and what is added to its exponent.
static constexpr int kDoubleBits = 52, kDoubleBias = 1023;

bool ElementFormat::areOrdinary(const double *values, size_t count) const {
  double least = std::ldexp(1.0, leastExponent),
         bound = std::ldexp(1.0, mostExponent);
  bool areAll = mantissaBits != 0;
  for (size_t i = 0; i < count; ++i) {
    double size = std::fabs(values[i]);
    bool isZero = size == 0 && (hasMinusZero || !std::signbit(values[i]));
    areAll &= isZero | ((size >= least) & (size < bound));
  }
  return areAll;
}

uint64_t ElementFormat::roundedBits(double ordinary) const {
  auto bits = llvm::bit_cast<uint64_t>(ordinary);
  int dropped = kDoubleBits - mantissaBits;
  return bits + lowBits(dropped - 1) + (bits >> dropped & 1);
}

double ElementFormat::roundOrdinary(double value) const {
  return llvm::bit_cast<double>(roundedBits(value) &
                                ~lowBits(kDoubleBits - mantissaBits));
}

uint64_t ElementFormat::encodeOrdinary(double value) const {
  uint64_t bits = roundedBits(value), sign = bits >> 63 << (width - 1);
  // Of exponent and mantissa at once; a zero has the least exponent of all.
  uint64_t bias = static_cast<uint64_t>(kDoubleBias + leastExponent - 1);
  uint64_t size = ((bits & lowBits(63)) >> (kDoubleBits - mantissaBits)) -
                  (bias << mantissaBits);
  return sign | (value == 0 ? 0 : size);
}

double ElementFormat::roundOne(double value) const {
  if (areOrdinary(&value, 1))
    return roundOrdinary(value);
  if (!std::isfinite(value) || !APFloat::semanticsHasZero(*semantics))
    return asDouble(convertSlowly(value, *semantics));
  int exponent = std::max<int>(std::ilogb(value), leastExponent);
  // The spacing of the format's numbers around `value`, a power of two.
  double spacing = std::ldexp(1.0, exponent - mantissaBits);
  double rounded = std::nearbyint(value / spacing) * spacing;
  double bound = std::ldexp(1.0, mostExponent);
  if (rounded == 0.0 || std::fabs(rounded) >= bound)
    return asDouble(convertSlowly(value, *semantics));
  return rounded;
}

uint64_t ElementFormat::encode(double value) const {
  if (areOrdinary(&value, 1))
    return encodeOrdinary(value);
  double rounded = roundOne(value);
  if (rounded == 0.0 || !std::isfinite(rounded) ||
      !APFloat::semanticsHasZero(*semantics))
    return convertSlowly(rounded, *semantics).bitcastToAPInt().getZExtValue();
  int exponent = std::ilogb(rounded);
  uint64_t sign = rounded < 0 ? uint64_t(1) << (width - 1) : 0;
  if (exponent < leastExponent)
    return sign | static_cast<uint64_t>(std::ldexp(
                      std::fabs(rounded), mantissaBits - leastExponent));
  uint64_t mantissa = llvm::bit_cast<uint64_t>(rounded) & lowBits(kDoubleBits);
  return sign |
         static_cast<uint64_t>(exponent - leastExponent + 1) << mantissaBits |
         mantissa >> (kDoubleBits - mantissaBits);
}

template <typename Bits, typename Lane>
static void readDecoded(const ArrayRef<double> decoded, const char *data,
                        size_t count, Lane *lanes) {
  for (size_t i = 0; i < count; ++i) {
    Bits bits;
    std::memcpy(&bits, data + i * sizeof(Bits), sizeof(Bits));
    double value = decoded[bits & (decoded.size() - 1)];
    if constexpr (std::is_integral_v<Lane>)
      lanes[i] = truncate(value);
    else
      lanes[i] = value;
  }
}

template <typename Lane>
static void readWeights24(const ElementFormat &, const char *data, size_t count,
                          Lane *lanes) {
  for (size_t i = 0; i < count; ++i)
    lanes[i] = static_cast<Lane>(Weight24::load(data + i * Weight24::kBytes));
}

template <typename Lane>
static void writeWeights24(const ElementFormat &, const Lane *lanes,
                           size_t count, char *data) {
  for (size_t i = 0; i < count; ++i)
    Weight24::store(static_cast<float>(lanes[i]), data + i * Weight24::kBytes);
}

template <typename Lane>
static void readNothing(const ElementFormat &, const char *, size_t count,
                        Lane *lanes) {
  std::fill(lanes, lanes + count, Lane());
}
template <typename Lane>
static void writeNothing(const ElementFormat &, const Lane *, size_t, char *) {}

namespace mlir::glow {
/// Fills in formats; a struct because the fields are private.
struct FormatBuilder {
  template <typename T> static void native(ElementFormat &format) {
    format.readDoubles = readNative<T, double>;
    format.readInts = readNative<T, int64_t>;
    format.writeDoubles = writeNative<T, double>;
    format.writeInts = writeNative<T, int64_t>;
  }

  template <typename Bits, typename Lane>
  static void readSmall(const ElementFormat &format, const char *data,
                        size_t count, Lane *lanes) {
    readDecoded<Bits>(format.decoded, data, count, lanes);
  }
  /// Calls `ordinary` for the numbers of pieces that hold nothing but such, and
  /// `any` for others, with their indices.
  template <typename Lane, typename Ordinary, typename Any>
  static void forEach(const ElementFormat &format, const Lane *lanes,
                      size_t count, Ordinary ordinary, Any any) {
    constexpr size_t kPiece = 64;
    double values[kPiece];
    for (size_t begin = 0; begin < count; begin += kPiece) {
      size_t size = std::min(kPiece, count - begin);
      std::copy_n(lanes + begin, size, values);
      if (format.areOrdinary(values, size))
        for (size_t i = 0; i < size; ++i)
          ordinary(begin + i, values[i]);
      else
        for (size_t i = 0; i < size; ++i)
          any(begin + i, values[i]);
    }
  }

  template <typename Bits, typename Lane>
  static void writeSmall(const ElementFormat &format, const Lane *lanes,
                         size_t count, char *data) {
    auto store = [&](size_t i, uint64_t encoded) {
      Bits bits = static_cast<Bits>(encoded);
      std::memcpy(data + i * sizeof(Bits), &bits, sizeof(Bits));
    };
    forEach(
        format, lanes, count,
        [&](size_t i, double value) { store(i, format.encodeOrdinary(value)); },
        [&](size_t i, double value) { store(i, format.encode(value)); });
  }
  template <typename Bits> static void small(ElementFormat &format) {
    format.readDoubles = readSmall<Bits, double>;
    format.readInts = readSmall<Bits, int64_t>;
    format.writeDoubles = writeSmall<Bits, double>;
    format.writeInts = writeSmall<Bits, int64_t>;
    format.rounder = [](const ElementFormat &self, double *lanes,
                        size_t count) {
      forEach(
          self, lanes, count,
          [&](size_t i, double value) { lanes[i] = self.roundOrdinary(value); },
          [&](size_t i, double value) { lanes[i] = self.roundOne(value); });
    };
    format.decoded.resize(size_t(1) << format.width);
    for (auto [pattern, value] : llvm::enumerate(format.decoded))
      value =
          asDouble(APFloat(*format.semantics, APInt(format.width, pattern)));
  }

  static std::unique_ptr<ElementFormat>
  floating(const llvm::fltSemantics &semantics) {
    auto format = std::make_unique<ElementFormat>();
    format->semantics = &semantics;
    format->width = APFloat::semanticsSizeInBits(semantics);
    format->mantissaBits = APFloat::semanticsPrecision(semantics) - 1;
    format->leastExponent = APFloat::semanticsMinExponent(semantics);
    format->mostExponent = APFloat::semanticsMaxExponent(semantics);
    format->hasMinusZero = convertSlowly(-0.0, semantics).isNegZero();
    if (&semantics == &APFloat::IEEEdouble()) {
      native<double>(*format);
      format->rounder = [](const ElementFormat &, double *, size_t) {};
    } else if (&semantics == &APFloat::IEEEsingle()) {
      native<float>(*format);
      format->rounder = [](const ElementFormat &, double *lanes, size_t count) {
        for (size_t i = 0; i < count; ++i)
          lanes[i] = static_cast<float>(lanes[i]);
      };
    } else if (format->width <= 8) {
      small<uint8_t>(*format);
    } else if (format->width == 16) {
      small<uint16_t>(*format);
    } else {
      return nullptr;
    }
    return format;
  }

  static std::unique_ptr<ElementFormat> weight24() {
    auto format = std::make_unique<ElementFormat>();
    format->width = 8 * Weight24::kBytes;
    format->readDoubles = readWeights24<double>;
    format->readInts = readWeights24<int64_t>;
    format->writeDoubles = writeWeights24<double>;
    format->writeInts = writeWeights24<int64_t>;
    format->rounder = [](const ElementFormat &, double *lanes, size_t count) {
      char stored[Weight24::kBytes];
      for (size_t i = 0; i < count; ++i) {
        Weight24::store(static_cast<float>(lanes[i]), stored);
        lanes[i] = Weight24::load(stored);
      }
    };
    return format;
  }

  static std::unique_ptr<ElementFormat> moved(ElementFormat::Kind kind,
                                              unsigned width) {
    auto format = std::make_unique<ElementFormat>();
    format->kind = kind;
    format->width = width;
    format->readDoubles = readNothing<double>;
    format->readInts = readNothing<int64_t>;
    format->writeDoubles = writeNothing<double>;
    format->writeInts = writeNothing<int64_t>;
    format->rounder = [](const ElementFormat &, double *, size_t) {};
    return format;
  }

  static std::unique_ptr<ElementFormat> integer(unsigned width,
                                                bool isUnsigned) {
    auto format = std::make_unique<ElementFormat>();
    format->kind = isUnsigned ? ElementFormat::Kind::Unsigned
                              : ElementFormat::Kind::Signed;
    format->width = width;
    if (width < 8) {
      format->readDoubles = readNarrow<double>;
      format->readInts = readNarrow<int64_t>;
      format->writeDoubles = writeNarrow<double>;
      format->writeInts = writeNarrow<int64_t>;
      return format;
    }
    switch (width) {
    case 8:
      isUnsigned ? native<uint8_t>(*format) : native<int8_t>(*format);
      return format;
    case 16:
      isUnsigned ? native<uint16_t>(*format) : native<int16_t>(*format);
      return format;
    case 32:
      isUnsigned ? native<uint32_t>(*format) : native<int32_t>(*format);
      return format;
    case 64:
      isUnsigned ? native<uint64_t>(*format) : native<int64_t>(*format);
      return format;
    default:
      return nullptr;
    }
  }
};
} // namespace mlir::glow

/// Strings and complex numbers, which no lane can hold.
static const ElementFormat *movedFormat(Type type) {
  using Kind = ElementFormat::Kind;
  static const auto text =
      FormatBuilder::moved(Kind::Text, 8 * sizeof(GlowString));
  static const auto single = FormatBuilder::moved(Kind::Complex, 64);
  static const auto twofold = FormatBuilder::moved(Kind::Complex, 128);
  if (isa<StringType>(type))
    return text.get();
  bool isSingle = cast<ComplexType>(type).getElementType().isF32();
  return (isSingle ? single : twofold).get();
}

const ElementFormat *ElementFormat::get(Type type) {
  if (glow::isOnlyMoved(type))
    return movedFormat(type);
  static const auto weight24 = FormatBuilder::weight24();
  if (Weight24::is(type))
    return weight24.get();
  bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);
  if (auto quantized = dyn_cast<quant::QuantizedType>(type)) {
    type = quantized.getStorageType();
    isUnsigned = !quantized.isSigned();
  }
  // Formats are made on first use and live as long as the process.
  static std::mutex mutex;
  static std::map<std::pair<const void *, unsigned>,
                  std::unique_ptr<ElementFormat>>
      formats;
  std::lock_guard<std::mutex> lock(mutex);
  if (auto floatType = dyn_cast<FloatType>(type)) {
    auto &format = formats[{&floatType.getFloatSemantics(), 0}];
    if (!format)
      format = FormatBuilder::floating(floatType.getFloatSemantics());
    return format.get();
  }
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.getWidth() == 0 || integer.getWidth() > 64)
    return nullptr;
  auto &format = formats[{nullptr, 2 * integer.getWidth() + isUnsigned}];
  if (!format)
    format = FormatBuilder::integer(integer.getWidth(), isUnsigned);
  return format.get();
}

unsigned ElementFormat::byteWidth(Type type) {
  const ElementFormat *format = get(type);
  return format ? format->bytes() : 0;
}
