//===- NodeNames.h - the model's nodes behind a location -------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_SUPPORT_NODENAMES_H
#define GLOW_SUPPORT_NODENAMES_H

#include "mlir/IR/Location.h"
#include <string>

namespace mlir::glow {

/// The names of the model's nodes that an op comes from, each once, joined with
/// '+'. Of a location within a called function it is the callee's: all that
/// is inlined there would have the caller's.
std::string nodeNames(Location location);

} // namespace mlir::glow

#endif // GLOW_SUPPORT_NODENAMES_H
