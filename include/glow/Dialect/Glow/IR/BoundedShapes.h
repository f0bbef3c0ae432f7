//===- BoundedShapes.h - functions whose extents are data -------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bounded function has static types at the upper bounds of its symbols. The
// values of the symbols are its last argument, `tensor<Nxi64>`, whose attribute
// `glow.symbols` tells their names and ranges. `glow.extents` on arguments and
// results maps them to the extents that are valid, a prefix along every axis.
//
// Symbols whose values the function itself finds, such as how many elements are
// not zero, follow those of the argument. Their values are the last result,
// `tensor<Mxi64>`, whose attribute `glow.computed_symbols` has the same form.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_DIALECT_GLOW_IR_BOUNDEDSHAPES_H
#define GLOW_DIALECT_GLOW_IR_BOUNDEDSHAPES_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <optional>

namespace mlir::glow {

/// The attribute of a result with the values of symbols that are computed.
constexpr llvm::StringLiteral kComputedSymbolsAttrName =
    "glow.computed_symbols";

/// The attribute of an argument with its values, which the function was made
/// for; or of an argument of integers with the least and the greatest value
/// that its elements have, as `array<i64: 0, 4>`.
constexpr llvm::StringLiteral kValuesAttrName = "glow.values";

/// An extent that is known when the model runs, with its inclusive range.
struct ShapeSymbol {
  std::string name;
  int64_t lower = 1, upper = 1;
};

/// Of `gather` in both dialects.
LogicalResult verifyIndexExtents(Operation *op,
                                 std::optional<AffineMap> extents,
                                 int64_t rank);

/// Those of the steps and the batch of sequences, in either order: functions of
/// symbols. Null is neither.
LogicalResult verifyStepExtents(Operation *op,
                                std::optional<AffineMap> extents);

/// The attribute `glow.symbols`.
ArrayAttr symbolsAttr(MLIRContext *context, ArrayRef<ShapeSymbol> symbols);
/// The reverse; nothing if the attribute is not of that form.
std::optional<SmallVector<ShapeSymbol>> symbolsOf(Attribute attribute);

/// The index of the argument that holds the values of the symbols; nothing if
/// the function is not bounded.
std::optional<unsigned> symbolsArgument(FunctionOpInterface function);
/// The symbols of a bounded function whose values are an argument.
SmallVector<ShapeSymbol> symbolsOf(FunctionOpInterface function);
/// Those that it computes; a result holds their values, or the argument that
/// has taken its place.
SmallVector<ShapeSymbol> computedSymbolsOf(FunctionOpInterface function);

/// The run-time extents of an argument or result; null if they are its type's.
AffineMap extentsOfArgument(FunctionOpInterface function, unsigned index);
/// Whether any extent but the batch of an argument is known at run time only.
bool hasOpenExtents(FunctionOpInterface function);
/// Whether an image, or a clip, has any width: the last axis, or one of two, as
/// channels may be the last one.
bool hasOpenWidth(FunctionOpInterface function);

/// The least and the greatest value of an expression of symbols. Exact if it
/// is linear and no symbol occurs twice; nothing if it overflows or divides by
/// what may be zero.
struct ExtentRange {
  int64_t lower, upper;
};
std::optional<ExtentRange> rangeOf(AffineExpr expression,
                                   ArrayRef<ShapeSymbol> symbols);

/// Whether an expression divides by positive numbers alone, not by values of
/// symbols.
bool isComputable(AffineExpr expression);

/// The value of an expression of symbols that is computable.
int64_t valueOf(AffineExpr expression, ArrayRef<int64_t> symbols);

/// An expression with the names of the symbols.
std::string extentText(AffineExpr expression, ArrayRef<ShapeSymbol> symbols);

} // namespace mlir::glow

#endif // GLOW_DIALECT_GLOW_IR_BOUNDEDSHAPES_H
