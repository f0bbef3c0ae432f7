//===- WireFormat.h - take large weights out of a protobuf ------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TRANSLATE_ONNX_WIREFORMAT_H
#define GLOW_LIB_TRANSLATE_ONNX_WIREFORMAT_H

#include "mlir/Support/LLVM.h"
#include <string>

namespace mlir::glow::onnx {

/// Copies the serialised model `file` to `small`, where each tensor's bytes of
/// more than a kilobyte are replaced by their place in `file`. The result is
/// small whatever the size of the weights, so Protobuf's limit of 2 GB does not
/// apply to models. Returns why this failed, or an empty string.
std::string takeOutWeights(StringRef file, std::string &small);

} // namespace mlir::glow::onnx

#endif // GLOW_LIB_TRANSLATE_ONNX_WIREFORMAT_H
