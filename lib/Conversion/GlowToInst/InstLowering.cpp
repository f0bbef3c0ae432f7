//===- InstLowering.cpp - buffers, views and simple instructions ----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Conversion/GlowToInst/GlowToInst.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"

using namespace mlir;
using namespace mlir::glow;

MemRefType glow::bufferTypeOf(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  Type element = tensor.getElementType();
  if (auto quantized = dyn_cast<quant::QuantizedType>(element))
    element = IntegerType::get(
        type.getContext(), quantized.getStorageTypeIntegralWidth(),
        quantized.isSigned() ? IntegerType::Signless : IntegerType::Unsigned);
  Type stored = inst::storedAs(element);
  // No number looks like what is stored in another way.
  bool isTaken = element.isInteger(128) || element.isSignedInteger();
  if (stored == element && (!element.isIntOrFloat() || isTaken))
    return {};
  return MemRefType::get(tensor.getShape(), stored);
}

static SmallVector<int64_t> denseStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * std::max<int64_t>(shape[i + 1], 1);
  return strides;
}

Value InstLowering::buffer(Value tensor) {
  auto found = bound.find(tensor);
  if (found != bound.end())
    return found->second;
  auto op = tensor.getDefiningOp<ConstantOp>();
  assert(op && "operands are lowered before their users");
  Value result = constant(op.getValue());
  bind(tensor, result);
  return result;
}

SmallVector<Value> InstLowering::buffers(ValueRange tensors) {
  return llvm::map_to_vector(tensors, [&](Value v) { return buffer(v); });
}

Value InstLowering::allocate(Value tensor) {
  Value result = outputs.lookup(tensor);
  if (!result)
    result = inst::AllocOp::create(builder, loc, bufferTypeOf(tensor.getType()),
                                   IntegerAttr());
  bind(tensor, result);
  return result;
}

void InstLowering::bind(Value tensor, Value buffer) {
  assert(inst::typeOf(buffer).getLayout().isIdentity() && "tensors are dense");
  bound[tensor] = buffer;
}

Value InstLowering::scratch(ArrayRef<int64_t> shape, Type element) {
  return inst::AllocOp::create(builder, loc, MemRefType::get(shape, element),
                               IntegerAttr());
}

Value InstLowering::constant(ElementsAttr value) {
  Value &result = constantBuffers[value];
  if (!result) {
    OpBuilder::InsertionGuard guard(builder);
    if (lastConstant)
      builder.setInsertionPointAfter(lastConstant);
    else
      builder.setInsertionPointToStart(constants);
    result = inst::ConstantOp::create(builder, loc,
                                      bufferTypeOf(value.getType()), value);
    lastConstant = result.getDefiningOp();
  }
  return result;
}

Value InstLowering::constantInts(ArrayRef<int64_t> values) {
  return constant(builder.getI64TensorAttr(values));
}

Value InstLowering::view(Value buffer, ArrayRef<int64_t> shape,
                         ArrayRef<int64_t> strides, int64_t offset) {
  MemRefType source = inst::typeOf(buffer);
  MemRefLayoutAttrInterface layout;
  // The plain form of a dense layout makes equal types compare equal.
  if (offset != 0 || denseStrides(shape) != strides)
    layout = StridedLayoutAttr::get(builder.getContext(), offset, strides);
  auto type = MemRefType::get(shape, source.getElementType(), layout,
                              source.getMemorySpace());
  return type == source ? buffer
                        : inst::ViewOp::create(builder, loc, type,
                                               inst::rootBuffer(buffer));
}

Value InstLowering::reshape(Value buffer, ArrayRef<int64_t> shape) {
  return view(buffer, shape, denseStrides(shape), 0);
}

Value InstLowering::slice(Value buffer, int64_t axis, int64_t start,
                          int64_t size, int64_t step) {
  inst::StridedLayout layout = inst::layoutOf(buffer);
  SmallVector<int64_t> shape(inst::typeOf(buffer).getShape());
  shape[axis] = size;
  int64_t offset = layout.offset + start * layout.strides[axis];
  layout.strides[axis] *= step;
  return view(buffer, shape, layout.strides, offset);
}

Value InstLowering::transpose(Value buffer, ArrayRef<int64_t> permutation) {
  inst::StridedLayout layout = inst::layoutOf(buffer);
  SmallVector<int64_t> shape, strides;
  for (int64_t axis : permutation) {
    shape.push_back(inst::typeOf(buffer).getDimSize(axis));
    strides.push_back(layout.strides[axis]);
  }
  return view(buffer, shape, strides, layout.offset);
}

Value InstLowering::broadcast(Value buffer, ArrayRef<int64_t> shape) {
  inst::StridedLayout layout = inst::layoutOf(buffer);
  SmallVector<int64_t> strides(shape.size(), 0);
  size_t lead = shape.size() - layout.strides.size();
  for (auto [i, extent] : llvm::enumerate(inst::typeOf(buffer).getShape()))
    if (extent == shape[lead + i])
      strides[lead + i] = layout.strides[i];
  return view(buffer, shape, strides, layout.offset);
}

void InstLowering::copy(Value from, Value to) {
  if (inst::typeOf(to).getNumElements() != 0)
    inst::CopyOp::create(builder, loc, from, to);
}

void InstLowering::fill(Value to, double value) {
  if (inst::typeOf(to).getNumElements() == 0)
    return;
  Type type = ScalarBuilder::signless(inst::typeOf(to).getElementType());
  TypedAttr attribute;
  if (isa<FloatType>(type))
    attribute = builder.getFloatAttr(type, value);
  else
    attribute = builder.getIntegerAttr(type, static_cast<int64_t>(value));
  inst::FillOp::create(builder, loc, to, attribute);
}

void InstLowering::map(ValueRange inputs, Value output,
                       llvm::function_ref<Value(ValueRange)> body) {
  if (inst::typeOf(output).getNumElements() == 0)
    return;
  auto op = inst::MapOp::create(builder, loc, inputs, output);
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&op.getBody());
  for (Value input : inputs)
    block->addArgument(
        ScalarBuilder::signless(inst::typeOf(input).getElementType()), loc);
  YieldOp::create(builder, loc, body(block->getArguments()));
}

Value InstLowering::border(Value to, ArrayRef<int64_t> before,
                           ArrayRef<int64_t> after,
                           llvm::function_ref<void(Value)> write) {
  // Slabs of the full remaining box, axis by axis, so that none overlap.
  for (size_t axis = 0; axis < before.size(); ++axis) {
    int64_t extent = inst::typeOf(to).getDimSize(axis);
    if (before[axis] > 0)
      write(slice(to, axis, 0, before[axis]));
    if (after[axis] > 0)
      write(slice(to, axis, extent - after[axis], after[axis]));
    to = slice(to, axis, before[axis], extent - before[axis] - after[axis]);
  }
  return to;
}
