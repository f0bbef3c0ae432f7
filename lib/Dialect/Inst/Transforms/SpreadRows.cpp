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

/// Elements of a line, if rows of such a distance meet in few sets.
static int64_t missing(MemRefType type) {
  int64_t size = elementBytes(type.getElementType());
  int64_t bytes = type.getShape().back() * size;
  return bytes % (kConflictingLines * kLineBytes) == 0 ? kLineBytes / size : 0;
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
  Value spread = withLongerRows(builder, alloc, missing(alloc.getType()));
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

/// The buffer of whose rows tile registers load lines of all pieces.
static AllocOp rowsOf(Operation &op) {
  auto conv = dyn_cast<ConvOp>(op);
  auto product = dyn_cast<MatMulOp>(op);
  if (!(conv && conv.getPieces()) && !(product && product.getPieces()))
    return {};
  auto type = cast<MemRefType>(op.getOperand(0).getType());
  auto alloc = rootBuffer(op.getOperand(0)).getDefiningOp<AllocOp>();
  bool areRows = alloc && type.getRank() > 1 && alloc.getType().getRank() > 1 &&
                 type.getShape().back() == alloc.getType().getShape().back();
  return areRows ? alloc : AllocOp();
}

void SpreadRows::run(Block &block) {
  llvm::SetVector<Operation *> allocs;
  for (Operation &op : block)
    if (AllocOp alloc = rowsOf(op); alloc && missing(alloc.getType()))
      allocs.insert(alloc);
  if (allocs.empty())
    return;
  dropPlan(block);
  Accesses accesses(block);
  for (Operation *alloc : allocs)
    spread(cast<AllocOp>(alloc), accesses);
}
