//===- GlowOpList.h - all graph ops, to attach interfaces to ----*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_IR_GLOWOPLIST_H
#define GLOW_DIALECT_GLOW_IR_GLOWOPLIST_H

#include "glow/Dialect/Glow/IR/Glow.h"

namespace mlir::glow {
// clang-format off
using GlowOps = OpList<
#define GET_OP_LIST
#include "glow/Dialect/Glow/IR/GlowStructureOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "glow/Dialect/Glow/IR/GlowUnaryOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "glow/Dialect/Glow/IR/GlowBinaryOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "glow/Dialect/Glow/IR/GlowLinearOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "glow/Dialect/Glow/IR/GlowReduceOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "glow/Dialect/Glow/IR/GlowShapeOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "glow/Dialect/Glow/IR/GlowIndexOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "glow/Dialect/Glow/IR/GlowNormOps.cpp.inc"
    ,
#define GET_OP_LIST
#include "glow/Dialect/Glow/IR/GlowRecurrentOps.cpp.inc"
    >;
// clang-format on
} // namespace mlir::glow

#endif // GLOW_DIALECT_GLOW_IR_GLOWOPLIST_H
