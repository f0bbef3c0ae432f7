//===- InferShapes.cpp - refine the types of results ----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Glow/IR/RefineTypes.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::glow {
#define GEN_PASS_DEF_INFERSHAPES
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

/// Splits name=1x3x224x224; a name may hold '='.
static FailureOr<std::pair<StringRef, Dims>> parseShape(Location loc,
                                                        StringRef text) {
  auto [name, extents] = text.rsplit('=');
  Dims dims;
  SmallVector<StringRef> parts;
  extents.split(parts, 'x', /*MaxSplit=*/-1, /*KeepEmpty=*/true);
  if (extents.empty())
    parts.clear();
  for (StringRef part : parts) {
    int64_t extent = ShapedType::kDynamic;
    if (part != "?" && (part.getAsInteger(10, extent) || extent < 0))
      return emitError(loc)
             << "'" << text << "' is not a shape: write name=1x3x224x224";
    dims.push_back(extent);
  }
  return std::pair(name, dims);
}

/// Gives the argument called `name` the shape `dims`; dynamic extents stay what
/// they are.
static LogicalResult fixShape(func::FuncOp function, StringRef name,
                              ArrayRef<int64_t> dims) {
  SmallVector<StringRef> known;
  for (BlockArgument argument : function.getArguments()) {
    auto attribute = function.getArgAttrOfType<StringAttr>(
        argument.getArgNumber(), GlowDialect::kNameAttrName);
    if (attribute)
      known.push_back(attribute.getValue());
    if (!attribute || attribute.getValue() != name)
      continue;
    auto type = cast<RankedTensorType>(argument.getType());
    Dims extents(dims);
    if (extents.size() == static_cast<size_t>(type.getRank()))
      for (auto [extent, present] : llvm::zip(extents, type.getShape()))
        if (ShapedType::isDynamic(extent))
          extent = present;
    auto fixed = type.clone(extents);
    if (!areCompatible({type}, {fixed}))
      return function.emitError("input '")
             << name << "' has type " << type << " and cannot be " << fixed;
    argument.setType(fixed);
    return success();
  }
  return function.emitError("has no input '")
         << name << "'; its inputs are: " << llvm::join(known, ", ");
}

namespace {
struct InferShapes : glow::impl::InferShapesBase<InferShapes> {
  using InferShapesBase::InferShapesBase;

  void runOnOperation() override {
    if (failed(fixShapes()))
      return signalPassFailure();
    bool failedAny = false;
    getOperation().walk([&](func::FuncOp function) {
      function.walk<WalkOrder::PreOrder>(
          [&](Operation *op) { failedAny |= failed(refineResultTypes(op)); });
      updateFunctionType(function);
    });
    if (failedAny)
      signalPassFailure();
  }

  LogicalResult fixShapes() {
    if (shapes.empty())
      return success();
    func::FuncOp function = mainFunctionOf(getOperation());
    if (!function)
      return getOperation().emitError("has no function to specialise");
    bool failedAny = false;
    for (const std::string &text : shapes) {
      auto shape = parseShape(getOperation().getLoc(), text);
      failedAny |= failed(shape) ||
                   failed(fixShape(function, shape->first, shape->second));
    }
    return failure(failedAny);
  }
};
} // namespace
