//===- PackedElements.h - types of less than a byte ------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface packs such elements; inside, each has a byte of its own.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_DRIVER_PACKEDELEMENTS_H
#define GLOW_LIB_DRIVER_PACKEDELEMENTS_H

#include "glow/Driver/Program.h"

namespace mlir::glow {

/// The tensor with a byte per element, which `owner` then holds; a tensor of
/// other elements as it is.
GlowTensor unpackElements(const GlowTensor &tensor,
                          std::vector<uint8_t> &owner);

/// The inverse, for an output that a run has computed.
void packElements(OutputTensor &output);

} // namespace mlir::glow

#endif // GLOW_LIB_DRIVER_PACKEDELEMENTS_H
