//===- Heap.cpp - elements with their indices, the worst one first --------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/Heap.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::glow;

/// Of equal elements the first is better.
Value Heap::isBefore(Value x, Value i, Value y, Value j) {
  ScalarBuilder bools = b.scalars(b.builder.getI1Type());
  Value isFirst = b.scalars(indices.buffer.element)
                      .compare(ScalarBuilder::Predicate::lt, i, j);
  Value loses = isBetter(y, x);
  return bools.ori(isBetter(x, y), bools.andi(bools.noti(loses), isFirst));
}

void Heap::sift(Value hole, Value size, Value value, Value index) {
  Type indexType = b.builder.getIndexType(), boolType = b.builder.getI1Type();
  ScalarBuilder bools = b.scalars(boolType);
  // Moves the worse child up until none is worse than the element.
  auto before = [&](OpBuilder &, Location, ValueRange arguments) {
    Value left = b.add(b.mul(arguments[0], 2), 1), right = b.add(left, 1);
    auto none = [&] {
      return SmallVector<Value>{b.zero(boolType, 1), arguments[0]};
    };
    auto some = [&] {
      auto compare = [&] {
        Value isRight = isBefore(values.load(b, left), indices.load(b, left),
                                 values.load(b, right), indices.load(b, right));
        return SmallVector<Value>{bools.select(isRight, right, left)};
      };
      Value child = b.ifElse(b.less(right, size), indexType, compare, [&] {
                       return SmallVector<Value>{left};
                     }).front();
      return SmallVector<Value>{
          isBefore(value, index, values.load(b, child), indices.load(b, child)),
          child};
    };
    auto found =
        b.ifElse(b.less(left, size), {boolType, indexType}, some, none);
    scf::ConditionOp::create(b.builder, b.loc, found[0],
                             ValueRange{arguments[0], found[1]});
  };
  auto after = [&](OpBuilder &, Location, ValueRange arguments) {
    Value at = arguments[0], child = arguments[1];
    values.store(b, values.load(b, child), at);
    indices.store(b, indices.load(b, child), at);
    scf::YieldOp::create(b.builder, b.loc, child);
  };
  auto loop =
      scf::WhileOp::create(b.builder, b.loc, TypeRange{indexType, indexType},
                           ValueRange(hole), before, after);
  Value place = loop.getResult(0);
  values.store(b, value, place);
  indices.store(b, index, place);
}

void Heap::sort(Value size) {
  // The worst goes to the end, again and again.
  Value rounds = b.max(b.index(0), b.sub(size, b.index(1)));
  b.loop(b.index(0), rounds, 1, [&](Value step) {
    Value last = b.sub(rounds, step);
    Value value = values.load(b, last), index = indices.load(b, last);
    values.store(b, values.load(b, b.index(0)), last);
    indices.store(b, indices.load(b, b.index(0)), last);
    sift(b.index(0), last, value, index);
  });
}
