//===- StructureOps.cpp - constants, element-wise clusters, terminators ---===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Support/HostAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::glow;

#define GET_OP_CLASSES
#include "glow/Dialect/Glow/IR/GlowStructureOps.cpp.inc"

void GlowDialect::registerStructureOps() {
  addOperations<
#define GET_OP_LIST
#include "glow/Dialect/Glow/IR/GlowStructureOps.cpp.inc"
      >();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult ConstantOp::verify() {
  // The bytes of a resource would be taken for addresses.
  if (isa<StringType>(elementType(getResult())) &&
      isa<DenseResourceElementsAttr>(getValue()))
    return emitOpError("strings cannot be a resource");
  return success();
}

LogicalResult MapOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                TypeList &types) {
  return inferElementwise(location, adaptor.getInputs(),
                          adaptor.getElementType(), types);
}

LogicalResult MapOp::verify() {
  Block &block = getBody().front();
  if (block.getNumArguments() != getInputs().size())
    return emitOpError("has ")
           << getInputs().size() << " inputs but its region takes "
           << block.getNumArguments();
  for (auto [input, argument] : llvm::zip(getInputs(), block.getArguments()))
    if (argument.getType() != ScalarBuilder::signless(elementType(input)))
      return emitOpError("region argument has type ")
             << argument.getType() << ", but the input is " << input.getType();
  auto yield = cast<YieldOp>(block.getTerminator());
  Type wanted = ScalarBuilder::signless(getElementType());
  if (yield.getValues().getTypes() != TypeRange(wanted))
    return yield.emitOpError("must yield one value of type ") << wanted;
  return success();
}

LogicalResult CallHostOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                     TypeList &types) {
  int64_t core = adaptor.getCoreRank();
  Dims common;
  // On bounds, cells are the results as a whole.
  bool isBounded = adaptor.getConfig().contains(kHostExtentsAttrName);
  for (Value input : adaptor.getInputs()) {
    if (isBounded)
      break;
    ArrayRef<int64_t> dims = dimsOf(input);
    if (core < 0 || core > static_cast<int64_t>(dims.size()))
      return emitOptionalError(location, "core_rank ", core,
                               " is not a number of axes that ",
                               input.getType(), " has");
    FailureOr<Dims> next = broadcast(location, common, dims.drop_back(core));
    if (failed(next))
      return failure();
    common = *next;
  }
  for (Attribute cell : adaptor.getCells()) {
    auto type = dyn_cast<RankedTensorType>(cast<TypeAttr>(cell).getValue());
    if (!type)
      return emitOptionalError(location, "cells must be ranked tensors");
    Dims dims = common;
    llvm::append_range(dims, type.getShape());
    types.push_back(RankedTensorType::get(dims, type.getElementType()));
  }
  return success();
}

LogicalResult CallHostOp::verify() {
  if (getFunction().empty())
    return emitOpError("names no function");
  return verifyHostAttributes(*this, getConfig());
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getCallee());
  if (!function)
    return emitOpError("callee ") << getCallee() << " is not a function";
  FunctionType type = function.getFunctionType();
  if (getOperandTypes() != TypeRange(type.getInputs()) ||
      getResultTypes() != TypeRange(type.getResults())) {
    InFlightDiagnostic error =
        emitOpError("does not fit the type of its callee");
    error.attachNote(function.getLoc()) << "which is " << type;
    return error;
  }
  return success();
}

/// The type that the body of a loop must have.
static FunctionType bodyType(LoopOp loop, int64_t rows) {
  Builder builder(loop.getContext());
  auto scalar = [](Type element) { return RankedTensorType::get({}, element); };
  SmallVector<Type> inputs{scalar(builder.getI64Type())};
  llvm::append_range(inputs, loop.getStates().getTypes());
  llvm::append_range(inputs, loop.getReads().getTypes());
  SmallVector<Type> results{scalar(builder.getI1Type())};
  llvm::append_range(results, loop.getStates().getTypes());
  for (Type all :
       loop.getResults().drop_front(loop.getStates().size()).getTypes()) {
    auto type = cast<RankedTensorType>(all);
    bool hasRows = type.getRank() > 0 && type.getDimSize(0) == rows;
    results.push_back(hasRows ? type.clone(type.getShape().drop_front()) : all);
  }
  return builder.getFunctionType(inputs, results);
}

LogicalResult LoopOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getBodyAttr());
  auto loop = function ? function->getAttrOfType<DenseI64ArrayAttr>(
                             GlowDialect::kLoopAttrName)
                       : nullptr;
  if (!loop || !function.isPrivate() || loop.size() != 2)
    return emitOpError("body ")
           << getBodyAttr() << " is no private function with '"
           << GlowDialect::kLoopAttrName << "'";
  size_t states = getStates().size();
  if (loop[0] != static_cast<int64_t>(states) || getNumResults() < states ||
      getStates().getTypes() != getResults().take_front(states).getTypes())
    return emitOpError("needs a result of the same type for each state, of "
                       "which the body has ")
           << loop[0];
  FunctionType wanted = bodyType(*this, loop[1]);
  if (function.getFunctionType() == wanted)
    return success();
  InFlightDiagnostic error = emitOpError("needs a body of type ") << wanted;
  error.attachNote(function.getLoc()) << "it is " << function.getFunctionType();
  return error;
}

/// What a step has of a tensor, whose axis 1 has the steps; null if it has
/// none.
static RankedTensorType typeOfStep(Type all) {
  auto type = cast<RankedTensorType>(all);
  if (type.getRank() < 2)
    return {};
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + 1);
  return type.clone(shape);
}

/// What the types say without the body.
static LogicalResult verifyTypes(ForStepsOp op, int64_t steps,
                                 int64_t historyRows) {
  size_t states = op.getStates().size(), histories = op.getHistories().size();
  if (histories == 0 || op.getRows().empty())
    return op.emitOpError("needs a history and rows");
  if (op.getNumResults() != states + histories ||
      op.getResults().take_front(states).getTypes() !=
          op.getStates().getTypes())
    return op.emitOpError("needs a result of the same type for each state, and "
                          "one for each history");
  auto fits = [&](Type all, int64_t wanted) {
    RankedTensorType one = typeOfStep(all);
    return one && cast<RankedTensorType>(all).getDimSize(1) == wanted;
  };
  for (auto [initial, all] : llvm::zip(
           op.getHistories(), op.getResults().drop_front(states).getTypes()))
    if (!fits(all, historyRows) || typeOfStep(all) != initial.getType())
      return op.emitOpError("needs histories of ")
             << historyRows << " rows of " << initial.getType() << ", not "
             << all;
  for (Type all : op.getRows().getTypes())
    if (!fits(all, steps))
      return op.emitOpError("needs rows of ") << steps << " steps, not " << all;
  return verifyStepExtents(op, op.getExtents());
}

LogicalResult ForStepsOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getBodyAttr());
  auto numbers = function ? function->getAttrOfType<DenseI64ArrayAttr>(
                                GlowDialect::kStepsAttrName)
                          : nullptr;
  SmallVector<int64_t> own{static_cast<int64_t>(getStates().size()),
                           static_cast<int64_t>(getHistories().size()),
                           static_cast<int64_t>(getRows().size())};
  if (!numbers || !function.isPrivate() || numbers.size() != 5 ||
      numbers.asArrayRef().take_front(3) != ArrayRef(own))
    return emitOpError("body ")
           << getBodyAttr() << " is no private function with '"
           << GlowDialect::kStepsAttrName << "' of " << own;
  if (failed(verifyTypes(*this, numbers[3], numbers[4])))
    return failure();
  Builder builder(getContext());
  SmallVector<Type> inputs(getStates().getTypes());
  llvm::append_range(inputs, getHistories().getTypes());
  for (Type rows : getRows().getTypes())
    inputs.push_back(typeOfStep(rows));
  SmallVector<Type> results(
      ArrayRef(inputs).take_front(getStates().size() + getHistories().size()));
  llvm::append_range(inputs, getReads().getTypes());
  FunctionType wanted = builder.getFunctionType(inputs, results);
  if (function.getFunctionType() == wanted)
    return success();
  InFlightDiagnostic error = emitOpError("needs a body of type ") << wanted;
  error.attachNote(function.getLoc()) << "it is " << function.getFunctionType();
  return error;
}
