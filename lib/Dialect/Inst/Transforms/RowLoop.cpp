//===- RowLoop.cpp - make the loop over bands of rows ---------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopOperand.h"
#include "RowChain.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::glow::inst;

namespace {
/// Makes the loop step by step: its operands, its body's buffers, its body.
class RowLoop {
public:
  explicit RowLoop(const RowChain &chain)
      : chain(chain), builder(chain.getMembers().back().op),
        loc(fusedLocation(builder, llvm::map_range(chain.getMembers(),
                                                   [](const Member &member) {
                                                     return member.op;
                                                   }))) {}

  void emit();

private:
  using Member = RowChain::Member;
  using Between = RowChain::Between;

  /// The axes of the loop: images, where there are several, and bands.
  bool hasImages() const { return chain.images() > 1; }
  SmallVector<int64_t> alongAxes(int64_t image, int64_t band) const {
    return hasImages() ? SmallVector<int64_t>{image, band}
                       : SmallVector<int64_t>{band};
  }

  MemRefType bandType(const Member &member, unsigned operand) const;
  LoopOperand operandOf(const Member &member, unsigned operand);
  void collectInputs();
  void createLoop();
  void allocateScratch(OpBuilder &body);
  void fillPadding(OpBuilder &body, const Between &between);
  Value scratchView(OpBuilder &body, const Between &between, MemRefType type,
                    int64_t row, int64_t offsetInRow) const;
  Value bodyValue(OpBuilder &body, const Member &member, unsigned operand);
  Value slide(OpBuilder &body, Value source, MemRefType type,
              ArrayRef<int64_t> starts);

  const RowChain &chain;
  OpBuilder builder;
  Location loc;
  SmallVector<LoopOperand> inputs;
  /// The input that an operand of a member is.
  DenseMap<std::pair<Operation *, unsigned>, size_t> inputOf;
  DenseMap<Value, Value> scratch;
  Block *block = nullptr;
};
} // namespace

/// The distance between neighbours, if the first one is 0 and all are equal.
static std::optional<int64_t> uniformStep(ArrayRef<int64_t> starts) {
  int64_t step = starts.size() > 1 ? starts[1] : 0;
  for (auto [i, start] : llvm::enumerate(starts))
    if (start != static_cast<int64_t>(i) * step)
      return std::nullopt;
  return step;
}

/// What a band needs of an operand: one image and some rows.
MemRefType RowLoop::bandType(const Member &member, unsigned operand) const {
  const RowUse &use = member.uses.operands[operand];
  Value buffer = member.op->getOperand(operand);
  SmallVector<int64_t> shape(typeOf(buffer).getShape());
  if (use.imageAxis != RowUse::kNone)
    shape[use.imageAxis] = 1;
  if (use.rowAxis != RowUse::kNone)
    shape[use.rowAxis] = use.rowsFor(member.rows);
  return viewType(typeOf(buffer), shape, layoutOf(buffer).strides, 0);
}

/// Rows that do not follow each other evenly are found in the body, which then
/// has all of an image.
LoopOperand RowLoop::operandOf(const Member &member, unsigned operand) {
  const RowUse &use = member.uses.operands[operand];
  Value buffer = member.op->getOperand(operand);
  StridedLayout layout = layoutOf(buffer);
  MemRefType window = bandType(member, operand);
  int64_t image = 0, band = 0;
  if (use.imageAxis != RowUse::kNone)
    image = layout.strides[use.imageAxis];
  if (use.rowAxis != RowUse::kNone) {
    if (auto step = uniformStep(chain.readStarts(member, operand))) {
      band = *step * layout.strides[use.rowAxis];
    } else {
      SmallVector<int64_t> shape(window.getShape());
      shape[use.rowAxis] = typeOf(buffer).getDimSize(use.rowAxis);
      window = viewType(window, shape, layout.strides, 0);
    }
  }
  return {buffer, window, builder.getDenseI64ArrayAttr(alongAxes(image, band))};
}

void RowLoop::collectInputs() {
  DenseMap<std::tuple<Value, Type, Attribute>, size_t> known;
  for (const Member &member : chain.getMembers())
    for (unsigned i = 0; i < member.op->getNumOperands(); ++i) {
      if (i == member.uses.result || chain.betweenOf(member.op->getOperand(i)))
        continue;
      LoopOperand input = operandOf(member, i);
      auto [place, isNew] = known.try_emplace(
          {input.whole, input.window, input.steps}, inputs.size());
      inputOf[{member.op, i}] = place->second;
      if (isNew)
        inputs.push_back(input);
    }
}

void RowLoop::createLoop() {
  const Member &last = chain.getMembers().back();
  SmallVector<LoopOperand> operands(inputs);
  operands.push_back(operandOf(last, last.uses.result));
  block = &createForall(builder, loc, alongAxes(chain.images(), chain.bands()),
                        operands);
}

void RowLoop::allocateScratch(OpBuilder &body) {
  for (const Between &between : chain.getBetweens()) {
    SmallVector<int64_t> shape(typeOf(between.root).getShape());
    shape[0] = 1;
    shape[1] = chain.scratchRows(between);
    scratch[between.root] = AllocOp::create(
        body, loc,
        MemRefType::get(shape, typeOf(between.root).getElementType()),
        IntegerAttr());
  }
}

/// A view of scratch memory of the type's shape.
Value RowLoop::scratchView(OpBuilder &body, const Between &between,
                           MemRefType type, int64_t row,
                           int64_t offsetInRow) const {
  Value whole = scratch.lookup(between.root);
  MemRefType view = viewType(type, type.getShape(), layoutOf(whole).strides,
                             row * between.rowStride() + offsetInRow);
  if (view == whole.getType())
    return whole;
  return ViewOp::create(body, loc, view, whole);
}

/// Rows of padding, and columns of it beside the rows that are computed.
void RowLoop::fillPadding(OpBuilder &body, const Between &between) {
  const Member &writer = chain.getMembers()[between.writer];
  auto fill = [&](FillOp like, ArrayRef<int64_t> shape, int64_t row,
                  int64_t offsetInRow) {
    MemRefType type = viewType(typeOf(between.root), shape,
                               layoutOf(between.root).strides, 0);
    FillOp::create(body, like.getLoc(),
                   scratchView(body, between, type, row, offsetInRow),
                   like.getValue());
  };
  SmallVector<int64_t> shape(typeOf(between.root).getShape());
  shape[0] = 1;
  for (auto [row, count] :
       {std::pair(int64_t(0), between.above),
        std::pair(between.above + writer.rows, between.below)}) {
    shape[1] = count;
    if (count)
      fill(between.fills.front(), shape, row, 0);
  }
  for (FillOp beside : between.fills) {
    Value destination = beside.getDestination();
    SmallVector<int64_t> part(typeOf(destination).getShape());
    int64_t offset = layoutOf(destination).offset;
    if (part[1] != writer.uses.rows ||
        offset / between.rowStride() != between.firstRow)
      continue;
    part[0] = 1;
    part[1] = writer.rows;
    fill(beside, part, between.above, offset % between.rowStride());
  }
}

Value RowLoop::slide(OpBuilder &body, Value source, MemRefType type,
                     ArrayRef<int64_t> starts) {
  SmallVector<Attribute> lists;
  if (hasImages())
    lists.push_back(builder.getDenseI64ArrayAttr({}));
  lists.push_back(builder.getDenseI64ArrayAttr(starts));
  return SlideOp::create(body, loc, type, source, builder.getArrayAttr(lists));
}

/// What the copy of a member in the body has for an operand.
Value RowLoop::bodyValue(OpBuilder &body, const Member &member,
                         unsigned operand) {
  Value buffer = member.op->getOperand(operand);
  MemRefType type = bandType(member, operand);
  SmallVector<int64_t> starts = chain.readStarts(member, operand);
  if (const Between *between = chain.betweenOf(buffer)) {
    int64_t inRow = layoutOf(buffer).offset % between->rowStride();
    if (operand == member.uses.result)
      return scratchView(body, *between, type, between->above, inRow);
    if (llvm::all_equal(starts))
      return scratchView(body, *between, type, starts.front(), inRow);
    Value whole = scratch.lookup(between->root);
    type = viewType(type, type.getShape(), layoutOf(whole).strides, 0);
    for (int64_t &start : starts)
      start = start * between->rowStride() + inRow;
    return slide(body, whole, type, starts);
  }
  if (operand == member.uses.result)
    return block->getArguments().back();
  Value own = block->getArgument(inputOf.lookup({member.op, operand}));
  int64_t rowAxis = member.uses.operands[operand].rowAxis;
  if (rowAxis == RowUse::kNone || uniformStep(starts))
    return own;
  for (int64_t &start : starts)
    start *= layoutOf(buffer).strides[rowAxis];
  return slide(body, own, type, starts);
}

void RowLoop::emit() {
  collectInputs();
  createLoop();
  OpBuilder body = OpBuilder::atBlockEnd(block);
  allocateScratch(body);
  for (const Member &member : chain.getMembers()) {
    if (const Between *between = chain.betweenOf(member.result()))
      fillPadding(body, *between);
    SmallVector<Value> operands;
    for (unsigned i = 0; i < member.op->getNumOperands(); ++i)
      operands.push_back(bodyValue(body, member, i));
    body.clone(*member.op)->setOperands(operands);
  }
}

void RowChain::emit() const {
  RowLoop(*this).emit();
  for (const Member &member : members)
    member.op->erase();
  for (const Between &between : betweens) {
    for (FillOp fill : between.fills)
      fill.erase();
    eraseIfUnused(between.root);
  }
}
