//===- ScalarBody.h - the meaning of an element-wise op ----*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INTERFACES_SCALARBODY_H
#define GLOW_INTERFACES_SCALARBODY_H

#include "glow/Interfaces/ScalarBuilder.h"
#include "mlir/IR/OpDefinition.h"

#include "glow/Interfaces/ScalarBody.h.inc"

#endif // GLOW_INTERFACES_SCALARBODY_H
