//===- SpreadRows.cpp - rows in different sets of the cache ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MoveBuffer.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_SPREADROWS
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

static constexpr int64_t kLineBytes = 64;
/// Of 64 sets of lines, rows at a distance of so many meet eight.
static constexpr int64_t kConflictingLines = 8;
/// Rows at such a distance are in one set of a first-level cache, which holds 8
/// or 12 lines.
static constexpr int64_t kWayBytes = 4096;
static constexpr int64_t kLinesOfSet = 8;
/// So many columns pay for a copy of the rows.
static constexpr int64_t kColumnsForCopy = 256;

/// What a contraction's tiles go through, row by row.
struct Rows {
  Value buffer;
  /// From a row to the next one, in elements.
  int64_t distance;
  int64_t count;
  bool inPieces = false;
  /// At a multiple of so many bytes, rows push each other out of the cache.
  int64_t conflictBytes = kWayBytes;
};

/// Every `step`-th row; those of all lines if `joins`. None has no distance.
static Rows rowsOf(Value buffer, int64_t step, bool joins) {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t axis = type.getRank() - 2;
  if (axis < 0)
    return Rows{buffer, 0, 0};
  int64_t count = type.getDimSize(axis) / step;
  for (int64_t extent : type.getShape().take_front(joins ? axis : 0))
    count *= extent;
  return Rows{buffer, layoutOf(buffer).strides[axis] * step, count};
}

/// Whether a tile has rows of several lines.
static bool joinsLines(ConvOp conv) {
  auto isOne = [](int64_t value) { return value == 1; };
  return llvm::all_of(conv.getKernelShape(), isOne) &&
         llvm::all_of(conv.getStrides(), isOne);
}

/// Whether all that a convolution in groups goes through for each vector of
/// channels is near enough. From memory, longer rows come half as fast; the
/// more often a place is read, the more that may cost.
static bool isNear(ConvOp conv, const KernelTarget &target) {
  int64_t bytes = 0;
  for (Value buffer : {conv.getInput(), conv.getOutput()}) {
    auto type = cast<MemRefType>(buffer.getType());
    bytes += type.getNumElements() * elementBytes(type.getElementType());
  }
  constexpr int64_t kTapsPerCache = 4;
  int64_t taps = ShapedType::getNumElements(conv.getKernelShape());
  return double(bytes) * kTapsPerCache <= double(taps) * target.l2Bytes;
}

/// The left-hand side comes first.
static SmallVector<Rows> rowsOf(Operation &op, const KernelTarget &target) {
  if (auto product = dyn_cast<MatMulOp>(op)) {
    Rows rows = rowsOf(product.getLhs(), 1, product.getPacked().has_value());
    rows.inPieces = product.getPieces().has_value();
    return {rows};
  }
  auto conv = dyn_cast<ConvOp>(op);
  if (!conv || !conv.isChannelsLast() || conv.getWinograd())
    return {};
  if (conv.getGroup() == 1) {
    Rows rows =
        rowsOf(conv.getInput(), conv.getStrides().back(), joinsLines(conv));
    rows.inPieces = conv.getPieces().has_value();
    return {rows};
  }
  if (!isNear(conv, target))
    return {};
  // A vector of channels goes through all places before the next one, and each
  // line of places is read for every row of the window.
  SmallVector<Rows> both{rowsOf(conv.getInput(), 1, false),
                         rowsOf(conv.getOutput(), 1, false)};
  for (Rows &rows : both) {
    rows.count *= conv.getKernelShape().front();
    rows.conflictBytes = kConflictingLines * kLineBytes;
  }
  return both;
}

/// Whether the lines of rows that a tile needs again push each other out of
/// the cache.
static bool conflict(const Rows &rows) {
  int64_t size = elementBytes(getElementTypeOrSelf(rows.buffer));
  return rows.count > kLinesOfSet && rows.distance != 0 &&
         rows.distance * size % rows.conflictBytes == 0;
}

/// The same, where longer rows of the buffer help.
static bool conflict(const Rows &rows, AllocOp alloc) {
  MemRefType type = alloc.getType();
  int64_t length = type.getRank() > 1 ? type.getShape().back() : 0;
  // They must change the distance.
  if (length == 0 || rows.distance % length)
    return false;
  int64_t bytes = length * elementBytes(type.getElementType());
  return rows.inPieces ? bytes % (kConflictingLines * kLineBytes) == 0
                       : conflict(rows);
}

/// A buffer for as many elements, with a line that is not used after each row.
static Value withLongerRows(OpBuilder &builder, Location loc, MemRefType type) {
  SmallVector<int64_t> shape(type.getShape());
  shape.back() += kLineBytes / elementBytes(type.getElementType());
  auto longer = MemRefType::get(shape, type.getElementType(), nullptr,
                                type.getMemorySpace());
  Value buffer = AllocOp::create(builder, loc, longer, IntegerAttr());
  return sliceView(builder, loc, buffer, type.getRank() - 1, 0,
                   type.getShape().back());
}

/// Does nothing where the buffer is seen in a way that longer rows forbid.
static void spread(AllocOp alloc, Accesses &accesses) {
  OpBuilder builder(alloc);
  Value spread = withLongerRows(builder, alloc.getLoc(), alloc.getType());
  Value root = rootBuffer(spread);
  auto relocation = Relocation::get(alloc, spread);
  if (relocation)
    moveBuffer(alloc, root, *relocation, accesses);
  eraseIfUnused(alloc);
  eraseIfUnused(root);
}

/// Whether a copy of rows that must stay where they are is worth its time.
static bool paysToCopy(Operation &op, const Rows &rows) {
  auto output = cast<MemRefType>(op.getOperands().back().getType());
  return isa<BlockArgument>(rootBuffer(rows.buffer)) && !rows.inPieces &&
         conflict(rows) && output.getShape().back() >= kColumnsForCopy;
}

static bool isWritten(Value buffer, const Accesses &accesses) {
  return llvm::any_of(accesses.of(rootBuffer(buffer)),
                      [](const Access &access) { return access.writes; });
}

static Value copyOf(Value lhs, Operation &reader) {
  OpBuilder builder(&reader);
  Location loc = reader.getLoc();
  Value copy = withLongerRows(builder, loc, cast<MemRefType>(lhs.getType()));
  CopyOp::create(builder, loc, lhs, copy);
  return copy;
}

namespace {
struct SpreadRows : public inst::impl::SpreadRowsBase<SpreadRows> {
  using SpreadRowsBase::SpreadRowsBase;

  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      run(block);
  }

private:
  void run(Block &block);
};
} // namespace

void SpreadRows::run(Block &block) {
  llvm::SetVector<Operation *> allocs;
  SmallVector<Operation *> readers;
  for (Operation &op : block) {
    SmallVector<Rows> all = rowsOf(op, target);
    for (const Rows &rows : all) {
      auto alloc = rootBuffer(rows.buffer).getDefiningOp<AllocOp>();
      if (alloc && conflict(rows, alloc))
        allocs.insert(alloc);
    }
    if (!all.empty() && paysToCopy(op, all.front()))
      readers.push_back(&op);
  }
  if (allocs.empty() && readers.empty())
    return;
  dropPlan(block);
  Accesses accesses(block);
  for (Operation *alloc : allocs)
    spread(cast<AllocOp>(alloc), accesses);
  llvm::DenseMap<Value, Value> copies;
  for (Operation *reader : readers) {
    Value lhs = reader->getOperand(0), &copy = copies[lhs];
    if (isWritten(lhs, accesses))
      continue;
    if (!copy)
      copy = copyOf(lhs, *reader);
    reader->setOperand(0, copy);
  }
}
