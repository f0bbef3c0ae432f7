//===- DecomposeRecurrent.cpp - RNN, GRU and LSTM, step by step -----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sequence is unrolled. Sequence lengths become masks.
//
//===----------------------------------------------------------------------===//
#include "RecurrentCell.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
/// One direction of the layer.
class Unroller {
public:
  Unroller(GraphBuilder &b, RecurrentOp op, int64_t direction, Value projected,
           Value lengths)
      : b(b), op(op), direction(direction), projected(projected),
        lengths(lengths), zero(b.scalar(0.0, elementType(projected))),
        cell(b, op, direction, RecurrentParameters::of(b, op, direction)) {}

  /// Runs `steps` steps. `outputs` gets the hidden state of each, at its place
  /// in the sequence.
  RecurrentState run(int64_t steps, SmallVectorImpl<Value> &outputs) {
    RecurrentState state = RecurrentState::initial(b, op, direction);
    outputs.resize(steps);
    for (int64_t i = 0; i < steps; ++i) {
      bool isReversed = RecurrentCell::isReversed(op, direction);
      int64_t time = isReversed ? steps - 1 - i : i;
      RecurrentState next = cell.step(rowOfStep(b, projected, time), state);
      outputs[time] = next.hidden;
      if (lengths) {
        Value goesOn = isWithin(time);
        outputs[time] = b.create<WhereOp>(goesOn, next.hidden, zero);
        next = cell.keepEnded(goesOn, next, state);
      }
      state = next;
    }
    return state;
  }

private:
  /// For each sequence of the batch: is it longer than `time`?
  Value isWithin(int64_t time) {
    Value now = b.scalar(time, elementType(lengths));
    return b.unsqueeze(b.create<LessOp>(now, lengths), 1);
  }

  GraphBuilder &b;
  RecurrentOp op;
  int64_t direction;
  Value projected, lengths, zero;
  RecurrentCell cell;
};
} // namespace

/// How long each sequence is; null if all have all steps.
static Value lengthsOf(GraphBuilder &b, RecurrentOp op) {
  if (op.getSequenceLengths() || !op.getSteps())
    return op.getSequenceLengths();
  return b.create<ExpandOp>(op.getSteps(),
                            b.ints(dimsOf(op.getInput()).slice(1, 1)));
}

FailureOr<SmallVector<Value>> RecurrentOp::decompose(OpBuilder &builder) {
  if (failed(checkRecurrentForm(*this)))
    return failure();
  GraphBuilder b(builder, getLoc());
  int64_t steps = dimsOf(getInput())[0];
  int64_t directions = numDirections(*this);
  Value projected = projectInputs(b, *this);
  Value lengths = lengthsOf(b, *this);
  SmallVector<SmallVector<Value>> outputs(directions);
  SmallVector<Value> hiddens, cells, all;
  for (int64_t d = 0; d < directions; ++d) {
    RecurrentState last =
        Unroller(b, *this, d, projected, lengths).run(steps, outputs[d]);
    hiddens.push_back(b.unsqueeze(last.hidden, 0));
    cells.push_back(last.cell ? b.unsqueeze(last.cell, 0) : hiddens.back());
  }
  for (SmallVector<Value> &ofSteps : outputs) {
    for (Value &output : ofSteps)
      output = b.unsqueeze(output, {1, 2});
    all.push_back(b.concat(ofSteps, 1));
  }
  return SmallVector<Value>{b.transpose(b.concat(all, 2), {1, 2, 0, 3}),
                            b.concat(hiddens, 0), b.concat(cells, 0)};
}
