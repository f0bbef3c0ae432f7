//===- SpreadRows.cpp - rows in different sets of the cache ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MoveBuffer.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

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
/// Lines that a set holds at least.
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
  /// At a multiple of so many bytes, rows push each other out of the cache.
  int64_t conflictBytes = KernelTarget::kWayBytes;
  /// Tile registers go through them. Only rows that are such a multiple
  /// themselves get longer, not shorter ones of which some are skipped.
  bool forTiles = false;
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

/// The left-hand side. A step of tile registers loads a line of each of many
/// rows.
static Rows lhsRowsOf(Value lhs, int64_t step, bool joins,
                      const KernelTarget &target) {
  Rows rows = rowsOf(lhs, step, joins);
  rows.forTiles = target.tileDepth(getElementTypeOrSelf(lhs)) > 0;
  if (rows.forTiles)
    rows.conflictBytes = kConflictingLines * kLineBytes;
  return rows;
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

/// What a convolution in groups may read and write for each tap, if it is no
/// more than the second-level cache. From memory, longer rows come half as
/// fast; the more often a place is read, the more that may cost.
static constexpr int64_t kNearBytesOfTap = 512 << 10;

/// Whether all that it goes through for each vector of channels is near enough.
static bool isNear(ConvOp conv, const KernelTarget &target) {
  int64_t bytes = 0;
  for (Value buffer : {conv.getInput(), conv.getOutput()})
    bytes += bytesOf(typeOf(buffer));
  int64_t taps = ShapedType::getNumElements(conv.getKernelShape());
  return bytes / std::min(target.l2Bytes, kNearBytesOfTap) < taps;
}

/// The left-hand side comes first.
static SmallVector<Rows> rowsOf(Operation &op, const KernelTarget &target) {
  if (auto product = dyn_cast<MatMulOp>(op)) {
    bool isPacked = product.getPacked().has_value();
    SmallVector<Rows> rows{lhsRowsOf(product.getLhs(), 1, isPacked, target)};
    if (!isPacked)
      rows.push_back(columnsOf(product.getRhs()));
    return rows;
  }
  auto conv = dyn_cast<ConvOp>(op);
  if (!conv || !conv.isChannelsLast() || conv.getWinograd())
    return {};
  if (conv.getGroup() == 1)
    return {lhsRowsOf(conv.getInput(), conv.getStrides().back(),
                      joinsLines(conv), target)};
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

/// Rows of outer axes, which follow each other in a tile where inner ones are
/// open and end early.
static SmallVector<Rows> outerRowsOf(Operation &op,
                                     const KernelTarget &target) {
  auto product = dyn_cast<MatMulOp>(op);
  if (!product || !product.getPacked())
    return {};
  SmallVector<Rows> all;
  Value lhs = product.getLhs();
  auto type = cast<MemRefType>(lhs.getType());
  for (int64_t axis = 0; axis < type.getRank() - 2; ++axis) {
    Rows &rows = all.emplace_back(lhsRowsOf(lhs, 1, false, target));
    rows.distance = layoutOf(lhs).strides[axis];
    rows.count = type.getDimSize(axis);
  }
  return all;
}

/// Whether the lines of rows that a tile needs again push each other out of
/// the cache.
static bool conflict(const Rows &rows) {
  int64_t size = elementBytes(getElementTypeOrSelf(rows.buffer));
  return rows.count > kLinesOfSet && rows.distance != 0 &&
         rows.distance * size % rows.conflictBytes == 0;
}

/// Elements of a row, if rows are the axes from this one on.
static int64_t rowLength(MemRefType type, int64_t axis) {
  return ShapedType::getNumElements(type.getShape().drop_front(axis));
}

/// How long rows become that are so long and so far apart: they begin with a
/// line, and are at another distance and not in few sets.
static int64_t longerBytes(int64_t bytes, int64_t distance) {
  bytes = llvm::alignTo(bytes, kLineBytes);
  return bytes == distance || bytes % (kConflictingLines * kLineBytes) == 0
             ? bytes + kLineBytes
             : bytes;
}

/// The axis from which on the buffer's axes are rows that should be longer: the
/// innermost that helps, if there is one.
static std::optional<int64_t> longerAxis(const Rows &rows, MemRefType type) {
  int64_t size = elementBytes(type.getElementType());
  for (int64_t axis = type.getRank(); --axis >= 1;) {
    int64_t length = rowLength(type, axis);
    if (length == 0 || length > rows.distance || rows.distance % length != 0)
      break;
    Rows after = rows;
    after.distance = rows.distance / length *
                     longerBytes(length * size, length * size) / size;
    bool isLonger = rows.forTiles ? rows.count > kLinesOfSet &&
                                        length * size % rows.conflictBytes == 0
                                  : conflict(rows) && !conflict(after);
    if (isLonger)
      return axis;
  }
  return std::nullopt;
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

/// The axis from which on the rows of each buffer get longer.
using RowAxes = llvm::MapVector<Operation *, int64_t>;

/// Longer rows of inner axes leave those of outer ones no multiple either.
static void lengthen(RowAxes &axes, AllocOp alloc, int64_t axis) {
  int64_t &known = axes[alloc];
  known = std::max(known, axis);
}

/// Makes rows longer if that helps. Where padding begins is known of buffers
/// with longer rows of their last axis, not of others.
static void lengthen(RowAxes &axes, const Rows &rows, bool onlyLast = false) {
  auto alloc = rootBuffer(rows.buffer).getDefiningOp<AllocOp>();
  if (!alloc)
    return;
  std::optional<int64_t> axis = longerAxis(rows, alloc.getType());
  if (axis && (!onlyLast || *axis == alloc.getType().getRank() - 1))
    lengthen(axes, alloc, *axis);
}

/// Where the rows of `other` begin, if they are those of `type` from `axis` on.
/// Elements of another size are not computed in place.
static std::optional<int64_t> sameRows(MemRefType type, int64_t axis,
                                       MemRefType other) {
  ArrayRef<int64_t> row = type.getShape().drop_front(axis),
                    shape = other.getShape();
  if (elementBytes(type.getElementType()) !=
          elementBytes(other.getElementType()) ||
      shape.size() <= row.size() || shape.take_back(row.size()) != row)
    return std::nullopt;
  return shape.size() - row.size();
}

/// Adds what has the same rows and is computed by a map from one of the
/// buffers, or that from it: such a map works in place.
static void addNeighbours(RowAxes &axes, Block &block) {
  DenseMap<Operation *, SmallVector<MapOp>> mapsOf;
  for (auto map : block.getOps<MapOp>())
    for (Value buffer : map.getOperands())
      if (auto alloc = rootBuffer(buffer).getDefiningOp<AllocOp>())
        mapsOf[alloc].push_back(map);
  SmallVector<std::pair<Operation *, int64_t>> found(axes.begin(), axes.end());
  for (size_t next = 0; next < found.size(); ++next) {
    auto [op, axis] = found[next];
    for (MapOp map : mapsOf.lookup(op))
      for (Value buffer : map.getOperands()) {
        auto alloc = rootBuffer(buffer).getDefiningOp<AllocOp>();
        if (!alloc)
          continue;
        auto same =
            sameRows(cast<AllocOp>(op).getType(), axis, alloc.getType());
        if (same && axes.try_emplace(alloc, *same).second)
          found.emplace_back(alloc, *same);
      }
  }
}

/// A buffer for as many elements, with some that are not used after each row,
/// which are its axes from `axis` on.
static Value withLongerRows(OpBuilder &builder, Location loc, Value like,
                            int64_t axis) {
  auto type = cast<MemRefType>(like.getType());
  int64_t size = elementBytes(type.getElementType());
  int64_t distance = layoutOf(like).strides[axis - 1];
  int64_t bytes = longerBytes(rowLength(type, axis) * size, distance * size);
  SmallVector<int64_t> shape(type.getShape().take_front(axis));
  shape.push_back(bytes / size);
  SmallVector<int64_t> strides = computeStrides(shape);
  strides.pop_back();
  llvm::append_range(strides, computeStrides(type.getShape().drop_front(axis)));
  auto longer = MemRefType::get(shape, type.getElementType(), nullptr,
                                type.getMemorySpace());
  Value buffer = AllocOp::create(builder, loc, longer, IntegerAttr());
  return ViewOp::create(builder, loc,
                        viewType(type, type.getShape(), strides, 0), buffer);
}

/// Does nothing where the buffer is seen in a way that longer rows forbid.
static void spread(AllocOp alloc, int64_t axis, Accesses &accesses) {
  OpBuilder builder(alloc);
  Value spread = withLongerRows(builder, alloc.getLoc(), alloc, axis);
  Value root = rootBuffer(spread);
  auto relocation = Relocation::get(alloc, spread);
  if (relocation)
    moveBuffer(alloc, root, *relocation, accesses);
  eraseIfUnused(alloc);
  eraseIfUnused(root);
}

/// Whether a copy of a factor that must stay where it is is worth its time.
static bool paysToCopy(Operation &op, const Rows &rows) {
  if (!isa<BlockArgument>(rootBuffer(rows.buffer)) || !conflict(rows))
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
  int64_t rank = cast<MemRefType>(factor.getType()).getRank();
  Value copy = withLongerRows(builder, loc, factor, rank - 1);
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
  RowAxes axes;
  SmallVector<std::pair<Operation *, Value>> readers;
  bool isOpen = !symbolsOf(getOperation()).empty();
  for (Operation &op : block) {
    SmallVector<Rows> all = rowsOf(op, target);
    for (const Rows &rows : all)
      lengthen(axes, rows);
    for (const Rows &rows :
         isOpen ? outerRowsOf(op, target) : SmallVector<Rows>())
      lengthen(axes, rows, /*onlyLast=*/true);
    for (Value buffer : vectorsOf(op)) {
      auto alloc = rootBuffer(buffer).getDefiningOp<AllocOp>();
      if (alloc && isUnaligned(alloc))
        lengthen(axes, alloc, alloc.getType().getRank() - 1);
    }
    for (const Rows &rows : all)
      if (paysToCopy(op, rows))
        readers.emplace_back(&op, rows.buffer);
  }
  if (axes.empty() && readers.empty())
    return;
  addNeighbours(axes, block);
  dropPlan(block);
  Accesses accesses(block);
  for (auto [alloc, axis] : axes)
    spread(cast<AllocOp>(alloc), axis, accesses);
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
