//===- LeftOut.h - what masks write and nothing reads ----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions are first taken not to write what a mask puts in the place of
// padding. In each run over a function the readers that need it are found; the
// next run has those instructions compute it.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_LEFTOUT_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_LEFTOUT_H

#include "OperandAxes.h"
#include "glow/Dialect/Inst/Analysis/Padding.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace mlir::glow::inst {

class LeftOut {
public:
  void startRun();
  /// Returns whether another run is needed.
  bool endRun();

  /// Whether an instruction may leave out what a mask makes it write.
  bool isAllowed(Operation *op) const;
  /// What `origin` has left out is read.
  void need(Operation *origin) { needed.insert(origin); }
  /// All of a buffer is read.
  void needAll(const PaddedBuffer &buffer);
  /// Input `input` of an instruction is read, which stops at `limits` along the
  /// axes of its outputs and those that it reduces.
  void read(Operation *op, size_t input, const OperandAxes &axes,
            ArrayRef<AffineExpr> limits, const PaddedBuffer &buffer);
  /// An operand of a loop is read through windows of `rank` axes, at points
  /// within `limits`. Of a window, its readers tell.
  void readWindows(const AddressSpace &windows, size_t rank,
                   ArrayRef<AffineExpr> limits, const PaddedBuffer &buffer);

private:
  /// Runs after which nothing is left out, so that there are few.
  static constexpr int64_t kMostRuns = 4;
  int64_t runs = 0;
  /// Instructions that leave out what others of their class have left out.
  llvm::EquivalenceClasses<Operation *> classes;
  /// Those of which a reader has been found.
  DenseSet<Operation *> needed;
  /// Those that compute all.
  DenseSet<Operation *> computed;
};

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_LEFTOUT_H
