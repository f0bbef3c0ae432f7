//===- ModelFile.h - an ONNX model in memory --------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TRANSLATE_ONNX_MODELFILE_H
#define GLOW_LIB_TRANSLATE_ONNX_MODELFILE_H

#include "glow_onnx.pb.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>

namespace mlir::glow::onnx {

/// Bytes together with what keeps them alive.
struct Bytes {
  std::shared_ptr<llvm::MemoryBuffer> owner;
  ArrayRef<char> data;
};

/// A parsed model whose large weights stay in the mapped file, and the files of
/// external data beside it.
class ModelFile {
public:
  /// Returns why the model cannot be read, or an empty string.
  std::string open(std::unique_ptr<llvm::MemoryBuffer> buffer,
                   StringRef folder);

  /// The same for a file that holds nothing but a tensor.
  std::string openTensor(std::unique_ptr<llvm::MemoryBuffer> buffer,
                         StringRef folder, glow_onnx::TensorProto &tensor);

  const glow_onnx::ModelProto &model() const { return proto; }

  /// The bytes that `tensor` refers to, in this file or in an external one.
  /// Returns why they cannot be had, or an empty string.
  std::string bytesOf(const glow_onnx::TensorProto &tensor, Bytes &bytes);

  static bool isReference(const glow_onnx::TensorProto &tensor);

private:
  std::string openExternal(StringRef location,
                           std::shared_ptr<llvm::MemoryBuffer> &buffer);

  std::shared_ptr<llvm::MemoryBuffer> file;
  std::string folder;
  glow_onnx::ModelProto proto;
  llvm::StringMap<std::shared_ptr<llvm::MemoryBuffer>> external;
};

} // namespace mlir::glow::onnx

#endif // GLOW_LIB_TRANSLATE_ONNX_MODELFILE_H
