//===- Heap.cpp - elements with their indices, the last one first ---------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/Heap.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::glow;

void Heap::make(Value size) {
  Value half = b.div(size, 2);
  b.loop(b.index(0), half, 1, [&](Value step) {
    Value at = b.sub(b.sub(half, step), b.index(1));
    sift(at, size, values.load(b, at), indices.load(b, at));
  });
}

void Heap::sift(Value hole, Value size, Value value, Value index) {
  Type indexType = b.builder.getIndexType(), boolType = b.builder.getI1Type();
  ScalarBuilder bools = b.scalars(boolType);
  // Moves the later child up until none is later than the element.
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

void Heap::pop(Value rest) {
  Value first = b.index(0);
  Value value = values.load(b, rest), index = indices.load(b, rest);
  values.store(b, values.load(b, first), rest);
  indices.store(b, indices.load(b, first), rest);
  sift(first, rest, value, index);
}
