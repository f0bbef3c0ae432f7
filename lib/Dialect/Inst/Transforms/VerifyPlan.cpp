//===- VerifyPlan.cpp - check a planned function against its contract -----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/Analysis/Accesses.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"
#include "glow/Dialect/Inst/Transforms/MemoryPlan.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_VERIFYPLAN
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

namespace {

/// Where and when an allocation, or a loop's scratch memory, is.
struct Placed {
  Operation *owner;
  Attribute space;
  int64_t from, to;   // Bytes, `to` not included.
  int64_t begin, end; // Positions, both included.
};

struct VerifyPlan : public inst::impl::VerifyPlanBase<VerifyPlan> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    if (!func.getBody().hasOneBlock()) {
      func.emitOpError("has control flow, which cannot be planned");
      return signalPassFailure();
    }
    Block &block = func.getBody().front();
    Accesses accesses(block);
    auto arenaOf = [&](Attribute space) {
      auto bytes = func->getAttrOfType<IntegerAttr>(
          arenaAttrName(InstDialect::kArenaAttrName, space));
      return bytes ? std::optional(bytes.getInt()) : std::nullopt;
    };
    if (failed(verifyPlacement(block, accesses, arenaOf)) ||
        failed(verifyLifetimes(block, accesses)) ||
        failed(verifyWrites(func, accesses)) || failed(verifyWindows(block)))
      return signalPassFailure();
    for (auto sections : block.getOps<SectionsOp>())
      if (failed(verifyIndependence(sections)))
        return signalPassFailure();
    WalkResult bodies = func.walk(
        [&](ForallOp forall) { return WalkResult(verifyBody(forall)); });
    if (bodies.wasInterrupted())
      signalPassFailure();
  }

private:
  /// Bytes of a memory space's arena, if it is planned.
  using ArenaOf = function_ref<std::optional<int64_t>(Attribute)>;
  LogicalResult verifyBody(ForallOp forall);
  LogicalResult verifyIndependence(SectionsOp sections);
  LogicalResult verifyPlacement(Block &block, const Accesses &accesses,
                                ArenaOf arenaOf);
  LogicalResult verifyLifetimes(Block &block, const Accesses &accesses);
  LogicalResult verifyWrites(func::FuncOp func, const Accesses &accesses);
  LogicalResult verifyWindows(Block &block);
};

} // namespace

/// The scratch memory of a loop is an arena of its own.
LogicalResult VerifyPlan::verifyBody(ForallOp forall) {
  Block &body = forall.getBody().front();
  Accesses accesses(body);
  auto arenaOf = [&](Attribute space) -> std::optional<int64_t> {
    if (space || !forall.getScratchBytes())
      return std::nullopt;
    return *forall.getScratchBytes();
  };
  if (failed(verifyPlacement(body, accesses, arenaOf)) ||
      failed(verifyLifetimes(body, accesses)))
    return failure();
  for (BlockArgument argument :
       body.getArguments().take_front(forall.getInputs().size()))
    for (const Access &use : accesses.of(argument))
      if (use.writes)
        return use.op->emitOpError("writes to operand ")
               << use.operand << ", which is an input of the loop";
  return success();
}

/// No instruction writes what another one touches, and there is scratch memory
/// for each.
LogicalResult VerifyPlan::verifyIndependence(SectionsOp sections) {
  for (auto forall : sections.getBody().getOps<ForallOp>())
    if (forall.getScratchBytes() > sections.getScratchBytes())
      return forall.emitOpError("wants more scratch memory than its sections "
                                "have");
  SmallVector<Access> all;
  for (Operation &op : sections.getBody().front())
    llvm::append_range(all, accessesOf(&op, 0));
  auto operandOf = [&](const Access &access) {
    auto argument = cast<BlockArgument>(access.buffer());
    return sections->getOperand(argument.getArgNumber());
  };
  for (const Access &a : all) {
    if (a.writes && !llvm::is_contained(sections.getOutputs(), operandOf(a)))
      return a.op->emitOpError("writes to operand ")
             << a.operand << ", which is an input of the sections";
    if (a.reads && !llvm::is_contained(sections.getInputs(), operandOf(a)))
      return a.op->emitOpError("reads operand ")
             << a.operand << ", which is no input of the sections";
  }
  for (const Access &a : all)
    for (const Access &b : all)
      if (a.writes && a.op != b.op && mayMeet(operandOf(a), operandOf(b))) {
        InFlightDiagnostic diagnostic =
            a.op->emitOpError("writes to operand ")
            << a.operand << ", which another instruction of the same sections "
            << (b.writes ? "writes to" : "reads");
        diagnostic.attachNote(b.op->getLoc()) << "the other instruction";
        return diagnostic;
      }
  return success();
}

/// Where an op of a planned block has its memory; nothing if it has none.
static std::optional<Placed> placeOf(Operation &op, const Accesses &accesses) {
  if (auto alloc = dyn_cast<AllocOp>(op)) {
    int64_t from = alloc.getOffset().value_or(-1);
    ArrayRef<Access> uses = accesses.of(alloc.getResult());
    // One that is not used overlaps nothing.
    int64_t begin = uses.empty() ? 0 : uses.front().position;
    int64_t end = uses.empty() ? -1 : uses.back().position;
    return Placed{&op,   cast<MemRefType>(alloc.getType()).getMemorySpace(),
                  from,  from + bufferBytes(alloc.getResult()),
                  begin, end};
  }
  return llvm::TypeSwitch<Operation *, std::optional<Placed>>(&op)
      .Case<ForallOp, SectionsOp>([&](auto parent) {
        int64_t from = parent.getScratchBytes()
                           ? parent.getScratchOffset().value_or(-1)
                           : -1;
        int64_t bytes = parent.getScratchBytes().value_or(0);
        int64_t position = accesses.position(&op);
        return Placed{&op, Attribute(), from, from + bytes, position, position};
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// What is live at once in one space lies apart, within the arena.
LogicalResult VerifyPlan::verifyPlacement(Block &block,
                                          const Accesses &accesses,
                                          ArenaOf arenaOf) {
  SmallVector<Placed> all;
  for (Operation &op : block) {
    std::optional<Placed> place = placeOf(op, accesses);
    if (!place)
      continue;
    std::optional<int64_t> arena = arenaOf(place->space);
    if (!arena || place->from < 0)
      return op.emitOpError("has no place in a memory plan; run "
                            "glow-inst-plan-memory");
    if (place->to > *arena)
      return op.emitOpError("ends at byte ")
             << place->to << " of an arena of " << *arena;
    all.push_back(*place);
  }
  llvm::sort(all, [](const Placed &a, const Placed &b) {
    return std::pair(a.begin, a.from) < std::pair(b.begin, b.from);
  });
  SmallVector<Placed> live;
  for (const Placed &a : all) {
    llvm::erase_if(live, [&](const Placed &b) { return b.end < a.begin; });
    for (const Placed &b : live)
      if (a.from < b.to && b.from < a.to && a.space == b.space) {
        InFlightDiagnostic diagnostic =
            a.owner->emitOpError("overlaps another buffer in use");
        diagnostic.attachNote(b.owner->getLoc()) << "the other buffer";
        return diagnostic;
      }
    live.push_back(a);
  }
  return success();
}

/// Uses lie between alloc and dealloc, and reads after a write.
LogicalResult VerifyPlan::verifyLifetimes(Block &block,
                                          const Accesses &accesses) {
  for (DeallocOp dealloc : block.getOps<DeallocOp>())
    for (const Access &use : accesses.of(dealloc.getBuffer()))
      if (use.position > accesses.position(dealloc)) {
        InFlightDiagnostic diagnostic =
            use.op->emitOpError("uses a buffer after its dealloc");
        diagnostic.attachNote(dealloc.getLoc()) << "the dealloc";
        return diagnostic;
      }
  for (AllocOp alloc : block.getOps<AllocOp>()) {
    ArrayRef<Access> uses = accesses.of(alloc.getResult());
    for (const Access &use : uses) {
      if (!use.reads ||
          cast<MemRefType>(use.buffer().getType()).getNumElements() == 0)
        continue;
      if (llvm::none_of(uses, [&](const Access &other) {
            return other.writes && other.position < use.position &&
                   mayOverlap(other, use);
          }))
        return use.op->emitOpError("reads operand ")
               << use.operand << ", which nothing has written";
    }
  }
  return success();
}

LogicalResult VerifyPlan::verifyWrites(func::FuncOp func,
                                       const Accesses &accesses) {
  for (Value touched : accesses.roots()) {
    auto window = touched.getDefiningOp<WindowOp>();
    Value root = window ? rootBuffer(window.getSource()) : touched;
    if (root.getDefiningOp<AllocOp>())
      continue;
    auto argument = dyn_cast<BlockArgument>(root);
    if (argument &&
        func.getArgAttr(argument.getArgNumber(), InstDialect::kOutputAttrName))
      continue;
    for (const Access &use : accesses.of(touched))
      if (use.writes)
        return use.op->emitOpError("writes to operand ")
               << use.operand << ", which is "
               << (argument ? "an input of the function" : "a constant");
  }
  return success();
}

/// Windows stand in a loop over steps, and lie within their buffers at each.
LogicalResult VerifyPlan::verifyWindows(Block &block) {
  EnterStepsOp loop;
  int64_t mostPoint = 0;
  DenseSet<Value> here;
  for (Operation &op : block) {
    if (auto enter = dyn_cast<EnterStepsOp>(op)) {
      loop = enter;
      mostPoint = enter.getMost();
      continue;
    }
    if (isa<RepeatStepsOp>(op)) {
      loop = {};
      here.clear();
    } else if (isa<NextStepOp>(op) && loop) {
      mostPoint = static_cast<int64_t>(loop.getMost()) - 1;
    } else if (auto window = dyn_cast<WindowOp>(op)) {
      if (!loop)
        return op.emitOpError("stands in no loop over steps");
      here.insert(window);
    }
    for (const Access &access : accessesOf(&op, 0)) {
      auto window = rootBuffer(access.buffer()).getDefiningOp<WindowOp>();
      if (!window)
        continue;
      if (!here.contains(window))
        return op.emitOpError("uses a window of another loop");
      if (mostPoint >= 0 && failed(window.verifyReach(mostPoint)))
        return failure();
    }
  }
  return success();
}
