//===- OpenShapes.cpp - the symbols of a model's inputs -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/Transforms/OpenShapes.h"
#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "glow/Dialect/Glow/IR/ShapeArithmetic.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::glow;

/// What a dynamic dimension is called.
static std::string nameOf(func::FuncOp function, unsigned argument,
                          unsigned axis) {
  auto names = function.getArgAttrOfType<ArrayAttr>(
      argument, GlowDialect::kDimNamesAttrName);
  if (names && axis < names.size())
    if (auto name = dyn_cast<StringAttr>(names[axis]); name && !name.empty())
      return name.str();
  auto input = function.getArgAttrOfType<StringAttr>(
      argument, GlowDialect::kNameAttrName);
  return ((input ? input.getValue() : StringRef("input")) + "." + Twine(axis))
      .str();
}

static bool isPlainName(StringRef text) {
  return !text.empty() && !llvm::isDigit(text.front()) &&
         llvm::all_of(text, [](char c) {
           return llvm::isAlnum(c) || c == '_' || c == '.';
         });
}

/// A sum of products of numbers and symbols, or null.
static AffineExpr parse(StringRef text,
                        const llvm::StringMap<unsigned> &symbols,
                        MLIRContext *context) {
  AffineExpr sum;
  SmallVector<StringRef> terms;
  text.split(terms, '+');
  for (StringRef term : terms) {
    AffineExpr product;
    SmallVector<StringRef> factors;
    term.split(factors, '*');
    for (StringRef factor : factors) {
      factor = factor.trim();
      auto symbol = symbols.find(factor);
      int64_t number;
      AffineExpr value;
      if (symbol != symbols.end())
        value = getAffineSymbolExpr(symbol->second, context);
      else if (!factor.getAsInteger(10, number))
        value = getAffineConstantExpr(number, context);
      else
        return {};
      product = product ? product * value : value;
    }
    sum = sum ? sum + product : product;
  }
  return simplifySum(sum);
}

OpenShapes glow::openShapesOf(func::FuncOp function) {
  MLIRContext *context = function.getContext();
  OpenShapes open;
  llvm::StringMap<unsigned> symbols;
  auto define = [&](StringRef name) {
    if (symbols.try_emplace(name, open.symbols.size()).second)
      open.symbols.push_back(name.str());
  };
  auto forEachOpen = [&](auto body) {
    for (BlockArgument argument : function.getArguments())
      if (auto type = dyn_cast<RankedTensorType>(argument.getType()))
        for (int64_t axis = 0; axis < type.getRank(); ++axis)
          if (type.isDynamicDim(axis))
            body(nameOf(function, argument.getArgNumber(), axis));
  };
  // Plain names first, as others are made of them.
  forEachOpen([&](const std::string &name) {
    if (isPlainName(name))
      define(name);
  });
  forEachOpen([&](const std::string &name) {
    if (!parse(name, symbols, context))
      define(name);
  });
  for (BlockArgument argument : function.getArguments()) {
    SmallVector<AffineExpr> extents;
    if (auto type = dyn_cast<RankedTensorType>(argument.getType()))
      for (auto [axis, extent] : llvm::enumerate(type.getShape())) {
        if (!ShapedType::isDynamic(extent)) {
          extents.push_back(getAffineConstantExpr(extent, context));
          continue;
        }
        std::string name = nameOf(function, argument.getArgNumber(), axis);
        auto whole = symbols.find(name);
        extents.push_back(whole != symbols.end()
                              ? getAffineSymbolExpr(whole->second, context)
                              : parse(name, symbols, context));
      }
    open.arguments.push_back(
        AffineMap::get(0, open.symbols.size(), extents, context));
  }
  return open;
}
