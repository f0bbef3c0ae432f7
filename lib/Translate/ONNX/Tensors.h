//===- Tensors.h - ONNX's types and tensors as MLIR's -----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions return a null type or attribute and set `reason` if they fail.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_TRANSLATE_ONNX_TENSORS_H
#define GLOW_LIB_TRANSLATE_ONNX_TENSORS_H

#include "ModelFile.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::glow::onnx {

/// The element type with ONNX's number `dataType`.
Type elementTypeOf(int32_t dataType, MLIRContext *context, std::string &reason);
/// ONNX's number of an element type, 0 if it has none.
int32_t dataTypeOf(Type element);
/// Bits that an element of ONNX type `dataType` occupies in raw data.
unsigned bitsOf(int32_t dataType);

/// The tensor type of an input or output; its symbolic extents' names go to
/// `dimNames`.
RankedTensorType tensorTypeOf(const glow_onnx::TypeProto &type,
                              MLIRContext *context,
                              SmallVectorImpl<StringRef> &dimNames,
                              std::string &reason);

/// Finds the bytes of a tensor of numbers and checks that they fit its shape;
/// elements of less than a byte are packed. `storage` holds the bytes if they
/// are in no file.
bool findBytes(const glow_onnx::TensorProto &tensor, ModelFile &file,
               std::vector<char> &storage, Bytes &bytes, std::string &reason);

/// A sparse tensor of elements of whole bytes as a dense one, with the name of
/// its values; places without a value are zero or empty.
bool densify(const glow_onnx::SparseTensorProto &sparse, ModelFile &file,
             glow_onnx::TensorProto &dense, std::string &reason);

/// The value of a constant tensor: held in the attribute if it is small, a
/// resource that points into the file otherwise.
ElementsAttr elementsOf(const glow_onnx::TensorProto &tensor, ModelFile &file,
                        StringRef name, MLIRContext *context,
                        std::string &reason);

} // namespace mlir::glow::onnx

#endif // GLOW_LIB_TRANSLATE_ONNX_TENSORS_H
