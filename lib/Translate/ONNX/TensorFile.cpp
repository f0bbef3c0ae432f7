//===- TensorFile.cpp - ONNX values in files of their own -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions return why something cannot be read, or an empty string.
//
//===----------------------------------------------------------------------===//
#include "Tensors.h"
#include "glow/Runtime/DType.h"
#include "glow/Translate/ONNX.h"
#include "glow/Translate/ONNXTensor.h"
#include <climits>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;
namespace rt = ::glow::runtime;

static std::string readStrings(const glow_onnx::TensorProto &tensor,
                               rt::Array &array) {
  uint64_t bytes, size = 0, count = tensor.string_data_size();
  if (!rt::tensorBytes(array.dtype, array.dims.data(), array.dims.size(),
                       bytes) ||
      bytes != count * sizeof(GlowString))
    return "has " + std::to_string(count) +
           " strings, which does not fit its shape";
  for (const std::string &text : tensor.string_data())
    size += text.size();
  if (array.data.allocate(bytes, "a tensor") ||
      array.texts.allocate(size, "its strings"))
    return glow_last_error();
  auto *out = static_cast<GlowString *>(array.data.data());
  auto *next = static_cast<char *>(array.texts.data());
  for (const std::string &text : tensor.string_data()) {
    *out++ = {next, text.size()};
    next = llvm::copy(text, next);
  }
  return "";
}

static std::string readTensor(const glow_onnx::TensorProto &tensor,
                              ModelFile &file, rt::Array &array) {
  // A GlowDType is ONNX's number.
  array.dtype = tensor.data_type();
  array.dims.assign(tensor.dims().begin(), tensor.dims().end());
  if (array.dtype == GLOW_STRING)
    return readStrings(tensor, array);
  if (bitsOf(tensor.data_type()) == 0)
    return "has elements of ONNX type " + std::to_string(tensor.data_type()) +
           ", which is not supported";
  std::vector<char> storage;
  Bytes bytes;
  std::string reason;
  if (!findBytes(tensor, file, storage, bytes, reason))
    return reason;
  if (array.data.allocate(bytes.data.size(), "a tensor"))
    return glow_last_error();
  llvm::copy(bytes.data, static_cast<char *>(array.data.data()));
  return "";
}

static std::string addTensor(const glow_onnx::TensorProto &tensor,
                             ModelFile &file, ONNXFileValue &value) {
  return readTensor(tensor, file, value.tensors.emplace_back());
}

static std::string addSequence(const glow_onnx::SequenceProto &sequence,
                               ModelFile &file, ONNXFileValue &value) {
  if (sequence.sequence_values_size())
    return "only sequences of tensors are supported";
  for (const glow_onnx::TensorProto &tensor : sequence.tensor_values())
    if (std::string reason = addTensor(tensor, file, value); !reason.empty())
      return reason;
  return "";
}

static std::string readValue(StringRef path, StringRef contents,
                             ONNXFileValue &value) {
  ModelFile file;
  if (!value.isSequence && !value.isOptional) {
    glow_onnx::TensorProto tensor;
    std::string reason =
        file.openTensor(llvm::MemoryBuffer::getMemBuffer(contents, path, false),
                        mlir::glow::folderOfModel(path), tensor);
    return reason.empty() ? addTensor(tensor, file, value) : reason;
  }
  if (contents.size() > INT_MAX)
    return "more than 2 GB";
  glow_onnx::SequenceProto sequence;
  glow_onnx::OptionalProto optional;
  int size = static_cast<int>(contents.size());
  if (!value.isOptional)
    return sequence.ParseFromArray(contents.data(), size)
               ? addSequence(sequence, file, value)
               : "not an ONNX sequence: the protobuf is malformed";
  if (!optional.ParseFromArray(contents.data(), size))
    return "not an ONNX optional: the protobuf is malformed";
  value.isPresent =
      optional.has_tensor_value() || optional.has_sequence_value();
  if (optional.has_sequence_value())
    return addSequence(optional.sequence_value(), file, value);
  return optional.has_tensor_value()
             ? addTensor(optional.tensor_value(), file, value)
             : "";
}

llvm::Error mlir::glow::readONNXValue(StringRef path, ONNXFileValue &value) {
  rt::MappedFile mapped;
  if (mapped.open(path.str()))
    return llvm::createStringError(glow_last_error());
  std::string reason = readValue(
      path, {static_cast<const char *>(mapped.data()), mapped.size()}, value);
  if (reason.empty())
    return llvm::Error::success();
  return llvm::createStringError("'" + path + "': " + reason);
}

llvm::Error mlir::glow::readONNXTensor(StringRef path, rt::Array &array) {
  ONNXFileValue value;
  if (llvm::Error error = readONNXValue(path, value))
    return error;
  array = std::move(value.tensors.front());
  return llvm::Error::success();
}
