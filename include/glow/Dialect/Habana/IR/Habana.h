//===- Habana.h - the card's dialect --------------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_HABANA_IR_HABANA_H
#define GLOW_DIALECT_HABANA_IR_HABANA_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "glow/Dialect/Habana/IR/HabanaDialect.h.inc"
#include "glow/Dialect/Habana/IR/HabanaEnums.h.inc"

namespace mlir::glow::habana {
/// Usable SRAM of a card that does not say.
constexpr int64_t kDefaultSram = 50 << 20;
} // namespace mlir::glow::habana

#define GET_ATTRDEF_CLASSES
#include "glow/Dialect/Habana/IR/HabanaAttrs.h.inc"

namespace mlir::glow::habana {

/// Limits that hold for every card of the family.
constexpr int64_t kMaxRank = 5;     // axes of a tensor
constexpr int64_t kMaxTensors = 8;  // of one kernel
constexpr int64_t kAlignment = 128; // of buffers, in bytes

bool isCardBuffer(Type type);
/// The memory of a buffer; nothing if it has none of the card's.
std::optional<Memory> memoryOf(Type type);
/// Strides in elements and offset of a buffer.
struct Strided {
  SmallVector<int64_t> strides;
  int64_t offset;
};
Strided stridedOf(Type type);

/// The alloc behind any number of casts.
class AllocOp;
AllocOp allocOf(Value buffer);

/// Nothing if the vector cores can run the region, or what they lack.
std::optional<std::string> whyNoKernel(Region &region);

} // namespace mlir::glow::habana

#define GET_OP_CLASSES
#include "glow/Dialect/Habana/IR/HabanaOps.h.inc"

#endif // GLOW_DIALECT_HABANA_IR_HABANA_H
