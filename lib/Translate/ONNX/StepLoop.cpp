//===- StepLoop.cpp - loops over the elements of an open axis -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `glow.for_steps` has sequences: its batch is one, and what the body makes and
// reads has an axis for that.
//
//===----------------------------------------------------------------------===//
#include "Expr.h"
#include "Lists.h"
#include "glow/Support/DeadOps.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

/// The type of a step of what has steps along axis 0.
static RankedTensorType typeOfStep(Value rows) {
  SmallVector<int64_t> dims(Node::dims(rows));
  dims[0] = 1;
  return RankedTensorType::get(dims, Node::element(rows));
}

/// The type of what all steps collect, of which `row` is what is there before
/// them.
static RankedTensorType typeOfHistory(Value row, int64_t steps) {
  SmallVector<int64_t> dims(Node::dims(row));
  dims.insert(dims.begin() + 1,
              ShapedType::isDynamic(steps) ? steps : steps + 1);
  return RankedTensorType::get(dims, Node::element(row));
}

/// Moves ops that need nothing of a step to where the loop will be. What a run
/// may end at stays, as there may be no step; and so do loops, whose bodies go
/// if this one is given up.
static void hoistReads(Block &body, OpBuilder &outside) {
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator())) {
    bool isOutside = isPure(&op) &&
                     !isa<RequireOp, SymbolUserOpInterface>(op) &&
                     llvm::none_of(op.getOperands(), [&](Value operand) {
                       return operand.getParentBlock() == &body;
                     });
    if (isOutside)
      op.moveBefore(outside.getInsertionBlock(), outside.getInsertionPoint());
  }
}

/// The argument that an index is, whether it is checked or not.
static Value argumentBehind(Value index) {
  while (auto op = index.getDefiningOp()) {
    if (!isa<RequireOp, SqueezeOp, ReshapeOp>(op))
      return {};
    index = op->getOperand(0);
  }
  return index;
}

/// Elements of open tensors around a body, by an index that is itself an
/// element of `rows`, become elements of further rows.
static void readElements(Node &node, OpBuilder &builder, Block &body,
                         size_t firstRow, SmallVectorImpl<Value> &rows) {
  size_t numRows = rows.size();
  for (GatherOp gather : llvm::make_early_inc_range(body.getOps<GatherOp>())) {
    Value input = gather.getInput();
    auto index =
        dyn_cast_or_null<BlockArgument>(argumentBehind(gather.getIndices()));
    if (input.getParentBlock() == &body || !index ||
        cast<ShapedType>(input.getType()).hasStaticShape() ||
        !dimsOf(gather.getIndices()).empty() ||
        index.getArgNumber() < firstRow ||
        index.getArgNumber() >= firstRow + numRows)
      continue;
    Expr indices(node, rows[index.getArgNumber() - firstRow]),
        whole(node, input);
    int64_t axis = gather.getAxis();
    bool isChecked = gather.getIndices().getDefiningOp<RequireOp>() != nullptr;
    Expr taken =
        isChecked ? whole.take(indices, axis) : whole.gather(indices, axis);
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, taken.rank()));
    std::rotate(order.begin(), order.begin() + axis, order.begin() + axis + 1);
    rows.push_back(taken.transpose(order));
    Value own = body.addArgument(typeOfStep(rows.back()), gather.getLoc());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(gather);
    gather.getResult().replaceAllUsesWith(node.squeeze(own, 0));
    gather.erase();
  }
}

LogicalResult Node::buildStepBody(func::FuncOp function, ArrayRef<Value> states,
                                  LoopBuilder build) {
  if (llvm::any_of(states, isList))
    return fail("a state is a sequence or an optional");
  OpBuilder::InsertionGuard guard(builder);
  Block *block = function.addEntryBlock();
  builder.setInsertionPointToEnd(block);
  SmallVector<Value> arguments(block->getArguments());
  for (Value &row : MutableArrayRef(arguments).drop_front(states.size()))
    row = squeeze(row, 0);
  auto results = build(arguments);
  if (mlir::failed(results) || failed())
    return failure();
  for (auto [i, state] : llvm::enumerate(states))
    if ((*results)[i].getType() != state.getType())
      return fail("state " + Twine(i) + " changes its type");
  for (Value &value : MutableArrayRef(*results).drop_front(states.size())) {
    if (isList(value))
      return fail("what it collects are no tensors");
    value = unsqueeze(value, 0);
  }
  if (results->size() == states.size())
    results->push_back(unsqueeze(scalar(builder.getI1Type(), 0), 0));
  builder.setInsertionPointToEnd(block);
  func::ReturnOp::create(builder, loc, *results);
  // Nothing reads what the step before has collected.
  for (auto [i, value] : llvm::enumerate(*results))
    if (i >= states.size())
      block->insertArgument(i, value.getType(), loc);
  return success();
}

FailureOr<SmallVector<Value>> Node::steps(ArrayRef<Value> states,
                                          ArrayRef<Value> rows,
                                          LoopBuilder build, std::string &why) {
  SmallVector<Type> types(ValueRange(states).getTypes());
  SmallVector<Value> all;
  for (Value value : rows)
    types.push_back(typeOfStep(value));
  size_t count = states.size();
  SmallVector<Value> sources(rows);
  auto body = makeBody(
      types,
      [&](func::FuncOp function) -> LogicalResult {
        if (mlir::failed(buildStepBody(function, states, build)))
          return failure();
        Block &block = function.front();
        hoistReads(block, builder);
        readElements(*this, builder, block,
                     block.getNumArguments() - rows.size(), sources);
        eraseDeadOps(block);
        return success(!failed());
      },
      [](func::FuncOp) { return success(); }, why);
  if (mlir::failed(body))
    return failure();
  for (Value value : sources)
    all.push_back(unsqueeze(value, 0));
  int64_t steps = dims(rows.front())[0];
  SmallVector<Type> results(ValueRange(states).getTypes());
  SmallVector<Value> before;
  for (Type type : body->function.getResultTypes().drop_front(count)) {
    auto row = llvm::cast<RankedTensorType>(type);
    before.push_back(
        emit<SplatOp>({nothing(row.getElementType()), shape(row.getShape())}));
    results.push_back(typeOfHistory(before.back(), steps));
  }
  if (failed())
    return failure();
  body->function->setAttr(
      GlowDialect::kStepsAttrName,
      builder.getDenseI64ArrayAttr(
          {static_cast<int64_t>(count), static_cast<int64_t>(before.size()),
           static_cast<int64_t>(all.size()), steps,
           ShapedType::isDynamic(steps) ? steps : steps + 1}));
  auto op = ForStepsOp::create(
      builder, loc, results, body->function.getName(), /*reversed=*/false,
      /*steps=*/Value(), states, before, all, body->reads, AffineMapAttr());
  SmallVector<Value> values(op.getResults());
  for (Value &history : MutableArrayRef(values).drop_front(count))
    history = Expr(*this, history)
                  .slice(1, 1, std::numeric_limits<int64_t>::max())
                  .squeeze({0});
  return values;
}
