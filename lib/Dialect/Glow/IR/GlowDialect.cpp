//===- GlowDialect.cpp - registration, types and attributes ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Folds.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Interfaces/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::glow;

#include "glow/Dialect/Glow/IR/GlowDialect.cpp.inc"
#include "glow/Dialect/Glow/IR/GlowEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "glow/Dialect/Glow/IR/GlowTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "glow/Dialect/Glow/IR/GlowAttrs.cpp.inc"

namespace {
/// Graph ops may move anywhere: they have no effects.
struct GlowInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Operation *, bool) const final {
    return true;
  }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void GlowDialect::initialize() {
  registerTypes();
  registerAttributes();
  registerStructureOps();
  registerUnaryOps();
  registerBinaryOps();
  registerLinearOps();
  registerReduceOps();
  registerShapeOps();
  registerIndexOps();
  registerNormOps();
  registerRecurrentOps();
  addInterfaces<GlowInliner>();
}

void GlowDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "glow/Dialect/Glow/IR/GlowTypes.cpp.inc"
      >();
}

void GlowDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "glow/Dialect/Glow/IR/GlowAttrs.cpp.inc"
      >();
}

void GlowDialect::getCanonicalizationPatterns(
    RewritePatternSet &patterns) const {
  populateGatherFolds(patterns);
  populateMapFolds(patterns);
  populatePadFolds(patterns);
  populateSliceFolds(patterns);
}

Operation *GlowDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, type, elements);
}

/// That of the body of a loop.
static LogicalResult verifyLoopBody(Operation *op, Attribute attribute) {
  auto numbers = dyn_cast<DenseI64ArrayAttr>(attribute);
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function || !numbers || numbers.size() != 2 || numbers[1] < 0)
    return op->emitOpError() << "'" << GlowDialect::kLoopAttrName
                             << "' is for functions, and has two numbers";
  Type number = function.getNumArguments()
                    ? function.getFunctionType().getInput(0)
                    : Type();
  auto shaped = dyn_cast_or_null<ShapedType>(number);
  if (!function.isPrivate() || !shaped ||
      !shaped.getElementType().isInteger(64) || shaped.getRank() != 0)
    return op->emitOpError() << "'" << GlowDialect::kLoopAttrName
                             << "' is for private functions of the "
                             << "number of an iteration, an i64 without axes";
  // Instructions have no results.
  auto isCount = [&](size_t most) { return uint64_t(numbers[0]) < most; };
  if (!isCount(function.getNumArguments()) ||
      (function.getNumResults() && !isCount(function.getNumResults())))
    return op->emitOpError()
           << "'" << GlowDialect::kLoopAttrName << "' states " << numbers[0]
           << " states, which are not arguments and results behind the first";
  TypeRange inputs = function.getArgumentTypes(),
            results = function.getResultTypes();
  if (!results.empty() &&
      inputs.slice(1, numbers[0]) != results.slice(1, numbers[0]))
    return op->emitOpError() << "returns other types of states than it takes";
  return success();
}

/// That of the body of a loop over the steps of sequences.
static LogicalResult verifyStepBody(Operation *op, Attribute attribute) {
  auto numbers = dyn_cast<DenseI64ArrayAttr>(attribute);
  auto function = dyn_cast<func::FuncOp>(op);
  if (!function || !function.isPrivate() || !numbers || numbers.size() != 5)
    return op->emitOpError() << "'" << GlowDialect::kStepsAttrName
                             << "' is for private functions, and has five "
                                "numbers";
  // Unsigned, so that sums of three do not overflow.
  constexpr uint64_t kMost = 1 << 20;
  uint64_t states = numbers[0], histories = numbers[1], rows = numbers[2];
  // Of sequences whose length is not known yet, neither number is.
  bool areOpen =
      ShapedType::isDynamic(numbers[3]) && ShapedType::isDynamic(numbers[4]);
  bool areKnown = numbers[3] >= 1 &&
                  (numbers[4] == numbers[3] || numbers[4] - 1 == numbers[3]);
  if (states > kMost || histories > kMost || rows > kMost ||
      (!areOpen && !areKnown) ||
      states + histories + rows > function.getNumArguments() ||
      (function.getNumResults() &&
       states + histories != function.getNumResults()))
    return op->emitOpError() << "'" << GlowDialect::kStepsAttrName
                             << "' states " << ArrayRef<int64_t>(numbers)
                             << ", which are not its arguments and results";
  return success();
}

LogicalResult GlowDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  if (attribute.getName() == kTargetAttrName && !isa<ModuleOp>(op))
    return op->emitOpError()
           << "'" << kTargetAttrName << "' may only be set on a module";
  if (attribute.getName() == kTargetAttrName &&
      !isa<TargetAttrInterface>(attribute.getValue()))
    return op->emitOpError()
           << "'" << kTargetAttrName << "' is " << attribute.getValue()
           << ", which is not a target";
  if (attribute.getName() == kLoopAttrName)
    return verifyLoopBody(op, attribute.getValue());
  if (attribute.getName() == kStepsAttrName)
    return verifyStepBody(op, attribute.getValue());
  return success();
}
