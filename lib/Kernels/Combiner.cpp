//===- Combiner.cpp - sum, product, maximum or minimum --------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/Combiner.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::glow;

Combiner::Combiner(ReduceKind kind, Type element)
    : kind(kind), element(element),
      accumulatorType(ScalarBuilder::signless(element)) {
  // Comparisons too: no processor has them for all narrow types.
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32)
    accumulatorType = Float32Type::get(element.getContext());
}

static TypedAttr neutralOf(ReduceKind kind, Type element, Type accumulator) {
  auto floating = dyn_cast<FloatType>(accumulator);
  bool isMax = kind == ReduceKind::Max;
  if (kind == ReduceKind::Max || kind == ReduceKind::Min) {
    if (floating)
      return FloatAttr::get(
          floating, APFloat::getInf(floating.getFloatSemantics(), isMax));
    unsigned width = accumulator.getIntOrFloatBitWidth();
    if (element.isUnsignedInteger() || width == 1)
      return IntegerAttr::get(accumulator, isMax ? APInt::getZero(width)
                                                 : APInt::getMaxValue(width));
    return IntegerAttr::get(accumulator, isMax
                                             ? APInt::getSignedMinValue(width)
                                             : APInt::getSignedMaxValue(width));
  }
  int64_t value = kind == ReduceKind::Prod;
  if (floating)
    return FloatAttr::get(floating, static_cast<double>(value));
  return IntegerAttr::get(accumulator, value);
}

Value Combiner::neutral(KernelBuilder &b, int64_t lanes) const {
  TypedAttr attribute = neutralOf(kind, element, accumulatorType);
  if (lanes > 1)
    attribute = DenseElementsAttr::get(
        VectorType::get({lanes}, accumulatorType), Attribute(attribute));
  return arith::ConstantOp::create(b.builder, b.loc, attribute);
}

Value Combiner::combine(KernelBuilder &b, Value x, Value y) const {
  ScalarBuilder scalars = b.scalars(element);
  // To order zeros by their signs would take as long as all the rest.
  constexpr auto anyZero = arith::FastMathFlags::nsz;
  bool isFloat = isa<FloatType>(accumulatorType);
  switch (kind) {
  case ReduceKind::Prod:
    return scalars.mul(x, y);
  case ReduceKind::Max:
    if (isFloat)
      return arith::MaximumFOp::create(b.builder, b.loc, x, y, anyZero);
    return scalars.max(x, y);
  case ReduceKind::Min:
    if (isFloat)
      return arith::MinimumFOp::create(b.builder, b.loc, x, y, anyZero);
    return scalars.min(x, y);
  case ReduceKind::Sum:
  case ReduceKind::Mean:
    return scalars.add(x, y);
  }
  llvm_unreachable("all kinds are covered");
}

Value Combiner::widen(KernelBuilder &b, Value value) const {
  if (getElementTypeOrSelf(value) == accumulatorType)
    return value;
  return b.convert(value, element, accumulatorType);
}

/// The bf16 in the upper half of an f32 that is one: nothing is rounded.
static Value upperHalf(KernelBuilder &b, Value value) {
  Type type = value.getType(), word = b.builder.getI32Type();
  Value bits = arith::BitcastOp::create(b.builder, b.loc,
                                        withElement(type, word), value);
  Value half = b.scalars(word).constant(bits, 16);
  bits = arith::ShRUIOp::create(b.builder, b.loc, bits, half);
  bits = arith::TruncIOp::create(
      b.builder, b.loc, withElement(type, b.builder.getI16Type()), bits);
  return arith::BitcastOp::create(
      b.builder, b.loc, withElement(type, b.builder.getBF16Type()), bits);
}

Value Combiner::narrow(KernelBuilder &b, Value value) const {
  if (accumulatorType == ScalarBuilder::signless(element))
    return value;
  if (element.isBF16() && (kind == ReduceKind::Max || kind == ReduceKind::Min))
    return upperHalf(b, value);
  return b.convert(value, accumulatorType, element);
}

Value Combiner::combineLanes(KernelBuilder &b, Value value) const {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return value;
  for (int64_t half = type.getNumElements() / 2; half > 0; half /= 2) {
    Value lower = b.lanesFrom(value, 0, half);
    Value upper = b.lanesFrom(value, half, half);
    value = combine(b, lower, upper);
  }
  return vector::ExtractOp::create(b.builder, b.loc, value, 0);
}
