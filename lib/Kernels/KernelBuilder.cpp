//===- KernelBuilder.cpp - index arithmetic and loops of kernels ----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/KernelBuilder.h"
#include "glow/Support/UnitCount.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::glow;

Value KernelBuilder::index(int64_t value) {
  UnitCount count = unit ? UnitCount::of(value) : UnitCount{0, value};
  Value rest = arith::ConstantIndexOp::create(builder, loc, count.rest);
  return count.units ? add(mul(unit, count.units), rest) : rest;
}
Value KernelBuilder::add(Value a, Value b) {
  return builder.createOrFold<arith::AddIOp>(loc, a, b);
}
Value KernelBuilder::sub(Value a, Value b) {
  return builder.createOrFold<arith::SubIOp>(loc, a, b);
}
Value KernelBuilder::mul(Value a, int64_t b) {
  if (b == 0)
    return index(0);
  return b == 1 ? a : builder.createOrFold<arith::MulIOp>(loc, a, index(b));
}
Value KernelBuilder::mul(Value a, Value b) {
  return builder.createOrFold<arith::MulIOp>(loc, a, b);
}
Value KernelBuilder::div(Value a, int64_t b) {
  return b == 1 ? a : builder.createOrFold<arith::DivUIOp>(loc, a, index(b));
}
Value KernelBuilder::div(Value a, Value b) {
  return builder.createOrFold<arith::DivUIOp>(loc, a, b);
}
Value KernelBuilder::rem(Value a, Value b) {
  return builder.createOrFold<arith::RemUIOp>(loc, a, b);
}
Value KernelBuilder::rem(Value a, int64_t b) {
  return b == 1 ? index(0)
                : builder.createOrFold<arith::RemUIOp>(loc, a, index(b));
}
Value KernelBuilder::min(Value a, Value b) {
  return builder.createOrFold<arith::MinSIOp>(loc, a, b);
}
Value KernelBuilder::max(Value a, Value b) {
  return builder.createOrFold<arith::MaxSIOp>(loc, a, b);
}
Value KernelBuilder::less(Value a, Value b) {
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, a,
                                             b);
}

Value KernelBuilder::both(Value a, Value b) {
  return builder.createOrFold<arith::AndIOp>(loc, a, b);
}

SmallVector<Value> KernelBuilder::delinearize(Value linear,
                                              ArrayRef<int64_t> extents) {
  SmallVector<Value> indices(extents.size(), index(0));
  // The index of the outermost axis with several places is what is left.
  size_t first = 0;
  while (first + 1 < extents.size() && extents[first] == 1)
    ++first;
  for (size_t i = extents.size(); i-- > first + 1;) {
    indices[i] = rem(linear, extents[i]);
    linear = div(linear, extents[i]);
  }
  if (!extents.empty())
    indices[first] = linear;
  return indices;
}

void KernelBuilder::loop(Value low, Value high, int64_t step, Body body) {
  loop(low, high, step, ValueRange(), [&](Value i, ValueRange) {
    body(i);
    return SmallVector<Value>();
  });
}

SmallVector<Value> KernelBuilder::loop(Value low, Value high, int64_t step,
                                       ValueRange init, ReduceBody body) {
  auto first = getConstantIntValue(low), last = getConstantIntValue(high);
  if (first && last && *first >= *last)
    return llvm::to_vector(init);
  if (first && last && *first + step >= *last)
    return body(low, init);
  auto loop = scf::ForOp::create(builder, loc, low, high, index(step), init);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> results =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  // A loop without results comes with its terminator.
  if (!init.empty())
    scf::YieldOp::create(builder, loc, results);
  return llvm::to_vector_of<Value>(loop.getResults());
}

SmallVector<Value>
KernelBuilder::ifElse(Value condition, TypeRange types,
                      function_ref<SmallVector<Value>()> then,
                      function_ref<SmallVector<Value>()> otherwise) {
  if (auto known = getConstantIntValue(condition))
    return *known ? then() : otherwise();
  auto op = scf::IfOp::create(builder, loc, types, condition,
                              /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(builder);
  auto fill = [&](Block &block, function_ref<SmallVector<Value>()> body) {
    builder.setInsertionPointToStart(&block);
    SmallVector<Value> results = body();
    scf::YieldOp::create(builder, loc, results);
  };
  fill(op.getThenRegion().front(), then);
  fill(op.getElseRegion().front(), otherwise);
  return llvm::to_vector_of<Value>(op.getResults());
}

void KernelBuilder::ifThen(Value condition, function_ref<void()> then) {
  if (auto known = getConstantIntValue(condition)) {
    if (*known)
      then();
    return;
  }
  auto op =
      scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&op.getThenRegion().front());
  then();
}

Value KernelBuilder::toIndex(Value integer) {
  return builder.createOrFold<arith::IndexCastOp>(
      loc, withElement(integer.getType(), builder.getIndexType()), integer);
}
Value KernelBuilder::fromIndex(Value index, Type type) {
  return builder.createOrFold<arith::IndexCastOp>(loc, type, index);
}
