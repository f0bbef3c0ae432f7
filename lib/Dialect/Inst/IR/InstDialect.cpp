//===- InstDialect.cpp - registration, and facts about buffers ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MostElements.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "glow/Dialect/Inst/IR/Pitch.h"
#include "glow/Dialect/Inst/IR/WorkLimits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

#include "glow/Dialect/Inst/IR/InstDialect.cpp.inc"

void InstDialect::initialize() {
  registerMemoryOps();
  registerComputeOps();
  registerControlOps();
}

LogicalResult InstDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  if (attribute.getName() == kPitchesAttrName)
    return verifyPitches(op, attribute.getValue());
  bool isMap = attribute.getName() == kExtentsAttrName ||
               attribute.getName() == kUnitAttrName;
  return isMap ? verifyLimits(op, attribute) : success();
}

/// Strides and offset. MLIR computes them by affine maps, which is slow, and
/// for a dense buffer without elements not at all.
static LogicalResult stridesAndOffset(MemRefType type,
                                      SmallVectorImpl<int64_t> &strides,
                                      int64_t &offset) {
  if (auto layout = dyn_cast<StridedLayoutAttr>(type.getLayout())) {
    strides.assign(layout.getStrides().begin(), layout.getStrides().end());
    offset = layout.getOffset();
    return success();
  }
  if (!type.getLayout().isIdentity() || !type.hasStaticShape())
    return type.getStridesAndOffset(strides, offset);
  strides.assign(type.getRank(), 1);
  for (int64_t i = type.getRank() - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * std::max<int64_t>(type.getDimSize(i + 1), 1);
  offset = 0;
  return success();
}

bool inst::isStaticBuffer(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || !memref.hasStaticShape() ||
      isa<ComplexType, IndexType>(memref.getElementType()))
    return false;
  // What is dynamic is not within bounds either.
  auto isWithin = [](std::optional<int64_t> count) {
    return count && *count >= -kMostElements && *count <= kMostElements;
  };
  int64_t elements = 1;
  for (int64_t extent : memref.getShape()) {
    auto product = llvm::checkedMul(elements, std::max<int64_t>(extent, 1));
    if (!isWithin(product))
      return false;
    elements = *product;
  }
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(stridesAndOffset(memref, strides, offset)) || !isWithin(offset))
    return false;
  return llvm::all_of(llvm::zip(memref.getShape(), strides), [&](auto axis) {
    auto [extent, stride] = axis;
    return !ShapedType::isDynamic(stride) &&
           isWithin(llvm::checkedMul(stride, std::max<int64_t>(extent - 1, 0)));
  });
}

StridedLayout inst::layoutOf(Value buffer) {
  StridedLayout layout;
  [[maybe_unused]] LogicalResult isStrided = stridesAndOffset(
      cast<MemRefType>(buffer.getType()), layout.strides, layout.offset);
  assert(succeeded(isStrided) && "buffers are strided");
  return layout;
}

bool inst::isDense(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset, dense = 1;
  if (failed(stridesAndOffset(type, strides, offset)))
    return false;
  if (type.getNumElements() == 0)
    return true;
  for (int64_t i = type.getRank() - 1; i >= 0; --i) {
    if (type.getDimSize(i) != 1 && strides[i] != dense)
      return false;
    dense *= type.getDimSize(i);
  }
  return true;
}

Value inst::rootBuffer(Value buffer) {
  while (isa_and_nonnull<ViewOp, SlideOp>(buffer.getDefiningOp()))
    buffer = buffer.getDefiningOp()->getOperand(0);
  return buffer;
}

Type inst::storedAs(Type element) {
  MLIRContext *context = element.getContext();
  if (isa<StringType>(element)) // GlowString
    return IntegerType::get(context, 128);
  if (auto complex = dyn_cast<ComplexType>(element))
    return IntegerType::get(
        context, 2 * complex.getElementType().getIntOrFloatBitWidth(),
        IntegerType::Signed);
  return element;
}

bool inst::namesBuffer(Operation *op) {
  return isa<AllocOp, DeallocOp, ConstantOp, ViewOp, SlideOp, WindowOp>(op);
}

int64_t inst::bytesOf(MemRefType type) {
  return type.getNumElements() * elementBytes(type.getElementType());
}

int64_t inst::elementBytes(Type type) {
  if (auto quantized = dyn_cast<quant::QuantizedType>(type))
    type = quantized.getStorageType();
  return (type.getIntOrFloatBitWidth() + 7) / 8;
}

int64_t inst::bufferBytes(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getNumElements() == 0)
    return 0;
  int64_t last = 0;
  for (auto [extent, stride] :
       llvm::zip(type.getShape(), layoutOf(buffer).strides))
    last += (extent - 1) * std::abs(stride);
  return (last + 1) * elementBytes(type.getElementType());
}
