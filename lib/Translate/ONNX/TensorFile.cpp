//===- TensorFile.cpp - ONNX values in files of their own -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions return why something cannot be read, or an empty string.
//
//===----------------------------------------------------------------------===//
#include "Tensors.h"
#include "glow/Translate/ONNX.h"
#include "glow/Translate/ONNXTensor.h"
#include "llvm/Support/MathExtras.h"
#include <climits>
#include <cstring>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;
namespace rt = ::glow::runtime;

/// Pointers to the texts, and behind them the texts.
static std::string readStrings(const glow_onnx::TensorProto &tensor,
                               rt::Array &array) {
  size_t count = tensor.string_data_size(), bytes = count * sizeof(char *);
  size_t next = bytes;
  for (const std::string &text : tensor.string_data())
    bytes += text.size() + 1;
  if (array.data.allocate(bytes, "a tensor"))
    return glow_last_error();
  auto *data = static_cast<char *>(array.data.data());
  for (size_t i = 0; i < count; ++i) {
    const std::string &text = tensor.string_data(i);
    reinterpret_cast<const char **>(data)[i] = data + next;
    std::memcpy(data + next, text.c_str(), text.size() + 1);
    next += text.size() + 1;
  }
  return "";
}

static std::string readTensor(const glow_onnx::TensorProto &tensor,
                              ModelFile &file, rt::Array &array) {
  // A GlowDType is ONNX's number.
  array.dtype = tensor.data_type();
  array.dims.assign(tensor.dims().begin(), tensor.dims().end());
  if (array.dtype == GLOW_STRING) {
    int64_t count = 1;
    for (int64_t extent : array.dims)
      if (extent < 0 || llvm::MulOverflow(count, extent, count))
        return "has a shape that is not possible";
    if (count != tensor.string_data_size())
      return "has " + std::to_string(tensor.string_data_size()) +
             " texts, but its shape needs " + std::to_string(count);
    return readStrings(tensor, array);
  }
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
