//===- BoundShapes.cpp - compile for a range of shapes at once ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk in program order. Where dimensions of different symbols meet, they
// have to be equal: one symbol is then an expression of others, and the walk
// starts over on the original function.
//
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "glow/Dialect/Glow/IR/RefineTypes.h"
#include "glow/Dialect/Glow/Transforms/OpenShapes.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Support/DeadOps.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::glow {
#define GEN_PASS_DEF_BOUNDSHAPES
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

namespace {
/// The values that a symbol has: multiples of `step`.
struct SymbolBound {
  ShapeSymbol symbol;
  int64_t step = 1;
};
} // namespace

/// Reads batch=1..8, height=64..640:32 or batch=8.
static FailureOr<SymbolBound> parseBound(Operation *op, StringRef text) {
  auto [name, range] = text.rsplit('=');
  auto [bounds, step] = range.split(':');
  auto [lower, upper] = bounds.split("..");
  SymbolBound bound{{name.str(), 0, 0}};
  ShapeSymbol &symbol = bound.symbol;
  bool isRange = range.contains(".."), hasStep = range.contains(':');
  if (name.empty() || lower.getAsInteger(10, symbol.lower) ||
      (isRange && upper.getAsInteger(10, symbol.upper)) || symbol.lower < 0 ||
      (isRange && symbol.upper < symbol.lower) ||
      (hasStep &&
       (!isRange || step.getAsInteger(10, bound.step) || bound.step < 1)))
    return op->emitError("'")
           << text << "' is not a bound: write name=1..128, "
           << "name=64..640:32 for multiples of 32, or name=128";
  if (!isRange)
    symbol.upper = symbol.lower;
  if (symbol.upper > kMaxTensorElements)
    return op->emitError("'") << text << "' is beyond 2^40 elements";
  // What is beyond the upper bound may be beyond all numbers too.
  symbol.upper -= symbol.upper % bound.step;
  if (symbol.upper < symbol.lower)
    return op->emitError("'") << text << "' has no multiple of " << step;
  symbol.lower = llvm::alignTo(symbol.lower, bound.step);
  return bound;
}

namespace {
/// The symbols of a function while some of them turn out to be expressions of
/// others.
struct SymbolTableau {
  SmallVector<ShapeSymbol> symbols;
  SmallVector<AffineMap> arguments; // extents

  /// Removes a symbol, which is `value`.
  void substitute(unsigned symbol, AffineExpr value) {
    MLIRContext *context = value.getContext();
    // The symbols behind it move up.
    auto renumber = [&](unsigned position) -> AffineExpr {
      return getAffineSymbolExpr(position > symbol ? position - 1 : position,
                                 context);
    };
    // Equal symbols have what is common to their ranges.
    if (auto other = dyn_cast<AffineSymbolExpr>(value)) {
      ShapeSymbol &kept = symbols[other.getPosition()];
      kept.lower = std::max(kept.lower, symbols[symbol].lower);
      kept.upper = std::min(kept.upper, symbols[symbol].upper);
    }
    SmallVector<AffineExpr> moved;
    for (unsigned i = 0; i < symbols.size(); ++i)
      moved.push_back(i == symbol ? AffineExpr() : renumber(i));
    moved[symbol] = getAffineConstantExpr(0, context);
    moved[symbol] = value.replaceSymbols(moved);
    for (AffineMap &map : arguments) {
      SmallVector<AffineExpr> extents;
      for (AffineExpr extent : map.getResults())
        extents.push_back(simplifySum(extent.replaceSymbols(moved)));
      map = AffineMap::get(0, symbols.size() - 1, extents, context);
    }
    symbols.erase(symbols.begin() + symbol);
  }
};

struct BoundShapes : glow::impl::BoundShapesBase<BoundShapes> {
  using BoundShapesBase::BoundShapesBase;

  void runOnOperation() override {
    func::FuncOp function = mainFunctionOf(getOperation());
    if (!function && bounds.empty())
      return;
    if (!function) {
      getOperation().emitError("has no function to bound");
      return signalPassFailure();
    }
    if (bounds.empty() && !dependsOnData(function) && !hasValues(function))
      return;
    auto tableau = readSymbols(function);
    if (failed(tableau) || failed(boundFunction(function, *tableau)))
      signalPassFailure();
  }

  /// True if some extent is open although those of all inputs are fixed.
  static bool dependsOnData(func::FuncOp function) {
    auto isFixed = [](Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return !tensor || tensor.hasStaticShape();
    };
    return llvm::all_of(function.getArgumentTypes(), isFixed) &&
           function.getBody().hasOneBlock() &&
           llvm::any_of(function.getBody().front(), [&](Operation &op) {
             return !llvm::all_of(op.getResultTypes(), isFixed);
           });
  }

  /// True if an input has the values that the function was made for, which is
  /// checked.
  static bool hasValues(func::FuncOp function) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (function.getArgAttrOfType<DenseElementsAttr>(i, kValuesAttrName))
        return llvm::all_of(function.getArgumentTypes(), [](Type type) {
          return cast<ShapedType>(type).hasStaticShape();
        });
    return false;
  }

  /// Says at which input a dimension can be bounded.
  static InFlightDiagnostic reportUnbounded(func::FuncOp function,
                                            const OpenShapes &open,
                                            StringRef name) {
    auto error = function.emitError("dimension '") << name << "' has no bound";
    AffineExpr symbol = getAffineSymbolExpr(llvm::find(open.symbols, name) -
                                                open.symbols.begin(),
                                            function.getContext());
    for (auto [i, map] : llvm::enumerate(open.arguments))
      for (auto [axis, extent] : llvm::enumerate(map.getResults()))
        if (extent == symbol) {
          error << "; give one, as 1..128, for axis " << axis << " of '"
                << nameOf(function, i) << "'";
          return error;
        }
    return error;
  }

  /// The symbols with their ranges.
  FailureOr<SymbolTableau> readSymbols(func::FuncOp function) {
    OpenShapes open = openShapesOf(function);
    SymbolTableau tableau;
    tableau.arguments = open.arguments;
    SmallVector<SymbolBound> ranges;
    for (const std::string &text : bounds) {
      auto range = parseBound(function, text);
      if (failed(range))
        return failure();
      if (!llvm::is_contained(open.symbols, range->symbol.name))
        return function.emitError("has no open dimension '")
               << range->symbol.name
               << "'; they are: " << llvm::join(open.symbols, ", ");
      ranges.push_back(*range);
    }
    // Multiples are written as such, so that their parts are whole numbers.
    SmallVector<AffineExpr> multiples;
    for (const std::string &name : open.symbols) {
      auto *range = llvm::find_if(ranges, [&](const SymbolBound &known) {
        return known.symbol.name == name;
      });
      if (range == ranges.end())
        return reportUnbounded(function, open, name);
      AffineExpr symbol =
          getAffineSymbolExpr(tableau.symbols.size(), function.getContext());
      multiples.push_back(symbol.floorDiv(range->step) * range->step);
      tableau.symbols.push_back(range->symbol);
    }
    for (AffineMap &map : tableau.arguments)
      map = map.replaceDimsAndSymbols({}, multiples, 0, multiples.size());
    for (unsigned i = tableau.symbols.size(); i-- > 0;)
      if (tableau.symbols[i].lower == tableau.symbols[i].upper)
        tableau.substitute(i, getAffineConstantExpr(tableau.symbols[i].lower,
                                                    function.getContext()));
    return tableau;
  }

  /// Bounds copies of the function until no more symbols turn out to be equal.
  LogicalResult boundFunction(func::FuncOp function, SymbolTableau tableau) {
    while (true) {
      OwningOpRef<func::FuncOp> copy(cast<func::FuncOp>(function->clone()));
      Value values = addSymbols(*copy, tableau);
      BoundedGraph graph(*copy, tableau.symbols, values);
      LogicalResult done = boundBody(*copy, tableau, graph);
      if (!graph.equations.empty()) {
        const SymbolEquation &equation = graph.equations.front();
        if (failed(checkRange(function, tableau, equation)))
          return failure();
        tableau.substitute(equation.symbol, equation.value);
        continue;
      }
      if (failed(done))
        return failure();
      function->getBlock()->getOperations().insert(Block::iterator(function),
                                                   copy.release());
      function.erase();
      updateStepBodies();
      return success();
    }
  }

  /// Bodies of loops over steps state how many there may be.
  void updateStepBodies() {
    getOperation().walk([&](ForStepsOp loop) {
      auto body = getOperation().lookupSymbol<func::FuncOp>(loop.getBody());
      StringRef name = GlowDialect::kStepsAttrName;
      SmallVector<int64_t> numbers(
          body->getAttrOfType<DenseI64ArrayAttr>(name).asArrayRef());
      numbers[3] = dimsOf(loop.getRows().front())[1];
      numbers[4] = dimsOf(loop.getResults().back())[1];
      body->setAttr(name, Builder(&getContext()).getDenseI64ArrayAttr(numbers));
    });
  }

  /// An equation that no values within the ranges fulfil is an error.
  static LogicalResult checkRange(func::FuncOp function,
                                  const SymbolTableau &tableau,
                                  const SymbolEquation &equation) {
    const ShapeSymbol &symbol = tableau.symbols[equation.symbol];
    auto range = rangeOf(equation.value, tableau.symbols);
    if (!range || range->upper < symbol.lower || range->lower > symbol.upper)
      return function.emitError("dimension '")
             << symbol.name << "' has to be "
             << extentText(equation.value, tableau.symbols)
             << " in an op, which is not within its bounds";
    return success();
  }

  /// One more argument, for the symbols' values; none if all extents are fixed.
  Value addSymbols(func::FuncOp function, const SymbolTableau &tableau) {
    if (tableau.symbols.empty())
      return {};
    Builder builder(&getContext());
    auto type = RankedTensorType::get(
        {static_cast<int64_t>(tableau.symbols.size())}, builder.getI64Type());
    auto attributes = builder.getDictionaryAttr(
        builder.getNamedAttr(GlowDialect::kSymbolsAttrName,
                             symbolsAttr(&getContext(), tableau.symbols)));
    unsigned last = function.getNumArguments();
    (void)function.insertArgument(last, type, attributes, function.getLoc());
    return function.getArgument(last);
  }

  static StringRef nameOf(func::FuncOp function, unsigned argument) {
    auto name = function.getArgAttrOfType<StringAttr>(
        argument, GlowDialect::kNameAttrName);
    return name ? name.getValue() : "value";
  }

  LogicalResult boundBody(func::FuncOp function, const SymbolTableau &tableau,
                          BoundedGraph &graph) {
    for (auto [i, map] : llvm::enumerate(tableau.arguments)) {
      Value argument = function.getArgument(i);
      graph.set(argument,
                llvm::map_to_vector<6>(map.getResults(), [](AffineExpr extent) {
                  return BoundedDim(extent);
                }));
      if (isTooLarge(dimsOf(argument)))
        return function.emitError("input '")
               << nameOf(function, i) << "' may be " << argument.getType()
               << ", of more than 2^40 elements; lower its bounds";
    }
    for (BlockArgument argument : function.getArguments()) {
      unsigned number = argument.getArgNumber();
      Attribute known = function.getArgAttr(number, kValuesAttrName);
      if (auto range = dyn_cast_or_null<DenseI64ArrayAttr>(known))
        graph.addValues(argument, {range[0], range[1]},
                        nameOf(function, number));
      else if (auto values = dyn_cast_or_null<DenseElementsAttr>(known))
        graph.addCheck(argument, values, nameOf(function, number));
    }
    Block &body = function.getBody().front();
    bool failedAny = false;
    for (Operation &op :
         llvm::make_early_inc_range(body.without_terminator())) {
      failedAny |= failed(graph.bound(&op));
      if (!graph.equations.empty())
        return failure();
    }
    if (failedAny)
      return failure();
    finish(function, graph);
    for (unsigned i = 0; i < tableau.arguments.size(); ++i)
      if (auto extents = graph.extentsOf(function.getArgument(i)))
        function.setArgAttr(i, GlowDialect::kExtentsAttrName, extents);
    return success();
  }

  /// Results with their extents, and no ops that were replaced.
  static void finish(func::FuncOp function, BoundedGraph &graph) {
    auto end = cast<func::ReturnOp>(function.getBody().front().getTerminator());
    for (OpOperand &operand : end->getOpOperands()) {
      GraphBuilder b = graph.before(end);
      operand.set(makePrefixes(b, graph, operand.get()));
      if (auto extents = graph.extentsOf(operand.get()))
        function.setResultAttr(operand.getOperandNumber(),
                               GlowDialect::kExtentsAttrName, extents);
    }
    returnSymbols(function, graph);
    eraseDeadOps(function.getBody().front());
    updateFunctionType(function);
  }

  /// One more result, for the values of symbols that are computed.
  static void returnSymbols(func::FuncOp function, BoundedGraph &graph) {
    if (graph.computedValues().empty())
      return;
    auto end = cast<func::ReturnOp>(function.getBody().front().getTerminator());
    GraphBuilder b = graph.before(end);
    SmallVector<Value> values;
    for (Value value : graph.computedValues())
      values.push_back(b.unsqueeze(value, 0));
    Value all = b.concat(values, 0);
    unsigned last = function.getNumResults();
    end->insertOperands(end->getNumOperands(), all);
    (void)function.insertResult(last, all.getType(), DictionaryAttr());
    function.setResultAttr(
        last, kComputedSymbolsAttrName,
        symbolsAttr(graph.context(), graph.computedSymbols()));
  }
};
} // namespace
