//===- HabanaDialect.cpp - registration, attributes, facts about buffers --===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "glow/Dialect/Habana/IR/Habana.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::glow::habana;

#include "glow/Dialect/Habana/IR/HabanaDialect.cpp.inc"
#include "glow/Dialect/Habana/IR/HabanaEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "glow/Dialect/Habana/IR/HabanaAttrs.cpp.inc"

void HabanaDialect::initialize() {
  registerAttributes();
  registerOps();
}

void HabanaDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "glow/Dialect/Habana/IR/HabanaAttrs.cpp.inc"
      >();
}

std::optional<Memory> glow::habana::memoryOf(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return std::nullopt;
  auto space = dyn_cast_or_null<MemAttr>(memref.getMemorySpace());
  return space ? std::optional<Memory>(space.getMemory()) : std::nullopt;
}

bool glow::habana::isCardBuffer(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || !memoryOf(type) || !memref.hasStaticShape() ||
      !memref.getElementType().isF32() || memref.getRank() > kMaxRank)
    return false;
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(memref.getStridesAndOffset(strides, offset)) &&
         !ShapedType::isDynamic(offset) &&
         llvm::none_of(strides, ShapedType::isDynamic);
}

Strided glow::habana::stridedOf(Type type) {
  Strided result;
  [[maybe_unused]] LogicalResult isStrided =
      cast<MemRefType>(type).getStridesAndOffset(result.strides, result.offset);
  assert(succeeded(isStrided) && "the card's buffers are strided");
  return result;
}

AllocOp glow::habana::allocOf(Value buffer) {
  while (auto cast = buffer.getDefiningOp<memref::ReinterpretCastOp>())
    buffer = cast.getSource();
  return buffer.getDefiningOp<AllocOp>();
}
