//===- LaneProgram.h - scalar regions on many elements at once --*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scalar region is translated once into a list of steps. Each step runs one
// arith or math op over a register of up to `kLanes` elements, so that looking
// up what an op does costs nothing per element.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_INTERPRETER_LANEPROGRAM_H
#define GLOW_LIB_INTERPRETER_LANEPROGRAM_H

#include "glow/Interpreter/ElementFormat.h"
#include "mlir/IR/Block.h"
#include <deque>

namespace mlir::glow {

/// The elements of one scalar value. Integers are sign-extended, booleans are
/// 0 or 1, floats hold only values of their type.
struct LaneRegister {
  const ElementFormat *format = nullptr;
  std::vector<double> floats;
  std::vector<int64_t> ints;
};

/// One op of the region.
struct LaneStep {
  void (*run)(const LaneStep &step, size_t count);
  const LaneRegister *in[3] = {};
  LaneRegister *out = nullptr;
  /// The `predicate` attribute of a comparison.
  int64_t predicate = 0;
};

using LaneFunction = void (*)(const LaneStep &step, size_t count);

/// What one arith or math op does.
struct LaneFunctionRow {
  const char *operation;
  LaneFunction function;
};
ArrayRef<LaneFunctionRow> floatLaneFunctions();
ArrayRef<LaneFunctionRow> intLaneFunctions();

class LaneProgram {
public:
  /// How many elements are computed at once: few enough to stay in cache.
  static constexpr int64_t kLanes = 1024;

  LaneProgram() = default;
  // Moving keeps the registers where they are, copying would not.
  LaneProgram(LaneProgram &&) = default;
  LaneProgram &operator=(LaneProgram &&) = default;

  /// Translates a block that ends with the yield of one value.
  static FailureOr<LaneProgram> compile(Block &body);

  LaneRegister &argument(unsigned index) { return registers[index]; }
  /// Computes `count` elements from the arguments' registers.
  const LaneRegister &run(size_t count) const {
    for (const LaneStep &step : steps)
      step.run(step, count);
    return *result;
  }

private:
  LaneRegister *addRegister(Location location, Type type);
  LogicalResult addStep(Operation *op,
                        llvm::DenseMap<Value, LaneRegister *> &values);

  /// A deque: steps keep pointers to its elements.
  std::deque<LaneRegister> registers;
  std::vector<LaneStep> steps;
  const LaneRegister *result = nullptr;
};

} // namespace mlir::glow

#endif // GLOW_LIB_INTERPRETER_LANEPROGRAM_H
