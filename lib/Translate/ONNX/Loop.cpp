//===- Loop.cpp - loops ---------------------------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body of a short loop is inlined, once per iteration. How often that is
// need not be written as a constant: arithmetic on constants is folded as it is
// imported, so a condition on the number of the iteration is known too.
//
// A long loop, and one whose condition is data, is a `glow.loop`, with room for
// 1024 rows or what `--most` says where no number bounds them, unless its
// states change their types or its body needs to know values that are data.
// Then all iterations that there may be are written out, and those after the
// last keep the state as it is.
//
//===----------------------------------------------------------------------===//
#include "ControlFlow.h"
#include "Lists.h"
#include "OpTable.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

namespace {
class Loop {
public:
  explicit Loop(Node &node)
      : node(node), trips(numberIn(node.in(0))), goesOn(node.in(1)) {
    for (unsigned i = 2; i < node.numInputs(); ++i)
      state.push_back(node.in(i));
    if (!goesOn)
      goesOn = node.scalar(boolean(), 1);
    initial = state;
    isEntered = goesOn;
    if (mayOverflow())
      hasRoom = node.most() || !node.mayWait();
  }

  LogicalResult import() {
    if (isCountedByExtent() && succeeded(runAsSteps()))
      return success(!node.failed());
    if (becomesOp(0, /*isFirstOfData=*/false) && !endsSoon())
      return success(!node.failed());
    LogicalResult done = writeOut();
    if (!needsRoom)
      return done;
    hasRoom = true;
    if (succeeded(finishAtRunTime(0)))
      return success(!node.failed());
    return node.fail("how often it runs is not known: " + whyNot);
  }

private:
  LogicalResult writeOut() {
    if (node.in(0) && !trips)
      return unknown(node.in(0), "its maximal trip count");
    for (int64_t i = sure; !trips || i < *trips; ++i) {
      std::optional<int64_t> isTrue = numberIn(goesOn);
      if (isTrue && !*isTrue)
        break;
      if (!isTrue && !isActive && becomesOp(i, /*isFirstOfData=*/true))
        return success(!node.failed());
      if (!isTrue && failed(enterData()))
        return failure();
      if (i == kMaxIterations)
        return node.fail("it runs more than " + Twine(kMaxIterations) +
                         " times, which would all be written out: " + whyNot);
      if (failed(iterate(i)))
        return failure();
    }
    node.ignore("body");
    if (failed(setResults(node, state)))
      return failure();
    for (unsigned i = state.size(); i < node.numOutputs(); ++i)
      if (node.wantsOutput(i) && failed(setScanned(i)))
        return failure();
    return success();
  }

  /// Whether it runs as often as an extent that is not known yet says.
  bool isCountedByExtent();
  LogicalResult runAsSteps();
  /// What the body makes of an iteration of an op: its condition, the states
  /// and what is collected.
  FailureOr<SmallVector<Value>> buildBody(Value number, ArrayRef<Value> states);

  /// Tries to make an op of the loop, at first and then before the first
  /// iteration `i` that may not take place, as data decide.
  bool becomesOp(int64_t i, bool isFirstOfData) {
    bool isShort = trips && *trips <= kShortLoop;
    struct Attempt {
      bool isWorthIt;
      int64_t first; // iteration of the op
    } attempts[] = {
        {!isFirstOfData && !isShort && numberIn(goesOn) != 0, 0},
        {isFirstOfData && isShort, 0},
        // States may keep their types from here on; rows so far would be lost.
        {isFirstOfData && i > 0 && !isBounded() && !collects(), i}};
    return llvm::any_of(attempts, [&](const Attempt &attempt) {
      return attempt.isWorthIt && succeeded(finishAtRunTime(attempt.first));
    });
  }

  Type boolean() const { return IntegerType::get(node.context(), 1); }
  Type i64() const { return IntegerType::get(node.context(), 64); }

  /// Of a loop that is an op: whether it ends within few iterations by a
  /// condition that is known, such as i < 3. Then they are written out.
  bool endsSoon() {
    if (!endsEarly || node.failed())
      return false;
    while (numberIn(goesOn) == 1 && sure < kShortLoop)
      if (failed(iterate(sure)))
        return false;
    return numberIn(goesOn) == 0;
  }

  /// The value of an input of the model may be all that is missing.
  LogicalResult unknown(Value value, const Twine &what) {
    needsRoom = mayOverflow() && !hasRoom && !node.mayWaitFor(value);
    if (needsRoom)
      return failure();
    node.noteMissing(value);
    return node.fail("how often it runs is not known: " + what +
                     " depends on data" +
                     (whyNot.empty() ? "" : "; " + whyNot));
  }

  /// Exporters write the largest number for a loop that only its condition
  /// ends.
  bool isBounded() const { return trips && *trips <= kMaxIterations; }
  bool collects() const { return node.numOutputs() > state.size(); }

  /// Whether there is an iteration with that number, as far as the maximal trip
  /// count says.
  Expr isBelowTrips(Expr number, Expr condition) {
    if (!node.in(0))
      return condition;
    return condition & (number < Expr(node, asScalar(node, node.in(0))));
  }

  /// All iterations from `first` on as one op, or says in `whyNot` why not.
  LogicalResult finishAtRunTime(int64_t first);
  std::string overflowMessage();
  FailureOr<SmallVector<Value>> buildIteration(int64_t first,
                                               ArrayRef<Value> arguments);

  /// From this iteration on, whether one takes place depends on data.
  LogicalResult enterData() {
    if (!isBounded())
      return unknown(goesOn, "its condition, without a maximal trip count of "
                             "at most " +
                                 Twine(kMaxIterations) + ",");
    Expr condition(node, asScalar(node, goesOn));
    isActive = isActive ? Expr(node, isActive) & condition : condition;
    return success();
  }

  LogicalResult iterate(int64_t number) {
    SmallVector<Value> inputs{node.scalar(i64(), static_cast<double>(number)),
                              goesOn};
    llvm::append_range(inputs, state);
    auto outputs = node.body("body", inputs, isActive);
    if (failed(outputs))
      return failure();
    size_t carried = state.size();
    if (outputs->size() < carried + 1 || isList(outputs->front()))
      return node.fail("its body has too few outputs, or no condition");
    goesOn = outputs->front();
    scanned.resize(outputs->size() - 1 - carried);
    for (auto [values, value] :
         llvm::zip(scanned, llvm::drop_begin(*outputs, carried + 1)))
      values.push_back(value);
    for (auto [i, value] : llvm::enumerate(state))
      if (failed(advance(i, value, (*outputs)[1 + i])))
        return failure();
    if (isActive)
      count = count ? Expr(node, count) + Expr(node, isActive).cast(i64())
                    : Value(Expr(node, isActive).cast(i64()));
    else
      ++sure;
    return success();
  }

  /// The state `index` after an iteration, which may not have taken place.
  LogicalResult advance(size_t index, Value &value, Value next) {
    if (!isActive) {
      value = next;
      return success();
    }
    if (value.getType() != next.getType())
      return unknown(goesOn, "state " + Twine(index) +
                                 " changes its type, and its condition");
    value = choose(node, isActive, next, value);
    return success(!node.failed());
  }

  LogicalResult setScanned(unsigned index) {
    size_t place = index - state.size();
    if (scanned.empty())
      return setEmpty(index);
    if (place >= scanned.size())
      return node.fail("its body has too few outputs");
    Expr all = stack(node, scanned[place], 0);
    if (count) {
      Expr number = Expr(node, count) + static_cast<double>(sure);
      all = all.emit<SliceOp>(
          {node.shape({0}), number.unsqueeze({0}), node.shape({1})},
          node.i64s("axes", 0));
    }
    return node.result(all, index);
  }

  /// Nothing was collected. What it would be is known from the body.
  LogicalResult setEmpty(unsigned index) {
    SmallVector<Value> inputs{node.scalar(i64(), 0), goesOn};
    llvm::append_range(inputs, state);
    Value never = node.scalar(boolean(), 0);
    auto outputs = node.body("body", inputs, never);
    if (failed(outputs))
      return failure();
    if (index + 1 >= outputs->size() || isList((*outputs)[index + 1]))
      return node.fail("its body has too few outputs");
    Expr first = stack(node, (*outputs)[index + 1], 0);
    return node.result(first.slice(0, 0, 0), index);
  }

  /// Rows that memory is planned for where their number is known, and where
  /// only data tell and nothing else was asked for.
  static constexpr int64_t kMaxCollected = 1'000'000, kMostCollected = 1024;
  /// Whether a run ends if there are more rows than there is room for.
  bool mayOverflow() const {
    return collects() && !(trips && *trips <= kMaxCollected);
  }
  int64_t rows() {
    return mayOverflow() ? node.most().value_or(kMostCollected)
                         : trips.value_or(0);
  }

  Node &node;
  std::optional<int64_t> trips;
  /// Whether there is another iteration, and its states; the first ones.
  Value goesOn, isEntered;
  SmallVector<Value> state, initial;
  SmallVector<SmallVector<Value>> scanned;
  /// Iterations that do take place before the first that may not.
  int64_t sure = 0;
  /// Whether the present iteration takes place, and how many have since the
  /// first that depends on data; null before it.
  Value isActive, count;
  /// Why it is no op, and whether an op may end before the maximal trip count.
  std::string whyNot;
  bool endsEarly = false;
  /// Whether room for some number of rows is planned where only data tell how
  /// many there are, and whether there is no other way: the importer would wait
  /// for small inputs, with which the number is known.
  bool hasRoom = false, needsRoom = false;
};
} // namespace

/// Whether an integer is an extent. Others that are computed from extents may
/// be no number of steps in some run, or none that a rule can bound.
static bool isExtent(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (isa<ShapeOfOp>(op))
      return true;
    bool isCast = isa<CastOp>(op) && isa<IntegerType>(Node::element(value));
    if (!isCast &&
        !isa<SqueezeOp, UnsqueezeOp, ReshapeOp, SliceOp, GatherOp>(op))
      return false;
    value = op->getOperand(0);
  }
  return false;
}

bool Loop::isCountedByExtent() {
  return node.in(0) && !trips && numberIn(goesOn) == 1 && isExtent(node.in(0));
}

FailureOr<SmallVector<Value>> Loop::buildBody(Value number,
                                              ArrayRef<Value> states) {
  SmallVector<Value> inputs{number, node.scalar(boolean(), 1)};
  llvm::append_range(inputs, states);
  auto outputs = node.body("body", inputs);
  if (failed(outputs))
    return failure();
  if (outputs->size() < state.size() + 1 || isList(outputs->front()) ||
      outputs->size() - 1 < node.numOutputs())
    return node.fail("its body has too few outputs, or no condition");
  return outputs;
}

/// A step for each number of an iteration, if no condition ends it.
LogicalResult Loop::runAsSteps() {
  Value zero = node.scalar(i64(), 0), one = node.scalar(i64(), 1);
  Value numbers = node.emit<RangeOp>({zero, asScalar(node, node.in(0)), one});
  auto build = [&](ArrayRef<Value> arguments) -> FailureOr<SmallVector<Value>> {
    auto outputs = buildBody(arguments.back(), arguments.drop_back());
    if (failed(outputs))
      return failure();
    if (numberIn(outputs->front()) != 1)
      return node.fail("a condition may end it");
    SmallVector<Value> results(ArrayRef(*outputs).slice(1, state.size()));
    for (unsigned i = state.size(); i < node.numOutputs(); ++i)
      if (node.wantsOutput(i))
        results.push_back((*outputs)[1 + i]);
    return results;
  };
  auto results = node.steps(state, numbers, build, whyNot);
  if (failed(results) ||
      failed(setResults(node, ArrayRef(*results).take_front(state.size()))))
    return failure();
  const Value *collected = results->begin() + state.size();
  for (unsigned i = state.size(); i < node.numOutputs(); ++i)
    if (node.wantsOutput(i))
      (void)node.result(*collected++, i);
  return success();
}

std::string Loop::overflowMessage() {
  std::string most = std::to_string(rows()), name = node.displayName().str();
  return "it collects more than " + most +
         " rows; compile it with --most=" + name + "=" + most + "0";
}

/// What `glow.loop` wants of an iteration. If values are collected, the number
/// of iterations so far is a state behind the others; if there may be no room
/// for all, whether another one is wanted is the next.
FailureOr<SmallVector<Value>> Loop::buildIteration(int64_t first,
                                                   ArrayRef<Value> arguments) {
  Expr number(node, arguments[0]);
  if (first)
    number = number + static_cast<double>(first);
  Expr next = number + 1.0;
  auto outputs = buildBody(number, arguments.slice(1, state.size()));
  if (failed(outputs))
    return failure();
  std::optional<int64_t> isTrue = numberIn(outputs->front());
  endsEarly = !isTrue || !*isTrue;
  if (isTrue && *isTrue && (!node.in(0) || trips == INT64_MAX))
    return node.fail("nothing ends it");
  Expr more = isBelowTrips(next, {node, asScalar(node, outputs->front())});
  SmallVector<Value> results{more};
  llvm::append_range(results, ArrayRef(*outputs).slice(1, state.size()));
  if (collects())
    results.push_back(next);
  if (mayOverflow() && !hasRoom)
    return node.fail("it collects values, and how many is not known");
  if (mayOverflow()) {
    results.front() = more & (next < static_cast<double>(rows()));
    results.push_back(more);
  }
  for (unsigned i = state.size(); i < node.numOutputs(); ++i)
    if (node.wantsOutput(i))
      results.push_back((*outputs)[1 + i]);
  return results;
}

LogicalResult Loop::finishAtRunTime(int64_t first) {
  Expr begin(node, node.scalar(i64(), static_cast<double>(first)));
  Value isFirst = first ? goesOn : isEntered;
  Expr condition = isBelowTrips(begin, Expr(node, asScalar(node, isFirst)));
  // A branch that is not taken might never end.
  if (node.onlyIf())
    condition = condition & Expr(node, node.onlyIf());
  if (node.failed())
    return success();
  SmallVector<Value> states = first ? state : initial;
  if (collects())
    states.push_back(begin);
  if (mayOverflow())
    states.push_back(condition);
  auto results = node.loop(
      condition, states, rows(),
      [&](ArrayRef<Value> arguments) {
        return buildIteration(first, arguments);
      },
      whyNot);
  if (failed(results))
    return failure();
  if (failed(setResults(node, ArrayRef(*results).take_front(state.size()))) ||
      !collects())
    return success();
  Expr number(node, (*results)[state.size()]);
  if (mayOverflow())
    number = number.emit<RequireOp>({(*results)[state.size() + 1]},
                                    node.str("message", overflowMessage()));
  const Value *collected = results->begin() + states.size();
  for (unsigned i = state.size(); i < node.numOutputs(); ++i) {
    if (!node.wantsOutput(i))
      continue;
    Expr all(node, *collected++);
    if (endsEarly || mayOverflow() || !numberIn(isFirst))
      all = all.emit<SliceOp>(
          {node.shape({0}), number.unsqueeze({0}), node.shape({1})},
          node.i64s("axes", 0));
    (void)node.result(all, i);
  }
  return success();
}

static LogicalResult importLoop(Node &node) {
  for (unsigned i = 0; i < 2; ++i)
    if (isList(node.in(i)))
      return node.fail("input " + Twine(i) +
                       " is a sequence or an optional, not a tensor");
  for (unsigned i = 2; i < node.numInputs(); ++i)
    if (!node.in(i))
      return node.fail("state " + Twine(i - 2) + " is left out");
  return Loop(node).import();
}

void onnx::addLoop(OpTable &table) {
  table.add("Loop", 1, {0, kAny}, importLoop).takesLists();
}
