//===- CheckedIndices.cpp - indices that are data -------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No index makes a kernel leave its buffers: one that is out of range is
// clamped. What it reads then would be wrong without anyone noticing.
//
//===----------------------------------------------------------------------===//
#include "Expr.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Glow/IR/TypeInference.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

namespace {
enum class Found { InRange, OutOfRange, Unknown };
} // namespace

/// What is known of `indices` into axes with these extents, in turn.
static Found whatIsKnown(Value indices, ArrayRef<int64_t> extents) {
  auto type = cast<RankedTensorType>(indices.getType());
  if (type.hasStaticShape() && type.getNumElements() == 0)
    return Found::InRange;
  // How often an index is repeated does not matter.
  if (auto expand = indices.getDefiningOp<ExpandOp>();
      expand && extents.size() == 1)
    return whatIsKnown(expand.getInput(), extents);
  auto known = constantInts(indices);
  if (!known)
    return Found::Unknown;
  Found found = Found::InRange;
  for (auto [i, index] : llvm::enumerate(*known)) {
    int64_t extent = extents[i % extents.size()];
    if (ShapedType::isDynamic(extent))
      found = Found::Unknown;
    else if (index < -extent || index >= extent)
      return Found::OutOfRange;
  }
  return found;
}

Expr Expr::checked(Expr indices, int64_t axis, bool isTuple) const {
  if (!value || !indices)
    return indices;
  int64_t count = isTuple ? indices.dim(indices.rank() - 1) : 1;
  // Verifiers say what is wrong with these.
  if (count < 1 || axis < 0 || axis > rank() - count ||
      indices.rank() < isTuple)
    return indices;
  ArrayRef<int64_t> extents = Node::dims(value).slice(axis, count);
  Found found = whatIsKnown(indices, extents);
  if (found == Found::InRange)
    return indices;
  if (found == Found::OutOfRange && !node->onlyIf()) {
    std::string all;
    for (int64_t extent : extents)
      all += (all.empty() ? "" : ", ") + std::to_string(extent);
    (void)node->fail("an index is out of range for extents of " + all);
    return indices;
  }
  Expr limit = shape(axis, axis + count).cast(indices.element());
  if (!isTuple)
    limit = limit.squeeze({0});
  // Of indices that are repeated each is looked at once.
  auto repeat = Value(indices).getDefiningOp<ExpandOp>();
  Expr distinct = repeat ? Expr(*node, repeat.getInput()) : indices;
  Expr outside = (distinct < -limit) | (distinct >= limit);
  if (repeat)
    outside = outside.expand({*node, repeat.getShape()});
  if (node->onlyIf())
    outside = outside & Expr(*node, node->onlyIf());
  if (outside.rank() > 0)
    outside = outside.reduce(ReduceKind::Max);
  return indices.emit<RequireOp>(
      {outside}, node->str("message", "an index is out of range"));
}
