//===- TypeInference.h - what families of ops share when they infer types
//--===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dimensions are int64_t with ShapedType::kDynamic for those not yet known.
// All functions report their errors at `location`, if there is one.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_DIALECT_GLOW_IR_TYPEINFERENCE_H
#define GLOW_DIALECT_GLOW_IR_TYPEINFERENCE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ValueRange.h"
#include <optional>

namespace mlir::glow {

using Dims = SmallVector<int64_t>;
using MaybeLocation = std::optional<Location>;
using TypeList = SmallVectorImpl<Type>;

/// The element type of a ranked tensor value.
Type elementType(Value value);
/// The extents of a ranked tensor value.
ArrayRef<int64_t> dimsOf(Value value);
inline Type boolType(MLIRContext *context) {
  return IntegerType::get(context, 1);
}

/// True if the types agree wherever both are known.
bool areCompatible(TypeRange inferred, TypeRange actual);

/// The broadcast shape of `a` and `b` by NumPy's rules.
FailureOr<Dims> broadcast(MaybeLocation location, ArrayRef<int64_t> a,
                          ArrayRef<int64_t> b);

LogicalResult inferElementwise(MaybeLocation location, ValueRange operands,
                               Type resultElement,
                               SmallVectorImpl<Type> &types);

/// The integers of a constant operand, or nothing if it is not constant.
std::optional<SmallVector<int64_t>> constantInts(Value value);
std::optional<SmallVector<int64_t>> constantInts(Attribute value);

/// The elements of an integer vector or scalar as far as arithmetic on extents
/// tells them; ShapedType::kDynamic stands for one that is not known. Nothing
/// if not even their number is known. Looks through the ops that exporters
/// compute shapes with.
std::optional<SmallVector<int64_t>> partialInts(Value value);

/// Sum, product with overflow checks: an extent of more than 2^62 elements is
/// an error of the model, not of the compiler.
bool addOverflows(int64_t a, int64_t b, int64_t &sum);
bool mulOverflows(int64_t a, int64_t b, int64_t &product);
/// The number of elements, or nothing if it is dynamic or overflows.
std::optional<int64_t> numElements(ArrayRef<int64_t> dims);
/// No model has tensors of more elements than this.
constexpr int64_t kMaxTensorElements = int64_t(1) << 40;
/// How many numbers there are from `start` to before `limit` by steps of
/// `delta`; nothing if that is not finite, or more than a tensor has.
std::optional<int64_t> rangeLength(int64_t start, int64_t limit, int64_t delta);
std::optional<int64_t> rangeLength(double start, double limit, double delta);
/// Whether the known extents are of more elements. A zero hides none.
bool isTooLarge(ArrayRef<int64_t> dims);

/// The extent of a window op's output along one axis; 0 if the window is too
/// large by at most a stride.
struct Window {
  int64_t kernel, stride, dilation, padBefore, padAfter;
  bool ceil = false;
};
FailureOr<int64_t> windowExtent(MaybeLocation location, int64_t input,
                                const Window &window);

/// `axis` in 0 … rank - 1, or an error.
LogicalResult checkAxis(MaybeLocation location, int64_t axis, int64_t rank);
/// Sorted, distinct and in range.
LogicalResult checkAxes(MaybeLocation location, ArrayRef<int64_t> axes,
                        int64_t rank);

/// The range that a slice covers along an axis of known extent, with ONNX's
/// clamping: `size` elements from `start` on, `step` apart.
struct SliceRange {
  int64_t start, size, step;
};
SliceRange sliceRange(int64_t extent, int64_t start, int64_t end, int64_t step);

} // namespace mlir::glow

#endif // GLOW_DIALECT_GLOW_IR_TYPEINFERENCE_H
