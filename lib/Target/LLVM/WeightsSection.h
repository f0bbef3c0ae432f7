//===- WeightsSection.h - weights in a shared library ----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM would hold several copies of a section's contents while it writes an
// object, and the linker would copy them once more. So the section that they
// see has a size but takes no space, and the weights are put behind the linked
// file. Where the linker did not give it a segment of its own, which is for
// reading only, a note that was made for that gives up its place.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_TARGET_LLVM_WEIGHTSSECTION_H
#define GLOW_LIB_TARGET_LLVM_WEIGHTSSECTION_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

namespace mlir::glow {

/// The symbol at the start of the weights; their section is called '.' and it.
inline constexpr char kWeightsSymbol[] = "glow_weights";

/// Assembly that defines the symbol, the section and the note.
std::string weightsSectionAssembly(uint64_t bytes);

/// Changes the headers in `library`, an ELF file, so that the weights come from
/// the file. Pads it to the place where they begin: the caller writes them
/// there.
llvm::Error openWeightsSection(SmallVectorImpl<char> &library);

} // namespace mlir::glow

#endif // GLOW_LIB_TARGET_LLVM_WEIGHTSSECTION_H
