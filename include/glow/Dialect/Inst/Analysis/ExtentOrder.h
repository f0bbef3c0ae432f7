//===- ExtentOrder.h - which of two extents is larger ----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_INST_ANALYSIS_EXTENTORDER_H
#define GLOW_DIALECT_INST_ANALYSIS_EXTENTORDER_H

#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace mlir::glow::inst {

/// Compares functions of symbols, and of the index of a loop's point as
/// dimension 0, for all their values. A product of symbols, as the number of
/// pixels is, is taken for one symbol.
class ExtentOrder {
public:
  explicit ExtentOrder(ArrayRef<ShapeSymbol> symbols) : symbols(symbols) {}

  /// Whether `a` is known not to be less than `b`.
  bool isAtLeast(AffineExpr a, AffineExpr b);
  /// No less than both, and one of them if that is known to be the larger one;
  /// null if nothing is known.
  AffineExpr largest(AffineExpr a, AffineExpr b);
  /// The same of any number of extents; null if one of them is.
  AffineExpr largest(ArrayRef<AffineExpr> extents);
  /// The first extent asked for that has the same values; null if values cannot
  /// be compared and the expression is long. What is read is made of what its
  /// readers read, layer after layer, and so are expressions, but their values
  /// are soon the same.
  AffineExpr simplest(AffineExpr extent);

private:
  AffineExpr withAtoms(AffineExpr expression);
  AffineExpr atomOf(AffineExpr product);
  bool isAtLeastByForm(AffineExpr a, AffineExpr b);
  std::optional<int64_t> mostOf(AffineExpr value);
  std::optional<int64_t> computeMost(AffineExpr value) const;
  enum class Visited { None, Ends, All };
  using Visitor = function_ref<void(int64_t symbol, int64_t value)>;
  Visited forValues(AffineExpr value, Visitor visit) const;

  /// Behind the function's symbols, products of several: of what is made of one
  /// of them alone, any number in its range could be its value.
  SmallVector<ShapeSymbol> symbols;
  /// By their factors in the order of addresses.
  std::map<SmallVector<const void *>, AffineExpr> atoms;
  DenseMap<AffineExpr, AffineExpr> rewritten;
  DenseMap<AffineExpr, std::optional<int64_t>> most;
  /// By expression, and by a digest of its values.
  DenseMap<AffineExpr, AffineExpr> known;
  llvm::StringMap<AffineExpr> byValues;
};

} // namespace mlir::glow::inst

#endif // GLOW_DIALECT_INST_ANALYSIS_EXTENTORDER_H
