//===- Steps.h - a function, taken apart between its ops --------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of a function in their order are its steps; constants are none, they
// go wherever they are used. A cut lies before a step.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_TOOLS_GLOW_BISECT_STEPS_H
#define GLOW_TOOLS_GLOW_BISECT_STEPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::glow {

/// Some steps as a function of their own. Arguments and results stand for these
/// values of the whole.
struct Window {
  OwningOpRef<ModuleOp> module;
  SmallVector<Value> arguments, results;
};

class Steps {
public:
  explicit Steps(func::FuncOp function);

  size_t size() const { return ops.size(); }
  Operation *operator[](size_t i) const { return ops[i]; }

  /// Results of the steps in [begin, end) that a later step reads or that the
  /// function returns.
  SmallVector<Value> resultsOf(size_t begin, size_t end) const;
  /// The steps in [begin, end) that `results` depend on. What they read of
  /// earlier steps is an argument.
  Window window(size_t begin, size_t end, ArrayRef<Value> results) const;

private:
  /// The place of the step that computes `value`; nothing for an argument.
  std::optional<size_t> placeOf(Value value) const;
  std::string nameOf(Value value) const;

  mutable func::FuncOp function; // a handle
  SmallVector<Operation *> ops;
  llvm::DenseMap<Operation *, size_t> places;
};

} // namespace mlir::glow

#endif // GLOW_TOOLS_GLOW_BISECT_STEPS_H
