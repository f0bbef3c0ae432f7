//===- LowerLoops.h - the functions that are bodies of loops ----*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_CONVERSION_GLOWTOINST_LOWERLOOPS_H
#define GLOW_LIB_CONVERSION_GLOWTOINST_LOWERLOOPS_H

#include "glow/Conversion/GlowToInst/GlowToInst.h"
#include "glow/Dialect/Glow/IR/Glow.h"

namespace mlir::glow {

/// What `glow.loop` says of a function. Its result 0 is the condition, those
/// after it are states, those after them are collected.
struct LoopBody {
  int64_t states, rows;

  static std::optional<LoopBody> get(func::FuncOp function);

  bool isState(size_t result) const {
    return result > 0 && result <= static_cast<size_t>(states);
  }
  bool isCollected(size_t result) const {
    return result > static_cast<size_t>(states);
  }
  /// The buffer for a result: all rows of what is collected.
  MemRefType outputType(size_t result, Type type) const;
  /// Ends the body: `outputs` get the results, and the iteration's number goes
  /// up.
  void finish(ValueRange results, ArrayRef<Value> outputs, Value number,
              InstLowering &lowering) const;
};

/// What `glow.steps` says of a function. Its first arguments, and its results,
/// are the states and then the histories; rows are the arguments after them.
struct StepBody {
  int64_t states, histories, rows, steps, historyRows;

  static std::optional<StepBody> get(func::FuncOp function);

  bool isState(int64_t result) const { return result < states; }
  /// The buffer for an argument.
  MemRefType argumentType(int64_t argument, RankedTensorType type) const;
  /// The buffer for a row of a history that the step makes.
  MemRefType outputType(RankedTensorType type) const;
  /// Ends the body: `outputs` get the results.
  void finish(ValueRange results, ArrayRef<Value> outputs,
              InstLowering &lowering) const;
};

} // namespace mlir::glow

#endif // GLOW_LIB_CONVERSION_GLOWTOINST_LOWERLOOPS_H
