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

static constexpr int64_t kLineBytes = KernelTarget::kLineBytes;
/// Rows of fewer lines would grow by too much.
static constexpr int64_t kLeastLines = 3;
/// Of 64 sets of lines, rows at a distance of so many meet eight.
static constexpr int64_t kConflictingLines = 8;
/// Rows at such a distance are in one set of a first-level cache, which holds 8
/// or 12 lines.
static constexpr int64_t kWayBytes = 4096;
static constexpr int64_t kLinesOfSet = 8;
/// So many columns pay for a copy of the rows, and so many rows for one of the
/// columns.
static constexpr int64_t kColumnsForCopy = 256, kRowsForCopy = 192;

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

/// A tile's columns: a few lines of all rows, which stay for the next tile.
static Rows columnsOf(Value rhs) {
  Rows rows = rowsOf(rhs, 1, false);
  rows.conflictBytes = kConflictingLines * kLineBytes;
  return rows;
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
    bool isPacked = product.getPacked().has_value();
    SmallVector<Rows> rows{rowsOf(product.getLhs(), 1, isPacked)};
    rows.front().inPieces = product.getPieces().has_value();
    if (!isPacked)
      rows.push_back(columnsOf(product.getRhs()));
    return rows;
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

/// Whether rows begin in the middle of a line, and have some to spare.
static bool isUnaligned(AllocOp alloc) {
  MemRefType type = alloc.getType();
  if (type.getRank() < 2)
    return false;
  int64_t bytes = type.getShape().back() * elementBytes(type.getElementType());
  return bytes % kLineBytes != 0 && bytes >= kLeastLines * kLineBytes;
}

/// What is gone through in vectors, of which each that crosses a line is two:
/// the right-hand side of a product, if it is not in panels, its result, and
/// where the left-hand side comes from, as in softmax.
static SmallVector<Value> vectorsOf(Operation &op) {
  auto product = dyn_cast<MatMulOp>(op);
  if (!product || rootBuffer(product.getRhs()).getDefiningOp<ConstantOp>())
    return {};
  SmallVector<Value> buffers{product.getLhs(), product.getOutput()};
  if (!product.getPacked())
    buffers.push_back(product.getRhs());
  llvm::erase_if(buffers, [](Value buffer) {
    return layoutOf(buffer).strides.back() != 1;
  });
  return buffers;
}

/// Adds what has the same rows and is computed by a map from one of the
/// buffers, or that from it: such a map works in place.
static void addNeighbours(llvm::SetVector<Operation *> &allocs, Block &block) {
  auto length = [](Operation *op) -> int64_t {
    MemRefType type = cast<AllocOp>(op).getType();
    return type.getRank() > 1 ? type.getShape().back() : 0;
  };
  DenseMap<Operation *, SmallVector<MapOp>> mapsOf;
  for (auto map : block.getOps<MapOp>())
    for (Value buffer : map.getOperands())
      if (auto alloc = rootBuffer(buffer).getDefiningOp<AllocOp>())
        mapsOf[alloc].push_back(map);
  for (size_t next = 0; next < allocs.size(); ++next)
    for (MapOp map : mapsOf.lookup(allocs[next]))
      for (Value buffer : map.getOperands())
        if (auto alloc = rootBuffer(buffer).getDefiningOp<AllocOp>();
            alloc && length(alloc) == length(allocs[next]))
          allocs.insert(alloc);
}

/// A buffer for as many elements, with some that are not used after each row:
/// rows begin with a line, and are at another distance and not in few sets.
static Value withLongerRows(OpBuilder &builder, Location loc, MemRefType type) {
  SmallVector<int64_t> shape(type.getShape()), strides;
  int64_t offset;
  [[maybe_unused]] auto known = type.getStridesAndOffset(strides, offset);
  int64_t distance = strides[strides.size() - 2];
  int64_t size = elementBytes(type.getElementType());
  int64_t bytes = llvm::alignTo(shape.back() * size, kLineBytes);
  if (bytes == distance * size || bytes % (kConflictingLines * kLineBytes) == 0)
    bytes += kLineBytes;
  shape.back() = bytes / size;
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

/// Whether a copy of a factor that must stay where it is is worth its time.
static bool paysToCopy(Operation &op, const Rows &rows) {
  if (!isa<BlockArgument>(rootBuffer(rows.buffer)) || rows.inPieces ||
      !conflict(rows))
    return false;
  auto output = cast<MemRefType>(op.getOperands().back().getType());
  if (rows.buffer == op.getOperand(0))
    return output.getShape().back() >= kColumnsForCopy;
  return isa<MatMulOp>(op) && rows.buffer == op.getOperand(1) &&
         output.getShape().drop_back().back() >= kRowsForCopy;
}

static bool isWritten(Value buffer, const Accesses &accesses) {
  return llvm::any_of(accesses.of(rootBuffer(buffer)),
                      [](const Access &access) { return access.writes; });
}

static Value copyOf(Value factor, Operation &reader) {
  OpBuilder builder(&reader);
  Location loc = reader.getLoc();
  Value copy = withLongerRows(builder, loc, cast<MemRefType>(factor.getType()));
  CopyOp::create(builder, loc, factor, copy);
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
  SmallVector<std::pair<Operation *, Value>> readers;
  for (Operation &op : block) {
    SmallVector<Rows> all = rowsOf(op, target);
    for (const Rows &rows : all) {
      auto alloc = rootBuffer(rows.buffer).getDefiningOp<AllocOp>();
      if (alloc && conflict(rows, alloc))
        allocs.insert(alloc);
    }
    for (Value buffer : vectorsOf(op)) {
      auto alloc = rootBuffer(buffer).getDefiningOp<AllocOp>();
      if (alloc && isUnaligned(alloc))
        allocs.insert(alloc);
    }
    for (const Rows &rows : all)
      if (paysToCopy(op, rows))
        readers.emplace_back(&op, rows.buffer);
  }
  if (allocs.empty() && readers.empty())
    return;
  addNeighbours(allocs, block);
  dropPlan(block);
  Accesses accesses(block);
  for (Operation *alloc : allocs)
    spread(cast<AllocOp>(alloc), accesses);
  llvm::DenseMap<Value, Value> copies;
  for (auto [reader, factor] : readers) {
    if (isWritten(factor, accesses))
      continue;
    Value &copy = copies[factor];
    if (!copy)
      copy = copyOf(factor, *reader);
    reader->replaceUsesOfWith(factor, copy);
  }
}
