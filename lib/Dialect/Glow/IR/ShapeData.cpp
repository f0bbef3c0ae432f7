//===- ShapeData.cpp - arithmetic on extents that are partly known --------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shape like [batch, 128, 768] is computed by a chain of shape_of, gather,
// concat … that does not fold while the batch is unknown. Following the chain
// still tells the other extents. Only vectors and scalars are followed, and
// only a limited number of ops, as chains may share their parts.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Glow/IR/Glow.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
using Ints = std::optional<SmallVector<int64_t>>;
/// One element from two; null if it cannot be computed.
using Combine = std::optional<int64_t> (*)(int64_t, int64_t);
constexpr int64_t kUnknown = ShapedType::kDynamic;
constexpr int64_t kMaxElements = 1024;
constexpr int kMaxDepth = 64;

class Follower {
public:
  Ints follow(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || type.getRank() > 1 || !type.getElementType().isInteger() ||
        (type.hasStaticShape() && type.getNumElements() > kMaxElements))
      return std::nullopt;
    Ints result = constantInts(value);
    Operation *op = value.getDefiningOp();
    if (!result && op && --budget >= 0 && ++depth < kMaxDepth) {
      result = followOp(op);
      --depth;
    }
    // What is not computed still has a known number of elements.
    if (!result && type.hasStaticShape())
      result.emplace(type.getNumElements(), kUnknown);
    if (result && static_cast<int64_t>(result->size()) > kMaxElements)
      return std::nullopt;
    return result;
  }

private:
  Ints followOp(Operation *op) {
    return llvm::TypeSwitch<Operation *, Ints>(op)
        .Case([&](ShapeOfOp op) { return extents(op); })
        .Case<ReshapeOp, SqueezeOp, UnsqueezeOp>(
            [&](auto op) { return follow(op.getInput()); })
        .Case<CastOp, GatherOp, ConcatOp, SliceOp, ReduceOp, WhereOp>(
            [&](auto op) { return followThis(op); })
        .Case([&](AddOp op) {
          return combine(
              op, [](int64_t a, int64_t b) -> std::optional<int64_t> {
                int64_t r;
                return __builtin_add_overflow(a, b, &r) ? std::nullopt
                                                        : std::optional(r);
              });
        })
        .Case([&](SubOp op) {
          return combine(
              op, [](int64_t a, int64_t b) -> std::optional<int64_t> {
                int64_t r;
                return __builtin_sub_overflow(a, b, &r) ? std::nullopt
                                                        : std::optional(r);
              });
        })
        .Case([&](MulOp op) { return combine(op, multiply); })
        .Case([&](DivOp op) {
          return combine(op,
                         [](int64_t a, int64_t b) -> std::optional<int64_t> {
                           if (b == 0 || (a == INT64_MIN && b == -1))
                             return std::nullopt;
                           return a / b;
                         });
        })
        .Case([&](MaximumOp op) {
          return combine(op, [](int64_t a, int64_t b) {
            return std::optional(std::max(a, b));
          });
        })
        .Case([&](MinimumOp op) {
          return combine(op, [](int64_t a, int64_t b) {
            return std::optional(std::min(a, b));
          });
        })
        .Case([&](EqualOp op) {
          return combine(op, [](int64_t a, int64_t b) {
            return std::optional<int64_t>(a == b);
          });
        })
        .Default([](Operation *) { return Ints(); });
  }

  static std::optional<int64_t> multiply(int64_t a, int64_t b) {
    int64_t r;
    return __builtin_mul_overflow(a, b, &r) ? std::nullopt : std::optional(r);
  }

  static Ints extents(ShapeOfOp op) {
    return llvm::to_vector(
        dimsOf(op.getInput())
            .slice(op.getStart(), op.getEnd() - op.getStart()));
  }

  /// Only between signed integers that hold the value.
  Ints followThis(CastOp op) {
    auto to = dyn_cast<IntegerType>(op.getTo());
    Ints values = follow(op.getInput());
    if (!values || !to || to.isUnsigned() || to.getWidth() < 32)
      return std::nullopt;
    for (int64_t &value : *values)
      if (to.getWidth() == 32 && value != static_cast<int32_t>(value))
        value = kUnknown;
    return values;
  }

  Ints followThis(GatherOp op) {
    Ints values = follow(op.getInput());
    Ints indices = constantInts(op.getIndices());
    if (!values || !indices)
      return std::nullopt;
    int64_t size = values->size();
    for (int64_t &index : *indices) {
      int64_t place = index < 0 ? index + size : index;
      index = place >= 0 && place < size ? (*values)[place] : kUnknown;
    }
    return indices;
  }

  Ints followThis(ConcatOp op) {
    SmallVector<int64_t> all;
    for (Value input : op.getInputs()) {
      Ints values = follow(input);
      if (!values)
        return std::nullopt;
      llvm::append_range(all, *values);
    }
    return all;
  }

  Ints followThis(SliceOp op) {
    Ints values = follow(op.getInput());
    Ints starts = follow(op.getStarts()), ends = follow(op.getEnds());
    Ints steps = follow(op.getSteps());
    for (const Ints &bound : {starts, ends, steps})
      if (!bound || bound->size() != 1 || bound->front() == kUnknown)
        return std::nullopt;
    if (!values || steps->front() == 0)
      return std::nullopt;
    SliceRange range = sliceRange(values->size(), starts->front(),
                                  ends->front(), steps->front());
    SmallVector<int64_t> part;
    for (int64_t i = 0, at = range.start; i < range.size; ++i, at += range.step)
      part.push_back((*values)[at]);
    return part;
  }

  Ints followThis(ReduceOp op) {
    Ints values = follow(op.getInput());
    if (!values || op.getKind() != ReduceKind::Prod || op.getAxes().empty())
      return std::nullopt;
    std::optional<int64_t> product = 1;
    for (int64_t value : *values)
      if (value == kUnknown || !product)
        product.reset();
      else
        product = multiply(*product, value);
    return SmallVector<int64_t>{product.value_or(kUnknown)};
  }

  Ints followThis(WhereOp op) {
    Ints condition = follow(op.getCondition());
    Ints lhs = follow(op.getLhs()), rhs = follow(op.getRhs());
    if (!condition || !lhs || !rhs)
      return std::nullopt;
    size_t size = std::max({condition->size(), lhs->size(), rhs->size()});
    SmallVector<int64_t> chosen;
    for (size_t i = 0; i < size; ++i) {
      auto at = [&](const Ints &list) {
        return list->size() == 1  ? list->front()
               : i < list->size() ? (*list)[i]
                                  : kUnknown;
      };
      int64_t c = at(condition);
      chosen.push_back(c == kUnknown ? kUnknown : c ? at(lhs) : at(rhs));
    }
    return chosen;
  }

  template <typename Op> Ints combine(Op op, Combine function) {
    Ints lhs = follow(op.getLhs()), rhs = follow(op.getRhs());
    if (!lhs || !rhs ||
        (lhs->size() != rhs->size() && lhs->size() != 1 && rhs->size() != 1))
      return std::nullopt;
    size_t size = lhs->size() == 1 ? rhs->size() : lhs->size();
    SmallVector<int64_t> result;
    for (size_t i = 0; i < size; ++i) {
      int64_t a = lhs->size() == 1 ? lhs->front() : (*lhs)[i];
      int64_t b = rhs->size() == 1 ? rhs->front() : (*rhs)[i];
      bool known = a != kUnknown && b != kUnknown;
      result.push_back(known ? function(a, b).value_or(kUnknown) : kUnknown);
    }
    return result;
  }

  int budget = 256, depth = 0;
};
} // namespace

std::optional<SmallVector<int64_t>> glow::partialInts(Value value) {
  return Follower().follow(value);
}
