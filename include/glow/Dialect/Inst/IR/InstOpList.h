//===- InstOpList.h - all instructions, to attach interfaces to -*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_INST_IR_INSTOPLIST_H
#define GLOW_DIALECT_INST_IR_INSTOPLIST_H

#include "glow/Dialect/Inst/IR/Inst.h"

namespace mlir::glow::inst {
// clang-format off
using InstOps = OpList<
#define GET_OP_LIST
#include "glow/Dialect/Inst/IR/InstMemoryOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "glow/Dialect/Inst/IR/InstComputeOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "glow/Dialect/Inst/IR/InstControlOps.cpp.inc"
    >;
// clang-format on
} // namespace mlir::glow::inst

#endif // GLOW_DIALECT_INST_IR_INSTOPLIST_H
