//===- Decompose.h - composite ops as smaller ops ----*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INTERFACES_DECOMPOSE_H
#define GLOW_INTERFACES_DECOMPOSE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

#include "glow/Interfaces/Decompose.h.inc"

#endif // GLOW_INTERFACES_DECOMPOSE_H
