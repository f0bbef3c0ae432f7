//===- Loop.cpp - loops ---------------------------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body is inlined, once per iteration. How often that is need not be
// written as a constant: arithmetic on constants is folded as it is imported,
// so a condition on the number of the iteration is known too. Where the
// condition is data, all iterations that there may be are written out, and
// those after the last keep the state as it is.
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
  }

  LogicalResult import() {
    if (node.in(0) && !trips)
      return unknown(node.in(0), "its maximal trip count");
    for (int64_t i = 0; !trips || i < *trips; ++i) {
      std::optional<int64_t> isTrue = numberIn(goesOn);
      if (isTrue && !*isTrue)
        break;
      if (!isTrue && failed(enterData()))
        return failure();
      if (i == kMaxIterations)
        return node.fail("it runs more than " + Twine(kMaxIterations) +
                         " times, which would all be written out");
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

private:
  Type boolean() const { return IntegerType::get(node.context(), 1); }
  Type i64() const { return IntegerType::get(node.context(), 64); }

  /// The value of an input of the model may be all that is missing.
  LogicalResult unknown(Value value, const Twine &what) {
    node.noteMissing(value);
    return node.fail("how often it runs is not known: " + what +
                     " depends on data");
  }

  /// From this iteration on, whether one takes place depends on data.
  LogicalResult enterData() {
    if (!trips || *trips > kMaxIterations)
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
    if (outputs->size() < carried + 1)
      return node.fail("its body has too few outputs");
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

  Node &node;
  std::optional<int64_t> trips;
  Value goesOn;
  SmallVector<Value> state;
  SmallVector<SmallVector<Value>> scanned;
  /// Iterations that do take place before the first that may not.
  int64_t sure = 0;
  /// Whether the present iteration takes place, and how many have since the
  /// first that depends on data; null before it.
  Value isActive, count;
};
} // namespace

static LogicalResult importLoop(Node &node) { return Loop(node).import(); }

void onnx::addLoop(OpTable &table) {
  table.add("Loop", 1, {0, kAny}, importLoop).takesLists();
}
