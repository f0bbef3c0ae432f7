//===- ONNXTensor.h - ONNX tensors in files of their own --------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TRANSLATE_ONNXTENSOR_H
#define GLOW_TRANSLATE_ONNXTENSOR_H

#include "glow/Runtime/Npy.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

namespace mlir::glow {

/// Reads a file that holds one ONNX tensor of numbers, as the inputs and
/// outputs of ONNX's test data do.
llvm::Error readONNXTensor(StringRef path, ::glow::runtime::Array &array);

} // namespace mlir::glow

#endif // GLOW_TRANSLATE_ONNXTENSOR_H
