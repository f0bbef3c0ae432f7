//===- ShapeRanges.cpp - ranges in the shapes of inputs -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "glow/Dialect/Glow/Transforms/OpenShapes.h"
#include "glow/Driver/Compile.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::glow;

/// The argument called `name` of the main function, and that function.
static std::pair<func::FuncOp, std::optional<unsigned>>
findArgument(ModuleOp module, StringRef name) {
  for (auto function : module.getOps<func::FuncOp>()) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (auto known = function.getArgAttrOfType<StringAttr>(
              i, GlowDialect::kNameAttrName))
        if (known.getValue() == name)
          return {function, i};
    return {function, std::nullopt};
  }
  return {};
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

LogicalResult glow::resolveRanges(ModuleOp module, CompileOptions &options) {
  for (std::string &shape : options.shapes) {
    if (StringRef(shape).rsplit('=').second.find("..") == StringRef::npos)
      continue;
    auto [name, extents] = StringRef(shape).rsplit('=');
    auto [function, argument] = findArgument(module, name);
    if (!argument)
      return module.emitError("has no input '")
             << name << "', for which the shape " << shape << " is given";
    AffineMap open = openShapesOf(function).arguments[*argument];
    std::vector<std::string> symbols = openShapesOf(function).symbols;
    SmallVector<StringRef> parts;
    extents.split(parts, 'x');
    SmallVector<std::string> fixed;
    for (auto [axis, part] : llvm::enumerate(parts)) {
      bool isRange = part.contains("..");
      fixed.push_back(isRange ? "?" : part.str());
      if (!isRange || axis >= open.getNumResults())
        continue;
      auto symbol = dyn_cast<AffineSymbolExpr>(open.getResult(axis));
      if (!symbol)
        return function.emitError("input '")
               << name << "' cannot have the range " << part << " along axis "
               << axis
               << ", as the model fixes that extent or computes it from others";
      if (failed(addBound(function, symbols[symbol.getPosition()], part,
                          options.bounds)))
        return failure();
    }
    shape = name.str() + "=" + llvm::join(fixed, "x");
  }
  return success();
}
