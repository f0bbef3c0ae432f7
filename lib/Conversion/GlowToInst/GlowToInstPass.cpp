//===- GlowToInstPass.cpp - one driver for all ops ------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks a function in order; every op appends its instructions through
// InstLowering. The graph ops are erased at the end, so that a failure leaves
// them in place for the error message.
//
//===----------------------------------------------------------------------===//
#include "LowerLoops.h"
#include "glow/Conversion/Passes.h"

namespace mlir::glow {
#define GEN_PASS_DEF_CONVERTGLOWTOINST
#include "glow/Conversion/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

/// An element-wise op is a map of its scalar body.
static LogicalResult lowerElementwise(Operation *op, ScalarBodyOpInterface body,
                                      InstLowering &lowering) {
  Value result = op->getResult(0);
  SmallVector<Value> inputs = lowering.buffers(op->getOperands());
  ScalarBuilder scalars(lowering.builder, op->getLoc(),
                        elementType(op->getOperand(0)), elementType(result));
  lowering.map(inputs, lowering.allocate(result), [&](ValueRange args) {
    return body.emitScalarBody(scalars, args);
  });
  return success();
}

/// Instructions need to know every extent and the size of every element.
static LogicalResult checkTypes(Operation *op) {
  for (Type type : op->getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return op->emitOpError("result of type ")
             << type << " cannot be held in a buffer";
    if (!tensor.hasStaticShape())
      return op->emitOpError("has the result type ")
             << type
             << "; instructions need static shapes: fix the shapes of the "
                "model's inputs";
    if (!bufferTypeOf(tensor))
      return op->emitOpError("result of type ")
             << type << " cannot be held in a buffer";
  }
  return success();
}

/// Reports what can be told without lowering.
static LogicalResult checkOp(Operation *op) {
  if (isa<ConstantOp>(op))
    return success();
  if (failed(checkTypes(op)))
    return failure();
  if (isa<LowerToInstOpInterface, ScalarBodyOpInterface>(op))
    return success();
  if (isa<DecomposeOpInterface>(op))
    return op->emitOpError("is a composite op; run glow-decompose first");
  return op->emitOpError("has no lowering to instructions");
}

static LogicalResult lowerOp(Operation *op, InstLowering &lowering) {
  if (isa<ConstantOp>(op))
    return success();
  lowering.loc = op->getLoc();
  lowering.builder.setInsertionPoint(op);
  // No elements, no instructions.
  if (llvm::all_of(op->getResultTypes(), [](Type type) {
        return cast<RankedTensorType>(type).getNumElements() == 0;
      })) {
    for (Value result : op->getResults())
      lowering.allocate(result);
    return success();
  }
  if (auto lowerable = dyn_cast<LowerToInstOpInterface>(op))
    return lowerable.lowerToInst(lowering);
  return lowerElementwise(op, cast<ScalarBodyOpInterface>(op), lowering);
}

namespace {

struct ConvertGlowToInst
    : public glow::impl::ConvertGlowToInstBase<ConvertGlowToInst> {
  using ConvertGlowToInstBase::ConvertGlowToInstBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    if (failed(convert(func)))
      signalPassFailure();
  }

private:
  LogicalResult convert(func::FuncOp func);
  LogicalResult addArguments(func::FuncOp func, InstLowering &lowering);
  void addOutputs(func::FuncOp func, InstLowering &lowering);
  void finish(func::FuncOp func, InstLowering &lowering);

  SmallVector<Value> outputs;             // One argument per result.
  SmallVector<DictionaryAttr> attributes; // Of the new arguments.
  std::optional<LoopBody> loop;           // If the function is a loop's body.
  std::optional<StepBody> step;           // If it is that of steps.
};

} // namespace

/// Gives every tensor argument a buffer argument.
LogicalResult ConvertGlowToInst::addArguments(func::FuncOp func,
                                              InstLowering &lowering) {
  if (!func.getBody().hasOneBlock())
    return func.emitOpError("has control flow between blocks, which has no "
                            "lowering to instructions");
  for (Type type : func.getResultTypes())
    if (!isa<RankedTensorType>(type) || !bufferTypeOf(type) ||
        !cast<RankedTensorType>(type).hasStaticShape())
      return func.emitOpError("returns ")
             << type
             << ", but instructions need tensors of static shape: fix "
                "the shapes of the model's inputs";
  Block &entry = func.getBody().front();
  SmallVector<Value> tensors(entry.getArguments());
  for (auto [i, tensor] : llvm::enumerate(tensors)) {
    auto type = dyn_cast<RankedTensorType>(tensor.getType());
    if (!type || !type.hasStaticShape() || !bufferTypeOf(type))
      return func.emitOpError("argument ")
             << i << " has type " << tensor.getType()
             << ", but instructions need tensors of static shape: fix the "
                "shapes of the model's inputs";
    MemRefType buffer = bufferTypeOf(type);
    MemRefType argumentType = step ? step->argumentType(i, type) : buffer;
    Value argument = entry.addArgument(argumentType, tensor.getLoc());
    attributes.push_back(func.getArgAttrDict(i));
    if (argumentType == buffer) {
      lowering.bind(tensor, argument);
      continue;
    }
    // Lowerings know dense buffers only; the copy is eliminated.
    lowering.builder.setInsertionPointToStart(&entry);
    Value dense = lowering.scratch(type.getShape(), buffer.getElementType());
    lowering.copy(argument, dense);
    lowering.bind(tensor, dense);
  }
  return success();
}

/// Gives every result an argument, which the op that computes it writes. A
/// value that is returned twice, or that no op computes, is copied. The states
/// of a body of loops, and the number of its iteration, stay where they are.
void ConvertGlowToInst::addOutputs(func::FuncOp func, InstLowering &lowering) {
  Block &entry = func.getBody().front();
  DenseSet<Value> seen;
  auto markOutput = [&](DictionaryAttr known) {
    NamedAttrList list(known);
    list.set(inst::InstDialect::kOutputAttrName,
             UnitAttr::get(func.getContext()));
    return list.getDictionary(func.getContext());
  };
  int64_t inPlace = loop ? loop->states + 1 : step ? step->states : 0;
  for (int64_t i = 0; i < inPlace; ++i)
    attributes[i] = markOutput(attributes[i]);
  for (auto [i, tensor] :
       llvm::enumerate(entry.getTerminator()->getOperands())) {
    if ((loop && loop->isState(i)) || (step && step->isState(i))) {
      outputs.push_back(lowering.buffer(entry.getArgument(i)));
      continue;
    }
    auto own = cast<RankedTensorType>(tensor.getType());
    Type type = loop   ? loop->outputType(i, own)
                : step ? step->outputType(own)
                       : bufferTypeOf(own);
    Value argument = entry.addArgument(type, tensor.getLoc());
    outputs.push_back(argument);
    if (type == bufferTypeOf(own) && seen.insert(tensor).second)
      lowering.setOutput(tensor, argument);
    attributes.push_back(markOutput(func.getResultAttrDict(i)));
  }
}

/// Copies results that are not yet in their place.
static void copyResults(ValueRange results, ArrayRef<Value> outputs,
                        InstLowering &lowering) {
  for (auto [tensor, output] : llvm::zip(results, outputs))
    if (cast<ShapedType>(tensor.getType()).getNumElements() != 0 &&
        lowering.buffer(tensor) != output)
      lowering.copy(lowering.buffer(tensor), output);
}

/// Puts the results in their places, erases the graph ops and updates the
/// function's type.
void ConvertGlowToInst::finish(func::FuncOp func, InstLowering &lowering) {
  Block &entry = func.getBody().front();
  Operation *terminator = entry.getTerminator();
  lowering.builder.setInsertionPoint(terminator);
  lowering.loc = terminator->getLoc();
  if (loop)
    loop->finish(terminator->getOperands(), outputs,
                 lowering.buffer(entry.getArgument(0)), lowering);
  else if (step)
    step->finish(terminator->getOperands(), outputs, lowering);
  else
    copyResults(terminator->getOperands(), outputs, lowering);
  terminator->setOperands({});
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(entry)))
    if (op.getDialect() && isa<GlowDialect>(op.getDialect()))
      op.erase();
  size_t tensors = func.getNumArguments();
  entry.eraseArguments(0, tensors);
  func.setType(
      FunctionType::get(func.getContext(), entry.getArgumentTypes(), {}));
  func.setAllArgAttrs(attributes);
  func.setAllResultAttrs(ArrayRef<DictionaryAttr>());
}

LogicalResult ConvertGlowToInst::convert(func::FuncOp func) {
  if (llvm::none_of(func.getArgumentTypes(), llvm::IsaPred<TensorType>) &&
      llvm::none_of(func.getResultTypes(), llvm::IsaPred<TensorType>))
    return success();
  outputs.clear();
  attributes.clear();
  loop = LoopBody::get(func);
  step = StepBody::get(func);
  Block &entry = func.getBody().front();
  // Every op that cannot be lowered is reported, not only the first.
  bool ok = true;
  SmallVector<Operation *> ops;
  for (Operation &op : entry.without_terminator()) {
    ok &= succeeded(checkOp(&op));
    ops.push_back(&op);
  }
  OpBuilder builder(func.getContext());
  InstLowering lowering(builder);
  if (!ok || failed(addArguments(func, lowering)))
    return failure();
  lowering.setConstantBlock(&entry);
  addOutputs(func, lowering);
  for (Operation *op : ops)
    if (failed(lowerOp(op, lowering)))
      return failure();
  finish(func, lowering);
  return success();
}
