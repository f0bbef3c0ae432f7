//===- GraphBuilder.cpp - short calls that build graph ops ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::glow;

Value GraphBuilder::scalar(double value, Type elementType) {
  auto type = RankedTensorType::get({}, elementType);
  DenseElementsAttr attribute;
  if (auto floatType = dyn_cast<FloatType>(elementType)) {
    APFloat number(value);
    bool lossy;
    number.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &lossy);
    attribute = DenseElementsAttr::get(type, number);
  } else {
    APInt number(elementType.getIntOrFloatBitWidth(),
                 static_cast<uint64_t>(static_cast<int64_t>(value)),
                 /*isSigned=*/false, /*implicitTrunc=*/true);
    attribute = DenseElementsAttr::get(type, number);
  }
  return create<ConstantOp>(type, cast<ElementsAttr>(attribute));
}

Value GraphBuilder::ints(ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())},
                                    builder.getI64Type());
  return create<ConstantOp>(
      type, cast<ElementsAttr>(
                DenseElementsAttr(DenseIntElementsAttr::get(type, values))));
}

Value GraphBuilder::reshape(Value input, ArrayRef<int64_t> dims) {
  return create<ReshapeOp>(input, ints(dims), /*allow_zero=*/false);
}

Value GraphBuilder::reshapeLike(Value input, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  Value shape = type.hasStaticShape()
                    ? ints(type.getShape())
                    : create<ShapeOfOp>(like, 0, type.getRank());
  auto result = RankedTensorType::get(type.getShape(), elementType(input));
  return create<ReshapeOp>(result, input, shape, /*allow_zero=*/true);
}

Value GraphBuilder::transpose(Value input, ArrayRef<int64_t> permutation) {
  if (isIdentityPermutation(permutation))
    return input;
  return create<TransposeOp>(input, permutation);
}

Value GraphBuilder::unsqueeze(Value input, ArrayRef<int64_t> axes) {
  return axes.empty() ? input : create<UnsqueezeOp>(input, axes);
}

Value GraphBuilder::slice(Value input, int64_t axis, int64_t start,
                          int64_t end) {
  return create<SliceOp>(input, ints(start), ints(end), ints(1),
                         ArrayRef<int64_t>(axis));
}

Value GraphBuilder::concat(ValueRange inputs, int64_t axis) {
  return inputs.size() == 1 ? inputs.front() : create<ConcatOp>(inputs, axis);
}

Value GraphBuilder::reduce(ReduceKind kind, Value input,
                           ArrayRef<int64_t> axes) {
  return create<ReduceOp>(kind, input, axes, /*keep_dims=*/true);
}

Value GraphBuilder::castTo(Value input, Type type) {
  return elementType(input) == type ? input : create<CastOp>(input, type);
}

Value GraphBuilder::matmul(Value lhs, Value rhs) {
  return create<MatMulOp>(lhs, rhs, ValueRange(), IntegerAttr(), IntegerAttr(),
                          TypeAttr(), IntegerAttr(), IntegerAttr());
}

Value GraphBuilder::alongAxis(Value vector, int64_t axis, int64_t rank) {
  if (dimsOf(vector).size() != 1)
    return vector;
  SmallVector<int64_t> axes;
  for (int64_t i = axis + 1; i < rank; ++i)
    axes.push_back(i - axis);
  return unsqueeze(vector, axes);
}

Type GraphBuilder::accumulatorType(Type elementType) {
  auto floatType = dyn_cast<FloatType>(elementType);
  if (floatType && floatType.getWidth() < 32)
    return Float32Type::get(elementType.getContext());
  return elementType;
}

bool glow::isComputedFromConstants(Value value, unsigned depth) {
  if (matchPattern(value, m_Constant()))
    return true;
  Operation *op = value.getDefiningOp();
  return op && depth > 0 && isPure(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isComputedFromConstants(operand, depth - 1);
         });
}

SmallVector<int64_t> glow::inversePermutation(ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> inverse(permutation.size());
  for (auto [place, axis] : llvm::enumerate(permutation))
    inverse[axis] = place;
  return inverse;
}

SmallVector<int64_t> glow::channelsLastPermutation(int64_t rank) {
  SmallVector<int64_t> permutation{0};
  for (int64_t axis = 2; axis < rank; ++axis)
    permutation.push_back(axis);
  permutation.push_back(1);
  return permutation;
}

SmallVector<int64_t> glow::turningPermutation(int64_t rank) {
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(permutation[rank - 1], permutation[rank - 2]);
  return permutation;
}

bool glow::isIdentityPermutation(ArrayRef<int64_t> permutation) {
  return llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size()));
}
