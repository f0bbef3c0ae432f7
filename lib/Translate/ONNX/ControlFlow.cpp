//===- ControlFlow.cpp - conditions and scans -----------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies are inlined, but those of long scans. Of a condition on data both
// branches are computed and one is chosen.
//
//===----------------------------------------------------------------------===//
#include "ControlFlow.h"
#include "Lists.h"
#include "OpTable.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

LogicalResult onnx::setResults(Node &node, ArrayRef<Value> values,
                               unsigned first) {
  for (auto [i, value] : llvm::enumerate(values))
    if (node.wantsOutput(first + i) && failed(node.result(value, first + i)))
      return failure();
  return success();
}

// -- If -----------------------------------------------------------------------

/// A tensor with zeros, or empty strings, behind its elements.
static Expr enlarge(Expr value, ArrayRef<int64_t> dims) {
  Node &node = value.builder();
  SmallVector<int64_t> pads(dims.size(), 0);
  for (auto [axis, extent] : llvm::enumerate(dims))
    pads.push_back(extent - value.dim(axis));
  return value.emit<PadOp>(
      {node.shape(pads)},
      {{"mode", PadModeAttr::get(node.context(), PadMode::Constant)}});
}

/// Whether a tensor without elements is a part of another one, whose extents
/// may be data.
static bool isEmptyPart(Type empty, Type whole) {
  auto part = dyn_cast<RankedTensorType>(empty),
       all = dyn_cast<RankedTensorType>(whole);
  return part && all && part.hasStaticShape() && part.getNumElements() == 0 &&
         part.getRank() == all.getRank() &&
         llvm::all_of(llvm::zip(part.getShape(), all.getShape()),
                      [](auto extents) {
                        auto [own, other] = extents;
                        return own == 0 ||
                               (!ShapedType::isDynamic(other) && own <= other);
                      });
}

/// One of two tensors that differ in their extents: both become as large as
/// either, and the chosen one is cut out. An empty part of the other one is cut
/// out of that.
static Expr chooseResized(Expr condition, Expr a, Expr b) {
  Node &node = condition.builder();
  SmallVector<int64_t> dims, axes;
  for (int64_t axis = 0; axis < a.rank(); ++axis) {
    dims.push_back(std::max(a.dim(axis), b.dim(axis)));
    if (a.dim(axis) != b.dim(axis))
      axes.push_back(axis);
  }
  auto extentsOf = [&](Expr value) {
    SmallVector<Expr> extents;
    for (int64_t axis : axes)
      extents.push_back(value.shape(axis, axis + 1));
    return concat(extents, 0);
  };
  Expr ends = where(condition, extentsOf(a), extentsOf(b));
  Type first = Value(a).getType(), second = Value(b).getType();
  Expr whole = isEmptyPart(first, second) ? b
               : isEmptyPart(second, first)
                   ? a
                   : where(condition, enlarge(a, dims), enlarge(b, dims));
  SmallVector<int64_t> zeros(axes.size(), 0), ones(axes.size(), 1);
  return whole.emit<SliceOp>({node.shape(zeros), ends, node.shape(ones)},
                             node.i64s("axes", axes));
}

Value onnx::choose(Node &node, Value condition, Value a, Value b) {
  if (!isList(a)) {
    Expr either(node, condition), first(node, a), second(node, b);
    return a.getType() == b.getType() ? where(either, first, second)
                                      : chooseResized(either, first, second);
  }
  SmallVector<Value> values;
  for (auto [x, y] : llvm::zip_equal(elementsOf(a), elementsOf(b)))
    values.push_back(choose(node, condition, x, y));
  if (node.failed())
    return Value();
  if (isOptional(a))
    return node.optional(values.empty() ? Value() : values.front());
  return node.sequence(values);
}

Value onnx::asScalar(Node &node, Value condition) {
  return Node::rank(condition) == 0
             ? condition
             : node.reshape(condition, ArrayRef<int64_t>());
}

/// Whether two tensors can be one value, of which the extents are data.
static bool canResize(Type a, Type b) {
  auto first = dyn_cast<RankedTensorType>(a),
       second = dyn_cast<RankedTensorType>(b);
  return first && second && first.getRank() == second.getRank() &&
         first.getElementType() == second.getElementType() &&
         !isOnlyMoved(first.getElementType()) &&
         ((first.hasStaticShape() && second.hasStaticShape()) ||
          isEmptyPart(a, b) || isEmptyPart(b, a));
}

/// Adds the values that decide the open extents of `value`, which are those of
/// its operands if it is computed element by element.
static void findOrigins(Value value, SetVector<Value> &origins) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<ScalarBodyOpInterface>(op)) {
    origins.insert(value);
    return;
  }
  ArrayRef<int64_t> dims = Node::dims(value);
  for (Value operand : op->getOperands()) {
    ArrayRef<int64_t> own = Node::dims(operand);
    auto decides = [](auto pair) {
      auto [result, extent] = pair;
      return ShapedType::isDynamic(result) && extent != 1;
    };
    if (llvm::any_of(llvm::zip_equal(dims.take_back(own.size()), own), decides))
      findOrigins(operand, origins);
  }
}

/// Whether two tensors of one type have the same extents in every run, as far
/// as the graph tells.
static bool haveSameExtents(Value a, Value b) {
  auto type = dyn_cast<RankedTensorType>(a.getType());
  if (!type || type.hasStaticShape())
    return true;
  SetVector<Value> first, second;
  findOrigins(a, first);
  findOrigins(b, second);
  return first.size() == second.size() &&
         llvm::all_of(first,
                      [&](Value origin) { return second.contains(origin); });
}

/// One branch if the condition is known; otherwise both, and a choice between
/// their results.
static LogicalResult importIf(Node &node) {
  if (auto known = numberIn(node.in(0))) {
    node.ignore(*known ? "else_branch" : "then_branch");
    auto values = node.body(*known ? "then_branch" : "else_branch", {});
    return failed(values) ? failure() : setResults(node, *values);
  }
  Expr condition(node, asScalar(node, node.in(0)));
  auto then = node.body("then_branch", {}, condition);
  auto otherwise = node.body("else_branch", {}, condition.emit<NotOp>());
  if (failed(then) || failed(otherwise))
    return failure();
  if (then->size() != otherwise->size())
    return node.fail("its branches differ in the number of their outputs");
  for (auto [i, pair] : llvm::enumerate(llvm::zip(*then, *otherwise))) {
    auto [a, b] = pair;
    if (a.getType() != b.getType() && !canResize(a.getType(), b.getType())) {
      node.noteMissing(node.in(0));
      return node.fail("output " + Twine(i) +
                       " has another type in each branch, and which is taken "
                       "depends on values that are not known before run time");
    }
    // Choosing would broadcast the one to the other.
    if (a.getType() == b.getType() && !haveSameExtents(a, b))
      return node.fail("the extents of output " + Twine(i) +
                       " must be known, as the branches may differ in them");
    if (node.wantsOutput(i) &&
        failed(node.result(choose(node, condition, a, b), i)))
      return failure();
  }
  return success();
}

// -- Scan ---------------------------------------------------------------------

namespace {
/// What an attribute such as `scan_input_axes` says of each input or output.
struct ScanSides {
  SmallVector<int64_t> axes, backwards;
};
} // namespace

static std::optional<ScanSides> readSides(Node &node, StringRef kind,
                                          size_t count) {
  ScanSides sides{node.integers(("scan_" + kind + "_axes").str()),
                  node.integers(("scan_" + kind + "_directions").str())};
  for (SmallVector<int64_t> *list : {&sides.axes, &sides.backwards}) {
    if (list->empty())
      list->assign(count, 0);
    if (list->size() != count) {
      (void)node.fail("needs one axis and one direction for each scan " + kind);
      return std::nullopt;
    }
  }
  return sides;
}

namespace {
/// Scan since version 9.
struct Scan {
  Node &node;
  ScanSides in, out;
  ArrayRef<Value> inputs; // The last are scanned.
  size_t states = 0;
  int64_t steps = ShapedType::kDynamic;
  std::string whyNot = ""; // it is no op

  LogicalResult countSteps();
  FailureOr<SmallVector<Value>>
  step(ArrayRef<Value> state,
       function_ref<Value(Expr, int64_t axis, bool backwards)> element,
       Value onlyIf = {});
  LogicalResult setCollected(size_t index, ArrayRef<Value> rows);
  LogicalResult writeOut();
  LogicalResult writeNothing();
  LogicalResult runAsLoop();
  LogicalResult runAsSteps();
  void setLoopResults(ArrayRef<Value> results);
};
} // namespace

LogicalResult Scan::countSteps() {
  for (auto [i, value] : llvm::enumerate(inputs.drop_front(states))) {
    in.axes[i] = node.axis(in.axes[i], Node::rank(value));
    if (node.failed())
      return failure();
    int64_t extent = Node::dims(value)[in.axes[i]];
    if (steps >= 0 && extent >= 0 && extent != steps)
      return node.fail("its inputs differ in their numbers of steps");
    if (ShapedType::isDynamic(steps))
      steps = extent;
  }
  return success();
}

/// The outputs of one step, with `element` of each input that is scanned.
FailureOr<SmallVector<Value>>
Scan::step(ArrayRef<Value> state,
           function_ref<Value(Expr, int64_t, bool)> element, Value onlyIf) {
  SmallVector<Value> given(state);
  for (auto [i, value] : llvm::enumerate(inputs.drop_front(states)))
    given.push_back(
        element(Expr(node, value), in.axes[i], in.backwards[i] != 0));
  auto outputs = node.body("body", given, onlyIf);
  if (succeeded(outputs) && outputs->size() != states + out.axes.size())
    return node.fail("its body has " + Twine(outputs->size()) +
                     " outputs, not " + Twine(states + out.axes.size()));
  return outputs;
}

/// Gives what is collected its rows; without steps `rows` says what they would
/// be.
LogicalResult Scan::setCollected(size_t index, ArrayRef<Value> rows) {
  int64_t axis = node.axis(out.axes[index], Node::rank(rows.front()) + 1);
  if (node.failed() || !node.wantsOutput(states + index))
    return success(!node.failed());
  Expr all = stack(node, rows, axis);
  return node.result(steps ? all : all.slice(axis, 0, 0), states + index);
}

/// All steps, one after the other.
LogicalResult Scan::writeOut() {
  if (steps > kMaxIterations)
    return node.fail("has more than " + Twine(kMaxIterations) +
                     " steps, which would all be written out: " + whyNot);
  SmallVector<Value> state(inputs.take_front(states));
  SmallVector<SmallVector<Value>> scanned(out.axes.size());
  for (int64_t t = 0; t < steps; ++t) {
    auto outputs = step(state, [&](Expr value, int64_t axis, bool backwards) {
      int64_t place = backwards ? steps - 1 - t : t;
      return value.slice(axis, place, place + 1).squeeze({axis});
    });
    if (failed(outputs))
      return failure();
    state.assign(outputs->begin(), outputs->begin() + states);
    for (auto [i, values] : llvm::enumerate(scanned))
      values.insert(out.backwards[i] ? values.begin() : values.end(),
                    (*outputs)[states + i]);
  }
  if (failed(setResults(node, state)))
    return failure();
  for (auto [i, values] : llvm::enumerate(scanned))
    if (failed(setCollected(i, values)))
      return failure();
  return success();
}

/// No step: what would be collected is known from the body.
LogicalResult Scan::writeNothing() {
  Value never = node.scalar(IntegerType::get(node.context(), 1), 0);
  auto zeros = [&](Expr value, int64_t axis, bool) -> Value {
    SmallVector<int64_t> dims(Node::dims(value));
    dims.erase(dims.begin() + axis);
    return node.emit<SplatOp>(
        {node.scalar(value.element(), 0), node.shape(dims)});
  };
  auto outputs = step(inputs.take_front(states), zeros, never);
  if (failed(outputs) || failed(setResults(node, inputs.take_front(states))))
    return failure();
  for (auto [i, value] : llvm::enumerate(llvm::drop_begin(*outputs, states)))
    if (failed(setCollected(i, value)))
      return failure();
  return success();
}

/// The elements of axis 0 along `axis`, in their order or backwards.
static Expr placeRows(Expr rows, int64_t axis, bool backwards) {
  if (backwards)
    rows = rows.slice(0, -1, std::numeric_limits<int64_t>::min(), -1);
  auto order = llvm::to_vector(llvm::seq<int64_t>(1, rows.rank()));
  order.insert(order.begin() + axis, 0);
  return rows.transpose(order);
}

/// One op, or failure without a problem if it cannot be.
LogicalResult Scan::runAsLoop() {
  Type i64 = IntegerType::get(node.context(), 64);
  auto build = [&](ArrayRef<Value> arguments) -> FailureOr<SmallVector<Value>> {
    Expr number(node, arguments.front());
    auto outputs = step(
        arguments.drop_front(), [&](Expr value, int64_t axis, bool backwards) {
          double last = static_cast<double>(steps - 1);
          return value.gather(backwards ? last - number : number, axis);
        });
    if (failed(outputs))
      return failure();
    Value more = number + 1.0 < Expr(node, node.scalar(i64, steps));
    outputs->insert(outputs->begin(), more);
    return outputs;
  };
  Value always = node.scalar(IntegerType::get(node.context(), 1), 1);
  auto results =
      node.loop(always, inputs.take_front(states), steps, build, whyNot);
  if (failed(results))
    return failure();
  setLoopResults(*results);
  return success();
}

/// States, and what is collected along axis 0.
void Scan::setLoopResults(ArrayRef<Value> results) {
  if (failed(setResults(node, results.take_front(states))))
    return;
  for (size_t i = 0; i < out.axes.size(); ++i) {
    Expr rows(node, results[states + i]);
    int64_t axis = node.axis(out.axes[i], rows.rank());
    if (!node.failed() && node.wantsOutput(states + i))
      (void)node.result(placeRows(rows, axis, out.backwards[i] != 0),
                        states + i);
  }
}

/// The elements of an axis along axis 0, in their order or backwards.
static Expr takeRows(Expr value, int64_t axis, bool backwards) {
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, value.rank()));
  std::rotate(order.begin(), order.begin() + axis, order.begin() + axis + 1);
  return placeRows(value.transpose(order), /*axis=*/0, backwards);
}

/// One op for any number of steps.
LogicalResult Scan::runAsSteps() {
  SmallVector<Value> rows;
  for (auto [i, value] : llvm::enumerate(inputs.drop_front(states)))
    rows.push_back(takeRows({node, value}, in.axes[i], in.backwards[i] != 0));
  auto results = node.steps(
      inputs.take_front(states), rows,
      [&](ArrayRef<Value> arguments) {
        const Value *next = arguments.begin() + states;
        return step(arguments.take_front(states),
                    [&](Expr, int64_t, bool) { return *next++; });
      },
      whyNot);
  if (failed(results))
    return node.fail("the number of its steps is not known, and it cannot be "
                     "a loop over them: " +
                     whyNot);
  setLoopResults(*results);
  return success();
}

static LogicalResult importScan(Node &node) {
  int64_t scans = node.integer("num_scan_inputs", 0);
  if (scans < 1 || scans > node.numInputs())
    return node.fail("num_scan_inputs does not fit its inputs");
  if (llvm::is_contained(node.inputs(), Value()))
    return node.fail("may leave out no input");
  size_t states = node.numInputs() - scans;
  if (node.numOutputs() < states)
    return node.fail("has fewer outputs than states");
  auto in = readSides(node, "input", scans);
  auto out = readSides(node, "output", node.numOutputs() - states);
  if (!in || !out)
    return failure();
  Scan scan{node, *in, *out, node.inputs(), states};
  if (failed(scan.countSteps()))
    return failure();
  if (ShapedType::isDynamic(scan.steps))
    return scan.runAsSteps();
  if (scan.steps == 0)
    return scan.writeNothing();
  if (scan.steps > kShortLoop && succeeded(scan.runAsLoop()))
    return success(!node.failed());
  return scan.writeOut();
}

/// Scan of version 8: each element of the batch (axis 0) by itself, along axis
/// 1. What it collects beyond the length of a sequence is anything.
static LogicalResult importBatchedScan(Node &node) {
  int64_t scans = node.integer("num_scan_inputs", 0);
  if (node.numInputs() < 2 ||
      llvm::is_contained(node.inputs().drop_front(), Value()))
    return node.fail("may leave out no input but the first");
  auto inputs = node.inputs().drop_front();
  if (scans < 1 || scans > static_cast<int64_t>(inputs.size()) ||
      node.numOutputs() < inputs.size() - scans)
    return node.fail("num_scan_inputs does not fit its inputs and outputs");
  size_t states = inputs.size() - scans, outs = node.numOutputs() - states;
  auto backwards = node.integers("directions", SmallVector<int64_t>(scans, 0));
  int64_t batch = Expr(node, inputs[states]).dim(0);
  int64_t steps = Expr(node, inputs[states]).dim(1);
  if (backwards.size() != static_cast<size_t>(scans) || batch < 1 ||
      steps < 1 || batch > kMaxIterations / steps)
    return node.fail(
        "needs one direction per scan input, and a known batch and "
        "number of steps of at most " +
        Twine(kMaxIterations) + " in all");
  for (Value value : inputs)
    if (Expr(node, value).dim(0) != batch)
      return node.fail("its inputs differ in their batches");
  for (Value value : inputs.drop_front(states))
    if (Expr(node, value).dim(1) != steps)
      return node.fail("its inputs differ in their numbers of steps");
  SmallVector<SmallVector<Value>> results(states + outs);
  for (int64_t b = 0; b < batch; ++b) {
    auto element = [&](Value value) {
      return Expr(node, value).slice(0, b, b + 1).squeeze({0});
    };
    SmallVector<Value> state;
    for (Value value : inputs.take_front(states))
      state.push_back(element(value));
    SmallVector<SmallVector<Value>> scanned(outs);
    for (int64_t t = 0; t < steps; ++t) {
      SmallVector<Value> given = state;
      for (auto [i, value] : llvm::enumerate(inputs.drop_front(states))) {
        int64_t place = backwards[i] ? steps - 1 - t : t;
        given.push_back(element(value).slice(0, place, place + 1).squeeze({0}));
      }
      auto outputs = node.body("body", given);
      if (failed(outputs))
        return failure();
      if (outputs->size() != states + outs)
        return node.fail("its body has not as many outputs as it");
      for (auto [i, value] : llvm::enumerate(*outputs))
        if (i >= states)
          scanned[i - states].push_back(value);
        else if (node.in(0)) // the last state of the sequence stays
          state[i] = where(element(node.in(0)) > double(t), {node, value},
                           {node, state[i]});
        else
          state[i] = value;
    }
    for (size_t i = 0; i < states; ++i)
      results[i].push_back(state[i]);
    for (size_t i = 0; i < outs; ++i)
      results[states + i].push_back(stack(node, scanned[i], 0));
  }
  for (auto [i, values] : llvm::enumerate(results))
    if (node.wantsOutput(i) && failed(node.result(stack(node, values, 0), i)))
      return failure();
  return success();
}

void onnx::addControlFlow(OpTable &table) {
  table.add("If", 1, 1, importIf).takesLists();
  table.add("Scan", 8, {0, kAny}, importBatchedScan).until(8);
  table.add("Scan", 9, {1, kAny}, importScan);
}
