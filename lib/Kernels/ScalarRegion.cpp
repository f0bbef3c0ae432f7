//===- ScalarRegion.cpp - element-wise regions on vectors -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/ScalarRegion.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::glow;

static bool existsOnVectors(Operation &op) {
  if (op.hasTrait<OpTrait::ConstantLike>())
    return true;
  return op.getNumRegions() == 0 && OpTrait::hasElementwiseMappableTraits(&op);
}

/// Transcendental functions become some 20 instructions, as remainders do.
static int64_t costOf(Operation &op) {
  if (op.hasTrait<OpTrait::ConstantLike>())
    return 0;
  if (isa<arith::RemFOp>(op))
    return 20;
  if (!isa<math::MathDialect>(op.getDialect()))
    return isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp>(op) ? 4 : 1;
  return isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::FloorOp,
             math::CeilOp>(op)
             ? 1
             : 20;
}

ScalarRegion::ScalarRegion(Region *region) {
  if (!region || region->empty())
    return;
  block = &region->front();
  auto visit = [&](Type type) {
    if (!type.isIntOrFloat())
      vectorizable = false;
    else
      maxWidth = std::max<int64_t>(maxWidth, type.getIntOrFloatBitWidth());
  };
  llvm::for_each(block->getArgumentTypes(), visit);
  for (Operation &op : block->without_terminator()) {
    vectorizable &= existsOnVectors(op);
    totalCost += costOf(op);
    llvm::for_each(op.getResultTypes(), visit);
  }
}

/// Whether a condition decides on whether `argument` is taken.
static bool isChosen(BlockArgument argument) {
  return llvm::any_of(argument.getUses(), [](OpOperand &use) {
    return isa<arith::SelectOp>(use.getOwner()) && use.getOperandNumber() > 0;
  });
}

Value ScalarRegion::load(KernelBuilder &b, size_t argument,
                         const KernelBuffer &buffer, Value offset,
                         int64_t lanes, int64_t stride, Value mask) const {
  Value value =
      b.load(buffer, offset, lanes, stride, stride == 1 ? mask : Value());
  // LLVM would load only the lanes that are chosen, for which a Zen 5 asks for
  // nothing in advance. A frozen value is no load to it.
  if (block && isChosen(block->getArgument(argument)) &&
      LLVM::isCompatibleVectorType(value.getType()))
    value = LLVM::FreezeOp::create(b.builder, b.loc, value);
  return value;
}

/// Re-creates `op` with `operands`, with vectors for scalars.
static Operation *emitOp(KernelBuilder &b, Operation &op, ValueRange operands,
                         int64_t lanes) {
  OperationState state(b.loc, op.getName(), operands, {},
                       op.getAttrDictionary().getValue());
  for (Type type : op.getResultTypes())
    state.addTypes(b.shaped(type, lanes));
  if (auto constant = dyn_cast<arith::ConstantOp>(op); constant && lanes > 1) {
    auto type = cast<ShapedType>(state.types.front());
    state.attributes.set(constant.getValueAttrName(),
                         DenseElementsAttr::get(type, constant.getValue()));
  }
  return b.builder.create(state);
}

SmallVector<Value> ScalarRegion::emit(KernelBuilder &b, ValueRange arguments,
                                      int64_t lanes) const {
  if (!block)
    return llvm::to_vector(arguments);
  IRMapping mapping;
  mapping.map(block->getArguments(), arguments);
  auto operandsOf = [&](Operation &op) {
    SmallVector<Value> operands;
    for (Value operand : op.getOperands()) {
      // A constant may stand outside the region.
      Operation *outside = operand.getDefiningOp();
      if (!mapping.contains(operand) && outside)
        mapping.map(operand, emitOp(b, *outside, {}, lanes)->getResult(0));
      operands.push_back(mapping.lookup(operand));
    }
    return operands;
  };
  for (Operation &op : block->without_terminator()) {
    Operation *emitted = emitOp(b, op, operandsOf(op), lanes);
    mapping.map(op.getResults(), emitted->getResults());
  }
  return operandsOf(*block->getTerminator());
}

/// One vector of all the elements.
static Value join(KernelBuilder &b, ArrayRef<Value> vectors) {
  if (vectors.size() == 1)
    return vectors.front();
  size_t half = vectors.size() / 2;
  Value low = join(b, vectors.take_front(half)),
        high = join(b, vectors.drop_front(half));
  int64_t elements = cast<VectorType>(low.getType()).getNumElements() +
                     cast<VectorType>(high.getType()).getNumElements();
  return vector::ShuffleOp::create(
      b.builder, b.loc, low, high,
      llvm::to_vector(llvm::seq<int64_t>(0, elements)));
}

/// The elements of the `index`-th of the vectors that have been joined.
static Value part(KernelBuilder &b, Value joined, int64_t index,
                  int64_t lanes) {
  return vector::ExtractStridedSliceOp::create(
      b.builder, b.loc, joined, ArrayRef<int64_t>(index * lanes),
      ArrayRef<int64_t>(lanes), ArrayRef<int64_t>(1));
}

SmallVector<SmallVector<Value>>
ScalarRegion::emitAll(KernelBuilder &b, ArrayRef<SmallVector<Value>> arguments,
                      int64_t lanes) const {
  SmallVector<SmallVector<Value>> results;
  int64_t count = arguments.size();
  if (!isLong() || lanes == 1 || count == 1) {
    for (ArrayRef<Value> values : arguments)
      results.push_back(emit(b, ValueRange(values), lanes));
    return results;
  }
  SmallVector<Value> joined;
  for (size_t i = 0; i < arguments.front().size(); ++i)
    joined.push_back(join(b, llvm::map_to_vector(arguments, [&](auto &values) {
                            return values[i];
                          })));
  joined = emit(b, joined, count * lanes);
  for (int64_t v = 0; v < count; ++v)
    results.push_back(llvm::map_to_vector(
        joined, [&](Value value) { return part(b, value, v, lanes); }));
  return results;
}
