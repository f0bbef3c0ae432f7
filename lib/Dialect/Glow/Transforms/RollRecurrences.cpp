//===- RollRecurrences.cpp - long recurrent layers are loops --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hidden state of a step is a row of the layer's output, where the next one
// reads it; the cell state is updated in place. A first step without a hidden
// state multiplies nothing and is made before the loop, if there always is one.
//
//===----------------------------------------------------------------------===//
#include "RecurrentCell.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::glow {
#define GEN_PASS_DEF_ROLLRECURRENCES
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

namespace {

/// The body of a loop while it is built, and what the loop passes to it.
class BodyBuilder {
public:
  BodyBuilder(func::FuncOp around, Location loc)
      : around(around), builder(around.getContext()) {
    SymbolTable symbols(around->getParentOp());
    function = func::FuncOp::create(loc, (around.getName() + "_step").str(),
                                    builder.getFunctionType({}, {}));
    function.setPrivate();
    symbols.insert(function, std::next(Block::iterator(around)));
    builder.setInsertionPointToStart(function.addEntryBlock());
  }

  /// An argument for a tensor of the function around it.
  Value argument(Type type, StringRef name = {}, Attribute attribute = {}) {
    attributes.push_back(builder.getDictionaryAttr(
        attribute ? builder.getNamedAttr(name, attribute)
                  : ArrayRef<NamedAttribute>()));
    return function.getBody().front().addArgument(type, function.getLoc());
  }
  /// One of which so much is valid.
  Value argument(Type type, AffineMap extents) {
    return argument(type, GlowDialect::kExtentsAttrName,
                    extents ? AffineMapAttr::get(extents) : AffineMapAttr());
  }

  /// A tensor that is the same in each step: a copy of what it is computed from
  /// if that is constant, or else an argument.
  Value read(Value outer) {
    if (!outer)
      return {};
    if (isComputedFromConstants(outer))
      return copy(outer);
    reads.push_back(outer);
    return argument(outer.getType());
  }

  /// The values of the symbols of a bounded function.
  void readSymbols(unsigned index) {
    Value symbols = around.getArgument(index);
    reads.push_back(symbols);
    StringRef name = GlowDialect::kSymbolsAttrName;
    argument(symbols.getType(), name, around.getArgAttr(index, name));
  }

  /// Ends the function, which `numbers` are about.
  void finish(ValueRange results, ArrayRef<int64_t> numbers) {
    func::ReturnOp::create(builder, function.getLoc(), results);
    function.setType(builder.getFunctionType(
        function.getBody().getArgumentTypes(), results.getTypes()));
    function.setAllArgAttrs(attributes);
    function->setAttr(GlowDialect::kStepsAttrName,
                      builder.getDenseI64ArrayAttr(numbers));
  }

  func::FuncOp around, function;
  OpBuilder builder;
  SmallVector<Value> reads;

private:
  Value copy(Value outer) {
    if (Value known = copies.lookupOrNull(outer))
      return known;
    Operation *op = outer.getDefiningOp();
    for (Value operand : op->getOperands())
      copy(operand);
    builder.clone(*op, copies);
    return copies.lookup(outer);
  }

  SmallVector<DictionaryAttr> attributes; // of the arguments
  IRMapping copies;
};

/// One layer, as a loop for each direction.
class Roller {
public:
  Roller(RecurrentOp op, func::FuncOp around)
      : op(op), around(around), outside(op), b(outside, op.getLoc()),
        steps(dimsOf(op.getInput())[0]), batch(dimsOf(op.getInput())[1]),
        size(op.getHiddenSize()) {
    if (Value count = op.getSteps())
      runs = b.sub(count, b.scalar(1, elementType(count)));
    hasStep = !runs;
    std::optional<AffineMap> open = op.getExtents();
    std::optional<unsigned> index = symbolsArgument(around);
    if (!open || !index)
      return;
    // Symbols that the function computes are not arguments.
    numSymbols = symbolsOf(around).size();
    for (AffineExpr extent : open->getResults())
      for (unsigned i = numSymbols; i < open->getNumSymbols(); ++i)
        if (extent.isFunctionOfSymbol(i))
          return;
    symbols = index;
    extents = open->getResults();
    auto range = rangeOf(extents[0], symbolsOf(around));
    hasStep = !runs || (range && range->lower > 0);
  }

  void roll() {
    Value projected = projectInputs(b, op);
    Value goesOn = masks();
    SmallVector<Value> outputs, hiddens, cells;
    for (int64_t d = 0; d < numDirections(op); ++d) {
      auto [output, last] = run(d, projected, goesOn);
      outputs.push_back(b.unsqueeze(output, 2));
      hiddens.push_back(b.unsqueeze(last.hidden, 0));
      cells.push_back(last.cell ? b.unsqueeze(last.cell, 0) : hiddens.back());
    }
    Value output = b.transpose(b.concat(outputs, 2), {1, 2, 0, 3});
    op->replaceAllUsesWith(
        ValueRange{output, b.concat(hiddens, 0), b.concat(cells, 0)});
    op.erase();
  }

private:
  /// The extents of B and then `others`; null if none is open.
  AffineMap extentsOf(ArrayRef<AffineExpr> others) {
    if (extents.empty())
      return {};
    SmallVector<AffineExpr> all{extents[1]};
    llvm::append_range(all, others);
    return AffineMap::get(0, numSymbols, all, op.getContext());
  }
  AffineExpr number(int64_t value) {
    return getAffineConstantExpr(value, op.getContext());
  }
  AffineMap extentsOfState() { return extentsOf(number(size)); }

  /// For each sequence and step, whether the sequence goes on: B, S; null if
  /// all do.
  Value masks() {
    Value lengths = op.getSequenceLengths();
    if (!lengths)
      return {};
    auto type = cast<RankedTensorType>(lengths.getType());
    SmallVector<int64_t> counted = llvm::to_vector(llvm::seq(steps));
    Value times = b.castTo(b.ints(counted), type.getElementType());
    return b.create<LessOp>(times, b.unsqueeze(lengths, 1));
  }

  /// What a step reads of each of `all`: of step 0, or of the last one.
  SmallVector<Value> firstRows(ArrayRef<Value> all, bool isReversed) {
    SmallVector<Value> rows;
    for (Value value : all)
      rows.push_back(isReversed && runs
                         ? b.create<GatherOp>(value, runs, 1)
                         : rowOfStep(b, value, isReversed ? steps - 1 : 0));
    return rows;
  }

  /// The hidden states of a direction's steps, B, S, H, and the last state.
  std::pair<Value, RecurrentState> run(int64_t direction, Value projected,
                                       Value goesOn) {
    Type element = elementType(op.getInput());
    auto type = RankedTensorType::get({batch, size}, element);
    bool isLSTM = op.getKind() == RecurrentKind::LSTM;
    bool isReversed = RecurrentCell::isReversed(op, direction);
    SmallVector<Value> rows{projected};
    if (goesOn)
      rows.push_back(goesOn);
    RecurrentState state = RecurrentState::initial(b, op, direction);
    auto parameters = RecurrentParameters::of(b, op, direction);
    bool isFirstApart = !state.hidden && hasStep;
    int64_t before = isFirstApart ? 0 : 1;
    if (isFirstApart) {
      RecurrentCell cell(b, op, direction, parameters);
      state = step(cell, b, firstRows(rows, isReversed), state);
    }
    Value zero =
        b.create<SplatOp>(b.scalar(0.0, element), b.ints(type.getShape()));
    for (Value *part : {&state.hidden, &state.cell})
      if (!*part)
        *part = zero;
    SmallVector<Value> states;
    if (isLSTM)
      states.push_back(state.cell);
    BodyBuilder body(around, op.getLoc());
    build(body, direction, type, rows, parameters, before);
    SmallVector<Type> results(states.size(), type);
    results.push_back(
        RankedTensorType::get({batch, steps + before, size}, element));
    AffineMap open = extents.empty() ? AffineMap() : extentsOf(extents[0]);
    auto loop = ForStepsOp::create(
        outside, op.getLoc(), results, body.function.getName(), isReversed,
        before ? op.getSteps() : runs, states, state.hidden, rows, body.reads,
        open ? AffineMapAttr::get(open) : AffineMapAttr());
    Value history = loop.getResults().back();
    Value cell = isLSTM ? loop.getResult(0) : Value();
    return {outputs(history, before, isReversed, goesOn),
            {last(history, before, isReversed), cell}};
  }

  /// A step on its rows, of which the second one, if any, says whether
  /// sequences go on.
  static RecurrentState step(RecurrentCell &cell, GraphBuilder &b,
                             ArrayRef<Value> rows,
                             const RecurrentState &before) {
    RecurrentState next = cell.step(rows[0], before);
    return rows.size() > 1
               ? cell.keepEnded(b.unsqueeze(rows[1], 1), next, before)
               : next;
  }

  /// A step of a direction.
  void build(BodyBuilder &body, int64_t direction, RankedTensorType state,
             ArrayRef<Value> rows, const RecurrentParameters &outer,
             int64_t rowsBefore) {
    GraphBuilder inside(body.builder, op.getLoc());
    RecurrentState before;
    int64_t numStates = op.getKind() == RecurrentKind::LSTM ? 1 : 0;
    if (numStates)
      before.cell = body.argument(state, extentsOfState());
    before.hidden = body.argument(state, extentsOfState());
    SmallVector<Value> own;
    for (Value row : rows) {
      auto type = cast<RankedTensorType>(row.getType());
      SmallVector<int64_t> dims(type.getShape());
      dims.erase(dims.begin() + 1);
      SmallVector<AffineExpr> others;
      for (int64_t dim : ArrayRef(dims).drop_front())
        others.push_back(number(dim));
      own.push_back(body.argument(type.clone(dims), extentsOf(others)));
    }
    RecurrentParameters parameters{body.read(outer.recurrence),
                                   body.read(outer.bias),
                                   body.read(outer.peepholes)};
    if (symbols)
      body.readSymbols(*symbols);
    RecurrentCell cell(inside, op, direction, parameters);
    RecurrentState next = step(cell, inside, own, before);
    SmallVector<Value> results;
    if (numStates)
      results.push_back(next.cell);
    results.push_back(next.hidden);
    body.finish(results, {numStates, 1, static_cast<int64_t>(rows.size()),
                          steps, steps + rowsBefore});
  }

  /// Zeros behind the end of a sequence.
  Value outputs(Value history, int64_t before, bool isReversed, Value goesOn) {
    int64_t first = isReversed ? 0 : before;
    Value all = before ? b.slice(history, 1, first, first + steps) : history;
    if (!goesOn)
      return all;
    Value zero = b.scalar(0.0, elementType(all));
    return b.create<WhereOp>(b.unsqueeze(goesOn, 2), all, zero);
  }

  Value last(Value history, int64_t before, bool isReversed) {
    if (isReversed || !runs)
      return rowOfStep(b, history, isReversed ? 0 : steps + before - 1);
    return b.create<GatherOp>(history, before ? op.getSteps() : runs, 1);
  }

  RecurrentOp op;
  func::FuncOp around;
  OpBuilder outside;
  GraphBuilder b;
  int64_t steps, batch, size;
  /// Of a number of steps that is not known, how many are behind the first one.
  Value runs;
  bool hasStep; // at least one, for any number
  std::optional<unsigned> symbols;
  ArrayRef<AffineExpr> extents; // of steps and batch, in a bounded function
  unsigned numSymbols = 0;
};

struct RollRecurrences : glow::impl::RollRecurrencesBase<RollRecurrences> {
  using RollRecurrencesBase::RollRecurrencesBase;

  void runOnOperation() override {
    if (leastSteps <= 0)
      return;
    SmallVector<RecurrentOp> ops;
    getOperation().walk([&](RecurrentOp op) {
      auto input = cast<RankedTensorType>(op.getInput().getType());
      // Otherwise those of the longest sequence would be made for each.
      int64_t least = op.getSteps() ? 2 : std::max<int64_t>(leastSteps, 2);
      if (input.hasStaticShape() && input.getDimSize(0) >= least)
        ops.push_back(op);
    });
    bool failedAny = false;
    for (RecurrentOp op : ops) {
      if (failed(checkRecurrentForm(op)))
        failedAny = true;
      else
        Roller(op, op->getParentOfType<func::FuncOp>()).roll();
    }
    if (failedAny)
      signalPassFailure();
  }
};
} // namespace
