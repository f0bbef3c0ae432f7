//===- LimitWork.h - what of a bounded function is computed ----*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_INST_TRANSFORMS_LIMITWORK_H
#define GLOW_DIALECT_INST_TRANSFORMS_LIMITWORK_H

#include "DemandedWork.h"
#include "LeftOut.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::glow::inst {

/// Follows the contents of a bounded function's buffers in program order and
/// notes for each instruction what of its outputs need be computed.
class WorkLimiter {
public:
  explicit WorkLimiter(func::FuncOp function, BlockArgument symbols);

  void note();

private:
  void follow();
  void addArguments();
  void run(Block &block);
  void run(Operation *op);
  void write(Value output, ArrayRef<AxisContents> contents, bool symbolic,
             Fallback fallback = {});
  void limit(Operation *op, ArrayRef<int64_t> shape,
             ArrayRef<AffineExpr> extents);
  void limitFills(Operation &reader);
  AxisContents contentsAlong(Value input, int64_t axis);
  SmallVector<AxisContents> contentsAlong(ArrayRef<Value> inputs,
                                          ArrayRef<int64_t> axes);
  SmallVector<AffineExpr> reducedExtents(Operation *op,
                                         const OperandAxes &known);
  AxisContents contentsOfSource(SlideOp slide, int64_t axis);
  void noteDroppedTerms(Operation *op, const OperandAxes &known);
  void noteDroppedSources(MapOp map, const OperandAxes &known);
  bool isSymbolic(Operation *op, const std::optional<OperandAxes> &known);
  void noteSymbol(GatherOp gather);
  void noteIndices(GatherOp gather);
  void noteDigits(Value output, const IndexDigits &digits);
  void noteValue(Value output, SymbolicInteger value);
  void noteValues(MapOp map, ArrayRef<AxisContents> inputs,
                  ArrayRef<AxisContents> yields);
  void readAll(Value buffer) { leftOut.needAll(buffers[rootBuffer(buffer)]); }

  // In LimitLoops.cpp.
  void run(ForallOp loop);
  void run(ForStepsOp loop);
  std::optional<size_t> blockAxisOf(ForallOp loop);
  AffineExpr firstPosition(Value buffer, size_t axis);
  AxisContents maskOfBlocks(ForallOp loop, BlockArgument window, size_t axis);
  void enter(ForallOp loop);
  void leave(ForallOp loop);
  void passSymbols(ForallOp loop);
  void readWindows(ForallOp loop, ArrayRef<AffineExpr> limits);
  AffineExpr elementsOf(ForallOp loop, AffineExpr points, int64_t perPoint);
  AxisContents contentsAlong(ForallOp loop, size_t axis);
  AxisContents alongLoop(ForallOp loop, BlockArgument window, size_t axis);

  SymbolicInteger valueOfSymbol(int64_t index) const;
  SymbolicInteger valueIn(Value scalar);

  func::FuncOp function;
  Value symbols;
  SmallVector<ShapeSymbol> ranges;
  ExtentOrder order;
  unsigned numSymbols;
  MLIRContext *context;
  /// By the roots of views.
  DenseMap<Value, PaddedBuffer> buffers;
  /// Of buffers that have not been read since.
  DenseMap<Value, SmallVector<FillOp>> fills;
  BlockAxes blockAxes;
  LeftOut leftOut;
  DroppedInputs dropped;
  DroppedInSources droppedInSources;
  GatheredIndices indices;
};

} // namespace mlir::glow::inst

#endif // GLOW_DIALECT_INST_TRANSFORMS_LIMITWORK_H
