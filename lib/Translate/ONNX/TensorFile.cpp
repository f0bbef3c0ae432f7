//===- TensorFile.cpp - an ONNX tensor in a file of its own ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tensors.h"
#include "glow/Translate/ONNX.h"
#include "glow/Translate/ONNXTensor.h"

using namespace mlir;
using namespace mlir::glow::onnx;
namespace rt = ::glow::runtime;

/// Returns why the file cannot be read, or an empty string.
static std::string readTensor(StringRef path, const rt::MappedFile &mapped,
                              rt::Array &array) {
  StringRef contents(static_cast<const char *>(mapped.data()), mapped.size());
  ModelFile file;
  glow_onnx::TensorProto tensor;
  std::string reason =
      file.openTensor(llvm::MemoryBuffer::getMemBuffer(contents, path, false),
                      mlir::glow::folderOfModel(path), tensor);
  if (!reason.empty())
    return reason;
  if (bitsOf(tensor.data_type()) == 0)
    return "has elements of ONNX type " + std::to_string(tensor.data_type()) +
           "; only numbers and booleans can be read";
  std::vector<char> storage;
  Bytes bytes;
  if (!findBytes(tensor, file, storage, bytes, reason))
    return reason;
  if (array.data.allocate(bytes.data.size(), "a tensor"))
    return glow_last_error();
  llvm::copy(bytes.data, static_cast<char *>(array.data.data()));
  // A GlowDType is ONNX's number.
  array.dtype = tensor.data_type();
  array.dims.assign(tensor.dims().begin(), tensor.dims().end());
  return "";
}

llvm::Error mlir::glow::readONNXTensor(StringRef path, rt::Array &array) {
  rt::MappedFile mapped;
  if (mapped.open(path.str()))
    return llvm::createStringError(glow_last_error());
  std::string reason = readTensor(path, mapped, array);
  if (reason.empty())
    return llvm::Error::success();
  return llvm::createStringError("'" + path + "': " + reason);
}
