//===- FewImages.cpp - products of few of many images ---------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/FewImages.h"
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
planOne(const ContractionPlan &all, const LoopAxis &images,
        const ContractionSpec &ofOne, ValueRange buffers,
        const ScalarRegion &epilogue, const KernelTarget &target) {
  // Rows that fill at most one tile register take as long for a single row.
  bool areFewRows = all.rows.isBounded() && all.rows.bound == images.bound &&
                    all.rows.extent <= TileRows::kMost;
  if (!all.registerDepth || !areFewRows)
    return ContractionPlan::make(ofOne, buffers, epilogue, target);
  if (all.pieces > 1)
    return std::nullopt;
  KernelTarget vectors = target;
  llvm::erase(vectors.features, "amx-tile");
  return ContractionPlan::make(ofOne, buffers, epilogue, vectors);
}

/// Whether both make the same tiles from the same panels.
static bool tileAlike(const ContractionPlan &one, const ContractionPlan &all) {
  return one.registerDepth == all.registerDepth &&
         one.registerRows == all.registerRows && one.tileRows == all.tileRows &&
         one.tileVectors == all.tileVectors && one.lanes == all.lanes &&
         one.parts.has_value() == all.parts.has_value() &&
         one.fetchShares == all.fetchShares &&
         one.fetchDistance == all.fetchDistance;
}

/// Whether one image is worth code of its own. What it costs with registers of
/// the same form is hardly different.
static bool isWorthwhile(const ContractionPlan &one,
                         const ContractionPlan &all) {
  if (one.registerDepth && all.registerDepth)
    return one.registerRows != all.registerRows;
  return !tileAlike(one, all);
}

/// Rows that leave most of the sums idle that a tile for more of them has.
static constexpr int64_t kFewRows = 4;

/// The plan of so few rows, if there may be more and these are `images`.
static std::optional<ContractionPlan>
planFew(const ContractionPlan &all, const LoopAxis &images,
        const ContractionSpec &ofFew, ValueRange buffers,
        const ScalarRegion &epilogue, const KernelTarget &target) {
  bool areRows = !all.joined && all.rows.isBounded() &&
                 all.rows.bound == images.bound && images.perBound == 1 &&
                 all.rows.extent == images.extent;
  if (!areRows || images.extent <= kFewRows || all.registerDepth)
    return std::nullopt;
  auto few = ContractionPlan::make(ofFew, buffers, epilogue, target);
  // A tile for more rows has the heights of fewer, too.
  bool isWider =
      few && few->tileVectors * few->lanes > all.tileVectors * all.lanes;
  return isWider && !few->registerDepth ? few : std::nullopt;
}

std::unique_ptr<Kernel> FewImagesKernel::make(const ContractionPlan &all,
                                              const ContractionSpec &spec,
                                              ValueRange buffers,
                                              ScalarRegion epilogue,
                                              const KernelTarget &target) {
  for (size_t i = 0; i + 1 < spec.parallel.size(); ++i) {
    LoopAxis images = spec.parallel[i];
    if (!images.isBounded() || images.places > 1 ||
        images.extent > kMostImages * images.perBound)
      continue;
    std::vector<Case> cases;
    ContractionSpec ofOne = spec, ofFew = spec;
    LoopAxis &axis = ofOne.parallel[i];
    axis.extent = axis.leastExtent();
    axis.bound = LoopAxis::kNone;
    axis.perBound = 1;
    auto one = planOne(all, images, ofOne, buffers, epilogue, target);
    if (one && isWorthwhile(*one, all))
      cases.push_back({1, {*one, ofOne, epilogue}});
    ofFew.parallel[i].extent = kFewRows;
    if (auto few = planFew(all, images, ofFew, buffers, epilogue, target))
      cases.push_back({kFewRows, {*few, ofFew, epilogue}});
    if (!cases.empty())
      return std::unique_ptr<Kernel>(
          new FewImagesKernel(images, {all, spec, epilogue}, std::move(cases)));
  }
  return nullptr;
}

int64_t FewImagesKernel::tickets() const {
  int64_t most = all.tickets();
  for (const Case &one : cases)
    most = std::max(most, one.kernel.tickets());
  return most;
}

bool FewImagesKernel::staysWithinLimits(size_t operand) const {
  return all.staysWithinLimits(operand) &&
         llvm::all_of(cases, [&](const Case &one) {
           return one.kernel.staysWithinLimits(operand);
         });
}

Value FewImagesKernel::isMet(KernelBuilder &b, const Case &one,
                             Value limit) const {
  auto noMore = [&] {
    return b.less(limit, b.index(one.most * images.perBound + 1));
  };
  // One image is there as a whole, others as far as the limit says.
  if (one.most > 1)
    return noMore();
  Value some = b.less(b.index(images.perBound - 1), limit);
  return b.both(some, noMore());
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

void FewImagesKernel::emit(KernelBuilder &b, ValueRange buffers, Value begin,
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
  std::function<SmallVector<Value>(ArrayRef<Case>)> emitFrom =
      [&](ArrayRef<Case> left) {
        if (left.empty())
          return emitShare(all, /*isApart=*/false);
        const ContractionKernel &kernel = left.front().kernel;
        bool bothUseTiles = kernel.usesTiles() && all.usesTiles();
        b.ifElse(
            isMet(b, left.front(), limit), {},
            [&] { return emitShare(kernel, bothUseTiles); },
            [&] { return emitFrom(left.drop_front()); });
        return SmallVector<Value>();
      };
  emitFrom(cases);
}
