//===- SparseTensors.cpp - sparse tensors as dense ones -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ONNX has sparse tensors only to store constants; operators take dense ones.
//
//===----------------------------------------------------------------------===//
#include "Tensors.h"
#include "glow/Dialect/Glow/IR/TypeInference.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;
using glow_onnx::SparseTensorProto;
using glow_onnx::TensorProto;

/// A few bytes must not ask for all memory.
static constexpr int64_t kMostBytes = int64_t(1) << 30;

/// The place of each value among all elements: given as such, or as one index
/// per axis.
static bool readPlaces(const SparseTensorProto &sparse, ModelFile &file,
                       int64_t values, int64_t elements,
                       SmallVectorImpl<int64_t> &places, std::string &reason) {
  const TensorProto &indices = sparse.indices();
  std::vector<char> storage;
  Bytes bytes;
  bool perAxis = indices.dims_size() == 2;
  if (indices.data_type() != TensorProto::INT64 ||
      !(perAxis ? indices.dims(1) == sparse.dims_size()
                : indices.dims_size() == 1) ||
      indices.dims(0) != values) {
    reason = "its indices must be int64, one for each value or one per axis";
    return false;
  }
  if (!findBytes(indices, file, storage, bytes, reason))
    return false;
  const char *next = bytes.data.data();
  for (int64_t i = 0; i < values; ++i) {
    int64_t place = 0;
    for (int axis = 0; axis < (perAxis ? sparse.dims_size() : 1); ++axis) {
      int64_t index, extent = perAxis ? sparse.dims(axis) : elements;
      std::memcpy(&index, next, sizeof index);
      next += sizeof index;
      if (index < 0 || index >= extent) {
        reason = "index " + std::to_string(index) +
                 " of its values lies outside an extent of " +
                 std::to_string(extent);
        return false;
      }
      place = place * extent + index;
    }
    places.push_back(place);
  }
  return true;
}

bool onnx::densify(const SparseTensorProto &sparse, ModelFile &file,
                   TensorProto &dense, std::string &reason) {
  const TensorProto &values = sparse.values();
  int64_t elements = 1, bytesOfAll, bits = bitsOf(values.data_type());
  for (int64_t extent : sparse.dims())
    if (extent < 0 || mulOverflows(elements, extent, elements)) {
      reason = "its shape is impossible";
      return false;
    }
  bool isText = values.data_type() == TensorProto::STRING;
  int64_t elementBytes = isText ? sizeof(std::string) : bits / 8;
  if (elementBytes == 0) {
    reason = "its elements are of a type that cannot be sparse here";
    return false;
  }
  if (mulOverflows(elements, elementBytes, bytesOfAll) ||
      bytesOfAll > kMostBytes) {
    reason = "it has more elements than a sparse tensor may have here";
    return false;
  }
  if (values.dims_size() != 1) {
    reason = "its values are no list";
    return false;
  }
  SmallVector<int64_t> places;
  if (!readPlaces(sparse, file, values.dims(0), elements, places, reason))
    return false;
  *dense.mutable_dims() = sparse.dims();
  dense.set_data_type(values.data_type());
  dense.set_name(values.name());
  if (isText) {
    if (values.string_data_size() != values.dims(0)) {
      reason = "it has not as many strings as indices";
      return false;
    }
    for (int64_t i = 0; i < elements; ++i)
      dense.add_string_data();
    for (auto [i, place] : llvm::enumerate(places))
      *dense.mutable_string_data(place) = values.string_data(i);
    return true;
  }
  std::vector<char> storage;
  Bytes bytes;
  if (!findBytes(values, file, storage, bytes, reason))
    return false;
  std::string data(bytesOfAll, '\0');
  for (auto [i, place] : llvm::enumerate(places))
    std::memcpy(data.data() + place * elementBytes,
                bytes.data.data() + i * elementBytes, elementBytes);
  dense.set_raw_data(std::move(data));
  return true;
}
