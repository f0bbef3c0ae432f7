//===- ControlOps.cpp - what runs, and how often --------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

#define GET_OP_CLASSES
#include "glow/Dialect/Inst/IR/InstControlOps.cpp.inc"

void InstDialect::registerControlOps() {
  addOperations<
#define GET_OP_LIST
#include "glow/Dialect/Inst/IR/InstControlOps.cpp.inc"
      >();
}

static LogicalResult verifyScalar(Operation *op, Value buffer, unsigned width) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getElementType().isInteger(width) && type.getNumElements() == 1)
    return success();
  return op->emitOpError("needs one i") << width << ", not " << type;
}

LogicalResult RequireOp::verify() {
  return verifyScalar(*this, getViolated(), 1);
}

LogicalResult RepeatOp::verify() {
  return verifyScalar(*this, getCondition(), 1);
}

LogicalResult LoopOp::verify() {
  return failure(failed(verifyScalar(*this, getNumber(), 64)) ||
                 failed(verifyScalar(*this, getCondition(), 1)));
}

LogicalResult LoopOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getBodyAttr());
  if (!function || !function.isPrivate())
    return emitOpError("body ") << getBodyAttr() << " is no private function";
  // Functions become instructions one after the other.
  FunctionType type = function.getFunctionType();
  if (llvm::any_of(type.getInputs(), llvm::IsaPred<TensorType>) ||
      TypeRange(type.getInputs()) == getOperandTypes())
    return success();
  InFlightDiagnostic error = emitOpError("does not fit the type of its body");
  error.attachNote(function.getLoc()) << "which is " << type;
  return error;
}

MemRefType inst::typeOfStep(MemRefType all, int64_t steps) {
  if (all.getRank() < 2 || all.getDimSize(1) != steps || !isDense(all))
    return {};
  SmallVector<int64_t> shape(all.getShape()), strides(shape.size(), 1);
  for (size_t i = shape.size() - 1; i-- > 0;)
    strides[i] = strides[i + 1] * shape[i + 1];
  shape.erase(shape.begin() + 1);
  strides.erase(strides.begin() + 1);
  if (shape.front() == 1)
    return MemRefType::get(shape, all.getElementType());
  return MemRefType::get(
      shape, all.getElementType(),
      StridedLayoutAttr::get(all.getContext(), /*offset=*/0, strides));
}

/// The extent of axis 1 of the first of some buffers; 0 if there is none.
static int64_t stepsOf(ValueRange buffers) {
  return buffers.empty() || shapeOf(buffers.front()).size() < 2
             ? 0
             : shapeOf(buffers.front())[1];
}

LogicalResult ForStepsOp::verify() {
  if (!getInitial().empty() && getInitial().size() != getHistories().size())
    return emitOpError("needs an initial row for each history, or none");
  for (auto [row, history] : llvm::zip(getInitial(), getHistories())) {
    MemRefType one = typeOfStep(typeOf(history), stepsOf(history));
    if (!one || shapeOf(row) != one.getShape() ||
        typeOf(row).getElementType() != one.getElementType())
      return emitOpError("needs an initial row of ")
             << history.getType() << ", not " << row.getType();
  }
  if (failed(verifyStepExtents(*this, getExtents())))
    return failure();
  return verifyScalar(*this, getNumber(), 64);
}

int64_t ForStepsOp::numRowsBefore() {
  return stepsOf(getHistories()) - stepsOf(getRows());
}

FailureOr<SmallVector<Type>> ForStepsOp::bodyArguments() {
  if (getHistories().empty() || getRows().empty() || numRowsBefore() < 0 ||
      numRowsBefore() > 1)
    return emitOpError("needs rows of steps, and histories of as many rows or "
                       "one more");
  SmallVector<Type> types(getStates().getTypes());
  auto addSteps = [&](ValueRange buffers) -> LogicalResult {
    for (Value buffer : buffers) {
      MemRefType type = typeOfStep(typeOf(buffer), stepsOf(buffers));
      if (!type)
        return emitOpError("needs dense buffers whose axis 1 has ")
               << stepsOf(buffers) << " steps, not " << buffer.getType();
      types.push_back(type);
    }
    return success();
  };
  if (failed(addSteps(getHistories())) || failed(addSteps(getRows())))
    return failure();
  llvm::append_range(types, getReads().getTypes());
  if (failed(addSteps(getHistories())))
    return failure();
  return types;
}

LogicalResult ForStepsOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getBodyAttr());
  if (!function || !function.isPrivate() ||
      !function->hasAttr(GlowDialect::kStepsAttrName))
    return emitOpError("body ")
           << getBodyAttr() << " is no private function with '"
           << GlowDialect::kStepsAttrName << "'";
  FailureOr<SmallVector<Type>> wanted = bodyArguments();
  if (failed(wanted))
    return failure();
  // Functions become instructions one after the other.
  FunctionType type = function.getFunctionType();
  if (llvm::any_of(type.getInputs(), llvm::IsaPred<TensorType>) ||
      type.getInputs() == ArrayRef(*wanted))
    return success();
  InFlightDiagnostic error = emitOpError("does not fit the type of its body");
  error.attachNote(function.getLoc()) << "which is " << type;
  return error;
}

LogicalResult EnterStepsOp::verify() {
  if (getMost() > uint64_t(1) << 40)
    return emitOpError("has more than 2^40 steps");
  return verifyScalar(*this, getNumber(), 64);
}

LogicalResult WindowOp::verify() {
  MemRefType source = typeOf(getSource()), type = typeOf(getResult());
  if (source.getElementType() != type.getElementType() ||
      source.getMemorySpace() != type.getMemorySpace() ||
      layoutOf(getResult()).offset != 0)
    return emitOpError("of ") << source << " cannot be " << type;
  if (rootBuffer(getSource()) != getSource() ||
      getSource().getDefiningOp<WindowOp>())
    return emitOpError("needs a whole buffer");
  return verifyReach(/*most=*/0);
}

LogicalResult WindowOp::verifyReach(int64_t most) {
  MemRefType type = typeOf(getResult());
  int64_t limit = int64_t(1) << 40;
  int64_t offset = getOffset(), step = getStep();
  if (offset < 0 || offset > limit || step < -limit || step > limit)
    return emitOpError("begins, or goes on, too far from the first element");
  int64_t low = offset, high = offset;
  for (auto [extent, stride] :
       llvm::zip(type.getShape(), layoutOf(getResult()).strides))
    (stride < 0 ? low : high) += (extent - 1) * stride;
  __int128 way = static_cast<__int128>(most) * step;
  __int128 first = low + std::min<__int128>(way, 0),
           last = high + std::max<__int128>(way, 0);
  int64_t elements =
      bufferBytes(getSource()) / elementBytes(type.getElementType());
  if (type.getNumElements() == 0 || (first >= 0 && last < elements))
    return success();
  return emitOpError("reaches outside of ")
         << getSource().getType() << " in " << most + 1 << " steps";
}
