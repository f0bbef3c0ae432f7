//===- GraphBuilder.h - short calls that build graph ops -------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For passes that write several ops at one place and one location. Result types
// are inferred, so dynamic dimensions need no special care. Nothing is folded:
// `glow-fold-constants` evaluates what became constant.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_DIALECT_GLOW_TRANSFORMS_GRAPHBUILDER_H
#define GLOW_DIALECT_GLOW_TRANSFORMS_GRAPHBUILDER_H

#include "glow/Dialect/Glow/IR/Glow.h"

namespace mlir::glow {

class GraphBuilder {
public:
  GraphBuilder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  OpBuilder &builder;
  Location loc;

  /// Any op with one result.
  template <typename Op, typename... Args> Value create(Args &&...args) {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }

  /// A constant of rank 0; integers are truncated from `value`.
  Value scalar(double value, Type elementType);
  /// A 1-D i64 constant, as shape-like operands are.
  Value ints(ArrayRef<int64_t> values);

  /// Reshape to static extents; a -1 follows from the others and a 0 copies
  /// the input's extent.
  Value reshape(Value input, ArrayRef<int64_t> dims);
  /// Reshape to the shape that `like` has, static or not.
  Value reshapeLike(Value input, Value like);
  /// The input itself if the permutation is the identity.
  Value transpose(Value input, ArrayRef<int64_t> permutation);
  Value unsqueeze(Value input, ArrayRef<int64_t> axes);
  /// Elements `start` up to, but not including, `end` of `axis`.
  Value slice(Value input, int64_t axis, int64_t start, int64_t end);
  Value concat(ValueRange inputs, int64_t axis);
  Value reduce(ReduceKind kind, Value input, ArrayRef<int64_t> axes);
  /// The input itself if it has that element type.
  Value castTo(Value input, Type elementType);
  Value matmul(Value lhs, Value rhs);
  Value add(Value a, Value b) { return create<AddOp>(a, b); }
  Value sub(Value a, Value b) { return create<SubOp>(a, b); }
  Value mul(Value a, Value b) { return create<MulOp>(a, b); }

  /// A vector along `axis` of a tensor of `rank` axes, so that it broadcasts to
  /// one. Other ranks are left alone.
  Value alongAxis(Value vector, int64_t axis, int64_t rank);

  /// The type that sums are taken in: `f32` for narrower floats.
  static Type accumulatorType(Type elementType);
};

/// Is `value` computed from constants only, so that folding will evaluate it?
/// Looks no further back than `depth` ops.
bool isComputedFromConstants(Value value, unsigned depth = 6);

/// The permutation that undoes `permutation`.
SmallVector<int64_t> inversePermutation(ArrayRef<int64_t> permutation);
bool isIdentityPermutation(ArrayRef<int64_t> permutation);
/// The permutation that turns matrices: the last two of `rank` axes, or more,
/// change places.
SmallVector<int64_t> turningPermutation(int64_t rank);
/// N, spatial…, C from N, C, spatial….
SmallVector<int64_t> channelsLastPermutation(int64_t rank);

} // namespace mlir::glow

#endif // GLOW_DIALECT_GLOW_TRANSFORMS_GRAPHBUILDER_H
