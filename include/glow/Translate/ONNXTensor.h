//===- ONNXTensor.h - ONNX tensors in files of their own --------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TRANSLATE_ONNXTENSOR_H
#define GLOW_TRANSLATE_ONNXTENSOR_H

#include "glow/Runtime/Npy.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

namespace mlir::glow {

/// What a file of ONNX's test data holds: one tensor, or those in a sequence or
/// an optional. The data of a tensor of strings begins with a pointer for each.
struct ONNXFileValue {
  bool isSequence = false, isOptional = false;
  bool isPresent = true; ///< false of an optional without value
  std::vector<::glow::runtime::Array> tensors;
};

/// Reads a file that holds one ONNX tensor, as the inputs and outputs of ONNX's
/// test data do.
llvm::Error readONNXTensor(StringRef path, ::glow::runtime::Array &array);

/// The same for a value of the kind that `value` says.
llvm::Error readONNXValue(StringRef path, ONNXFileValue &value);

} // namespace mlir::glow

#endif // GLOW_TRANSLATE_ONNXTENSOR_H
