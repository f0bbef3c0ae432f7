//===- LaneProgram.cpp - scalar regions on many elements at once ----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaneProgram.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::glow;

LaneRegister *LaneProgram::addRegister(Location location, Type type) {
  const ElementFormat *format = ElementFormat::get(type);
  if (!format) {
    emitError(location) << "cannot compute on scalars of type " << type;
    return nullptr;
  }
  LaneRegister &lanes = registers.emplace_back();
  lanes.format = format;
  if (format->isFloat())
    lanes.floats.resize(kLanes);
  else
    lanes.ints.resize(kLanes);
  return &lanes;
}

static void fill(LaneRegister &lanes, Attribute value) {
  if (auto number = dyn_cast<FloatAttr>(value)) {
    std::fill(lanes.floats.begin(), lanes.floats.end(),
              number.getValueAsDouble());
    return;
  }
  APInt number = cast<IntegerAttr>(value).getValue();
  std::fill(lanes.ints.begin(), lanes.ints.end(),
            number.getBitWidth() == 1 ? number.getZExtValue()
                                      : number.getSExtValue());
}

/// What an op does, or null if it is not known.
static LaneFunction findLaneFunction(StringRef operation) {
  static const llvm::StringMap<LaneFunction> functions = [] {
    llvm::StringMap<LaneFunction> map;
    for (ArrayRef<LaneFunctionRow> rows :
         {floatLaneFunctions(), intLaneFunctions()})
      for (const LaneFunctionRow &row : rows)
        map[row.operation] = row.function;
    return map;
  }();
  return functions.lookup(operation);
}

LogicalResult
LaneProgram::addStep(Operation *op,
                     llvm::DenseMap<Value, LaneRegister *> &values) {
  LaneRegister *out = addRegister(op->getLoc(), op->getResult(0).getType());
  if (!out)
    return failure();
  values[op->getResult(0)] = out;
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (!isa<FloatAttr, IntegerAttr>(constant.getValue()))
      return op->emitOpError("is not a scalar constant");
    fill(*out, constant.getValue());
    return success();
  }
  LaneStep step;
  step.run = findLaneFunction(op->getName().getStringRef());
  if (!step.run || op->getNumOperands() > std::size(step.in))
    return op->emitOpError("has no meaning to the interpreter");
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    step.in[i] = values.lookup(operand);
    if (!step.in[i])
      return op->emitOpError("uses a value from outside its scalar region");
  }
  step.out = out;
  if (auto predicate = op->getAttrOfType<IntegerAttr>("predicate"))
    step.predicate = predicate.getInt();
  steps.push_back(step);
  return success();
}

FailureOr<LaneProgram> LaneProgram::compile(Block &body) {
  LaneProgram program;
  llvm::DenseMap<Value, LaneRegister *> values;
  for (BlockArgument argument : body.getArguments()) {
    values[argument] =
        program.addRegister(argument.getLoc(), argument.getType());
    if (!values[argument])
      return failure();
  }
  for (Operation &op : body.without_terminator())
    if (op.getNumResults() != 1)
      return op.emitOpError("has no meaning to the interpreter");
    else if (failed(program.addStep(&op, values)))
      return failure();
  Operation *yield = body.getTerminator();
  program.result = yield->getNumOperands() == 1
                       ? values.lookup(yield->getOperand(0))
                       : nullptr;
  if (!program.result)
    return yield->emitOpError("must yield one value of its region");
  return program;
}
