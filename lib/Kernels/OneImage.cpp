//===- OneImage.cpp - products of one of many images ----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/OneImage.h"
#include "glow/Interfaces/TileRegisters.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::glow;

/// Of more images, or of a longer text, there is hardly ever one, or one row.
static constexpr int64_t kMostImages = 16;

/// The plan of one image, or one row, along an open axis of `ofOne`, which is
/// known to have no more then.
static std::optional<ContractionPlan>
planOne(const ContractionPlan &many, const LoopAxis &images,
        const ContractionSpec &ofOne, ValueRange buffers,
        const ScalarRegion &epilogue, const KernelTarget &target) {
  // Rows that fill at most one tile register take as long for a single row.
  bool areFewRows = many.rows.isBounded() && many.rows.bound == images.bound &&
                    many.rows.extent <= TileRows::kMost;
  if (!many.registerDepth || !areFewRows)
    return ContractionPlan::make(ofOne, buffers, epilogue, target);
  if (many.pieces > 1)
    return std::nullopt;
  KernelTarget vectors = target;
  llvm::erase(vectors.features, "amx-tile");
  return ContractionPlan::make(ofOne, buffers, epilogue, vectors);
}

/// Whether one image is worth code of its own. What it costs with registers of
/// the same form is hardly different.
static bool isWorthwhile(const ContractionPlan &one,
                         const ContractionPlan &many) {
  if (one.registerDepth && many.registerDepth)
    return one.registerRows != many.registerRows;
  return !one.tilesLike(many);
}

std::unique_ptr<Kernel> OneImageKernel::make(const ContractionPlan &many,
                                             const ContractionSpec &spec,
                                             ValueRange buffers,
                                             ScalarRegion epilogue,
                                             const KernelTarget &target) {
  for (size_t i = 0; i + 1 < spec.parallel.size(); ++i) {
    ContractionSpec ofOne = spec;
    LoopAxis images = spec.parallel[i], &axis = ofOne.parallel[i];
    if (!images.isBounded() || images.places > 1 ||
        images.extent > kMostImages * images.perBound)
      continue;
    axis.extent = axis.leastExtent();
    axis.bound = LoopAxis::kNone;
    axis.perBound = 1;
    auto one = planOne(many, images, ofOne, buffers, epilogue, target);
    if (one && isWorthwhile(*one, many))
      return std::unique_ptr<Kernel>(new OneImageKernel(
          images, {many, spec, epilogue}, {*one, ofOne, epilogue}));
  }
  return nullptr;
}

/// Emits code that is called, in a function of its own: LLVM gives the tile
/// registers of a function one form.
static void emitApart(KernelBuilder &b, const ContractionKernel &kernel,
                      ValueRange buffers, Value begin, Value end) {
  SmallVector<Value> arguments(buffers);
  arguments.append({begin, end});
  SmallVector<int64_t> axes = llvm::to_vector(b.extents.keys());
  llvm::sort(axes);
  for (int64_t axis : axes)
    arguments.push_back(b.extents[axis]);
  if (b.unit)
    arguments.push_back(b.unit);
  OpBuilder builder(b.builder.getContext());
  auto callee = func::FuncOp::create(
      builder, b.loc, "of_one",
      builder.getFunctionType(ValueRange(arguments).getTypes(), {}));
  callee.setPrivate();
  // LLVM would put it where it is called.
  callee->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
  callee->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
  Operation *around = b.builder.getBlock()->getParentOp();
  SymbolTable(around->getParentOfType<ModuleOp>()).insert(callee);
  builder.setInsertionPointToStart(callee.addEntryBlock());
  ValueRange given = callee.getArguments();
  KernelBuilder inner(builder, b.loc, b.target);
  ValueRange tickets = given.drop_front(buffers.size());
  for (auto [axis, extent] : llvm::zip(axes, tickets.drop_front(2)))
    inner.extents[axis] = extent;
  if (b.unit)
    inner.unit = given.back();
  kernel.emit(inner, given.take_front(buffers.size()), tickets[0], tickets[1]);
  func::ReturnOp::create(builder, b.loc);
  func::CallOp::create(b.builder, b.loc, callee, arguments);
}

void OneImageKernel::emit(KernelBuilder &b, ValueRange buffers, Value begin,
                          Value end) const {
  auto emitShare = [&](const ContractionKernel &kernel, bool isApart) {
    auto share = [&](Value ticket) {
      return b.div(b.mul(ticket, kernel.tickets()), tickets());
    };
    Value first = share(begin), last = share(end);
    if (isApart)
      emitApart(b, kernel, buffers, first, last);
    else
      kernel.emit(b, buffers, first, last);
    return SmallVector<Value>();
  };
  Value limit = images.limit(b);
  Value isOne = b.both(b.less(b.index(images.perBound - 1), limit),
                       b.less(limit, b.index(images.perBound + 1)));
  bool bothUseTiles = one.usesTiles() && many.usesTiles();
  b.ifElse(
      isOne, {}, [&] { return emitShare(one, bothUseTiles); },
      [&] { return emitShare(many, /*isApart=*/false); });
}
