//===- WeightsSection.h - weights in an object file ------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM would hold several copies of a section's contents while it writes an
// object. So it writes a section of zeros, which has a size but takes no space,
// and the weights are put behind the object.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_TARGET_LLVM_WEIGHTSSECTION_H
#define GLOW_LIB_TARGET_LLVM_WEIGHTSSECTION_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

namespace mlir::glow {

/// The symbol at the start of the weights; their section is called '.' and it.
inline constexpr char kWeightsSymbol[] = "glow_weights";

/// Assembly that defines the symbol and the section of zeros.
std::string weightsSectionAssembly(uint64_t bytes);

/// Changes the section's header in `object`, an ELF file, so that its contents
/// come from the file. Pads the object to the place where they begin: the
/// caller writes them there.
llvm::Error openWeightsSection(SmallVectorImpl<char> &object);

} // namespace mlir::glow

#endif // GLOW_LIB_TARGET_LLVM_WEIGHTSSECTION_H
