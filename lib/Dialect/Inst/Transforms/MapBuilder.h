//===- MapBuilder.h - maps and what they compute --------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_MAPBUILDER_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_MAPBUILDER_H

#include "glow/Dialect/Inst/IR/Inst.h"

namespace mlir::glow::inst {

/// A map whose region `fill` makes the results of, from an element of each
/// input.
MapOp createMap(OpBuilder &builder, Location loc, ValueRange inputs,
                ValueRange outputs,
                function_ref<SmallVector<Value>(OpBuilder &, ValueRange)> fill);

/// What a product's epilogue makes of a sum and an element of each of its
/// inputs; the sum if there is no epilogue.
Value finishSum(OpBuilder &body, Region &epilogue, Value sum,
                ValueRange inputs);

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_MAPBUILDER_H
