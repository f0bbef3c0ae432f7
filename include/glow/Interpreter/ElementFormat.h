//===- ElementFormat.h - how elements of a type lie in memory ---*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter computes in lanes: doubles for floats, int64_t for integers.
// A format converts runs of elements to lanes and back. Elements narrower than
// a byte, booleans included, take one byte each.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_INTERPRETER_ELEMENTFORMAT_H
#define GLOW_INTERPRETER_ELEMENTFORMAT_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"

namespace mlir::glow {

class ElementFormat {
public:
  enum class Kind : uint8_t { Float, Signed, Unsigned, Text, Complex };

  /// The format of `type`, or null if the interpreter cannot compute in it.
  /// Signless integers are signed, booleans unsigned; a quantised type has the
  /// format of its storage.
  static const ElementFormat *get(Type type);
  /// The bytes one element takes, or 0 if `type` is not held in memory.
  static unsigned byteWidth(Type type);

  bool isFloat() const { return kind == Kind::Float; }
  bool isText() const { return kind == Kind::Text; }
  /// Moved as a whole; lanes of it are zero.
  bool isOnlyMoved() const { return isText() || kind == Kind::Complex; }
  bool isUnsigned() const { return kind == Kind::Unsigned; }
  unsigned bits() const { return width; }
  unsigned bytes() const { return width <= 8 ? 1 : width / 8; }

  /// Reads elements as lanes. An integer read as a double may be rounded, a
  /// float read as an integer is truncated and saturates.
  void read(const char *data, size_t count, double *lanes) const {
    readDoubles(*this, data, count, lanes);
  }
  void read(const char *data, size_t count, int64_t *lanes) const {
    readInts(*this, data, count, lanes);
  }
  /// Writes lanes as elements: doubles are rounded to nearest even, integers
  /// keep their low bits.
  void write(const double *lanes, size_t count, char *data) const {
    writeDoubles(*this, lanes, count, data);
  }
  void write(const int64_t *lanes, size_t count, char *data) const {
    writeInts(*this, lanes, count, data);
  }

  /// Replaces lanes by the nearest values that the format can hold.
  void round(double *lanes, size_t count) const {
    rounder(*this, lanes, count);
  }
  /// Wraps lanes to the format's width and signedness.
  void wrap(int64_t *lanes, size_t count) const;

private:
  friend struct FormatBuilder;
  using ReadDoubles = void (*)(const ElementFormat &, const char *, size_t,
                               double *);
  using ReadInts = void (*)(const ElementFormat &, const char *, size_t,
                            int64_t *);
  using WriteDoubles = void (*)(const ElementFormat &, const double *, size_t,
                                char *);
  using WriteInts = void (*)(const ElementFormat &, const int64_t *, size_t,
                             char *);
  using Rounder = void (*)(const ElementFormat &, double *, size_t);

  /// Whether all are zeros or numbers that are normal in the format and not
  /// near its largest one, which are rounded and encoded by their bits alone.
  bool areOrdinary(const double *values, size_t count) const;
  /// Rounded to the format's mantissa, with other bits behind it.
  uint64_t roundedBits(double ordinary) const;
  double roundOrdinary(double value) const;
  uint64_t encodeOrdinary(double value) const;
  double roundOne(double value) const;
  uint64_t encode(double value) const;

  Kind kind = Kind::Float;
  unsigned width = 0;
  ReadDoubles readDoubles = nullptr;
  ReadInts readInts = nullptr;
  WriteDoubles writeDoubles = nullptr;
  WriteInts writeInts = nullptr;
  Rounder rounder = nullptr;
  /// For floats narrower than f32 only: the value of every bit pattern.
  const llvm::fltSemantics *semantics = nullptr;
  std::vector<double> decoded;
  /// Of the format's normal numbers.
  int mantissaBits = 0, leastExponent = 0, mostExponent = 0;
  bool hasMinusZero = false;
};

} // namespace mlir::glow

#endif // GLOW_INTERPRETER_ELEMENTFORMAT_H
