//===- TypeInference.cpp - what families of ops share to infer types ------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/TypeInference.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;

Type glow::elementType(Value value) {
  return value ? cast<RankedTensorType>(value.getType()).getElementType()
               : Type();
}

ArrayRef<int64_t> glow::dimsOf(Value value) {
  return value ? cast<RankedTensorType>(value.getType()).getShape()
               : ArrayRef<int64_t>();
}

static bool areCompatible(Type inferred, Type actual) {
  auto a = dyn_cast<RankedTensorType>(inferred);
  auto b = dyn_cast<RankedTensorType>(actual);
  if (!a || !b)
    return inferred == actual;
  if (a.getElementType() != b.getElementType() || a.getRank() != b.getRank())
    return false;
  return llvm::all_of(llvm::zip(a.getShape(), b.getShape()), [](auto pair) {
    auto [x, y] = pair;
    return x == y || ShapedType::isDynamic(x) || ShapedType::isDynamic(y);
  });
}

bool glow::areCompatible(TypeRange inferred, TypeRange actual) {
  return inferred.size() == actual.size() &&
         llvm::all_of(llvm::zip(inferred, actual), [](auto pair) {
           return ::areCompatible(std::get<0>(pair), std::get<1>(pair));
         });
}

FailureOr<Dims> glow::broadcast(MaybeLocation location, ArrayRef<int64_t> a,
                                ArrayRef<int64_t> b) {
  if (a.size() < b.size())
    std::swap(a, b);
  Dims result(a);
  size_t offset = a.size() - b.size();
  for (auto [i, extent] : llvm::enumerate(b)) {
    int64_t &r = result[offset + i];
    if (r == extent || extent == 1)
      continue;
    if (r == 1 || (ShapedType::isDynamic(r) && !ShapedType::isDynamic(extent)))
      r = extent;
    else if (!ShapedType::isDynamic(extent))
      return emitOptionalError(location, "shapes do not broadcast: extents ", r,
                               " and ", extent, " on axis ", offset + i,
                               " of the result");
  }
  return result;
}

LogicalResult glow::inferElementwise(MaybeLocation location,
                                     ValueRange operands, Type resultElement,
                                     SmallVectorImpl<Type> &types) {
  Dims dims;
  for (Value operand : operands) {
    FailureOr<Dims> next = broadcast(location, dims, dimsOf(operand));
    if (failed(next))
      return failure();
    dims = *next;
  }
  types.push_back(RankedTensorType::get(dims, resultElement));
  return success();
}

std::optional<SmallVector<int64_t>> glow::constantInts(Attribute value) {
  auto elements = dyn_cast_or_null<ElementsAttr>(value);
  if (!elements || !elements.getElementType().isInteger())
    return std::nullopt;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob || !elements.getElementType().isInteger(64))
      return std::nullopt;
    ArrayRef<char> data = blob->getData();
    SmallVector<int64_t> result(elements.getNumElements());
    if (data.size() != result.size() * sizeof(int64_t))
      return std::nullopt;
    std::memcpy(result.data(), data.data(), data.size());
    return result;
  }
  auto range = elements.tryGetValues<APInt>();
  if (!range)
    return std::nullopt;
  // What is true counts as 1.
  bool isUnsigned = elements.getElementType().isUnsignedInteger() ||
                    elements.getElementType().isInteger(1);
  SmallVector<int64_t> result;
  for (const APInt &element : *range)
    result.push_back(isUnsigned ? element.getZExtValue()
                                : element.getSExtValue());
  return result;
}

std::optional<SmallVector<int64_t>> glow::constantInts(Value value) {
  Attribute attribute;
  if (!value || !matchPattern(value, m_Constant(&attribute)))
    return std::nullopt;
  return constantInts(attribute);
}

bool glow::addOverflows(int64_t a, int64_t b, int64_t &sum) {
  return __builtin_add_overflow(a, b, &sum) || sum > (int64_t(1) << 62);
}

std::optional<int64_t> glow::rangeLength(double start, double limit,
                                         double delta) {
  double count = std::ceil((limit - start) / delta);
  if (delta == 0 || std::isnan(count) ||
      count > static_cast<double>(kMaxTensorElements))
    return std::nullopt;
  return static_cast<int64_t>(std::max(count, 0.0));
}

std::optional<int64_t> glow::rangeLength(int64_t start, int64_t limit,
                                         int64_t delta) {
  __int128 step = delta, distance = static_cast<__int128>(limit) - start;
  if (step < 0)
    step = -step, distance = -distance;
  if (step == 0 || distance > step * kMaxTensorElements)
    return std::nullopt;
  return distance <= 0 ? 0 : static_cast<int64_t>((distance + step - 1) / step);
}

bool glow::mulOverflows(int64_t a, int64_t b, int64_t &product) {
  return __builtin_mul_overflow(a, b, &product) || product > (int64_t(1) << 62);
}

std::optional<int64_t> glow::numElements(ArrayRef<int64_t> dims) {
  int64_t count = 1;
  for (int64_t dim : dims)
    if (ShapedType::isDynamic(dim) || mulOverflows(count, dim, count))
      return std::nullopt;
  return count;
}

bool glow::isTooLarge(ArrayRef<int64_t> dims) {
  int64_t count = 1;
  return llvm::any_of(dims, [&](int64_t dim) {
    return dim > 0 &&
           (mulOverflows(count, dim, count) || count > kMaxTensorElements);
  });
}

FailureOr<int64_t> glow::windowExtent(MaybeLocation location, int64_t input,
                                      const Window &window) {
  if (window.kernel < 1 || window.stride < 1 || window.dilation < 1)
    return emitOptionalError(location, "kernel extent ", window.kernel,
                             ", stride ", window.stride, " and dilation ",
                             window.dilation, " must be at least 1");
  if (ShapedType::isDynamic(input))
    return ShapedType::kDynamic;
  int64_t span, padded;
  if (mulOverflows(window.dilation, window.kernel - 1, span) ||
      addOverflows(input, window.padBefore, padded) ||
      addOverflows(padded, window.padAfter, padded))
    return emitOptionalError(location, "window or padding overflows");
  int64_t room = padded - (span + 1);
  // ONNX's formula finds no place for a window that is too large by at most a
  // stride, and less than none beyond.
  int64_t extent = llvm::divideFloorSigned(room, window.stride) + 1;
  if (extent < 0)
    return emitOptionalError(location, "window of ", span + 1,
                             " does not fit the padded extent ", padded);
  // ceil_mode never starts a window in the padding behind the input.
  if (window.ceil && room % window.stride != 0 &&
      extent * window.stride < input + window.padBefore)
    ++extent;
  return extent;
}

LogicalResult glow::checkAxis(MaybeLocation location, int64_t axis,
                              int64_t rank) {
  if (axis >= 0 && axis < rank)
    return success();
  return emitOptionalError(location, "axis ", axis,
                           " is out of range for rank ", rank);
}

LogicalResult glow::checkAxes(MaybeLocation location, ArrayRef<int64_t> axes,
                              int64_t rank) {
  for (auto [i, axis] : llvm::enumerate(axes)) {
    if (failed(checkAxis(location, axis, rank)))
      return failure();
    if (i && axes[i - 1] >= axis)
      return emitOptionalError(location, "axes must be sorted and distinct");
  }
  return success();
}

SliceRange glow::sliceRange(int64_t extent, int64_t start, int64_t end,
                            int64_t step) {
  auto clamp = [&](int64_t position, int64_t low, int64_t high) {
    if (position < 0)
      position = position < -extent ? low : position + extent;
    return std::min(std::max(position, low), high);
  };
  if (step > 0) {
    start = clamp(start, 0, extent);
    end = clamp(end, 0, extent);
    return {start, end > start ? (end - start - 1) / step + 1 : 0, step};
  }
  start = clamp(start, 0, extent - 1);
  end = clamp(end, -1, extent - 1);
  // Unsigned arithmetic: -step overflows for the smallest step.
  uint64_t stride = 0 - static_cast<uint64_t>(step);
  return {start,
          start > end ? static_cast<int64_t>((start - end - 1) / stride) + 1
                      : 0,
          step};
}
