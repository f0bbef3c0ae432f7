//===- Interface.h - what a model takes and gives --------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TRANSLATE_ONNX_INTERFACE_H
#define GLOW_LIB_TRANSLATE_ONNX_INTERFACE_H

#include "Import.h"

namespace mlir::glow::onnx {

/// An input or output as it is declared, with the names of its extents. Sets
/// `reason` if it is of a kind that is not supported; an element type or shape
/// that is not declared is no reason.
ONNXPort portOf(const glow_onnx::ValueInfoProto &info, MLIRContext *context,
                SmallVectorImpl<StringRef> &dimNames, std::string &reason);

} // namespace mlir::glow::onnx

#endif // GLOW_LIB_TRANSLATE_ONNX_INTERFACE_H
