//===- MemoryPlan.h - a planned function as data --------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `glow-inst-plan-memory` decided, read back from the IR, for reports and
// pictures.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_DIALECT_INST_TRANSFORMS_MEMORYPLAN_H
#define GLOW_DIALECT_INST_TRANSFORMS_MEMORYPLAN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace mlir::glow::inst {

/// Beside InstDialect::kArenaAttrName: the bytes below which no plan can go.
inline constexpr llvm::StringLiteral kLowerBoundAttrName =
    "glow_inst.arena_lower_bound";

/// `name` for the default memory space, `name.space` for another.
std::string arenaAttrName(StringRef name, Attribute space);

/// The bytes of the default memory space's arena, and below which none can go.
struct ArenaSize {
  uint64_t bytes, lowerBound;
};

/// Nothing if the function has not been planned.
std::optional<ArenaSize> arenaSizeOf(func::FuncOp func);

struct MemoryPlan {
  struct Instruction {
    std::string op;   // As in "glow_inst.conv".
    std::string node; // The model's node names.
    uint64_t liveBytes = 0;
  };
  struct Buffer {
    std::string node, type;
    uint64_t bytes, offset;
    int64_t begin, end; // Instructions of first and last use.
  };
  std::string function;
  std::vector<Instruction> instructions;
  std::vector<Buffer> buffers;
  uint64_t arenaBytes = 0, lowerBound = 0;
  int64_t peak = 0; // The first instruction where most is in use.
};

/// The plan of the default memory space. Fails, with a message at the function,
/// if it has not been planned.
FailureOr<MemoryPlan> readPlan(func::FuncOp func);

enum class PlanFormat { JSON, SVG };

void writePlan(const MemoryPlan &plan, llvm::raw_ostream &os,
               PlanFormat format);

/// readPlan and writePlan.
LogicalResult exportPlan(func::FuncOp func, llvm::raw_ostream &os,
                         PlanFormat format);

} // namespace mlir::glow::inst

#endif // GLOW_DIALECT_INST_TRANSFORMS_MEMORYPLAN_H
