//===- LimitTable.cpp - what limits work, as values -----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LimitTable.h"
#include "glow-c/ModelABI.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"
#include "glow/Dialect/Inst/IR/WorkLimits.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::glow;

/// The sum of the terms that depend on symbols alone, and the others.
static void splitSum(AffineExpr sum, AffineExpr &free,
                     SmallVectorImpl<AffineExpr> &bound) {
  if (!sum.isFunctionOfDim(0)) {
    free = free ? free + sum : sum;
  } else if (sum.getKind() == AffineExprKind::Add) {
    auto binary = cast<AffineBinaryOpExpr>(sum);
    splitSum(binary.getLHS(), free, bound);
    splitSum(binary.getRHS(), free, bound);
  } else {
    bound.push_back(sum);
  }
}

/// Puts one symbol in the place of each part of a limit that depends on symbols
/// alone, and adds that part to `values`.
static AffineExpr separate(AffineExpr limit,
                           SmallVectorImpl<AffineExpr> &values) {
  AffineExpr free;
  SmallVector<AffineExpr> bound;
  splitSum(limit, free, bound);
  AffineExpr result = getAffineConstantExpr(0, limit.getContext());
  for (AffineExpr term : bound) {
    if (auto binary = dyn_cast<AffineBinaryOpExpr>(term))
      term = getAffineBinaryOpExpr(term.getKind(),
                                   separate(binary.getLHS(), values),
                                   separate(binary.getRHS(), values));
    result = result + term;
  }
  if (!free || isa<AffineConstantExpr>(free))
    return free ? result + free : result;
  values.push_back(free);
  return result + getAffineSymbolExpr(values.size() - 1, limit.getContext());
}

/// Makes an instruction's limits and its unit functions of `values`, which it
/// adds.
static void separate(Operation *op, SmallVectorImpl<AffineExpr> &values) {
  AffineMap limits = inst::limitsOf(op), unit = inst::unitOf(op);
  SmallVector<AffineExpr> results;
  for (AffineMap map : {limits, unit})
    for (unsigned i = 0; map && i < map.getNumResults(); ++i)
      results.push_back(separate(map.getResult(i), values));
  ArrayRef<AffineExpr> left(results);
  auto set = [&](StringRef name, AffineMap map) {
    if (!map)
      return;
    ArrayRef<AffineExpr> own = left.take_front(map.getNumResults());
    left = left.drop_front(own.size());
    op->setDiscardableAttr(
        name, AffineMapAttr::get(AffineMap::get(map.getNumDims(), values.size(),
                                                own, op->getContext())));
  };
  set(inst::InstDialect::kExtentsAttrName, limits);
  set(inst::InstDialect::kUnitAttrName, unit);
}

LimitTable::Place LimitTable::placeOf(Operation *op, ArrayRef<AffineExpr> own) {
  int64_t count = cast<MemRefType>(symbols.getType()).getNumElements();
  auto key = AffineMap::get(0, count, own, op->getContext());
  auto [place, isNew] = known.try_emplace(key, values.size());
  if (isNew)
    llvm::append_range(values, own);
  return {op, place->second, static_cast<int64_t>(own.size())};
}

void LimitTable::add(Operation *op) {
  if (auto sections = dyn_cast<inst::SectionsOp>(op))
    for (auto loop : sections.getBody().getOps<inst::ForallOp>())
      addLoop(loop);
  else if (auto loop = dyn_cast<inst::ForallOp>(op))
    addLoop(loop);
  else if (inst::symbolMapOf(op)) {
    SmallVector<AffineExpr> own;
    separate(op, own);
    places.push_back(placeOf(op, own));
  }
}

/// A loop's elements: its own, then those of its instructions.
void LimitTable::addLoop(inst::ForallOp loop) {
  // Limited or not, the last input may be what instructions read.
  size_t inputs = loop.getInputs().size();
  if (inputs == 0 || !loop.getBody().getArgument(inputs - 1).use_empty())
    return;
  SmallVector<AffineExpr> all;
  separate(loop, all);
  for (Operation &op : loop.getBody().front()) {
    SmallVector<AffineExpr> own;
    separate(&op, own);
    if (own.empty())
      continue;
    auto *begin = llvm::search(all, own);
    inLoops.push_back(
        {&op, begin - all.begin(), static_cast<int64_t>(own.size())});
    if (begin == all.end())
      llvm::append_range(all, own);
  }
  if (!all.empty())
    places.push_back(placeOf(loop, all));
}

/// Behind all that was planned.
void LimitTable::createTable(func::FuncOp function) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  StringRef name = inst::InstDialect::kArenaAttrName;
  auto arena = function->getAttrOfType<IntegerAttr>(name);
  int64_t offset =
      llvm::alignTo(arena ? arena.getInt() : 0, GLOW_BUFFER_ALIGNMENT);
  auto type = MemRefType::get(values.size(), builder.getI64Type());
  table = inst::AllocOp::create(builder, function.getLoc(), type,
                                builder.getI64IntegerAttr(offset));
  int64_t bytes = llvm::alignTo(8 * values.size(), GLOW_BUFFER_ALIGNMENT);
  function->setAttr(name, builder.getI64IntegerAttr(offset + bytes));
}

/// `count` elements of a table, or of a loop's part of it.
static Value viewOf(OpBuilder &builder, Value table, int64_t first,
                    int64_t count) {
  MemRefType type =
      inst::viewType(cast<MemRefType>(table.getType()), {count}, {1}, first);
  return inst::ViewOp::create(builder, table.getLoc(), type, table);
}

Value LimitTable::passInto(inst::SectionsOp sections, Value elements) {
  unsigned number = sections.getInputs().size();
  sections.getInputsMutable().append(elements);
  return sections.getBody().insertArgument(
      number, inst::withoutOffset(cast<MemRefType>(elements.getType())),
      elements.getLoc());
}

void LimitTable::pass(const Place &place) {
  auto sections = dyn_cast<inst::SectionsOp>(place.op->getParentOp());
  OpBuilder builder(sections ? sections : place.op);
  Value elements = viewOf(builder, table, place.first, place.count);
  auto loop = dyn_cast<inst::ForallOp>(place.op);
  if (!loop) {
    views[place.op] = elements;
    return;
  }
  unsigned last = loop.getInputs().size() - 1;
  loop->setOperand(last, sections ? passInto(sections, elements) : elements);
  loop.getBody().getArgument(last).setType(
      inst::withoutOffset(cast<MemRefType>(elements.getType())));
}

LimitTable::LimitTable(func::FuncOp function) {
  std::optional<unsigned> argument = symbolsArgument(function);
  if (!argument)
    return;
  symbols = function.getArgument(*argument);
  for (Operation &op : function.getBody().front())
    add(&op);
  if (values.empty())
    return;
  createTable(function);
  for (const Place &place : places)
    pass(place);
  for (auto [op, first, count] : inLoops) {
    auto loop = cast<inst::ForallOp>(op->getParentOp());
    OpBuilder builder(op);
    Value all = loop.getBody().getArgument(loop.getInputs().size() - 1);
    views[op] = viewOf(builder, all, first, count);
  }
}

SmallVector<Value> LimitTable::operandsOf(Operation *op) const {
  SmallVector<Value> operands = inst::limitOperandsOf(op);
  if (Value view = views.lookup(op))
    operands.back() = view;
  return operands;
}

/// Computes what is part of several values once: of a deep network each limit
/// is part of the next one.
static Value expand(KernelBuilder &b, AffineExpr value,
                    DenseMap<AffineExpr, Value> &known) {
  if (auto constant = dyn_cast<AffineConstantExpr>(value))
    return b.index(constant.getValue());
  if (Value result = known.lookup(value))
    return result;
  auto binary = cast<AffineBinaryOpExpr>(value);
  Value operands[] = {expand(b, binary.getLHS(), known),
                      expand(b, binary.getRHS(), known)};
  // Divisors stay constants.
  AffineExpr rhs = binary.getRHS();
  if (!isa<AffineConstantExpr>(rhs))
    rhs = getAffineDimExpr(1, value.getContext());
  AffineExpr step = getAffineBinaryOpExpr(
      value.getKind(), getAffineDimExpr(0, value.getContext()), rhs);
  return known[value] =
             affine::expandAffineExpr(b.builder, b.loc, step, operands, {});
}

void LimitTable::emit(KernelBuilder &b, const KernelBuffer &from,
                      const KernelBuffer &to, size_t first, size_t end) const {
  DenseMap<AffineExpr, Value> known;
  int64_t count = cast<MemRefType>(symbols.getType()).getNumElements();
  for (int64_t i = 0; i < count; ++i)
    known[getAffineSymbolExpr(i, symbols.getContext())] =
        b.toIndex(b.load(from, b.index(i)));
  Type i64 = b.builder.getI64Type();
  for (size_t i = first; i < end; ++i)
    b.store(arith::IndexCastOp::create(b.builder, b.loc, i64,
                                       expand(b, values[i], known)),
            to, b.index(i));
}
