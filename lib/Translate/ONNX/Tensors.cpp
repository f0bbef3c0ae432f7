//===- Tensors.cpp - ONNX's types and tensors as MLIR's -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tensors.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/Alignment.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;
using glow_onnx::TensorProto;

namespace {
/// One row per element type. Types newer than the packaged schema are plain
/// numbers in it.
struct ElementRow {
  int32_t dataType;
  unsigned bits;
  Type (*make)(MLIRContext *);
};
template <typename T> Type simple(MLIRContext *context) {
  return T::get(context);
}
template <typename Part> Type complex(MLIRContext *context) {
  return ComplexType::get(Part::get(context));
}
template <unsigned Width> Type signless(MLIRContext *context) {
  return IntegerType::get(context, Width);
}
template <unsigned Width> Type unsignedInt(MLIRContext *context) {
  return IntegerType::get(context, Width, IntegerType::Unsigned);
}
constexpr ElementRow kElements[] = {
    {1, 32, simple<Float32Type>},
    {2, 8, unsignedInt<8>},
    {3, 8, signless<8>},
    {4, 16, unsignedInt<16>},
    {5, 16, signless<16>},
    {6, 32, signless<32>},
    {7, 64, signless<64>},
    {8, 0, simple<StringType>},
    {9, 8, signless<1>},
    {10, 16, simple<Float16Type>},
    {11, 64, simple<Float64Type>},
    {12, 32, unsignedInt<32>},
    {13, 64, unsignedInt<64>},
    {14, 64, complex<Float32Type>},
    {15, 128, complex<Float64Type>},
    {16, 16, simple<BFloat16Type>},
    {17, 8, simple<Float8E4M3FNType>},
    {18, 8, simple<Float8E4M3FNUZType>},
    {19, 8, simple<Float8E5M2Type>},
    {20, 8, simple<Float8E5M2FNUZType>},
    {21, 4, unsignedInt<4>},
    {22, 4, signless<4>},
    {23, 4, simple<Float4E2M1FNType>},
    {24, 8, simple<Float8E8M0FNUType>},
    {25, 2, unsignedInt<2>},
    {26, 2, signless<2>},
};

constexpr size_t kSmallBytes = 1024;
} // namespace

static const ElementRow *findElement(int32_t dataType) {
  const ElementRow *row = llvm::find_if(
      kElements, [&](const ElementRow &r) { return r.dataType == dataType; });
  return row == std::end(kElements) ? nullptr : row;
}

Type onnx::elementTypeOf(int32_t dataType, MLIRContext *context,
                         std::string &reason) {
  if (const ElementRow *row = findElement(dataType))
    return row->make(context);
  reason = "unknown element type " + std::to_string(dataType);
  return {};
}

int32_t onnx::dataTypeOf(Type element) {
  for (const ElementRow &row : kElements)
    if (row.make(element.getContext()) == element)
      return row.dataType;
  return 0;
}

unsigned onnx::bitsOf(int32_t dataType) {
  const ElementRow *row = findElement(dataType);
  return row ? row->bits : 0;
}

/// Checks extents that come from the file.
static bool checkDims(ArrayRef<int64_t> dims, std::string &reason) {
  for (int64_t dim : dims)
    if (dim < 0 && !ShapedType::isDynamic(dim)) {
      reason = "extent " + std::to_string(dim) + " is negative";
      return false;
    }
  if (isTooLarge(dims)) {
    reason = "the shape has more elements than can be addressed";
    return false;
  }
  return true;
}

RankedTensorType onnx::tensorTypeOf(const glow_onnx::TypeProto &type,
                                    MLIRContext *context,
                                    SmallVectorImpl<StringRef> &dimNames,
                                    std::string &reason) {
  if (!type.has_tensor_type()) {
    reason = "only tensors are supported, not sequences, maps or optionals";
    return {};
  }
  const auto &tensor = type.tensor_type();
  Type element = elementTypeOf(tensor.elem_type(), context, reason);
  if (!element)
    return {};
  if (!tensor.has_shape()) {
    reason = "the number of axes is not given";
    return {};
  }
  Dims dims;
  for (const auto &dim : tensor.shape().dim()) {
    // Some exporters write -1 for an extent that is not known.
    bool known = dim.has_dim_value() && dim.dim_value() != -1;
    dims.push_back(known ? dim.dim_value() : ShapedType::kDynamic);
    dimNames.push_back(dim.dim_param());
  }
  if (llvm::any_of(tensor.shape().dim(), [](const auto &dim) {
        return dim.has_dim_value() && dim.dim_value() < -1;
      })) {
    reason = "the shape has a negative extent";
    return {};
  }
  if (!checkDims(dims, reason))
    return {};
  return RankedTensorType::get(dims, element);
}

// -- Values -------------------------------------------------------------------

template <typename To, typename Field>
static std::vector<char> pack(const Field &field) {
  std::vector<char> bytes(field.size() * sizeof(To));
  for (int i = 0, e = field.size(); i != e; ++i) {
    To value = static_cast<To>(field[i]);
    std::memcpy(bytes.data() + i * sizeof(To), &value, sizeof(To));
  }
  return bytes;
}

/// The typed fields as raw data, one byte or more per element.
static std::vector<char> packTyped(const TensorProto &tensor) {
  switch (tensor.data_type()) {
  case TensorProto::FLOAT:
  case TensorProto::COMPLEX64:
    return pack<float>(tensor.float_data());
  case TensorProto::DOUBLE:
  case TensorProto::COMPLEX128:
    return pack<double>(tensor.double_data());
  case TensorProto::INT64:
    return pack<int64_t>(tensor.int64_data());
  case TensorProto::UINT64:
    return pack<uint64_t>(tensor.uint64_data());
  case TensorProto::UINT32:
    return pack<uint32_t>(tensor.uint64_data());
  case TensorProto::INT32:
    return pack<int32_t>(tensor.int32_data());
  default:
    break;
  }
  if (bitsOf(tensor.data_type()) == 16)
    return pack<uint16_t>(tensor.int32_data());
  return pack<uint8_t>(tensor.int32_data());
}

/// One byte per element from elements of `bits` bits, the low ones first.
static std::vector<char> unpackBits(ArrayRef<char> data, unsigned bits,
                                    int64_t count) {
  std::vector<char> bytes(count);
  unsigned perByte = 8 / bits;
  for (int64_t i = 0; i != count; ++i)
    bytes[i] =
        (static_cast<uint8_t>(data[i / perByte]) >> (i % perByte * bits)) &
        ((1 << bits) - 1);
  return bytes;
}

static ElementsAttr stringsOf(const TensorProto &tensor, RankedTensorType type,
                              std::string &reason) {
  if (tensor.string_data_size() != type.getNumElements()) {
    reason = "has " + std::to_string(tensor.string_data_size()) +
             " strings for " + std::to_string(type.getNumElements()) +
             " elements";
    return {};
  }
  SmallVector<StringRef> strings(tensor.string_data().begin(),
                                 tensor.string_data().end());
  return DenseStringElementsAttr::get(type, strings);
}

/// The value in the attribute itself, where folders see it.
static ElementsAttr smallElements(RankedTensorType type, ArrayRef<char> data) {
  if (data.empty())
    return DenseElementsAttr::get(type, ArrayRef<Attribute>());
  if (type.getElementType().isInteger(1)) {
    SmallVector<bool> bits;
    for (char byte : data)
      bits.push_back(byte != 0);
    return DenseElementsAttr::get(type, bits);
  }
  return DenseElementsAttr::getFromRawBuffer(type, data);
}

/// A resource that points to `bytes`, or to a copy of them if nothing owns
/// them. A file need not align them to the size of an element.
static ElementsAttr largeElements(RankedTensorType type, StringRef name,
                                  Bytes bytes, unsigned elementBytes) {
  if (bytes.owner) {
    auto keep = [owner = bytes.owner](void *, size_t, size_t) {};
    auto address = reinterpret_cast<uintptr_t>(bytes.data.data());
    return DenseResourceElementsAttr::get(
        type, name,
        UnmanagedAsmResourceBlob::allocateWithAlign(
            bytes.data, address % elementBytes ? 1 : elementBytes, keep));
  }
  return DenseResourceElementsAttr::get(
      type, name,
      HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes.data, 64,
                                                    /*dataIsMutable=*/false));
}

/// The extents of a tensor with data.
static bool readShape(const TensorProto &tensor, Dims &dims,
                      std::string &reason) {
  dims.assign(tensor.dims().begin(), tensor.dims().end());
  if (llvm::any_of(dims, ShapedType::isDynamic))
    reason = "the shape has a negative extent";
  return reason.empty() && checkDims(dims, reason);
}

bool onnx::findBytes(const TensorProto &tensor, ModelFile &file,
                     std::vector<char> &storage, Bytes &bytes,
                     std::string &reason) {
  Dims dims;
  if (!readShape(tensor, dims, reason))
    return false;
  if (ModelFile::isReference(tensor)) {
    reason = file.bytesOf(tensor, bytes);
    if (!reason.empty())
      return false;
  } else if (tensor.has_raw_data()) {
    bytes.data = ArrayRef(tensor.raw_data().data(), tensor.raw_data().size());
  } else {
    storage = packTyped(tensor);
    bytes.data = storage;
  }
  uint64_t count = ShapedType::getNumElements(dims);
  size_t wanted = (count * bitsOf(tensor.data_type()) + 7) / 8;
  if (bytes.data.size() == wanted)
    return true;
  reason = "has " + std::to_string(bytes.data.size()) + " bytes of data, but " +
           std::to_string(wanted) + " are needed for its shape";
  return false;
}

ElementsAttr onnx::elementsOf(const TensorProto &tensor, ModelFile &file,
                              StringRef name, MLIRContext *context,
                              std::string &reason) {
  Type element = elementTypeOf(tensor.data_type(), context, reason);
  Dims dims;
  if (!element || !readShape(tensor, dims, reason))
    return {};
  auto type = RankedTensorType::get(dims, element);
  if (isa<StringType>(element))
    return stringsOf(tensor, type, reason);

  std::vector<char> storage;
  Bytes bytes;
  if (!findBytes(tensor, file, storage, bytes, reason))
    return {};
  unsigned bits = bitsOf(tensor.data_type());
  if (bits < 8) {
    storage = unpackBits(bytes.data, bits, type.getNumElements());
    bytes = {nullptr, storage};
    bits = 8;
  }
  if (bytes.data.size() <= kSmallBytes)
    return smallElements(type, bytes.data);
  return largeElements(type, name, bytes, bits / 8);
}
