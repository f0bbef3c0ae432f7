//===- BoundedShapes.cpp - attributes of bounded functions ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::glow;

LogicalResult glow::verifyIndexExtents(Operation *op,
                                       std::optional<AffineMap> extents,
                                       int64_t rank) {
  if (!extents || (extents->getNumDims() == 0 &&
                   static_cast<int64_t>(extents->getNumResults()) == rank))
    return success();
  return op->emitOpError(
             "index_extents needs a function of symbols for each of ")
         << rank << " axes of the indices";
}

LogicalResult glow::verifyStepExtents(Operation *op,
                                      std::optional<AffineMap> extents) {
  if (!extents ||
      (extents->getNumDims() == 0 && extents->getNumResults() == 2 &&
       llvm::all_of(extents->getResults(), isComputable)))
    return success();
  return op->emitOpError("needs two functions of symbols as extents, which "
                         "divide by positive numbers alone, not ")
         << AffineMapAttr::get(*extents);
}

ArrayAttr glow::symbolsAttr(MLIRContext *context,
                            ArrayRef<ShapeSymbol> symbols) {
  Builder builder(context);
  SmallVector<Attribute> entries;
  for (const ShapeSymbol &symbol : symbols)
    entries.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("name", builder.getStringAttr(symbol.name)),
         builder.getNamedAttr("lower", builder.getI64IntegerAttr(symbol.lower)),
         builder.getNamedAttr("upper",
                              builder.getI64IntegerAttr(symbol.upper))}));
  return builder.getArrayAttr(entries);
}

std::optional<SmallVector<ShapeSymbol>> glow::symbolsOf(Attribute attribute) {
  auto entries = dyn_cast_or_null<ArrayAttr>(attribute);
  if (!entries)
    return std::nullopt;
  SmallVector<ShapeSymbol> symbols;
  for (Attribute entry : entries) {
    auto fields = dyn_cast<DictionaryAttr>(entry);
    if (!fields || fields.size() != 3)
      return std::nullopt;
    auto name = fields.getAs<StringAttr>("name");
    auto lower = fields.getAs<IntegerAttr>("lower");
    auto upper = fields.getAs<IntegerAttr>("upper");
    if (!name || !lower || !upper)
      return std::nullopt;
    symbols.push_back({name.getValue().str(), lower.getInt(), upper.getInt()});
  }
  return symbols;
}

std::optional<unsigned> glow::symbolsArgument(FunctionOpInterface function) {
  for (unsigned i = function.getNumArguments(); i-- > 0;)
    if (function.getArgAttr(i, GlowDialect::kSymbolsAttrName))
      return i;
  return std::nullopt;
}

SmallVector<ShapeSymbol> glow::symbolsOf(FunctionOpInterface function) {
  std::optional<unsigned> index = symbolsArgument(function);
  if (!index)
    return {};
  return symbolsOf(function.getArgAttr(*index, GlowDialect::kSymbolsAttrName))
      .value_or(SmallVector<ShapeSymbol>());
}

SmallVector<ShapeSymbol> glow::computedSymbolsOf(FunctionOpInterface function) {
  Attribute found;
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (Attribute symbols = function.getResultAttr(i, kComputedSymbolsAttrName))
      found = symbols;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (Attribute symbols = function.getArgAttr(i, kComputedSymbolsAttrName))
      found = symbols;
  return symbolsOf(found).value_or(SmallVector<ShapeSymbol>());
}

AffineMap glow::extentsOfArgument(FunctionOpInterface function,
                                  unsigned index) {
  auto map = function.getArgAttrOfType<AffineMapAttr>(
      index, GlowDialect::kExtentsAttrName);
  return map ? map.getValue() : AffineMap();
}

static bool isOpen(AffineExpr extent) {
  return !isa<AffineConstantExpr>(extent);
}

/// Whether the extents of any argument are as asked for.
static bool anyArgument(FunctionOpInterface function,
                        function_ref<bool(ArrayRef<AffineExpr> extents)> is) {
  return llvm::any_of(function.getArguments(), [&](BlockArgument argument) {
    AffineMap extents = extentsOfArgument(function, argument.getArgNumber());
    return extents && extents.getNumResults() > 0 && is(extents.getResults());
  });
}

bool glow::hasOpenExtents(FunctionOpInterface function) {
  return anyArgument(function, [](ArrayRef<AffineExpr> extents) {
    return llvm::any_of(extents.drop_front(), isOpen);
  });
}

bool glow::hasOpenWidth(FunctionOpInterface function) {
  return anyArgument(function, [](ArrayRef<AffineExpr> extents) {
    return extents.size() >= 4 &&
           (isOpen(extents.back()) ||
            llvm::count_if(extents.drop_front(), isOpen) > 1);
  });
}

// -- Ranges -------------------------------------------------------------------

/// The range of a binary operation that is monotone in each operand, from the
/// values at the four corners.
template <typename Function>
static std::optional<ExtentRange> corners(ExtentRange a, ExtentRange b,
                                          Function function) {
  std::optional<ExtentRange> range;
  for (int64_t x : {a.lower, a.upper})
    for (int64_t y : {b.lower, b.upper}) {
      int64_t value;
      if (!function(x, y, value))
        return std::nullopt;
      if (!range)
        range = ExtentRange{value, value};
      range->lower = std::min(range->lower, value);
      range->upper = std::max(range->upper, value);
    }
  return range;
}

static std::optional<ExtentRange> divideRange(AffineExprKind kind,
                                              ExtentRange a, ExtentRange b) {
  if (b.lower <= 0)
    return std::nullopt;
  if (kind == AffineExprKind::Mod)
    return ExtentRange{0, b.upper - 1};
  bool ceil = kind == AffineExprKind::CeilDiv;
  return corners(a, b, [&](int64_t x, int64_t y, int64_t &value) {
    value = ceil ? llvm::divideCeilSigned(x, y) : llvm::divideFloorSigned(x, y);
    return true;
  });
}

std::optional<ExtentRange> glow::rangeOf(AffineExpr expression,
                                         ArrayRef<ShapeSymbol> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return ExtentRange{constant.getValue(), constant.getValue()};
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression)) {
    if (symbol.getPosition() >= symbols.size())
      return std::nullopt;
    const ShapeSymbol &known = symbols[symbol.getPosition()];
    return ExtentRange{known.lower, known.upper};
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!binary)
    return std::nullopt;
  auto lhs = rangeOf(binary.getLHS(), symbols);
  auto rhs = rangeOf(binary.getRHS(), symbols);
  if (!lhs || !rhs)
    return std::nullopt;
  if (binary.getKind() == AffineExprKind::Add)
    return corners(*lhs, *rhs, [](int64_t x, int64_t y, int64_t &value) {
      return !llvm::AddOverflow(x, y, value);
    });
  if (binary.getKind() == AffineExprKind::Mul)
    return corners(*lhs, *rhs, [](int64_t x, int64_t y, int64_t &value) {
      return !llvm::MulOverflow(x, y, value);
    });
  return divideRange(binary.getKind(), *lhs, *rhs);
}

bool glow::isComputable(AffineExpr extent) {
  bool isComputable = true;
  extent.walk([&](AffineExpr expr) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary || expr.getKind() == AffineExprKind::Add ||
        expr.getKind() == AffineExprKind::Mul)
      return;
    auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    isComputable &= divisor && divisor.getValue() > 0;
  });
  return isComputable;
}

int64_t glow::valueOf(AffineExpr expression, ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return constant.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expression);
  int64_t lhs = valueOf(binary.getLHS(), symbols);
  int64_t rhs = valueOf(binary.getRHS(), symbols);
  switch (expression.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::Mod:
    return llvm::mod(lhs, rhs);
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(lhs, rhs);
  default:
    return llvm::divideCeilSigned(lhs, rhs);
  }
}

std::string glow::extentText(AffineExpr expression,
                             ArrayRef<ShapeSymbol> symbols) {
  std::string plain, text;
  llvm::raw_string_ostream(plain) << expression;
  StringRef rest = plain;
  while (!rest.empty()) {
    StringRef digits = rest.drop_front().take_while(llvm::isDigit);
    unsigned symbol;
    if (rest.front() == 's' && !digits.getAsInteger(10, symbol) &&
        symbol < symbols.size())
      text += symbols[symbol].name;
    else
      text += rest.take_front(1 + digits.size()).str();
    rest = rest.drop_front(1 + digits.size());
  }
  return text;
}

// -- Verification -------------------------------------------------------------

static LogicalResult verifySymbols(Operation *op, const Twine &place, Type type,
                                   NamedAttribute attribute) {
  auto symbols = symbolsOf(attribute.getValue());
  if (!symbols)
    return op->emitOpError(place) << ": '" << attribute.getName().getValue()
                                  << "' is not a list of {name = \"n\", lower "
                                  << "= 1 : i64, upper = 8 : i64}";
  llvm::StringSet<> names;
  for (const ShapeSymbol &symbol : *symbols) {
    if (symbol.name.empty() || !names.insert(symbol.name).second)
      return op->emitOpError(place)
             << ": '" << attribute.getName().getValue() << "' names '"
             << symbol.name << "' twice, or not at all";
    // What is computed is part of extents, and may be taken away from others.
    bool mayBeNegative = attribute.getName() == kComputedSymbolsAttrName;
    if ((symbol.lower < 0 && !mayBeNegative) || symbol.upper < symbol.lower)
      return op->emitOpError(place)
             << ": symbol '" << symbol.name << "' has the range "
             << symbol.lower << ".." << symbol.upper;
  }
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.getElementType().isInteger(64) ||
      shaped.getShape() != ArrayRef(static_cast<int64_t>(symbols->size())))
    return op->emitOpError(place) << " holds the values of " << symbols->size()
                                  << " symbols and cannot have type " << type;
  return success();
}

static LogicalResult verifyExtents(FunctionOpInterface function,
                                   const Twine &place, Type type,
                                   Attribute attribute) {
  auto map = dyn_cast<AffineMapAttr>(attribute);
  if (!map || map.getValue().getNumDims() != 0)
    return function->emitOpError(place)
           << ": 'glow.extents' is not a map from symbols, as "
              "affine_map<()[s0] -> (s0, 16)>";
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasStaticShape() ||
      shaped.getRank() != map.getValue().getNumResults())
    return function->emitOpError(place)
           << ": 'glow.extents' gives " << map.getValue().getNumResults()
           << " extents for the type " << type;
  size_t count =
      symbolsOf(function).size() + computedSymbolsOf(function).size();
  if (!symbolsArgument(function) && count == 0)
    return function->emitOpError(place)
           << ": 'glow.extents' needs an argument with 'glow.symbols'";
  if (map.getValue().getNumSymbols() != count)
    return function->emitOpError(place)
           << ": 'glow.extents' maps " << map.getValue().getNumSymbols()
           << " symbols, the function has " << count;
  if (!llvm::all_of(map.getValue().getResults(), isComputable))
    return function->emitOpError(place)
           << ": 'glow.extents' divides by what is no positive number";
  return success();
}

/// The names of a tensor and of its dimensions are strings. `earlier` are the
/// attributes of those before it, which have other names.
static LogicalResult verifyNames(Operation *op, const Twine &place, Type type,
                                 NamedAttribute attribute,
                                 ArrayRef<Attribute> earlier) {
  if (attribute.getName() == GlowDialect::kNameAttrName &&
      !isa<StringAttr>(attribute.getValue()))
    return op->emitOpError(place) << ": 'glow.name' is no string";
  // Buffers are arguments whether they are inputs or outputs, which may share
  // a name.
  if (attribute.getName() == GlowDialect::kNameAttrName &&
      isa<RankedTensorType>(type))
    for (auto other : earlier)
      if (auto known = dyn_cast_or_null<DictionaryAttr>(other);
          known && known.get(attribute.getName()) == attribute.getValue())
        return op->emitOpError(place)
               << ": another one is called " << attribute.getValue();
  if (attribute.getName() != GlowDialect::kDimNamesAttrName)
    return success();
  auto names = dyn_cast<ArrayAttr>(attribute.getValue());
  auto shaped = dyn_cast<ShapedType>(type);
  if (names && llvm::all_of(names, llvm::IsaPred<StringAttr>) && shaped &&
      shaped.hasRank() && static_cast<size_t>(shaped.getRank()) == names.size())
    return success();
  return op->emitOpError(place)
         << ": 'glow.dim_names' are no strings, one for each axis of " << type;
}

static LogicalResult verifyValues(Operation *op, const Twine &place, Type type,
                                  Attribute attribute) {
  auto range = dyn_cast<DenseI64ArrayAttr>(attribute);
  if (range && range.size() == 2 && range[0] <= range[1] &&
      cast<ShapedType>(type).getElementType().isInteger() &&
      cast<ShapedType>(type).getRank() <= 1)
    return success();
  if (auto value = dyn_cast<DenseElementsAttr>(attribute);
      value && value.getType() == type)
    return success();
  return op->emitOpError(place)
         << ": 'glow.values' is neither the values of the argument nor a range "
            "of those of a list of integers, as array<i64: 0, 4>";
}

LogicalResult GlowDialect::verifyRegionArgAttribute(Operation *op,
                                                    unsigned /*region*/,
                                                    unsigned index,
                                                    NamedAttribute attribute) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return success();
  Type type = function.getArgumentTypes()[index];
  if (attribute.getName() == kSymbolsAttrName ||
      attribute.getName() == kComputedSymbolsAttrName)
    return verifySymbols(op, "argument " + Twine(index), type, attribute);
  if (attribute.getName() == kExtentsAttrName)
    return verifyExtents(function, "argument " + Twine(index), type,
                         attribute.getValue());
  // Shapes may be inferred after the values were stated.
  if (auto tensor = dyn_cast<RankedTensorType>(type);
      tensor && attribute.getName() == kValuesAttrName)
    return verifyValues(op, "argument " + Twine(index), type,
                        attribute.getValue());
  ArrayAttr all = function.getArgAttrsAttr();
  return verifyNames(op, "argument " + Twine(index), type, attribute,
                     all.getValue().take_front(index));
}

LogicalResult
GlowDialect::verifyRegionResultAttribute(Operation *op, unsigned /*region*/,
                                         unsigned index,
                                         NamedAttribute attribute) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return success();
  Type type = function.getResultTypes()[index];
  if (attribute.getName() == kComputedSymbolsAttrName)
    return verifySymbols(op, "result " + Twine(index), type, attribute);
  if (attribute.getName() == kExtentsAttrName)
    return verifyExtents(function, "result " + Twine(index), type,
                         attribute.getValue());
  ArrayAttr all = function.getResAttrsAttr();
  return verifyNames(op, "result " + Twine(index), type, attribute,
                     all.getValue().take_front(index));
}
