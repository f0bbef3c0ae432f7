//===- DemandedWork.h - compute the elements that are read -----*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_DEMANDEDWORK_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_DEMANDEDWORK_H

#include "glow/Dialect/Inst/Analysis/ExtentOrder.h"
#include "glow/Dialect/Inst/Analysis/Padding.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::glow::inst {

struct OperandAxes;

/// By axis of an instruction's outputs, and then of those that a reduction with
/// a body reduces: from where on each output needs nothing of each input, see
/// OperandAxes::dropped.
using DroppedInputs =
    DenseMap<Operation *, SmallVector<SmallVector<SmallVector<AffineExpr>>>>;

/// Of maps of parts that slide together, from where on each output needs
/// nothing of each input's source along the axis that they slide on.
using DroppedInSources =
    DenseMap<Operation *, SmallVector<SmallVector<AffineExpr>>>;

/// Of gathers, what their indices are made of.
using GatheredIndices = DenseMap<Operation *, IndexDigits>;

/// Of loops, the axis whose points' indices limits depend on.
using BlockAxes = DenseMap<Operation *, std::optional<size_t>>;

/// Follows in reverse order what of a bounded function's buffers is read, and
/// limits instructions to that.
class DemandedWork {
public:
  DemandedWork(func::FuncOp function, const DroppedInputs &dropped,
               const DroppedInSources &droppedInSources,
               const GatheredIndices &indices, BlockAxes &blockAxes);

  void note();

private:
  /// What of a buffer is read: places that are before each of the extents.
  struct Demand {
    bool isRead = false;
    /// Not only behind the loop whose window it is.
    bool isReadHere = false;
    SmallVector<PaddedPlaces> places;
  };

  void run(Block &block);
  void run(Operation *op);
  void run(ForStepsOp loop);
  void runUnknown(Operation *op);
  SmallVector<AffineExpr> demandOf(Value output);
  AffineExpr least(AffineExpr a, AffineExpr b);
  AffineExpr neededOfTerms(Operation *op, size_t axis, size_t input,
                           AffineExpr limit);
  AffineExpr neededOf(Operation *op, const OperandAxes &known, size_t axis,
                      size_t input, AffineExpr limit,
                      ArrayRef<SmallVector<AffineExpr>> demanded);
  AffineExpr demandAlong(Value root, const AddressSpace &space, size_t axis);
  void reachFirst(Operation *op, ArrayRef<AffineExpr> limits,
                  MutableArrayRef<AffineExpr> input);
  bool isBelow(Operation *op, AffineExpr extent, int64_t size);
  SmallVector<AffineExpr> limit(Operation *op, ArrayRef<int64_t> shape,
                                ArrayRef<AffineExpr> extents);
  void read(Value buffer, ArrayRef<AffineExpr> ends,
            ArrayRef<PaddedPlaces> places = {}, AffineExpr endOfSource = {});
  AffineExpr neededOfSource(Operation *op, size_t input);
  SmallVector<PaddedPlaces> addressed(GatherOp gather);
  SmallVector<PaddedPlaces> carried(Operation *op, const OperandAxes &known,
                                    size_t input);
  void add(SmallVectorImpl<PaddedPlaces> &all, PaddedPlaces places);
  SmallVector<PaddedPlaces> join(ArrayRef<PaddedPlaces> some,
                                 ArrayRef<PaddedPlaces> others);
  std::optional<PaddedPlaces> joinPlaces(const PaddedPlaces &a,
                                         const PaddedPlaces &b);

  // In DemandedLoops.cpp.
  struct AlongOperand;
  void run(ForallOp loop);
  void leave(ForallOp loop);
  void readSlide(SlideOp slide, AddressSpace &space,
                 SmallVectorImpl<AffineExpr> &extents, AffineExpr endOfSource);
  AffineExpr extentOfWindow(ForallOp loop, const AddressSpace &space,
                            size_t axis, const PaddedPlaces &places);
  AffineExpr readAlong(ForallOp loop, const AlongOperand &along,
                       AffineExpr inner, ArrayRef<AffineExpr> points);
  void readWindows(ForallOp loop, BlockArgument window,
                   ArrayRef<AffineExpr> points);

  func::FuncOp function;
  const DroppedInputs &dropped;
  const DroppedInSources &droppedInSources;
  const GatheredIndices &indices;
  BlockAxes &blockAxes;
  SmallVector<ShapeSymbol> symbols;
  ExtentOrder order;
  MLIRContext *context;
  /// By the roots of views.
  DenseMap<Value, Demand> demands;
};

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_DEMANDEDWORK_H
