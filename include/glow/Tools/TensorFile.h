//===- TensorFile.h - tensors in files -------------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TOOLS_TENSORFILE_H
#define GLOW_TOOLS_TENSORFILE_H

#include "glow/Runtime/Npy.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

namespace mlir::glow {

/// Reads a tensor of ONNX (.pb), of strings (.json) or else of NumPy, where
/// `dtype` is what is expected if the file does not say it.
llvm::Error readTensor(StringRef file, uint32_t dtype,
                       ::glow::runtime::Array &array);

/// The file for a tensor of this name: no folder, no special characters.
std::string npyFile(StringRef folder, StringRef name);

/// The file for input or output number `index` in a folder of ONNX's test data,
/// such as input_0.pb.
std::string testDataFile(StringRef folder, StringRef kind, size_t index);

} // namespace mlir::glow

#endif // GLOW_TOOLS_TENSORFILE_H
