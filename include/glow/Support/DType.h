//===- DType.h - element types as the model ABI numbers them ---*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_SUPPORT_DTYPE_H
#define GLOW_SUPPORT_DTYPE_H

#include "mlir/IR/Types.h"

namespace mlir::glow {

/// The GlowDType (ONNX's number) of an element type; of a quantised type, that
/// of its storage.
FailureOr<uint32_t> dtypeOf(Type type);

/// The element type of a GlowDType.
FailureOr<Type> typeOf(uint32_t dtype, MLIRContext *context);

} // namespace mlir::glow

#endif // GLOW_SUPPORT_DTYPE_H
