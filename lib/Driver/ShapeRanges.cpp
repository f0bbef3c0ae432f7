//===- ShapeRanges.cpp - ranges in the shapes of inputs -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Glow/IR/RefineTypes.h"
#include "glow/Dialect/Glow/Transforms/OpenShapes.h"
#include "glow/Driver/Compile.h"
#include "glow/Support/HostAttributes.h"
#include "glow/Support/NodeNames.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::glow;

/// The argument called `name` of the main function, and that function.
static std::pair<func::FuncOp, std::optional<unsigned>>
findArgument(ModuleOp module, StringRef name) {
  func::FuncOp function = mainFunctionOf(module);
  for (unsigned i = 0; function && i < function.getNumArguments(); ++i)
    if (auto known = function.getArgAttrOfType<StringAttr>(
            i, GlowDialect::kNameAttrName))
      if (known.getValue() == name)
        return {function, i};
  return {function, std::nullopt};
}

/// Adds the range `text` of a symbol, unless it is there.
static LogicalResult addBound(func::FuncOp function, StringRef symbol,
                              StringRef text,
                              std::vector<std::string> &bounds) {
  std::string prefix = (symbol + "=").str(), bound = prefix + text.str();
  for (const std::string &known : bounds)
    if (known != bound && StringRef(known).starts_with(prefix))
      return function.emitError("extent '")
             << symbol << "' has two ranges, " << known << " and " << bound
             << "; give it the same one wherever it occurs";
  if (!llvm::is_contained(bounds, bound))
    bounds.push_back(bound);
  return success();
}

/// Notes name=0..4 on the argument of that name.
static LogicalResult setValues(ModuleOp module, StringRef text) {
  auto [name, range] = text.rsplit('=');
  auto [low, high] = range.split("..");
  int64_t lower, upper;
  if (low.getAsInteger(10, lower) || high.getAsInteger(10, upper) ||
      upper < lower)
    return module.emitError("'")
           << text << "' is no range of values: write name=0..4";
  auto [function, argument] = findArgument(module, name);
  if (!argument)
    return module.emitError("has no input '")
           << name << "', for which the values " << range << " are given";
  auto type =
      dyn_cast<RankedTensorType>(function.getArgument(*argument).getType());
  if (!type || !type.getElementType().isInteger() || type.getRank() > 1)
    return function.emitError("input '")
           << name << "' cannot have a range of values: it is no integer and "
           << "no list of integers";
  function.setArgAttr(
      *argument, kValuesAttrName,
      DenseI64ArrayAttr::get(module.getContext(), {lower, upper}));
  return success();
}

/// Gives the calls of a node room for as many elements as node=8192 says.
static LogicalResult setMost(ModuleOp module, StringRef text) {
  auto [name, number] = text.rsplit('=');
  int64_t most;
  if (number.getAsInteger(10, most) || most < 1)
    return module.emitError("'")
           << text << "' is no number of elements: write node=8192";
  bool isAny = false;
  module.walk([&, name = name](CallHostOp op) {
    auto known = op.getConfig().getAs<DenseI64ArrayAttr>(kHostMostAttrName);
    if (!known || nodeNames(op.getLoc()) != name)
      return;
    NamedAttrList config(op.getConfig());
    SmallVector<int64_t> all(known.size(), most);
    config.set(kHostMostAttrName,
               DenseI64ArrayAttr::get(module.getContext(), all));
    op.setConfigAttr(config.getDictionary(module.getContext()));
    isAny = true;
  });
  if (!isAny)
    return module.emitError("has no node '")
           << name << "' of which only the data tell how much it makes";
  return success();
}

/// Fixes what inputs without a shape of their own share with others that have
/// one: dimensions of the same name are the same.
static void fixShared(ModuleOp module, const llvm::StringMap<int64_t> &known,
                      CompileOptions &options) {
  auto isGiven = [&](StringRef name) {
    return llvm::any_of(options.shapes, [&](StringRef shape) {
      return shape.rsplit('=').first == name;
    });
  };
  if (func::FuncOp function = mainFunctionOf(module)) {
    OpenShapes open = openShapesOf(function);
    for (auto [i, map] : llvm::enumerate(open.arguments)) {
      auto name =
          function.getArgAttrOfType<StringAttr>(i, GlowDialect::kNameAttrName);
      if (!name || isGiven(name))
        continue;
      bool isAny = false;
      auto parts =
          llvm::map_to_vector(map.getResults(), [&](AffineExpr extent) {
            auto symbol = dyn_cast<AffineSymbolExpr>(extent);
            auto found = symbol ? known.find(open.symbols[symbol.getPosition()])
                                : known.end();
            isAny |= found != known.end();
            return found == known.end() ? "?" : std::to_string(found->second);
          });
      if (isAny)
        options.shapes.push_back(name.str() + "=" + llvm::join(parts, "x"));
    }
  }
}

/// Takes the ranges out of the shape of an input, into `bounds`. `known` gets
/// the dimensions that it fixes.
static LogicalResult resolveShape(ModuleOp module, std::string &shape,
                                  llvm::StringMap<int64_t> &known,
                                  std::vector<std::string> &bounds) {
  auto [name, extents] = StringRef(shape).rsplit('=');
  auto [function, argument] = findArgument(module, name);
  // What has no range is looked at when it is fixed.
  if (!argument && !extents.contains(".."))
    return success();
  if (!argument)
    return module.emitError("has no input '")
           << name << "', for which the shape " << shape << " is given";
  OpenShapes open = openShapesOf(function);
  AffineMap map = open.arguments[*argument];
  SmallVector<StringRef> parts;
  extents.split(parts, 'x');
  SmallVector<std::string> fixed;
  for (auto [axis, part] : llvm::enumerate(parts)) {
    bool isRange = part.contains("..");
    fixed.push_back(isRange ? "?" : part.str());
    if (axis >= map.getNumResults())
      continue;
    auto symbol = dyn_cast<AffineSymbolExpr>(map.getResult(axis));
    int64_t extent;
    if (symbol && !part.getAsInteger(10, extent))
      known[open.symbols[symbol.getPosition()]] = extent;
    if (!isRange)
      continue;
    if (!symbol)
      return function.emitError("input '")
             << name << "' cannot have the range " << part << " along axis "
             << axis
             << ", as the model fixes that extent or computes it from others";
    if (failed(addBound(function, open.symbols[symbol.getPosition()], part,
                        bounds)))
      return failure();
  }
  if (extents.contains(".."))
    shape = name.str() + "=" + llvm::join(fixed, "x");
  return success();
}

LogicalResult glow::resolveRanges(ModuleOp module, CompileOptions &options) {
  for (const std::string &text : options.values)
    if (failed(setValues(module, text)))
      return failure();
  for (const std::string &text : options.most)
    if (failed(setMost(module, text)))
      return failure();
  llvm::StringMap<int64_t> known;
  for (std::string &shape : options.shapes)
    if (failed(resolveShape(module, shape, known, options.bounds)))
      return failure();
  // Without a range an open extent is an error that names the input.
  if (!options.bounds.empty())
    fixShared(module, known, options);
  return success();
}
