//===- InstToHabana.h - instructions as commands of the card --*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_CONVERSION_INSTTOHABANA_INSTTOHABANA_H
#define GLOW_CONVERSION_INSTTOHABANA_INSTTOHABANA_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::glow::habana {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "glow/Conversion/InstToHabana/Passes.h.inc"

} // namespace mlir::glow::habana

#endif // GLOW_CONVERSION_INSTTOHABANA_INSTTOHABANA_H
