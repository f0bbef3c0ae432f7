//===- JoinMaps.cpp - one map for two that follow each other --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Inst/Analysis/Accesses.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_JOINMAPS
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow::inst;
using mlir::glow::YieldOp;

/// More streams than that are slower at once than one after the other.
static constexpr size_t kMostOperands = 12;

/// Whether each element of `inputs` may be read and each of `outputs` written
/// in one turn: they are the same one or never meet.
static bool areElementwise(ValueRange inputs, ValueRange outputs) {
  return llvm::all_of(inputs, [&](Value input) {
    return llvm::all_of(outputs, [&](Value output) {
      return areSame(input, output) || !mayMeet(input, output);
    });
  });
}

/// The place of `buffer` among `buffers`, or behind them.
static size_t placeOf(Value buffer, ValueRange buffers) {
  return llvm::find_if(buffers,
                       [&](Value other) { return areSame(buffer, other); }) -
         buffers.begin();
}

/// Whether `second` takes something that `first` takes or yields, the latter
/// neither rounded nor converted in between.
static bool takesElementOf(MapOp second, MapOp first) {
  auto yield = cast<YieldOp>(first.getBody().front().getTerminator());
  bool takes = false;
  for (auto [input, argument] :
       llvm::zip(second.getInputs(), second.getBody().getArguments())) {
    size_t result = placeOf(input, first.getOutputs());
    bool isResult = result < first.getOutputs().size();
    if (isResult && yield.getValues()[result].getType() != argument.getType())
      return false;
    takes |= isResult ||
             placeOf(input, first.getInputs()) < first.getInputs().size();
  }
  return takes;
}

/// Whether both go over the same elements in the same order.
static bool canJoin(MapOp first, MapOp second) {
  auto shapeOf = [](MapOp map) {
    return cast<MemRefType>(map.getOutputs().front().getType()).getShape();
  };
  auto axisOf = [](Value buffer) {
    return innermostAxis(cast<MemRefType>(buffer.getType()));
  };
  auto outputs =
      llvm::concat<const Value>(SmallVector<Value>(first.getOutputs()),
                                SmallVector<Value>(second.getOutputs()));
  auto meets = [&](Value output) {
    return llvm::any_of(first.getOutputs(),
                        [&](Value other) { return mayMeet(output, other); });
  };
  return takesElementOf(second, first) && shapeOf(first) == shapeOf(second) &&
         first->getDiscardableAttrDictionary() ==
             second->getDiscardableAttrDictionary() &&
         first->getNumOperands() + second->getNumOperands() <= kMostOperands &&
         llvm::all_equal(llvm::map_range(outputs, axisOf)) &&
         llvm::none_of(second.getOutputs(), meets) &&
         areElementwise(second.getInputs(), first.getOutputs()) &&
         areElementwise(first.getInputs(), second.getOutputs());
}

/// A map of both, where `second` is.
static MapOp join(MapOp first, MapOp second) {
  OpBuilder builder(second);
  Location loc =
      FusedLoc::get(second.getContext(), {first.getLoc(), second.getLoc()});
  SmallVector<Value> inputs(first.getInputs()), outputs(first.getOutputs());
  for (Value input : second.getInputs())
    if (placeOf(input, first.getOutputs()) == first.getOutputs().size() &&
        placeOf(input, inputs) == inputs.size())
      inputs.push_back(input);
  llvm::append_range(outputs, second.getOutputs());
  auto joined = MapOp::create(builder, loc, inputs, outputs);
  joined->setDiscardableAttrs(first->getDiscardableAttrDictionary());
  joined.getBody().takeBody(first.getBody());
  Block &body = joined.getBody().front();
  auto yield = cast<YieldOp>(body.getTerminator());
  IRMapping mapping;
  for (auto [input, argument] :
       llvm::zip(second.getInputs(), second.getBody().getArguments())) {
    size_t result = placeOf(input, first.getOutputs());
    size_t place = placeOf(input, inputs);
    if (result < first.getOutputs().size())
      mapping.map(argument, yield.getValues()[result]);
    else if (place < body.getNumArguments())
      mapping.map(argument, body.getArgument(place));
    else
      mapping.map(argument,
                  body.addArgument(argument.getType(), argument.getLoc()));
  }
  builder.setInsertionPoint(yield);
  SmallVector<Value> values(yield.getValues());
  for (Operation &op : second.getBody().front().without_terminator())
    builder.clone(op, mapping);
  for (Value value :
       cast<YieldOp>(second.getBody().front().getTerminator()).getValues())
    values.push_back(mapping.lookupOrDefault(value));
  YieldOp::create(builder, loc, values);
  yield.erase();
  first.erase();
  second.erase();
  return joined;
}

namespace {
struct JoinMaps : public mlir::glow::inst::impl::JoinMapsBase<JoinMaps> {
  void runOnOperation() override {
    getOperation().walk([](Block *block) {
      dropPlan(*block);
      SmallVector<MapOp> maps(block->getOps<MapOp>());
      MapOp last;
      for (MapOp map : maps) {
        bool follows = last && nextInstruction(last) == map;
        last = follows && canJoin(last, map) ? join(last, map) : map;
      }
    });
  }
};
} // namespace
