//===- InstDialect.cpp - registration, and facts about buffers ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

#include "glow/Dialect/Inst/IR/InstDialect.cpp.inc"

void InstDialect::initialize() {
  registerMemoryOps();
  registerComputeOps();
  registerControlOps();
}

/// Whether values of symbols are never divided by zero, nor by each other.
static bool isComputable(AffineMap map) {
  bool isComputable = true;
  map.walkExprs([&](AffineExpr expr) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary || expr.getKind() == AffineExprKind::Add ||
        expr.getKind() == AffineExprKind::Mul)
      return;
    auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    isComputable &= divisor && divisor.getValue() > 0;
  });
  return isComputable;
}

/// Limits are computed from the values of a bounded function's symbols.
static LogicalResult verifyExtents(Operation *op, Attribute attribute) {
  StringRef name = InstDialect::kExtentsAttrName;
  auto extents = dyn_cast<AffineMapAttr>(attribute);
  auto function = op->getParentOfType<FunctionOpInterface>();
  if (!extents || !function || !symbolsArgument(function))
    return op->emitOpError()
           << "'" << name
           << "' is a map from the symbols of the function around it, one of "
              "whose arguments has 'glow.symbols'";
  AffineMap map = extents.getValue();
  size_t symbols = symbolsOf(function).size();
  auto loop = dyn_cast<ForallOp>(op->getParentOp());
  if (map.getNumSymbols() != symbols || map.getNumDims() > (loop ? 1 : 0) ||
      !isComputable(map))
    return op->emitOpError()
           << "'" << name << "' is " << extents << ", which is no map from "
           << symbols << " symbols" << (loop ? ", and at most one index" : "")
           << ", that divides by positive numbers alone";
  if (!loop)
    return success();
  size_t inputs = loop.getInputs().size();
  auto holds = [&](size_t place, int64_t count) {
    auto type = place <= inputs
                    ? dyn_cast<MemRefType>(
                          loop.getBody().getArgument(inputs - place).getType())
                    : MemRefType();
    return type && type.getElementType().isInteger(64) &&
           type.getNumElements() >= count;
  };
  if (!holds(1, symbols) || (map.getNumDims() && !holds(2, 1)))
    return op->emitOpError()
           << "'" << name << "' needs the values of " << symbols
           << " symbols as the last input of the loop"
           << (map.getNumDims() ? ", and the index of the point before it"
                                : "");
  return success();
}

LogicalResult InstDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  return attribute.getName() == kExtentsAttrName
             ? verifyExtents(op, attribute.getValue())
             : success();
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
  if (!memref || !memref.hasStaticShape())
    return false;
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(stridesAndOffset(memref, strides, offset)) &&
         !ShapedType::isDynamic(offset) &&
         llvm::none_of(strides, ShapedType::isDynamic);
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
