//===- BoundedGraph.h - a graph while its shapes become bounds --*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `glow-bound-shapes` knows while it walks a function in program order,
// and what ops build with (BoundShapesOpInterface). Every value before the
// current op has a static type, whose dimensions are the bounds.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_DIALECT_GLOW_TRANSFORMS_BOUNDEDGRAPH_H
#define GLOW_DIALECT_GLOW_TRANSFORMS_BOUNDEDGRAPH_H

#include "glow/Dialect/Glow/IR/ShapeArithmetic.h"
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"
#include "glow/Interfaces/BoundShapes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::glow {

/// One axis: a product of extents, outermost first, each padded to its own
/// bound. Valid elements are a prefix if there is one factor only. Merging axes
/// without moving elements gives several: 2 rows of 3 in a 4 x 8 tensor are the
/// elements 0 to 2 and 8 to 10 of 32.
class BoundedDim {
public:
  BoundedDim() = default; // extent 1
  BoundedDim(ArrayRef<AffineExpr> factors);

  ArrayRef<AffineExpr> factors() const { return list; }
  bool isPrefix() const { return list.size() <= 1; }
  bool isStatic() const;
  AffineExpr extent(MLIRContext *context) const;
  bool operator==(const BoundedDim &other) const { return list == other.list; }
  bool operator!=(const BoundedDim &other) const { return !(*this == other); }

private:
  SmallVector<AffineExpr, 2> list; // no constant 1, no two constants in a row
};
using BoundedDims = SmallVector<BoundedDim>;

/// A symbol that has to be an expression of others, as dimensions that meet in
/// an op are equal.
struct SymbolEquation {
  unsigned symbol;
  AffineExpr value;
};

class BoundedGraph {
public:
  /// `values` is the argument that holds the values of the symbols, if any.
  BoundedGraph(func::FuncOp function, ArrayRef<ShapeSymbol> symbols,
               Value values);

  // -- What is known.

  MLIRContext *context() { return function.getContext(); }
  ArrayRef<ShapeSymbol> symbols() const { return symbolList; }
  /// Those at the end of the list that ops compute, and their values.
  ArrayRef<ShapeSymbol> computedSymbols() const {
    return symbols().drop_front(numGiven);
  }
  ArrayRef<Value> computedValues() const { return computed; }
  bool isComputed(AffineExpr expression) const;
  /// Those of a value that is known to the graph.
  BoundedDims dims(Value value);
  bool isBounded(Value value);
  AffineExpr extent(Value value, int64_t axis);
  /// The elements of an integer vector or scalar as far as they are known.
  ShapeInts elements(Value value);
  /// The only element of a vector or scalar, or null.
  AffineExpr element(Value value);
  std::optional<ExtentRange> range(AffineExpr expression);
  /// The attribute `glow.extents` of a value; null if all of them are static.
  AffineMapAttr extentsOf(Value value);
  /// The same of these if they are functions of the symbols that are given, and
  /// prefixes.
  AffineMapAttr givenExtents(ArrayRef<BoundedDim> dims);
  int64_t bound(const BoundedDim &dim);
  Dims bounds(ArrayRef<BoundedDim> dims);
  AffineExpr number(int64_t value);

  // -- What ops do.

  /// Gives a value its extents and the static type at their bounds.
  void set(Value value, BoundedDims dims);
  /// Replaces the only result of an op by a value with these extents. The op
  /// stays in place, without uses.
  LogicalResult replace(Operation *op, Value value, BoundedDims dims);
  /// Bounds one op that a rule has made, and whatever was made before it.
  LogicalResult bound(Operation *op);
  /// Replaces a composite op by its parts, each bounded.
  LogicalResult boundParts(DecomposeOpInterface op);
  /// Reports that an op cannot be bounded, and why.
  LogicalResult fail(Operation *op, const Twine &why);
  /// The common extents of two axes that meet; fails if they differ for any
  /// values of the symbols.
  LogicalResult meet(Operation *op, const BoundedDim &a, const BoundedDim &b);
  /// By NumPy's rules.
  FailureOr<BoundedDims> broadcast(Operation *op, ArrayRef<BoundedDim> a,
                                   ArrayRef<BoundedDim> b);

  // -- What ops build with. New ops stand before the current one, and what
  // depends on symbols alone at the start of the function, or behind the last
  // of them that is computed.

  /// A part of an axis whose number of elements is computed: the axis's extent,
  /// start, end and step.
  using ComputedPart = std::tuple<AffineExpr, AffineExpr, AffineExpr, int64_t>;
  /// The symbol of such a part; null until it is set.
  AffineExpr &symbolOf(const ComputedPart &part) { return parts[part]; }

  GraphBuilder before(Operation *op) {
    builder.setInsertionPoint(op);
    return GraphBuilder(builder, op->getLoc());
  }
  /// Makes an `i64` scalar within `lower` and `upper` a symbol.
  AffineExpr addSymbol(Value value, int64_t upper, int64_t lower = 0,
                       StringRef name = "count");
  /// Makes the elements of an argument symbols with a range, at the start.
  void addValues(BlockArgument argument, ExtentRange range, StringRef name);
  /// Makes a symbol that is 1 if an argument has these values.
  void addCheck(BlockArgument argument, DenseElementsAttr values,
                StringRef name);
  /// An expression as an `i64` scalar at run time.
  Value scalar(AffineExpr expression);
  /// 0, 1, 2 … as a constant along an axis of a tensor of `rank` axes.
  Value positions(GraphBuilder &b, int64_t count, int64_t axis, int64_t rank);
  /// Which elements of a tensor with these extents are valid along `axes`; it
  /// broadcasts to the tensor. Null if all are.
  Value validity(ArrayRef<BoundedDim> dims, ArrayRef<int64_t> axes);
  /// `value` with padding along `axes` replaced by a scalar.
  Value mask(Operation *op, Value value, ArrayRef<int64_t> axes,
             Value replacement);
  /// With zeros, unless they are there already.
  Value maskZero(Operation *op, Value value, ArrayRef<int64_t> axes);
  /// Notes that the padding of a value along `axis` is zeros.
  void setZero(Value value, int64_t axis) { zeros.insert({value, axis}); }
  bool isZero(Value value, int64_t axis) {
    return zeros.contains({value, axis});
  }

  /// Set while the parts of a composite op are bounded. Their constant shapes
  /// were read off static types, so they are bounds rather than extents.
  bool shapesAreBounds = false;
  /// What has to hold for dimensions that met; the caller starts over.
  SmallVector<SymbolEquation> equations;

private:
  /// Where all symbols of these expressions are known.
  GraphBuilder at(ArrayRef<AffineExpr> expressions);
  void addAnchor();
  LogicalResult boundOrRegroup(Operation *op);
  LogicalResult boundOp(Operation *op);
  /// Follows shape arithmetic through the op.
  void follow(Operation *op);
  LogicalResult boundElementwise(Operation *op);
  /// Symbols on which the operands of an op depend, for messages.
  std::string symbolsOfOperands(Operation *op);

  func::FuncOp function;
  SmallVector<ShapeSymbol> symbolList; // those that are computed last
  unsigned numGiven;                   // the number of others
  Value values;
  SmallVector<Value> computed;
  OpBuilder builder, symbolBuilder;
  /// Constants that go in the end: one at the start of the function and one
  /// behind each symbol that is computed.
  SmallVector<Operation *> anchors;
  DenseMap<Value, BoundedDims> known;
  DenseMap<Value, ShapeInts> integers;
  DenseMap<Value, Value> replaced; // results of ops without uses
  DenseMap<AffineExpr, Value> scalars;
  DenseMap<ComputedPart, AffineExpr> parts;
  DenseMap<AffineExpr, std::optional<ExtentRange>> ranges;
  DenseMap<std::pair<AffineMap, int64_t>, Value> validities;
  DenseSet<std::pair<Value, int64_t>> zeros;
  DenseSet<Value> failures; // results of ops that were reported
};

/// Attaches the interface to the ops of the graph dialect.
void registerBoundShapesModels(DialectRegistry &registry);

} // namespace mlir::glow

#endif // GLOW_DIALECT_GLOW_TRANSFORMS_BOUNDEDGRAPH_H
