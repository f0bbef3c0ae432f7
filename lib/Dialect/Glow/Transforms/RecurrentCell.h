//===- RecurrentCell.h - one step of RNN, GRU and LSTM ----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_TRANSFORMS_RECURRENTCELL_H
#define GLOW_DIALECT_GLOW_TRANSFORMS_RECURRENTCELL_H

#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::glow {

/// Reports what there are no steps for, before anything is built.
LogicalResult checkRecurrentForm(RecurrentOp op);

int64_t numDirections(RecurrentOp op);

/// X W' + biases for every step, gate and direction at once: B, S, D G H.
///
/// What has all steps has the batch before them: of a batch whose size is open
/// the steps of each sequence then follow each other in memory.
Value projectInputs(GraphBuilder &b, RecurrentOp op);

/// What a step has of a tensor whose axis 1 has the steps.
Value rowOfStep(GraphBuilder &b, Value all, int64_t step);

/// What the steps of one direction read: H, G H; 2 G H, unless it is in the
/// projected inputs; 3 H.
struct RecurrentParameters {
  Value recurrence, bias, peepholes;

  static RecurrentParameters of(GraphBuilder &b, RecurrentOp op,
                                int64_t direction);
};

/// What one step hands to the next, B, H each; null is zero.
struct RecurrentState {
  Value hidden, cell;

  /// What a direction begins with.
  static RecurrentState initial(GraphBuilder &b, RecurrentOp op,
                                int64_t direction);
};

/// Makes the steps of one direction of a layer.
class RecurrentCell {
public:
  RecurrentCell(GraphBuilder &b, RecurrentOp op, int64_t direction,
                const RecurrentParameters &parameters);

  /// Whether a direction goes from the last step to the first one.
  static bool isReversed(RecurrentOp op, int64_t direction);

  /// `row` has the projected inputs of all directions: B, D G H.
  RecurrentState step(Value row, const RecurrentState &state);
  /// The next state of sequences that go on, the one before of others.
  RecurrentState keepEnded(Value goOn, const RecurrentState &next,
                           const RecurrentState &before);

private:
  /// Numbers that an activation takes.
  struct Factors {
    double alpha, beta;
  };

  Value number(int64_t value);
  Value slice(Value input, int64_t axis, int64_t start, int64_t end);
  Value gate(Value all, int64_t gate);
  Value parameter(Value all, int64_t from, int64_t to);
  Value recur(Value hidden, int64_t from, int64_t to);
  Value activation(int64_t index, Value x, bool clipped = true);
  Value stepGRU(Value input, Value hidden);
  RecurrentState stepLSTM(Value input, const RecurrentState &state);

  GraphBuilder &b;
  RecurrentOp op;
  int64_t direction, size, numGates;
  Type type;
  RecurrentParameters parameters;
  Value zero, one;
  /// There are many steps: what they have in common is made once.
  DenseMap<int64_t, Value> numbers;
  DenseMap<std::pair<Value, std::pair<int64_t, int64_t>>, Value> slices;
  SmallVector<Factors> factors;
};

} // namespace mlir::glow

#endif // GLOW_DIALECT_GLOW_TRANSFORMS_RECURRENTCELL_H
