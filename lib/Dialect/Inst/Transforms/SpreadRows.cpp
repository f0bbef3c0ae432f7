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

/// The left-hand side of a contraction, as a kernel's tile goes through it.
struct Rows {
  Value lhs;
  /// From a row to the next one, in elements.
  int64_t distance;
  int64_t count;
  bool inPieces;
};

static std::optional<Rows> rowsOf(Value lhs, int64_t step, bool inPieces) {
  auto type = cast<MemRefType>(lhs.getType());
  int64_t rank = type.getRank();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (rank < 2 || failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  return Rows{lhs, strides[rank - 2] * step, type.getDimSize(rank - 2) / step,
              inPieces};
}

static std::optional<Rows> rowsOf(Operation &op) {
  if (auto product = dyn_cast<MatMulOp>(op))
    return rowsOf(product.getLhs(), 1, product.getPieces().has_value());
  auto conv = dyn_cast<ConvOp>(op);
  // One channel or few per group: no line is read twice.
  if (!conv || !conv.isChannelsLast() || conv.getWinograd() ||
      conv.getGroup() > 1)
    return std::nullopt;
  return rowsOf(conv.getInput(), conv.getStrides().back(),
                conv.getPieces().has_value());
}

/// Whether lines that a tile needs again push each other out of the cache.
static bool conflict(const Rows &rows, AllocOp alloc) {
  MemRefType type = alloc.getType();
  int64_t size = elementBytes(type.getElementType());
  int64_t length = type.getRank() > 1 ? type.getShape().back() : 0;
  // Longer rows of the buffer must change the distance.
  if (length == 0 || rows.distance == 0 || rows.distance % length)
    return false;
  if (rows.inPieces)
    return length * size % (kConflictingLines * kLineBytes) == 0;
  return rows.count > kLinesOfSet && rows.distance * size % kWayBytes == 0;
}

/// The same elements, with `more` that are not used after each row.
static Value withLongerRows(OpBuilder &builder, AllocOp alloc, int64_t more) {
  MemRefType type = alloc.getType();
  SmallVector<int64_t> shape(type.getShape());
  shape.back() += more;
  auto longer = MemRefType::get(shape, type.getElementType(), nullptr,
                                type.getMemorySpace());
  Location loc = alloc.getLoc();
  Value buffer = AllocOp::create(builder, loc, longer, IntegerAttr());
  return sliceView(builder, loc, buffer, type.getRank() - 1, 0,
                   type.getShape().back());
}

/// Does nothing where the buffer is seen in a way that longer rows forbid.
static void spread(AllocOp alloc, Accesses &accesses) {
  OpBuilder builder(alloc);
  int64_t line = kLineBytes / elementBytes(alloc.getType().getElementType());
  Value spread = withLongerRows(builder, alloc, line);
  Value root = rootBuffer(spread);
  auto relocation = Relocation::get(alloc, spread);
  if (relocation)
    moveBuffer(alloc, root, *relocation, accesses);
  eraseIfUnused(alloc);
  eraseIfUnused(root);
}

namespace {
struct SpreadRows : public inst::impl::SpreadRowsBase<SpreadRows> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      run(block);
  }

private:
  static void run(Block &block);
};
} // namespace

void SpreadRows::run(Block &block) {
  llvm::SetVector<Operation *> allocs;
  for (Operation &op : block)
    if (auto rows = rowsOf(op))
      if (auto alloc = rootBuffer(rows->lhs).getDefiningOp<AllocOp>())
        if (conflict(*rows, alloc))
          allocs.insert(alloc);
  if (allocs.empty())
    return;
  dropPlan(block);
  Accesses accesses(block);
  for (Operation *alloc : allocs)
    spread(cast<AllocOp>(alloc), accesses);
}
