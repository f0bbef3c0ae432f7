//===- CallerEmitter.h - kernels that call other kernels -------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TARGET_LLVM_CALLEREMITTER_H
#define GLOW_LIB_TARGET_LLVM_CALLEREMITTER_H

#include "glow/Dialect/Inst/IR/Inst.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::glow {

/// Emits a function with the signature of exported kernels that calls the
/// launches of a block with addresses that it computes.
class CallerEmitter {
protected:
  CallerEmitter(OpBuilder &builder, Operation *op);

  /// The function, the builder at the start of it, and declarations of the
  /// kernels that `body` launches.
  func::FuncOp begin(StringRef name, Block &body);

  Value number(int64_t value);
  Value slot(Value array, int64_t index);
  /// One of the function's own arguments.
  Value argument(int64_t index);
  Value advance(Value address, Value bytes);
  Value advance(Value address, int64_t bytes) {
    return bytes ? advance(address, number(bytes)) : address;
  }
  /// This thread's part of `bytes` each, whose addresses are the arguments from
  /// `index` on.
  Value scratchOf(int64_t index, int64_t bytes);
  /// The number of the thread that a launch takes itself to be run by whose
  /// scratch memory is part of this thread's.
  Value firstWorker();
  /// Runs tickets [first, last).
  void call(inst::LaunchOp launch, ArrayRef<Value> addresses, Value first,
            Value last, Value worker);

  OpBuilder &builder;
  Location loc;
  Type pointer;
  Value firstTicket, lastTicket, worker;

private:
  /// Addresses of the function's buffers, and of those of a launch.
  Value args, launchArgs;
};

} // namespace mlir::glow

#endif // GLOW_LIB_TARGET_LLVM_CALLEREMITTER_H
