//===- BoundedGraph.cpp - a graph while its shapes become bounds ----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/Transforms/BoundedGraph.h"
#include "Rules.h"
#include "glow/Dialect/Glow/IR/RefineTypes.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::glow;

// -- Axes ---------------------------------------------------------------------

static std::optional<int64_t> numberIn(AffineExpr expression) {
  auto constant = dyn_cast_or_null<AffineConstantExpr>(expression);
  return constant ? std::optional(constant.getValue()) : std::nullopt;
}

BoundedDim::BoundedDim(ArrayRef<AffineExpr> factors) {
  for (AffineExpr factor : factors) {
    auto number = numberIn(factor);
    if (number == 1)
      continue;
    // Constant inner extents leave a prefix a prefix.
    if (number && !list.empty())
      list.back() = list.back() * *number;
    else
      list.push_back(factor);
  }
}

bool BoundedDim::isStatic() const {
  return llvm::all_of(
      list, [](AffineExpr factor) { return isa<AffineConstantExpr>(factor); });
}

AffineExpr BoundedDim::extent(MLIRContext *context) const {
  AffineExpr product = getAffineConstantExpr(1, context);
  for (AffineExpr factor : list)
    product = product * factor;
  return product;
}

// -- What is known ------------------------------------------------------------

BoundedGraph::BoundedGraph(func::FuncOp function, ArrayRef<ShapeSymbol> symbols,
                           Value values)
    : function(function), symbolList(symbols), numGiven(symbols.size()),
      values(values), builder(function.getContext()),
      symbolBuilder(function.getContext()) {
  builder.setInsertionPointToStart(&function.getBody().front());
  addAnchor();
}

/// All ops behind the builder's place, and what is made before them, stay
/// behind the anchor.
void BoundedGraph::addAnchor() {
  GraphBuilder b(builder, function.getLoc());
  anchors.push_back(b.scalar(0, builder.getI64Type()).getDefiningOp());
}

GraphBuilder BoundedGraph::at(ArrayRef<AffineExpr> expressions) {
  unsigned last = 0;
  for (AffineExpr expression : expressions)
    expression.walk([&](AffineExpr part) {
      if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
        last = std::max(last, symbol.getPosition() + 1);
    });
  symbolBuilder.setInsertionPoint(
      anchors[last > numGiven ? last - numGiven : 0]);
  return GraphBuilder(symbolBuilder, function.getLoc());
}

bool BoundedGraph::isComputed(AffineExpr expression) const {
  bool isAny = false;
  expression.walk([&](AffineExpr part) {
    auto symbol = dyn_cast<AffineSymbolExpr>(part);
    isAny |= symbol && symbol.getPosition() >= numGiven;
  });
  return isAny;
}

AffineExpr BoundedGraph::addSymbol(Value value, int64_t upper, int64_t lower,
                                   StringRef stem) {
  auto isTaken = [&](StringRef name) {
    return llvm::any_of(symbolList, [&](const ShapeSymbol &symbol) {
      return symbol.name == name;
    });
  };
  std::string name;
  for (size_t i = computed.size(); name.empty() || isTaken(name); ++i)
    name = stem.str() + std::to_string(i);
  AffineExpr symbol = getAffineSymbolExpr(symbolList.size(), context());
  symbolList.push_back({name, lower, upper});
  computed.push_back(value);
  scalars[symbol] = value;
  integers[value] = SmallVector<AffineExpr>{symbol};
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(value);
  addAnchor();
  return symbol;
}

AffineExpr BoundedGraph::number(int64_t value) {
  return getAffineConstantExpr(value, context());
}

BoundedDims BoundedGraph::dims(Value value) {
  auto [place, isNew] = known.try_emplace(value);
  if (isNew)
    for (int64_t extent : dimsOf(value))
      place->second.push_back(BoundedDim(number(extent)));
  return place->second;
}

bool BoundedGraph::isBounded(Value value) {
  // Optional operands may be absent.
  return value &&
         !llvm::all_of(dims(value), std::mem_fn(&BoundedDim::isStatic));
}

AffineExpr BoundedGraph::extent(Value value, int64_t axis) {
  return dims(value)[axis].extent(context());
}

ShapeInts BoundedGraph::elements(Value value) {
  auto place = integers.find(value);
  if (place != integers.end())
    return place->second;
  if (!isShapeLike(value))
    return std::nullopt;
  if (auto numbers = constantInts(value))
    return llvm::map_to_vector(*numbers,
                               [&](int64_t value) { return number(value); });
  auto type = cast<RankedTensorType>(value.getType());
  if (!type.hasStaticShape())
    return std::nullopt;
  return SmallVector<AffineExpr>(type.getNumElements());
}

AffineExpr BoundedGraph::element(Value value) {
  ShapeInts all = elements(value);
  return all && all->size() == 1 ? all->front() : AffineExpr();
}

/// Exact for functions of one symbol that has few values.
std::optional<ExtentRange> BoundedGraph::range(AffineExpr expression) {
  constexpr int64_t kFew = 1 << 12;
  auto known = ranges.find(expression);
  if (known != ranges.end())
    return known->second;
  auto range = rangeOf(expression, symbolList);
  SmallVector<size_t> used;
  for (size_t i = 0; range && i < symbolList.size(); ++i)
    if (expression.isFunctionOfSymbol(i))
      used.push_back(i);
  if (used.size() == 1 && isa<AffineBinaryOpExpr>(expression)) {
    auto [name, lower, upper] = symbolList[used.front()];
    SmallVector<int64_t> values(symbolList.size(), 0);
    for (int64_t v = lower; v <= upper && upper - lower < kFew; ++v) {
      values[used.front()] = v;
      int64_t value = valueOf(expression, values);
      if (v == lower)
        range = ExtentRange{value, value};
      range->lower = std::min(range->lower, value);
      range->upper = std::max(range->upper, value);
    }
  }
  return ranges[expression] = range;
}

static AffineMapAttr mapOf(ArrayRef<BoundedDim> dims, unsigned numSymbols,
                           MLIRContext *context) {
  if (llvm::all_of(dims, std::mem_fn(&BoundedDim::isStatic)))
    return {};
  auto extents = llvm::map_to_vector(
      dims, [&](const BoundedDim &dim) { return dim.extent(context); });
  return AffineMapAttr::get(AffineMap::get(0, numSymbols, extents, context));
}

AffineMapAttr BoundedGraph::extentsOf(Value value) {
  return mapOf(dims(value), symbolList.size(), context());
}

AffineMapAttr BoundedGraph::givenExtents(ArrayRef<BoundedDim> dims) {
  for (const BoundedDim &dim : dims)
    if (!dim.isPrefix() || isComputed(dim.extent(context())))
      return {};
  return mapOf(dims, numGiven, context());
}

int64_t BoundedGraph::bound(const BoundedDim &dim) {
  int64_t product = 1;
  for (AffineExpr factor : dim.factors()) {
    auto known = range(factor);
    product *= known ? std::max<int64_t>(known->upper, 0) : 0;
  }
  return product;
}

Dims BoundedGraph::bounds(ArrayRef<BoundedDim> dims) {
  return llvm::map_to_vector<6>(
      dims, [&](const BoundedDim &dim) { return bound(dim); });
}

void BoundedGraph::follow(Operation *op) {
  if (op->getNumResults() != 1 || !isShapeLike(op->getResult(0)))
    return;
  auto elementsOf = [this](Value operand) { return elements(operand); };
  auto extentOf = [this](Value tensor, int64_t axis) {
    return extent(tensor, axis);
  };
  auto rangeOf = [this](AffineExpr expression) { return range(expression); };
  if (ShapeInts result = followShapeOp(op, {elementsOf, extentOf, rangeOf}))
    integers[op->getResult(0)] = result;
}

// -- What ops do --------------------------------------------------------------

void BoundedGraph::set(Value value, BoundedDims dims) {
  auto type = cast<RankedTensorType>(value.getType());
  value.setType(type.clone(bounds(dims)));
  known[value] = std::move(dims);
}

LogicalResult BoundedGraph::replace(Operation *op, Value value,
                                    BoundedDims dims) {
  if (failures.contains(value))
    return failure();
  if (dimsOf(value) != ArrayRef(bounds(dims)))
    return op->emitOpError("is bounded by ")
           << value.getType() << ", which is not what its extents say";
  set(op->getResult(0), dims);
  known[value] = std::move(dims);
  follow(op);
  if (ShapeInts all = elements(op->getResult(0)))
    integers[value] = all;
  op->getResult(0).replaceAllUsesWith(value);
  replaced[op->getResult(0)] = value;
  return success();
}

LogicalResult BoundedGraph::bound(Operation *op) {
  bool isKnown = llvm::none_of(
      op->getOperands(), [&](Value value) { return failures.contains(value); });
  if (isKnown && succeeded(boundOrRegroup(op))) {
    follow(op);
    return success();
  }
  failures.insert(op->result_begin(), op->result_end());
  return failure();
}

/// Ops that have no form for merged axes get operands whose valid elements are
/// moved together.
LogicalResult BoundedGraph::boundOrRegroup(Operation *op) {
  auto isMerged = [&](Value operand) {
    return operand &&
           !llvm::all_of(dims(operand), std::mem_fn(&BoundedDim::isPrefix));
  };
  if (llvm::none_of(op->getOperands(), isMerged))
    return boundOp(op);
  SmallVector<Value> operands(op->getOperands());
  size_t numEquations = equations.size();
  {
    ScopedDiagnosticHandler unheard(context(), [](Diagnostic &) {});
    if (succeeded(boundOp(op)))
      return success();
  }
  if (equations.size() != numEquations)
    return failure();
  GraphBuilder b = before(op);
  for (auto [i, operand] : llvm::enumerate(operands))
    op->setOperand(i, isMerged(operand) ? makePrefixes(b, *this, operand)
                                        : operand);
  return boundOp(op);
}

LogicalResult BoundedGraph::boundOp(Operation *op) {
  if (llvm::none_of(op->getOperands(),
                    [&](Value value) { return isBounded(value); })) {
    if (failed(refineResultTypes(op)))
      return failure();
    if (llvm::all_of(op->getResultTypes(),
                     [](Type type) {
                       return cast<ShapedType>(type).hasStaticShape();
                     }) &&
        !isa<ShapeOfOp>(op))
      return success();
  }
  if (isa<ScalarBodyOpInterface>(op))
    readUnexpanded(op, *this);
  if (auto done = boundOnSplitAxes(op, *this))
    return *done;
  if (auto rule = dyn_cast<BoundShapesOpInterface>(op)) {
    if (failed(rule.boundShapes(*this)))
      return failure();
  } else if (isa<ScalarBodyOpInterface>(op)) {
    if (failed(boundElementwise(op)))
      return failure();
  } else if (auto composite = dyn_cast<DecomposeOpInterface>(op);
             composite && composite.isComposite()) {
    return boundParts(composite);
  } else {
    return fail(op,
                "it has no form for extents that are known at run time only");
  }
  // What a rule promises has to agree with the op.
  return op->use_empty() ? success() : refineResultTypes(op);
}

LogicalResult BoundedGraph::boundElementwise(Operation *op) {
  BoundedDims result;
  for (Value operand : op->getOperands()) {
    auto common = broadcast(op, result, dims(operand));
    if (failed(common))
      return failure();
    result = *common;
  }
  set(op->getResult(0), result);
  return success();
}

LogicalResult BoundedGraph::boundParts(DecomposeOpInterface op) {
  // With bounds for extents it may be wrong, which its parts do not report.
  if (failed(verify(op, /*verifyRecursively=*/false)))
    return failure();
  Operation *before = op->getPrevNode();
  builder.setInsertionPoint(op);
  FailureOr<SmallVector<Value>> parts = op.decompose(builder);
  if (failed(parts))
    return failure();
  bool outer = std::exchange(shapesAreBounds, true);
  bool failedAny = false;
  Operation *part = before ? before->getNextNode() : &op->getBlock()->front();
  for (; part != op; part = part->getNextNode())
    failedAny |= failed(bound(part));
  shapesAreBounds = outer;
  if (failedAny)
    return failure();
  for (auto [result, value] : llvm::zip_equal(op->getResults(), *parts)) {
    while (Value other = replaced.lookup(value))
      value = other;
    set(result, dims(value));
    result.replaceAllUsesWith(value);
  }
  return success();
}

std::string BoundedGraph::symbolsOfOperands(Operation *op) {
  SetVector<unsigned> found;
  auto add = [&](AffineExpr expression) {
    expression.walk([&](AffineExpr part) {
      // Nobody can fix what the model computes.
      auto symbol = dyn_cast<AffineSymbolExpr>(part);
      if (symbol && symbol.getPosition() < numGiven)
        found.insert(symbol.getPosition());
    });
  };
  for (Value operand : op->getOperands()) {
    for (const BoundedDim &dim : dims(operand))
      add(dim.extent(context()));
    if (ShapeInts integers = elements(operand))
      for (AffineExpr element : *integers)
        if (element)
          add(element);
  }
  if (found.empty())
    return "its shape";
  return llvm::join(llvm::map_range(found,
                                    [&](unsigned symbol) {
                                      return "'" + symbolList[symbol].name +
                                             "'";
                                    }),
                    ", ");
}

LogicalResult BoundedGraph::fail(Operation *op, const Twine &why) {
  if (numGiven == 0)
    return op->emitOpError("cannot be compiled, as extents are computed from "
                           "data: ")
           << why;
  return op->emitOpError("cannot be compiled for a range of shapes: ")
         << why << "; fix " << symbolsOfOperands(op)
         << ", for example with --shape";
}

static bool contains(AffineExpr expression, AffineSymbolExpr symbol) {
  return expression.isFunctionOfSymbol(symbol.getPosition());
}

LogicalResult BoundedGraph::meet(Operation *op, const BoundedDim &a,
                                 const BoundedDim &b) {
  if (a == b)
    return success();
  AffineExpr x = a.extent(context()), y = b.extent(context());
  if (a.isPrefix() && b.isPrefix()) {
    if (areEqual(x, y))
      return success();
    // Of two symbols the earlier one stays. What is computed cannot be fixed.
    auto first = dyn_cast<AffineSymbolExpr>(x);
    auto second = dyn_cast<AffineSymbolExpr>(y);
    if (!first || (second && second.getPosition() > first.getPosition()))
      std::swap(x, y);
    auto symbol = dyn_cast<AffineSymbolExpr>(x);
    if (symbol && !contains(y, symbol) && !isComputed(x) && !isComputed(y)) {
      equations.push_back({symbol.getPosition(), y});
      return failure();
    }
  }
  bool isDivided = false;
  for (AffineExpr extent : {x, y})
    extent.walk([&](AffineExpr part) {
      isDivided |= part.getKind() == AffineExprKind::FloorDiv ||
                   part.getKind() == AffineExprKind::CeilDiv;
    });
  std::string first = extentText(x, symbolList);
  std::string second = extentText(y, symbolList);
  if (first == second)
    return fail(op, "it needs an axis of " + first +
                        " elements to be merged from the same axes as another");
  return fail(
      op, "it needs " + first + " to be " + second +
              (isDivided ? ", perhaps of multiples, as of 64..640:32" : ""));
}

FailureOr<BoundedDims> BoundedGraph::broadcast(Operation *op,
                                               ArrayRef<BoundedDim> a,
                                               ArrayRef<BoundedDim> b) {
  if (a.size() < b.size())
    std::swap(a, b);
  BoundedDims result(a);
  size_t offset = a.size() - b.size();
  for (auto [i, dim] : llvm::enumerate(b)) {
    BoundedDim &common = result[offset + i];
    if (common.factors().empty())
      common = dim;
    else if (!dim.factors().empty() && failed(meet(op, common, dim)))
      return failure();
  }
  return result;
}
