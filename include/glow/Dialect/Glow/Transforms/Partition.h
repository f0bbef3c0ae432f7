//===- Partition.h - which op runs on which device ------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_TRANSFORMS_PARTITION_H
#define GLOW_DIALECT_GLOW_TRANSFORMS_PARTITION_H

#include "glow/Interfaces/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::glow {

/// Where one op of the graph goes, and why.
struct Placement {
  Operation *op;
  bool isOnCard;
  std::string reason;
  double cardNs, hostNs; // estimates
  unsigned part = 0;     // index into PartitionPlan::parts
};

/// Ops that run as one program.
struct Part {
  bool isOnCard;
  SmallVector<Operation *> ops; // in program order
  /// Values from other parts or from the caller, and values needed elsewhere.
  SmallVector<Value> inputs, outputs;
};

struct PartitionPlan {
  TargetAttrInterface card, host;
  SmallVector<Placement> placements; // in program order
  SmallVector<Part> parts;           // in an order in which they can run
};

/// Decides by capability and, if `byCost`, by estimated time: what would cost
/// more in transfers than it saves stays on the host.
PartitionPlan planPartition(func::FuncOp function, TargetAttrInterface card,
                            TargetAttrInterface host, bool byCost);

/// What went where and why, for people and for programs.
void printPartitionText(const PartitionPlan &plan, raw_ostream &os);
void printPartitionJson(const PartitionPlan &plan, raw_ostream &os);

} // namespace mlir::glow

#endif // GLOW_DIALECT_GLOW_TRANSFORMS_PARTITION_H
