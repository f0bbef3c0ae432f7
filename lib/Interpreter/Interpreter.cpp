//===- Interpreter.cpp - plain evaluation of graphs -----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Interpreter/Interpreter.h"
#include "Evaluators.h"
#include "glow/Dialect/Glow/IR/RefineTypes.h"
#include "glow/Interfaces/Evaluate.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::glow;

bool glow::canEvaluate(Operation *op) {
  return isa<ScalarBodyOpInterface, EvaluateOpInterface, DecomposeOpInterface>(
             op) &&
         llvm::all_of(op->getResultTypes(), [](Type type) {
           auto tensor = dyn_cast<RankedTensorType>(type);
           return tensor && ElementFormat::get(tensor.getElementType());
         });
}

/// A tensor must fit the type that the IR gives it.
static bool fits(const Tensor &tensor, Type type) {
  return tensor && areCompatible({tensor.getType()}, {type});
}

/// Evaluates a composite op: a copy on operands of the actual shapes is
/// decomposed in a function of its own, and that is interpreted.
static FailureOr<SmallVector<Tensor>>
evaluateDecomposed(DecomposeOpInterface op, ArrayRef<Tensor> operands) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(op.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  SmallVector<Type> types;
  for (const Tensor &operand : operands)
    types.push_back(operand.getType());
  auto function = func::FuncOp::create(builder, op.getLoc(), "composite",
                                       builder.getFunctionType(types, {}));
  builder.setInsertionPointToEnd(function.addEntryBlock());
  IRMapping mapping;
  mapping.map(op->getOperands(), function.getArguments());
  Operation *copy = builder.clone(*op, mapping);
  if (failed(refineResultTypes(copy)))
    return failure();
  builder.setInsertionPoint(copy);
  FailureOr<SmallVector<Value>> values =
      cast<DecomposeOpInterface>(copy).decompose(builder);
  if (failed(values))
    return failure();
  builder.setInsertionPointAfter(copy);
  func::ReturnOp::create(builder, op.getLoc(), *values);
  copy->erase();
  return interpret(function, operands);
}

/// The function that a call or a launch on a device runs, or null.
static func::FuncOp calledFunction(Operation *op) {
  SymbolRefAttr callee;
  if (auto call = dyn_cast<func::CallOp>(op))
    callee = call.getCalleeAttr();
  else if (auto launch = dyn_cast<LaunchOp>(op))
    callee = launch.getCallee();
  return callee ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, callee)
                : nullptr;
}

FailureOr<SmallVector<Tensor>> glow::evaluateCall(Operation *op,
                                                  func::FuncOp callee,
                                                  ArrayRef<Tensor> operands) {
  // Graphs have no branches: a call that is nested so deeply never ends.
  constexpr int maxDepth = 64;
  static thread_local int depth = 0;
  if (depth >= maxDepth)
    return op->emitOpError("calls functions that call each other in a circle");
  ++depth;
  FailureOr<SmallVector<Tensor>> results = interpret(callee, operands);
  --depth;
  return results;
}

static FailureOr<SmallVector<Tensor>> compute(Operation *op,
                                              ArrayRef<Tensor> operands) {
  SmallVector<Tensor> results(op->getNumResults());
  if (auto elementwise = dyn_cast<ScalarBodyOpInterface>(op)) {
    if (failed(evaluateScalarBody(elementwise, operands, results[0])))
      return failure();
    return results;
  }
  if (auto primitive = dyn_cast<EvaluateOpInterface>(op)) {
    if (failed(primitive.evaluate(operands, results)))
      return failure();
    return results;
  }
  if (auto composite = dyn_cast<DecomposeOpInterface>(op))
    return evaluateDecomposed(composite, operands);
  if (auto loop = dyn_cast<LoopOp>(op))
    return evaluateLoop(loop, operands);
  if (auto loop = dyn_cast<ForStepsOp>(op))
    return evaluateSteps(loop, operands);
  if (func::FuncOp callee = calledFunction(op))
    return evaluateCall(op, callee, operands);
  return op->emitOpError("cannot be interpreted");
}

/// Strings that were only moved have their bytes where the operands' have.
static void keepText(ArrayRef<Tensor> operands,
                     MutableArrayRef<Tensor> results) {
  for (Tensor &result : results)
    for (const Tensor &operand : operands)
      if (result && operand && result.isText() && operand.isText())
        result.keepAlive(operand.ownerOfText());
}

FailureOr<SmallVector<Tensor>> glow::evaluateOp(Operation *op,
                                                ArrayRef<Tensor> operands) {
  for (auto [i, tensor] : llvm::enumerate(operands))
    if (!fits(tensor, op->getOperand(i).getType()))
      return op->emitOpError("operand ")
             << i << " must be " << op->getOperand(i).getType() << ", not "
             << (tensor ? Type(tensor.getType()) : Type());
  FailureOr<SmallVector<Tensor>> results = compute(op, operands);
  if (failed(results))
    return failure();
  if (results->size() != op->getNumResults())
    return op->emitOpError("has ") << op->getNumResults() << " results, but "
                                   << results->size() << " were computed";
  keepText(operands, *results);
  for (auto [tensor, type] : llvm::zip(*results, op->getResultTypes()))
    if (!fits(tensor, type))
      return op->emitOpError("computes ")
             << (tensor ? Type(tensor.getType()) : Type()) << " where " << type
             << " is stated";
  return results;
}

namespace {
/// The tensors that are alive, each with the number of uses still to come.
class LiveTensors {
public:
  void define(Value value, const Tensor &tensor) {
    auto uses = std::distance(value.use_begin(), value.use_end());
    if (uses)
      live[value] = {tensor, uses};
  }
  Tensor use(Value value) {
    auto entry = live.find(value);
    if (entry == live.end())
      return {};
    Tensor tensor = entry->second.first;
    if (--entry->second.second == 0)
      live.erase(entry);
    return tensor;
  }

private:
  llvm::DenseMap<Value, std::pair<Tensor, int64_t>> live;
};
} // namespace

/// Results outlive the memory of inputs, which they may be views of.
static FailureOr<SmallVector<Tensor>> withOwnMemory(Location location,
                                                    ArrayRef<Tensor> tensors) {
  SmallVector<Tensor> results;
  for (const Tensor &tensor : tensors) {
    FailureOr<Tensor> own = tensor.withOwnMemory(location);
    if (failed(own))
      return failure();
    results.push_back(std::move(*own));
  }
  return results;
}

FailureOr<SmallVector<Tensor>>
glow::interpret(func::FuncOp function, ArrayRef<Tensor> inputs,
                const InterpreterObserver &observer) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return function.emitOpError("has no body of one block to interpret");
  if (inputs.size() != function.getNumArguments())
    return function.emitOpError("takes ")
           << function.getNumArguments() << " inputs, not " << inputs.size();
  LiveTensors live;
  for (auto [argument, tensor] : llvm::zip(function.getArguments(), inputs)) {
    if (!fits(tensor, argument.getType()))
      return function.emitOpError("input ")
             << argument.getArgNumber() << " must be " << argument.getType()
             << ", not " << (tensor ? Type(tensor.getType()) : Type());
    live.define(argument, tensor);
  }
  for (Operation &op : function.front()) {
    SmallVector<Tensor> operands;
    for (Value operand : op.getOperands())
      operands.push_back(live.use(operand));
    if (isa<func::ReturnOp>(op))
      return withOwnMemory(op.getLoc(), operands);
    FailureOr<SmallVector<Tensor>> results = evaluateOp(&op, operands);
    if (failed(results))
      return failure();
    if (observer)
      observer(&op, *results);
    for (auto [value, tensor] : llvm::zip(op.getResults(), *results))
      live.define(value, tensor);
  }
  return function.emitOpError("does not end with a return");
}
