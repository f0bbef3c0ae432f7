//===- ShapeData.cpp - integers that are partly known ---------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shape like [batch, 128, 768] is computed by a chain of shape_of, gather,
// concat … that does not fold while the batch is unknown. Following the chain
// still tells the other extents. Only a limited number of ops is followed, as
// chains may share their parts.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Glow/IR/ShapeArithmetic.h"

using namespace mlir;
using namespace mlir::glow;

static AffineExpr staticExtent(Value tensor, int64_t axis) {
  int64_t extent = dimsOf(tensor)[axis];
  return ShapedType::isDynamic(extent)
             ? AffineExpr()
             : getAffineConstantExpr(extent, tensor.getContext());
}

namespace {
constexpr int kMaxDepth = 64;

class Follower {
public:
  ShapeInts follow(Value value) {
    if (!isShapeLike(value))
      return std::nullopt;
    if (auto numbers = constantInts(value))
      return llvm::map_to_vector(*numbers, [&](int64_t number) {
        return getAffineConstantExpr(number, value.getContext());
      });
    ShapeInts result;
    Operation *op = value.getDefiningOp();
    if (op && --budget >= 0 && ++depth < kMaxDepth) {
      auto elements = [this](Value operand) { return follow(operand); };
      auto range = [](AffineExpr expression) {
        return rangeOf(expression, {});
      };
      result = followShapeOp(op, {elements, staticExtent, range});
      --depth;
    }
    // What is not computed still has a known number of elements.
    auto type = cast<RankedTensorType>(value.getType());
    if (!result && type.hasStaticShape())
      result.emplace(type.getNumElements());
    if (result && static_cast<int64_t>(result->size()) > kMaxShapeInts)
      return std::nullopt;
    return result;
  }

private:
  int budget = 256, depth = 0;
};
} // namespace

std::optional<SmallVector<int64_t>> glow::partialInts(Value value) {
  ShapeInts elements = Follower().follow(value);
  if (!elements)
    return std::nullopt;
  return llvm::map_to_vector(*elements, [](AffineExpr element) {
    auto number = dyn_cast_or_null<AffineConstantExpr>(element);
    return number ? number.getValue() : ShapedType::kDynamic;
  });
}
