//===- Target.h - what a target answers -----------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INTERFACES_TARGET_H
#define GLOW_INTERFACES_TARGET_H

#include "glow/Interfaces/Layout.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include <optional>
#include <string>

namespace mlir::glow {

/// One row of a target's capability table: the graph op of this name runs on
/// tensors of these element types and up to this rank, unless `limit` objects.
struct Capability {
  llvm::StringLiteral op;
  /// Names of element types separated by spaces, such as "f32 bf16".
  llvm::StringLiteral elements;
  int64_t maxRank;
  /// What a row cannot state: nothing, or the reason for refusing `op`.
  /// `target` is the attribute, with its parameters.
  std::optional<std::string> (*limit)(Operation *op,
                                      Attribute target) = nullptr;
};

/// The reason why `op` is not covered by the table, or nothing. Constant
/// operands of integers stand for shapes and are not asked for their type.
std::optional<std::string> whyUnsupported(ArrayRef<Capability> table,
                                          Operation *op, Attribute target);

/// The numbers behind estimates. Times are nanoseconds, rates per nanosecond.
struct TargetRates {
  double flops = 1;           // arithmetic operations
  double memoryBytes = 1;     // bytes to and from its memory
  double transferBytes = 1e9; // bytes between the host and its memory
  double transferLatency = 0; // of one transfer
  double launchLatency = 0;   // of one program
};

/// Arithmetic operations and bytes moved by one execution of a graph op.
struct OpWork {
  double flops, bytes;
};
OpWork workOf(Operation *op);
/// Size of a tensor; 0 if its shape is dynamic.
double tensorBytes(Type type);

double estimateNanoseconds(const TargetRates &rates, Operation *op);

/// The target that `text` names: an attribute (`#glow.cpu<cpu = "native">`), a
/// target of this project by its short name (`cpu`), or the name of a dialect
/// with an attribute `#name.target`. Reports an error at an unknown location.
FailureOr<Attribute> parseTarget(StringRef text, MLIRContext *context);

} // namespace mlir::glow

#include "glow/Interfaces/Target.h.inc"

#endif // GLOW_INTERFACES_TARGET_H
