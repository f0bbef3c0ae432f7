//===- LimitWork.cpp - compute the elements that are valid ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows the padding of a bounded function's arguments in program order. An
// instruction whose outputs hold padding along an axis need not compute it.
// What masks have put in the place of padding is computed, as reductions read
// it. docs/Rationale/DynamicShapes.md says why this is sound.
//
//===----------------------------------------------------------------------===//
#include "OperandAxes.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Inst/Analysis/Accesses.h"
#include "glow/Dialect/Inst/Analysis/Padding.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_LIMITWORK
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

namespace {
struct LimitWork : public inst::impl::LimitWorkBase<LimitWork> {
  using LimitWorkBase::LimitWorkBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    std::optional<unsigned> argument = symbolsArgument(function);
    if (!argument)
      return;
    symbols = function.getArgument(*argument);
    numSymbols = symbolsOf(function).size();
    buffers.clear();
    fills.clear();
    addArguments(function);
    for (Block &block : function.getBody())
      run(block);
  }

private:
  void addArguments(func::FuncOp function);
  void run(Block &block);
  void run(Operation *op);
  void run(ForallOp loop);
  void enter(ForallOp loop);
  void leave(ForallOp loop);
  void passSymbols(ForallOp loop);
  AffineExpr elementsOf(ForallOp loop, AffineExpr points, int64_t perPoint);
  AxisContents contentsAlong(ForallOp loop, size_t axis);
  AxisContents alongLoop(ForallOp loop, BlockArgument window, size_t axis);
  void write(Value output, ArrayRef<AxisContents> contents, bool symbolic);
  void limit(Operation *op, ArrayRef<int64_t> shape,
             ArrayRef<AffineExpr> extents);
  void limitFills(Operation &reader);

  Value symbols;
  unsigned numSymbols = 0;
  /// By the roots of views.
  DenseMap<Value, PaddedBuffer> buffers;
  /// Of buffers that have not been read since.
  DenseMap<Value, SmallVector<FillOp>> fills;
};
} // namespace

void LimitWork::addArguments(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    PaddedBuffer &buffer = buffers[argument];
    buffer.isSymbolic = argument == symbols;
    AffineMap extents = extentsOfArgument(function, number);
    if (!extents || function.getArgAttr(number, InstDialect::kOutputAttrName))
      continue;
    buffer.isWritten = true;
    AddressSpace space = AddressSpace::of(argument);
    for (auto [axis, extent] : llvm::enumerate(extents.getResults()))
      if (!isa<AffineConstantExpr>(extent) && space.shape[axis] > 1)
        buffer.places.push_back({space.strides[axis],
                                 space.shape[axis],
                                 {Along::Padding, extent, false}});
  }
}

/// What an instruction puts into its outputs along one of their axes.
static SmallVector<AxisContents> contentsOf(const OperandAxes &op,
                                            ArrayRef<AxisContents> inputs) {
  SmallVector<AxisContents> arguments(inputs);
  if (op.combined) {
    AxisContents first = combine(inputs.take_front(op.combined));
    // Indices were made valid for this instruction alone.
    if (op.indices && inputs[*op.indices].extent)
      first.along = Along::Padding;
    arguments.assign(1, first);
    llvm::append_range(arguments, inputs.drop_front(op.combined));
  }
  if (op.body)
    return contentsOfYields(*op.body, arguments);
  return {arguments.empty() ? AxisContents() : arguments.front()};
}

/// Notes the extents of an instruction's outputs, or of a loop.
void LimitWork::limit(Operation *op, ArrayRef<int64_t> shape,
                      ArrayRef<AffineExpr> extents) {
  if (llvm::none_of(extents, [](AffineExpr extent) { return bool(extent); }))
    return;
  SmallVector<AffineExpr> all;
  for (auto [size, extent] : llvm::zip_equal(shape, extents))
    all.push_back(extent ? extent : getAffineConstantExpr(size, &getContext()));
  op->setAttr(
      InstDialect::kExtentsAttrName,
      AffineMapAttr::get(AffineMap::get(0, numSymbols, all, &getContext())));
}

void LimitWork::write(Value output, ArrayRef<AxisContents> contents,
                      bool symbolic) {
  Value root = rootBuffer(output);
  AddressSpace space = AddressSpace::of(output);
  SmallVector<PaddedPlaces> places;
  for (auto [axis, along] : llvm::enumerate(contents)) {
    PaddedPlaces written{space.strides[axis], space.shape[axis], along};
    if (along.extent && along.along >= Along::Chosen && space.shape[axis] > 1 &&
        space.extentAlong(axis, written))
      places.push_back(written);
  }
  int64_t elements = cast<MemRefType>(root.getType()).getNumElements();
  bool isWhole =
      cast<MemRefType>(output.getType()).getNumElements() == elements;
  buffers[root].write(places, symbolic, isWhole, elements);
}

void LimitWork::run(Operation *op) {
  std::optional<OperandAxes> known = OperandAxes::of(op);
  bool symbolic = false;
  for (Value operand : op->getOperands())
    symbolic |= buffers[rootBuffer(operand)].isSymbolic;
  if (!known) {
    for (Value operand : op->getOperands())
      if (!isa_and_nonnull<ConstantOp>(rootBuffer(operand).getDefiningOp()))
        buffers[rootBuffer(operand)].isSymbolic |= symbolic;
    for (const Access &access : accessesOf(op, 0))
      if (access.writes)
        buffers[rootBuffer(access.buffer())].places.clear();
    return;
  }
  SmallVector<SmallVector<AxisContents>> contents(known->outputs.size());
  SmallVector<AffineExpr> extents;
  for (ArrayRef<int64_t> axes : known->axes) {
    SmallVector<AxisContents> inputs;
    for (auto [input, axis] : llvm::zip_equal(known->inputs, axes)) {
      PaddedBuffer &buffer = buffers[rootBuffer(input)];
      inputs.push_back(
          axis == OperandAxes::kNone
              ? AxisContents{Along::Constant, {}, buffer.isSymbolic}
              : buffer.along(AddressSpace::of(input), axis));
    }
    SmallVector<AxisContents> outputs = contentsOf(*known, inputs);
    bool isPadding = llvm::all_of(outputs, [&](const AxisContents &output) {
      return output.along == Along::Padding &&
             output.extent == outputs.front().extent;
    });
    extents.push_back(isPadding ? outputs.front().extent : AffineExpr());
    for (auto [list, output] : llvm::zip_equal(contents, outputs))
      list.push_back(output);
  }
  auto type = cast<MemRefType>(known->outputs.front().getType());
  limit(op, type.getShape(), extents);
  for (auto [output, along] : llvm::zip_equal(known->outputs, contents))
    write(output, along, symbolic);
}

// -- Loops
// -------------------------------------------------------------------------

/// The places that a window sees, whichever point it belongs to: its own axes,
/// then those of the loop.
static AddressSpace spaceOf(ForallOp loop, BlockArgument window) {
  AddressSpace space = AddressSpace::of(window);
  space.offset = layoutOf(loop->getOperand(window.getArgNumber())).offset;
  llvm::append_range(space.shape, loop.getExtents());
  llvm::append_range(space.strides, loop.getStepsOf(window.getArgNumber()));
  return space;
}

/// What windows hold, of what their operands do.
void LimitWork::enter(ForallOp loop) {
  for (BlockArgument window : loop.getBody().getArguments()) {
    const PaddedBuffer operand =
        buffers[rootBuffer(loop->getOperand(window.getArgNumber()))];
    AddressSpace space = spaceOf(loop, window), own = AddressSpace::of(window);
    PaddedBuffer inner;
    inner.isSymbolic = operand.isSymbolic;
    inner.isWritten = operand.isWritten;
    for (const PaddedPlaces &places : operand.places)
      for (size_t axis = 0; axis < own.shape.size(); ++axis)
        if (AffineExpr extent = own.shape[axis] > 1
                                    ? space.extentAlong(axis, places)
                                    : AffineExpr()) {
          PaddedPlaces within{own.strides[axis], own.shape[axis],
                              places.contents};
          within.contents.extent = extent;
          inner.places.push_back(within);
        }
    buffers[window] = inner;
  }
}

AxisContents LimitWork::alongLoop(ForallOp loop, BlockArgument window,
                                  size_t axis) {
  Value operand = loop->getOperand(window.getArgNumber());
  size_t rank = cast<MemRefType>(window.getType()).getRank();
  return buffers[rootBuffer(operand)].along(spaceOf(loop, window), rank + axis);
}

/// What a point's windows of the outputs hold, if that of the inputs is padding
/// as a whole: nothing is told apart within the body.
AxisContents LimitWork::contentsAlong(ForallOp loop, size_t axis) {
  DenseMap<Value, AxisContents> known;
  for (BlockArgument window : loop.getBody().getArguments())
    known[window] = alongLoop(loop, window, axis);
  for (Operation &op : loop.getBody().front()) {
    if (isa<AllocOp, ViewOp, SlideOp, DeallocOp>(op))
      continue;
    std::optional<OperandAxes> axes = OperandAxes::of(&op);
    if (!axes)
      return {};
    SmallVector<AxisContents> inputs;
    for (Value input : axes->inputs)
      inputs.push_back(known.lookup(rootBuffer(input)));
    auto outputs = contentsOf(*axes, inputs);
    for (auto [output, contents] : llvm::zip_equal(axes->outputs, outputs)) {
      Value root = rootBuffer(output);
      bool isWhole = cast<MemRefType>(output.getType()).getNumElements() ==
                     cast<MemRefType>(root.getType()).getNumElements();
      auto [entry, isNew] = known.try_emplace(root, contents);
      if (!isNew)
        entry->second = isWhole ? contents : combine({entry->second, contents});
    }
  }
  SmallVector<AxisContents> results;
  for (BlockArgument window :
       loop.getBody().getArguments().take_back(loop.getOutputs().size()))
    results.push_back(known.lookup(window));
  bool isPadding = llvm::all_of(results, [&](const AxisContents &result) {
    return result.along == Along::Padding &&
           result.extent == results.front().extent;
  });
  return isPadding ? results.front() : AxisContents();
}

/// The extent of which `points` windows of `perPoint` elements hold all.
AffineExpr LimitWork::elementsOf(ForallOp loop, AffineExpr points,
                                 int64_t perPoint) {
  for (Value input : loop.getInputs())
    for (const PaddedPlaces &places : buffers[rootBuffer(input)].places)
      if (places.contents.extent.ceilDiv(perPoint) == points)
        return places.contents.extent;
  return points * perPoint;
}

/// What the operands hold afterwards, of what windows do.
void LimitWork::leave(ForallOp loop) {
  for (BlockArgument window :
       loop.getBody().getArguments().take_back(loop.getOutputs().size())) {
    Value operand = loop->getOperand(window.getArgNumber());
    AddressSpace whole = AddressSpace::of(operand);
    PaddedBuffer &inner = buffers[window];
    SmallVector<AxisContents> contents;
    for (size_t axis = 0; axis < whole.shape.size(); ++axis)
      contents.push_back(inner.along(whole, axis));
    if (auto limits =
            loop->getAttrOfType<AffineMapAttr>(InstDialect::kExtentsAttrName))
      for (size_t axis = 0; axis < whole.shape.size(); ++axis)
        for (auto [i, step] :
             llvm::enumerate(loop.getStepsOf(window.getArgNumber()))) {
          AffineExpr points = limits.getValue().getResult(i);
          int64_t stride = whole.strides[axis];
          if (isa<AffineConstantExpr>(points) || stride == 0 ||
              step % stride != 0 ||
              step / stride * loop.getExtents()[i] != whole.shape[axis])
            continue;
          contents[axis].along = Along::Padding;
          contents[axis].extent = elementsOf(loop, points, step / stride);
        }
    bool symbolic = inner.isSymbolic;
    write(operand, contents, symbolic);
  }
}

void LimitWork::run(ForallOp loop) {
  enter(loop);
  run(loop.getBody().front());
  SmallVector<AffineExpr> extents;
  for (size_t axis = 0; axis < loop.getExtents().size(); ++axis)
    extents.push_back(loop.getExtents()[axis] > 1
                          ? contentsAlong(loop, axis).extent
                          : AffineExpr());
  limit(loop, loop.getExtents(), extents);
  leave(loop);
  passSymbols(loop);
}

/// Makes the values of the symbols an input of a loop that reads them.
void LimitWork::passSymbols(ForallOp loop) {
  bool isLimited = loop->hasAttr(InstDialect::kExtentsAttrName);
  for (Operation &op : loop.getBody().front())
    isLimited |= op.hasAttr(InstDialect::kExtentsAttrName);
  if (!isLimited)
    return;
  unsigned place = loop.getInputs().size();
  Builder builder(&getContext());
  SmallVector<Attribute> steps(loop.getSteps().getValue());
  SmallVector<int64_t> none(loop.getExtents().size(), 0);
  steps.insert(steps.begin() + place, builder.getDenseI64ArrayAttr(none));
  loop.setStepsAttr(builder.getArrayAttr(steps));
  loop.getInputsMutable().append(symbols);
  loop.getBody().insertArgument(place, symbols.getType(), symbols.getLoc());
}

/// Borders of what turned out to be padding need not be filled. It is known
/// when the buffer is read.
void LimitWork::limitFills(Operation &reader) {
  for (const Access &access : accessesOf(&reader, 0)) {
    if (!access.reads)
      continue;
    Value root = rootBuffer(access.buffer());
    for (FillOp fill : fills.lookup(root)) {
      AddressSpace space = AddressSpace::of(fill.getDestination());
      SmallVector<AffineExpr> extents;
      for (size_t axis = 0; axis < space.shape.size(); ++axis) {
        AxisContents along = buffers[root].along(space, axis);
        extents.push_back(along.along == Along::Padding ? along.extent
                                                        : AffineExpr());
      }
      limit(fill, space.shape, extents);
    }
    fills.erase(root);
  }
}

void LimitWork::run(Block &block) {
  for (Operation &op : block) {
    if (auto fill = dyn_cast<FillOp>(op))
      fills[rootBuffer(fill.getDestination())].push_back(fill);
    else
      limitFills(op);
    if (auto loop = dyn_cast<ForallOp>(op))
      run(loop);
    else if (isa_and_nonnull<InstDialect>(op.getDialect()) &&
             !isa<AllocOp, ConstantOp, ViewOp, SlideOp, DeallocOp>(op))
      run(&op);
  }
}
