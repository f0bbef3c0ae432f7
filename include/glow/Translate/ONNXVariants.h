//===- ONNXVariants.h - ONNX models changed for a test ----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TRANSLATE_ONNXVARIANTS_H
#define GLOW_TRANSLATE_ONNXVARIANTS_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mlir::glow {

/// What a model file says of itself, without an import.
struct ONNXContents {
  struct Value {
    std::string name;
    bool isSequence = false, isOptional = false;
    uint32_t dtype = 0; // GlowDType of the tensors, 0 if it is not declared
  };
  std::vector<Value> inputs, outputs; // initializers are no inputs
  /// Operators of the graph, each once, as domain::Name outside ai.onnx.
  std::vector<std::string> operators;
};
llvm::Expected<ONNXContents> contentsOfONNX(StringRef model);

/// The model with all extents of inputs and outputs open, and no shapes of
/// values between them.
llvm::Expected<std::string> withOpenShapes(StringRef model);

/// The model with constants in place of its inputs; `files` has the file of
/// each, as readONNXValue reads them.
llvm::Expected<std::string> withConstantInputs(StringRef model,
                                               ArrayRef<std::string> files);

} // namespace mlir::glow

#endif // GLOW_TRANSLATE_ONNXVARIANTS_H
