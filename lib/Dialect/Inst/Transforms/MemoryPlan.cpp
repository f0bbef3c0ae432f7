//===- MemoryPlan.cpp - read a plan back from the IR ----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/Transforms/MemoryPlan.h"
#include "glow/Dialect/Inst/Analysis/Accesses.h"
#include "glow/Support/NodeNames.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

std::string inst::arenaAttrName(StringRef name, Attribute space) {
  std::string result = name.str();
  if (space) {
    llvm::raw_string_ostream os(result);
    os << '.';
    if (auto number = dyn_cast<IntegerAttr>(space))
      os << number.getInt();
    else
      os << space;
  }
  return result;
}

std::optional<ArenaSize> inst::arenaSizeOf(func::FuncOp func) {
  auto arena = func->getAttrOfType<IntegerAttr>(InstDialect::kArenaAttrName);
  auto bound = func->getAttrOfType<IntegerAttr>(kLowerBoundAttrName);
  if (!arena || !bound)
    return std::nullopt;
  return ArenaSize{static_cast<uint64_t>(arena.getInt()),
                   static_cast<uint64_t>(bound.getInt())};
}

FailureOr<MemoryPlan> inst::readPlan(func::FuncOp func) {
  std::optional<ArenaSize> arena = arenaSizeOf(func);
  if (!arena || !func.getBody().hasOneBlock())
    return func.emitOpError("has no memory plan; run glow-inst-plan-memory");
  MemoryPlan plan;
  plan.function = func.getName().str();
  plan.arenaBytes = arena->bytes;
  plan.lowerBound = arena->lowerBound;
  Block &block = func.getBody().front();
  Accesses accesses(block);
  // Only instructions that touch buffers are steps of the picture.
  DenseMap<int64_t, int64_t> steps;
  for (Operation &op : block) {
    int64_t position = accesses.position(&op);
    if (accessesOf(&op, position).empty())
      continue;
    steps[position] = plan.instructions.size();
    plan.instructions.push_back(
        {op.getName().getStringRef().str(), nodeNames(op.getLoc())});
  }
  for (AllocOp alloc : block.getOps<AllocOp>()) {
    ArrayRef<Access> uses = accesses.of(alloc.getResult());
    auto type = cast<MemRefType>(alloc.getType());
    if (uses.empty() || type.getMemorySpace() || !alloc.getOffset())
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << type;
    MemoryPlan::Buffer buffer{nodeNames(alloc.getLoc()),
                              text,
                              static_cast<uint64_t>(bufferBytes(alloc)),
                              *alloc.getOffset(),
                              steps[uses.front().position],
                              steps[uses.back().position]};
    for (int64_t i = buffer.begin; i <= buffer.end; ++i)
      plan.instructions[i].liveBytes += buffer.bytes;
    plan.buffers.push_back(std::move(buffer));
  }
  for (auto [i, instruction] : llvm::enumerate(plan.instructions))
    if (instruction.liveBytes > plan.instructions[plan.peak].liveBytes)
      plan.peak = i;
  return plan;
}

LogicalResult inst::exportPlan(func::FuncOp func, llvm::raw_ostream &os,
                               PlanFormat format) {
  FailureOr<MemoryPlan> plan = readPlan(func);
  if (failed(plan))
    return failure();
  writePlan(*plan, os, format);
  return success();
}
