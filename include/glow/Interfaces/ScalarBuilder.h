//===- ScalarBuilder.h - arithmetic without type cases ----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar bodies are one line each because this builder picks the arith or math
// op for floats, signed and unsigned integers. Values may be vectors.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_INTERFACES_SCALARBUILDER_H
#define GLOW_INTERFACES_SCALARBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace mlir::glow {

class ScalarBuilder {
public:
  /// `source` and `result` are the op's element types with their signedness:
  /// of the operand that decides the arithmetic, and of the result.
  ScalarBuilder(OpBuilder &builder, Location loc, Type source, Type result)
      : builder(builder), loc(loc), source(source), result(result) {}

  OpBuilder &builder;
  Location loc;
  Type source, result;

  /// The signless type that bodies compute in: ui8 becomes i8, a quantised
  /// type its storage type.
  static Type signless(Type type);

  bool isFloat() const { return isa<FloatType>(source); }
  bool isUnsigned() const { return source.isUnsignedInteger(); }
  bool isBool() const { return source.isInteger(1); }

  /// A constant of the type of `like`.
  Value constant(Value like, double value);
  Value constant(Value like, const APFloat &value) {
    return constant(like, value.convertToDouble());
  }
  Value zero(Value like) { return constant(like, 0.0); }
  Value one(Value like) { return constant(like, 1.0); }

  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  /// Integer division truncates; x / 0 is 0 and INT_MIN / -1 is INT_MIN.
  Value div(Value a, Value b);
  /// Remainder with the sign of the divisor (Python's %).
  Value mod(Value a, Value b);
  /// Remainder with the sign of the dividend (C's fmod).
  Value fmod(Value a, Value b);
  Value pow(Value a, Value b);
  /// A NaN operand gives NaN.
  Value max(Value a, Value b);
  Value min(Value a, Value b);
  Value neg(Value a);
  Value abs(Value a);
  Value sign(Value a);
  Value relu(Value a) { return max(a, zero(a)); }
  Value reciprocal(Value a) { return div(one(a), a); }
  Value sigmoid(Value a);
  Value gelu(Value a);
  Value geluTanh(Value a);
  /// log(1 + exp(a)) without overflow.
  Value softplus(Value a);
  /// tanh(log(1 + e^a)).
  Value tanhOfSoftplus(Value a);
  Value clamp(Value a, Value low, Value high) { return min(max(a, low), high); }

  Value andi(Value a, Value b);
  Value ori(Value a, Value b);
  Value xori(Value a, Value b);
  Value noti(Value a);
  /// Shifts by the width or more give 0.
  Value shiftLeft(Value a, Value b);
  Value shiftRight(Value a, Value b);

  enum class Predicate { eq, ne, lt, le, gt, ge };
  /// Ordered comparison: false if an operand is NaN (ne: true).
  Value compare(Predicate predicate, Value a, Value b);
  Value isNaN(Value a);
  Value isInf(Value a, bool negative, bool positive);
  Value select(Value condition, Value a, Value b);
  /// Converts from `source` to `result`. Float to integer truncates and
  /// saturates (NaN gives 0); to bool compares with zero; integer to integer
  /// wraps. What is too large for a float of 8 bits becomes its largest number
  /// unless `unsaturated`; `power` is for the type of powers of two.
  enum class PowerOfTwo { up, down, nearest };
  Value cast(Value a, bool unsaturated = false,
             PowerOfTwo power = PowerOfTwo::up);
  /// The same bits as the result's type.
  Value bitCast(Value a);
  /// Numbers of a type that is only converted as single precision, others as
  /// they are.
  Value computable(Value a);

  /// Emits a unary op of the math dialect.
  template <typename MathOp> Value math(Value a) {
    return MathOp::create(builder, loc, a);
  }
};

/// `element`, or a vector of such if `like` is a vector.
Type withElement(Type like, Type element);

/// The bf16 nearest to an f32, for a precision that allows bf16: some
/// processors make 0 of what is denormal, as `fastmath<afn>` permits.
Value roundToBfloat16(OpBuilder &builder, Location loc, Value a);

} // namespace mlir::glow

#endif // GLOW_INTERFACES_SCALARBUILDER_H
