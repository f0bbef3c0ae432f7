//===- ModelFile.cpp - an ONNX model in memory ----------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ModelFile.h"
#include "WireFormat.h"
#include "glow/Support/MappedFiles.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <climits>

using namespace mlir;
using namespace mlir::glow::onnx;
using glow_onnx::TensorProto;
namespace path = llvm::sys::path;

std::string ModelFile::open(std::unique_ptr<llvm::MemoryBuffer> buffer,
                            StringRef folderOfModel) {
  file = shareFile(std::move(buffer));
  folder = folderOfModel.str();
  std::string small;
  std::string reason = takeOutWeights(file->getBuffer(), small);
  if (!reason.empty())
    return reason;
  if (small.size() > INT_MAX)
    return "more than 2 GB besides raw tensor data; store the weights as raw "
           "or external data";
  if (!proto.ParseFromArray(small.data(), static_cast<int>(small.size())))
    return "not an ONNX model: the protobuf is malformed";
  if (!proto.has_graph())
    return "not an ONNX model: it has no graph";
  return "";
}

std::string ModelFile::openTensor(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                  StringRef folderOfTensor,
                                  TensorProto &tensor) {
  file = shareFile(std::move(buffer));
  folder = folderOfTensor.str();
  size_t size = file->getBufferSize();
  if (size > INT_MAX)
    return "more than 2 GB; store the tensor as external data";
  if (!tensor.ParseFromArray(file->getBufferStart(), static_cast<int>(size)))
    return "not an ONNX tensor: the protobuf is malformed or truncated";
  // Almost any message parses as another one.
  if (!tensor.has_data_type())
    return "not an ONNX tensor: it has no element type";
  return "";
}

bool ModelFile::isReference(const TensorProto &tensor) {
  return tensor.data_location() == TensorProto::EXTERNAL ||
         tensor.has_mapped_offset();
}

/// True if `location` can be joined to a folder without leaving it by name.
static bool isPlainRelative(StringRef location) {
  if (location.empty() || path::is_absolute(location) ||
      location.contains('\0'))
    return false;
  return llvm::none_of(
      llvm::make_range(path::begin(location), path::end(location)),
      [](StringRef part) { return part == ".."; });
}

std::string
ModelFile::openExternal(StringRef location,
                        std::shared_ptr<llvm::MemoryBuffer> &buffer) {
  if (auto known = external.find(location); known != external.end()) {
    buffer = known->second;
    return "";
  }
  std::string quoted = ("'" + location + "'").str();
  if (!isPlainRelative(location))
    return "external data " + quoted +
           " is not a path below the model's folder";
  if (folder.empty())
    return "external data " + quoted +
           " cannot be found: a model in memory has no folder";
  SmallString<256> full(folder), real, realFolder;
  path::append(full, location);
  if (std::error_code error = llvm::sys::fs::real_path(full, real))
    return "external data " + quoted + " cannot be opened: " + error.message();
  if (std::error_code error = llvm::sys::fs::real_path(folder, realFolder))
    return "the model's folder cannot be opened: " + error.message();
  // A symbolic link may lead out of the folder though its name does not.
  if (!realFolder.ends_with("/"))
    realFolder += '/';
  if (!StringRef(real).starts_with(realFolder))
    return "external data " + quoted + " leads out of the model's folder";
  if (!llvm::sys::fs::is_regular_file(real))
    return "external data " + quoted + " is not a regular file";
  auto opened = llvm::MemoryBuffer::getFile(real, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!opened)
    return "external data " + quoted +
           " cannot be opened: " + opened.getError().message();
  buffer = shareFile(std::move(*opened));
  external[location] = buffer;
  return "";
}

/// Takes `length` bytes from `offset` on; the rest if there is no length.
static std::string slice(std::shared_ptr<llvm::MemoryBuffer> owner,
                         uint64_t offset, std::optional<uint64_t> length,
                         StringRef what, Bytes &bytes) {
  uint64_t size = owner->getBufferSize();
  if (offset > size || (length && *length > size - offset))
    return (what + " has " + Twine(size) + " bytes, too few for offset " +
            Twine(offset) + " and length " + Twine(length.value_or(0)))
        .str();
  bytes.data = ArrayRef(owner->getBufferStart() + offset,
                        length.value_or(size - offset));
  bytes.owner = std::move(owner);
  return "";
}

std::string ModelFile::bytesOf(const TensorProto &tensor, Bytes &bytes) {
  if (tensor.data_location() != TensorProto::EXTERNAL)
    return slice(file, tensor.mapped_offset(), tensor.mapped_length(),
                 "the file", bytes);
  StringRef location;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
  for (const glow_onnx::StringStringEntryProto &entry :
       tensor.external_data()) {
    uint64_t number = 0;
    if (entry.key() == "location") {
      location = entry.value();
      continue;
    }
    if (entry.key() != "offset" && entry.key() != "length")
      continue;
    if (StringRef(entry.value()).getAsInteger(10, number))
      return entry.key() + " '" + entry.value() +
             "' of external data is not a number";
    if (entry.key() == "offset")
      offset = number;
    else
      length = number;
  }
  std::shared_ptr<llvm::MemoryBuffer> owner;
  std::string reason = openExternal(location, owner);
  if (!reason.empty())
    return reason;
  return slice(owner, offset, length,
               ("external data '" + location + "'").str(), bytes);
}
