//===- RunTimeLoop.cpp - loops that are not written out -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lists.h"
#include "Node.h"
#include "glow/Dialect/Glow/IR/RefineTypes.h"
#include "glow/Support/DeadOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

/// Makes arguments of the values around a function that it reads, and copies
/// the constants among them. Returns those values.
static SmallVector<Value> takeReads(func::FuncOp function) {
  llvm::SetVector<Value> reads;
  Block &block = function.front();
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  DenseMap<Value, Value> inner;
  function.walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (function->isAncestor(value.getParentBlock()->getParentOp()))
        continue;
      Value &own = inner[value];
      if (!own) {
        if (auto constant = value.getDefiningOp<ConstantOp>()) {
          own = builder.clone(*constant)->getResult(0);
        } else {
          own = block.addArgument(value.getType(), value.getLoc());
          reads.insert(value);
        }
      }
      operand.set(own);
    }
  });
  return reads.takeVector();
}

/// The body is compiled by itself, for these types.
static LogicalResult checkTypes(Node &node, func::FuncOp function) {
  SmallVector<Type> types(function.getArgumentTypes());
  for (Operation &op : function.front())
    llvm::append_range(types, op.getResultTypes());
  for (Type type : types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return node.fail("its body works on a sequence or an optional");
    if (!tensor.hasStaticShape())
      return node.fail("the extents of what its body works on must be known");
  }
  return success();
}

static bool isTruthValue(Value value) {
  return !isList(value) && Node::rank(value) == 0 &&
         elementType(value).isInteger(1);
}

/// States keep their types, and what is collected are tensors.
static LogicalResult checkResults(Node &node, ValueRange results,
                                  ArrayRef<Value> states) {
  if (!isTruthValue(results.front()))
    return node.fail("its condition is no truth value");
  for (auto [i, value] : llvm::enumerate(states)) {
    if (results[1 + i].getType() != value.getType())
      return node.fail("state " + Twine(i) + " changes its type");
  }
  for (Value value : results.drop_front(1 + states.size()))
    if (isList(value))
      return node.fail("what it collects are no tensors");
  return success();
}

/// The type of all rows of which `row` is one.
static RankedTensorType typeOfRows(Type row, int64_t rows) {
  auto type = cast<RankedTensorType>(row);
  SmallVector<int64_t> dims{rows};
  llvm::append_range(dims, type.getShape());
  return type.clone(dims);
}

/// All rows of what is collected can be addressed.
static LogicalResult checkRows(Node &node, func::FuncOp function,
                               size_t numStates, int64_t rows) {
  for (Type type : function.getResultTypes().drop_front(1 + numStates)) {
    auto count = numElements(typeOfRows(type, rows).getShape());
    if (!count || *count >= int64_t(1) << 56)
      return node.fail("what it collects is too large");
  }
  return success();
}

LogicalResult Node::buildLoopBody(func::FuncOp function, Value condition,
                                  ArrayRef<Value> states, LoopBuilder build) {
  if (!isTruthValue(condition))
    return fail("its condition is no truth value");
  // What is in a list would have to be known.
  if (llvm::any_of(states, isList))
    return fail("a state is a sequence or an optional");
  OpBuilder::InsertionGuard guard(builder);
  Block *block = function.addEntryBlock();
  builder.setInsertionPointToEnd(block);
  SmallVector<Value> arguments(block->getArguments());
  auto results = build(arguments);
  if (mlir::failed(results) || failed() ||
      mlir::failed(checkResults(*this, *results, states)))
    return failure();
  builder.setInsertionPointToEnd(block);
  func::ReturnOp::create(builder, loc, *results);
  eraseDeadOps(*block);
  return success();
}

FailureOr<Node::Body> Node::makeBody(
    ArrayRef<Type> types, function_ref<LogicalResult(func::FuncOp)> build,
    function_ref<LogicalResult(func::FuncOp)> check, std::string &why) {
  auto module =
      builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  Operation *last = &module.getBody()->back();
  auto function =
      func::FuncOp::create(loc, "body", builder.getFunctionType(types, {}));
  function.setPrivate();
  SymbolTable(module).insert(function);
  // A failure does not matter: there is another form, or another reason.
  isTrying = true;
  size_t numMissing = missing.size();
  Body body{function, {}};
  bool isBuilt = succeeded(build(function));
  if (isBuilt) {
    body.reads = takeReads(function);
    updateFunctionType(function);
    isBuilt =
        succeeded(checkTypes(*this, function)) && succeeded(check(function));
  }
  isTrying = false;
  if (isBuilt)
    return body;
  why = reason;
  reason.clear();
  bad = consequence = false;
  missing.truncate(numMissing);
  while (&module.getBody()->back() != last)
    module.getBody()->back().erase();
  return failure();
}

FailureOr<SmallVector<Value>> Node::loop(Value condition,
                                         ArrayRef<Value> states, int64_t rows,
                                         LoopBuilder build, std::string &why) {
  SmallVector<Type> types{builder.getI64Type()};
  types[0] = RankedTensorType::get({}, types[0]);
  llvm::append_range(types, ValueRange(states).getTypes());
  auto body = makeBody(
      types,
      [&](func::FuncOp function) {
        return buildLoopBody(function, condition, states, build);
      },
      [&](func::FuncOp function) {
        return checkRows(*this, function, states.size(), rows);
      },
      why);
  if (mlir::failed(body))
    return failure();
  func::FuncOp function = body->function;
  if (function.getNumResults() == 1 + states.size())
    rows = 0;
  function->setAttr(GlowDialect::kLoopAttrName,
                    builder.getDenseI64ArrayAttr(
                        {static_cast<int64_t>(states.size()), rows}));
  SmallVector<Type> results(
      function.getResultTypes().drop_front().take_front(states.size()));
  for (Type type : function.getResultTypes().drop_front(1 + states.size()))
    results.push_back(typeOfRows(type, rows));
  auto op =
      LoopOp::create(builder, loc, results, FlatSymbolRefAttr::get(function),
                     condition, states, body->reads);
  return SmallVector<Value>(op.getResults());
}
