//===- Link.h - objects to a shared library or a bundle --------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TARGET_LLVM_LINK_H
#define GLOW_TARGET_LLVM_LINK_H

#include "glow/Target/LLVM/CompiledModel.h"

namespace mlir::glow {

/// What a file is made from; it is used up. Weights of `scope` are freed once
/// they are written.
struct LinkInput {
  MLIRContext *context;
  const ProgramSpec &program;
  KernelObjects kernels; // modules in the LLVM dialect
  Machine machine;
  ConstantScope *scope = nullptr;
};

/// Links a shared library with the weights in it. Needs a linker: `cc`, the
/// cross compiler where the machine is not the host, or `ld.lld` where there is
/// none. After a failure `path` is as it was.
llvm::Error writeSharedLibrary(LinkInput input, StringRef path);

/// Writes one relocatable object to `path` (`x.o`), and beside it the weights
/// `x.weights.bin`, a C header `x.h` and `x.json`, the manifest.
llvm::Error writeObjectBundle(LinkInput input, StringRef path);

} // namespace mlir::glow

#endif // GLOW_TARGET_LLVM_LINK_H
