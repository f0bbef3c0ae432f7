//===- InstToHabanaPass.cpp - a function becomes a program ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Patterns.h"
#include "Staging.h"
#include "glow/Conversion/InstToHabana/InstToHabana.h"
#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::glow::habana {
#define GEN_PASS_DEF_CONVERTINSTTOHABANA
#include "glow/Conversion/InstToHabana/Passes.h.inc"
} // namespace mlir::glow::habana

using namespace mlir;
using namespace mlir::glow::habana;
namespace inst = mlir::glow::inst;
using glow::GlowDialect;

/// Moves every buffer of the function to the card's DDR.
static LogicalResult assignMemory(func::FuncOp function) {
  auto ddr = MemAttr::get(function.getContext(), Memory::DDR);
  auto assign = [&](Value value, Operation *op) -> LogicalResult {
    auto type = dyn_cast<MemRefType>(value.getType());
    if (!type)
      return success();
    auto moved = MemRefType::Builder(type).setMemorySpace(ddr);
    if (!isCardBuffer(MemRefType(moved)))
      return op->emitError("the card has static f32 buffers of at most ")
             << kMaxRank << " axes, not " << type;
    value.setType(MemRefType(moved));
    return success();
  };
  for (Value argument : function.getArguments())
    if (failed(assign(argument, function)))
      return failure();
  WalkResult walk = function.walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (failed(assign(result, op)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

static void eraseDead(func::FuncOp function) {
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(function.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// The function's arguments become ports of the program.
static void replaceArguments(func::FuncOp function, OpBuilder &builder) {
  int64_t counts[2] = {0, 0};
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    bool isOutput = function.getArgAttr(
                        number, inst::InstDialect::kOutputAttrName) != nullptr;
    auto name = function.getArgAttrOfType<StringAttr>(
        number, GlowDialect::kNameAttrName);
    if (!name)
      name = builder.getStringAttr((isOutput ? "out" : "in") +
                                   std::to_string(counts[isOutput]));
    auto alloc = AllocOp::create(
        builder, argument.getLoc(), argument.getType(),
        isOutput ? Section::Output : Section::Input, /*offset=*/nullptr,
        builder.getI64IntegerAttr(counts[isOutput]++), name,
        /*value=*/nullptr);
    argument.replaceAllUsesWith(alloc);
  }
}

/// Allocations go to the workspace, at their planned places or one by one.
static void replaceAllocs(ProgramOp program) {
  int64_t end = 0;
  for (auto alloc : program.getOps<inst::AllocOp>())
    if (auto offset = alloc.getOffset())
      end = std::max<int64_t>(end,
                              *offset + alloc.getType().getNumElements() * 4);
  bool isPlanned =
      llvm::all_of(program.getOps<inst::AllocOp>(), [](inst::AllocOp alloc) {
        return alloc.getOffset() && *alloc.getOffset() % kAlignment == 0;
      });
  if (!isPlanned)
    end = 0;
  for (auto alloc :
       llvm::make_early_inc_range(program.getOps<inst::AllocOp>())) {
    OpBuilder builder(alloc);
    IntegerAttr offset = alloc.getOffsetAttr();
    if (!isPlanned) {
      offset = builder.getI64IntegerAttr(end);
      end =
          llvm::alignTo(end + alloc.getType().getNumElements() * 4, kAlignment);
    }
    auto placed =
        AllocOp::create(builder, alloc.getLoc(), alloc.getType(),
                        Section::Workspace, offset, nullptr, nullptr, nullptr);
    alloc.getResult().replaceAllUsesWith(placed);
    alloc.erase();
  }
  program.setWorkspace(end);
}

/// The scratch memory that the tiles reach.
static int64_t scratchBytes(ProgramOp program) {
  int64_t end = 0;
  for (auto alloc : program.getOps<AllocOp>())
    if (alloc.getSection() == Section::Scratch)
      end = std::max<int64_t>(
          end, *alloc.getOffset() +
                   cast<MemRefType>(alloc.getType()).getNumElements() * 4);
  return end;
}

namespace {
struct ConvertInstToHabana
    : glow::habana::impl::ConvertInstToHabanaBase<ConvertInstToHabana> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMemoryPatterns(patterns);
    populateVectorPatterns(patterns);
    populateConvPatterns(patterns);
    populatePoolPatterns(patterns);
    populateMatrixPatterns(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (!function.isExternal() && failed(convert(function, frozen)))
        return signalPassFailure();
  }

  LogicalResult convert(func::FuncOp function,
                        const FrozenRewritePatternSet &patterns) {
    eraseDead(function);
    if (failed(assignMemory(function)))
      return failure();
    OpBuilder builder(function);
    auto program =
        ProgramOp::create(builder, function.getLoc(), function.getSymName(),
                          uint64_t(0), uint64_t(0));
    Block *body = builder.createBlock(&program.getBody());
    replaceArguments(function, builder);
    Block &old = function.getBody().front();
    old.getTerminator()->erase();
    body->getOperations().splice(body->end(), old.getOperations());
    function.erase();
    replaceAllocs(program);
    walkAndApplyPatterns(program, patterns);
    program.setScratch(scratchBytes(program));
    for (Operation &op : *body)
      if (isa<inst::InstDialect>(op.getDialect()))
        return op.emitOpError("has no form on the card");
    return success();
  }
};
} // namespace
