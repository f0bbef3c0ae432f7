//===- BundleFiles.h - the text files beside a static object --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TARGET_LLVM_BUNDLEFILES_H
#define GLOW_LIB_TARGET_LLVM_BUNDLEFILES_H

#include "glow/Target/LLVM/CompiledModel.h"

namespace mlir::glow {

/// A C header: the descriptor, the sizes and the index of each tensor.
std::string bundleHeader(const ProgramSpec &program,
                         const EmitOptions &options);

/// The same facts as JSON.
std::string bundleManifest(const ProgramSpec &program,
                           const EmitOptions &options);

} // namespace mlir::glow

#endif // GLOW_LIB_TARGET_LLVM_BUNDLEFILES_H
