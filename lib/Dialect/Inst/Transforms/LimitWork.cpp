//===- LimitWork.cpp - compute the elements that are valid ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows the padding of a bounded function's arguments in program order. An
// instruction whose outputs hold padding along an axis need not compute it.
// What masks have put in the place of padding is not computed either if all
// that read it are found to stop before it: instructions are first taken not to
// write it, and all is done again for those where a reader needs it.
// docs/Rationale/DynamicShapes.md says why this is sound.
//
//===----------------------------------------------------------------------===//
#include "LimitWork.h"
#include "DemandedPlaces.h"
#include "DemandedSlides.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Glow/IR/TypeInference.h"
#include "glow/Dialect/Inst/Analysis/Accesses.h"
#include "glow/Dialect/Inst/Analysis/Padding.h"
#include "glow/Dialect/Inst/IR/WorkLimits.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"

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
    if (std::optional<unsigned> argument = symbolsArgument(function))
      WorkLimiter(function, function.getArgument(*argument)).note();
  }
};
} // namespace

WorkLimiter::WorkLimiter(func::FuncOp function, BlockArgument symbols)
    : function(function), symbols(symbols), ranges(symbolsOf(function)),
      order(ranges), numSymbols(ranges.size()), context(function.getContext()) {
}

void WorkLimiter::note() {
  do
    follow();
  while (leftOut.endRun());
  DemandedWork(function, dropped, droppedInSources, indices, blockAxes).note();
  function.walk([&](ForallOp loop) { passSymbols(loop); });
  function.walk([](GatherOp gather) { gather.removeIndexExtentsAttr(); });
}

void WorkLimiter::follow() {
  buffers.clear();
  fills.clear();
  dropped.clear();
  droppedInSources.clear();
  indices.clear();
  leftOut.startRun();
  function.walk([](Operation *op) {
    op->removeDiscardableAttr(InstDialect::kExtentsAttrName);
  });
  addArguments();
  for (Block &block : function.getBody())
    run(block);
  for (BlockArgument argument : function.getArguments())
    readAll(argument);
}

void WorkLimiter::addArguments() {
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

/// Notes the extents of an instruction's outputs, or of a loop.
void WorkLimiter::limit(Operation *op, ArrayRef<int64_t> shape,
                        ArrayRef<AffineExpr> extents) {
  if (llvm::none_of(extents, [](AffineExpr extent) {
        return extent && !isa<AffineConstantExpr>(extent);
      }))
    return;
  SmallVector<AffineExpr> all;
  for (auto [size, extent] : llvm::zip_equal(shape, extents))
    all.push_back(extent ? extent : getAffineConstantExpr(size, context));
  setLimits(op, all, numSymbols);
}

void WorkLimiter::write(Value output, ArrayRef<AxisContents> contents,
                        bool symbolic, Fallback fallback) {
  Value root = rootBuffer(output);
  AddressSpace space = AddressSpace::of(output);
  PaddedBuffer &buffer = buffers[root];
  int64_t elements = cast<MemRefType>(root.getType()).getNumElements();
  bool isPart = buffer.keepsAny(space, elements);
  // Parts may hold different numbers.
  if (isPart)
    readAll(root);
  SmallVector<PaddedPlaces> places;
  for (auto [axis, along] : llvm::enumerate(contents)) {
    PaddedPlaces written = space.placesAlong(axis, along);
    bool isKnown = along.extent && along.along >= Along::Chosen &&
                   space.shape[axis] > 1 && space.extentAlong(axis, written);
    if (isKnown)
      places.push_back(written);
    else if (along.along == Along::Padding && along.extent &&
             space.shape[axis] > 1)
      // A part that does not begin where a period does.
      if (auto within = placesOf(root, space, axis, along.extent)) {
        within->areOfPart = true;
        places.push_back(*within);
      }
    if (along.origin && (isPart || !isKnown))
      leftOut.need(along.origin);
  }
  buffer.write(space, places, symbolic, fallback, elements,
               [&](AffineExpr extent, int64_t number) {
                 return order.isAtLeast(extent,
                                        getAffineConstantExpr(number, context));
               });
}

// -- What masks write ---------------------------------------------------------

AxisContents WorkLimiter::contentsAlong(Value input, int64_t axis) {
  PaddedBuffer &buffer = buffers[rootBuffer(input)];
  if (axis != OperandAxes::kNone) {
    AxisContents contents = buffer.along(AddressSpace::of(input), axis);
    // A part that slides along another axis is all of this one.
    auto slide = input.getDefiningOp<SlideOp>();
    auto along = slide ? SlideAlong::of(slide) : std::nullopt;
    if (along && static_cast<int64_t>(along->axis) != axis)
      contents = contentsOfSource(slide, axis);
    contents.firstPosition = firstPosition(input, axis);
    return contents;
  }
  AxisContents contents{Along::Constant, {}, buffer.isSymbolic};
  if (cast<MemRefType>(input.getType()).getNumElements() != 1 ||
      !isFixed(input))
    return contents;
  contents.value = valueIn(input);
  if (auto constant = rootBuffer(input).getDefiningOp<ConstantOp>())
    if (auto values = constantInts(constant.getValue());
        values && values->size() == 1)
      contents.value = {getAffineConstantExpr(values->front(), context),
                        values->front()};
  return contents;
}

SmallVector<AxisContents> WorkLimiter::contentsAlong(ArrayRef<Value> inputs,
                                                     ArrayRef<int64_t> axes) {
  SmallVector<AxisContents> contents;
  for (auto [input, axis] : llvm::zip_equal(inputs, axes))
    contents.push_back(contentsAlong(input, axis));
  return contents;
}

static bool isOneNumber(Value output) {
  return cast<MemRefType>(output.getType()).getNumElements() == 1 &&
         isFixed(output);
}

void WorkLimiter::noteValue(Value output, SymbolicInteger value) {
  buffers[rootBuffer(output)].values[layoutOf(output).offset] = value;
}

/// One of the symbols' values, by a constant index.
void WorkLimiter::noteSymbol(GatherOp gather) {
  auto index = gather.getIndices().getDefiningOp<ConstantOp>();
  auto values = index ? constantInts(index.getValue()) : std::nullopt;
  if (gather.getInput() == symbols && isOneNumber(gather.getOutput()) &&
      values && values->size() == 1 && values->front() >= 0 &&
      values->front() < numSymbols)
    noteValue(gather.getOutput(), valueOfSymbol(values->front()));
}

/// What a buffer of one integer holds.
SymbolicInteger WorkLimiter::valueIn(Value scalar) {
  int64_t place = layoutOf(scalar).offset;
  return rootBuffer(scalar) == symbols
             ? valueOfSymbol(place)
             : buffers[rootBuffer(scalar)].values.lookup(place);
}

SymbolicInteger WorkLimiter::valueOfSymbol(int64_t index) const {
  return {getAffineSymbolExpr(index, context), ranges[index].lower};
}

/// Functions of the symbols' values, and indices that do not exceed one.
void WorkLimiter::noteValues(MapOp map, ArrayRef<AxisContents> inputs,
                             ArrayRef<AxisContents> yields) {
  if (llvm::all_of(map.getOutputs(), isOneNumber)) {
    for (auto [output, yield] : llvm::zip_equal(map.getOutputs(), yields))
      noteValue(output, yield.value);
    return;
  }
  for (auto [output, digits] : llvm::zip_equal(
           map.getOutputs(), digitsOfYields(map.getBody().front(), inputs)))
    noteDigits(output, digits);
}

/// What elements that are indices are made of; nothing for parts of buffers.
void WorkLimiter::noteDigits(Value output, const IndexDigits &digits) {
  Value root = rootBuffer(output);
  if (cast<MemRefType>(output.getType()).getNumElements() ==
      cast<MemRefType>(root.getType()).getNumElements())
    buffers[root].digits = digits;
}

/// What the indices of a gather are made of, and what it takes.
void WorkLimiter::noteIndices(GatherOp gather) {
  AffineExpr only =
      contentsAlong(gather.getIndices(), OperandAxes::kNone).value.expression;
  indices[gather] = only ? IndexDigits{{1, only}}
                         : buffers[rootBuffer(gather.getIndices())].digits;
  noteSymbol(gather);
  const IndexDigits gathered = buffers[rootBuffer(gather.getInput())].digits;
  noteDigits(gather.getOutput(), gathered);
}

/// The extents at which an instruction may stop along the axes that it reduces.
SmallVector<AffineExpr> WorkLimiter::reducedExtents(Operation *op,
                                                    const OperandAxes &known) {
  if (known.count) {
    AffineExpr count = valueIn(known.count).expression;
    return {count && isComputable(count) ? count : AffineExpr()};
  }
  Type element = getElementTypeOrSelf(known.outputs.front());
  SmallVector<AffineExpr> extents;
  for (ArrayRef<int64_t> axes : known.reducedAxes) {
    SmallVector<AxisContents> inputs = contentsAlong(known.inputs, axes);
    ReduceKind kind = ReduceKind::Sum;
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      kind = reduce.getKind();
      if (!reduce.getBody().empty())
        inputs = contentsOfYields(reduce.getBody().front(), inputs,
                                  /*areTerms=*/true);
    }
    // What is reduced, or both factors.
    size_t count = isa<MatMulOp>(op) ? 2 : 1;
    bool isLimit = llvm::all_of(
        ArrayRef(inputs).take_front(count), [&](const AxisContents &contents) {
          return isNeutral(contents, kind, element) &&
                 !contents.extent.isFunctionOfDim(0) &&
                 contents.extent == inputs.front().extent;
        });
    extents.push_back(
        isLimit ? wholeSteps(inputs.front().extent, known.stepAlong(op, axes))
                : AffineExpr());
  }
  return extents;
}

/// Takes note of what a reduction drops of what it reads along the axes that it
/// reduces.
void WorkLimiter::noteDroppedTerms(Operation *op, const OperandAxes &known) {
  auto reduce = dyn_cast<ReduceOp>(op);
  if (!reduce || reduce.getBody().empty())
    return;
  for (ArrayRef<int64_t> axes : known.reducedAxes)
    dropped[op].push_back(droppedArguments(reduce.getBody().front(),
                                           contentsAlong(known.inputs, axes)));
}

/// The axis of a map's outputs along which all inputs that slide begin at the
/// same places, if any do.
static std::optional<int64_t> slidingAxis(const OperandAxes &known) {
  std::optional<int64_t> common;
  SmallVector<int64_t> places;
  for (auto [i, input] : llvm::enumerate(known.inputs)) {
    auto slide = input.getDefiningOp<SlideOp>();
    if (!slide)
      continue;
    auto along = SlideAlong::of(slide);
    auto place = llvm::find_if(known.axes, [&, i = i](ArrayRef<int64_t> axes) {
      return along && axes[i] == static_cast<int64_t>(along->axis);
    });
    if (place == known.axes.end())
      return std::nullopt;
    int64_t axis = place - known.axes.begin();
    int64_t stride = layoutOf(input).strides[along->axis];
    auto starts =
        llvm::map_to_vector(slide.getStartsAlong(along->loopAxis),
                            [&](int64_t start) { return start / stride; });
    if (common && (common != axis || ArrayRef(starts) != ArrayRef(places)))
      return std::nullopt;
    common = axis;
    places.assign(starts.begin(), starts.end());
  }
  return common;
}

/// What the source of a part that slides holds along one of its axes.
AxisContents WorkLimiter::contentsOfSource(SlideOp slide, int64_t axis) {
  AddressSpace space = AddressSpace::of(slide.getResult());
  space.offset = layoutOf(slide.getSource()).offset;
  return buffers[rootBuffer(slide.getSource())].along(space, axis);
}

/// Takes note of what a map that reads parts of sources drops of them: a mask
/// slides with what it masks.
void WorkLimiter::noteDroppedSources(MapOp map, const OperandAxes &known) {
  std::optional<int64_t> axis = slidingAxis(known);
  if (!axis)
    return;
  SmallVector<AxisContents> sources;
  for (auto [input, own] : llvm::zip_equal(known.inputs, known.axes[*axis])) {
    auto slide = input.getDefiningOp<SlideOp>();
    if (!slide && own != OperandAxes::kNone &&
        cast<MemRefType>(input.getType()).getDimSize(own) != 1)
      return;
    sources.push_back(slide ? contentsOfSource(slide, own)
                            : contentsAlong(input, OperandAxes::kNone));
  }
  droppedInSources[map] = known.dropped(sources);
}

/// From where on what a gather makes along an axis may be anything.
static AffineExpr endOfIndices(Operation *op, size_t axis) {
  auto gather = dyn_cast<GatherOp>(op);
  auto extents = gather ? gather.getIndexExtents() : std::nullopt;
  size_t first = gather ? gather.getAxis() : 0;
  if (!extents || axis < first || axis >= first + extents->getNumResults())
    return {};
  AffineExpr extent = extents->getResult(axis - first);
  return isa<AffineConstantExpr>(extent) || !isComputable(extent) ? AffineExpr()
                                                                  : extent;
}

/// Whether what an instruction makes is computed from the symbols. What it only
/// moves to computed places stays what it is.
bool WorkLimiter::isSymbolic(Operation *op,
                             const std::optional<OperandAxes> &known) {
  auto gather = dyn_cast<GatherOp>(op);
  bool isMoved = gather && gather.getIndexExtents();
  ValueRange read =
      known ? ValueRange(known->inputs) : ValueRange(op->getOperands());
  return llvm::any_of(read, [&](Value operand) {
    return buffers[rootBuffer(operand)].isSymbolic &&
           !(isMoved && operand == gather.getIndices());
  });
}

void WorkLimiter::run(Operation *op) {
  if (auto loop = dyn_cast<ForStepsOp>(op))
    return run(loop);
  std::optional<OperandAxes> known = OperandAxes::of(op);
  bool symbolic = isSymbolic(op, known);
  if (!known) {
    for (Value operand : op->getOperands())
      readAll(operand);
    for (Value operand : op->getOperands())
      if (!isa_and_nonnull<ConstantOp>(rootBuffer(operand).getDefiningOp()))
        buffers[rootBuffer(operand)].isSymbolic |= symbolic;
    for (const Access &access : accessesOf(op, 0))
      if (access.writes)
        buffers[rootBuffer(access.buffer())].forget();
    return;
  }
  SmallVector<SmallVector<AxisContents>> contents(known->outputs.size());
  SmallVector<AffineExpr> extents;
  bool canLeave = leftOut.isAllowed(op);
  for (auto [axis, axes] : llvm::enumerate(known->axes)) {
    SmallVector<AxisContents> inputs = contentsAlong(known->inputs, axes);
    SmallVector<AxisContents> outputs = known->contents(inputs);
    if (AffineExpr end = endOfIndices(op, axis))
      outputs.front() = {Along::Padding, end};
    dropped[op].push_back(known->dropped(inputs));
    auto all = [&](function_ref<bool(const AxisContents &)> is) {
      return llvm::all_of(outputs, [&](const AxisContents &output) {
        return is(output) && output.extent == outputs.front().extent;
      });
    };
    bool isPadding = all([](const AxisContents &output) {
      return output.along == Along::Padding;
    });
    // Blocks are left out at no point: their readers may be at others.
    bool isLeft =
        canLeave && all([](const AxisContents &output) {
          return output.isMasked() && !output.extent.isFunctionOfDim(0);
        });
    AffineExpr extent = outputs.front().extent;
    extents.push_back(isPadding ? extent
                      : isLeft  ? wholeSteps(extent)
                                : AffineExpr());
    for (auto [list, output] : llvm::zip_equal(contents, outputs)) {
      output.origin = isLeft ? op : nullptr;
      list.push_back(output);
    }
  }
  noteDroppedTerms(op, *known);
  SmallVector<AffineExpr> reduced = reducedExtents(op, *known);
  SmallVector<int64_t> sizes(
      cast<MemRefType>(known->outputs.front().getType()).getShape());
  llvm::append_range(extents, reduced);
  llvm::append_range(sizes, known->reducedSizes);
  for (auto [i, input] : llvm::enumerate(known->inputs))
    leftOut.read(op, i, *known, extents, buffers[rootBuffer(input)]);
  if (llvm::none_of(reduced, [](AffineExpr extent) { return bool(extent); })) {
    extents.truncate(known->axes.size());
    sizes.truncate(known->axes.size());
  }
  limit(op, sizes, extents);
  // A map may write to what it reads.
  auto map = dyn_cast<MapOp>(op);
  if (map)
    noteDroppedSources(map, *known);
  SmallVector<AxisContents> numbers, yields(known->outputs.size());
  for (Value input : map ? map.getInputs() : ValueRange())
    numbers.push_back(contentsAlong(input, OperandAxes::kNone));
  if (map)
    yields = contentsOfYields(map.getBody().front(), numbers);
  for (auto [output, along, yield] :
       llvm::zip_equal(known->outputs, contents, yields))
    write(output, along, symbolic, yield.fallback);
  if (auto gather = dyn_cast<GatherOp>(op))
    noteIndices(gather);
  if (map)
    noteValues(map, numbers, yields);
}

// -- In program order ---------------------------------------------------------

/// Borders of what turned out to be padding need not be filled. It is known
/// when the buffer is read.
void WorkLimiter::limitFills(Operation &reader) {
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

void WorkLimiter::run(Block &block) {
  for (Operation &op : block) {
    if (auto fill = dyn_cast<FillOp>(op))
      fills[rootBuffer(fill.getDestination())].push_back(fill);
    else
      limitFills(op);
    // Limits depend on the point of one loop; those in the body of another
    // compute all of what it needs, such as an image.
    auto loop = dyn_cast<ForallOp>(op);
    if (loop && !isa<ForallOp>(loop->getParentOp()))
      run(loop);
    else if (isa_and_nonnull<InstDialect>(op.getDialect()) && !namesBuffer(&op))
      run(&op);
    else if (!isa_and_nonnull<InstDialect>(op.getDialect()))
      for (Value operand : op.getOperands())
        readAll(operand);
  }
}
