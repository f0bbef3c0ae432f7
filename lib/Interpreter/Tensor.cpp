//===- Tensor.cpp - a tensor in memory ------------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Interpreter/Tensor.h"
#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "glow/Runtime/StringPool.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/Memory.h"
#include <atomic>
#include <cstdlib>
#include <cstring>

#ifdef __unix__
#include <sys/mman.h>
#endif

using namespace mlir;
using namespace mlir::glow;

/// Of buffers: a cache line, and the widest vector.
static constexpr size_t kAlignment = 64;

/// Larger buffers are mapped, not taken from the heap.
static constexpr int64_t kMinMappedBytes = 1 << 18;

/// The number of elements, or nothing if an extent is negative or the product
/// of any of the extents overflows: then strides would overflow even if the
/// tensor is empty.
static std::optional<int64_t> countElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  bool isEmpty = false;
  for (int64_t extent : shape) {
    isEmpty |= extent == 0;
    if (extent < 0 ||
        __builtin_mul_overflow(count, std::max<int64_t>(extent, 1), &count))
      return std::nullopt;
  }
  return isEmpty ? 0 : count;
}

/// Null if there is no memory.
static std::shared_ptr<const char> allocateZeroed(size_t bytes) {
  void *buffer = std::calloc(bytes + kAlignment, 1);
  if (!buffer)
    return nullptr;
  auto address = llvm::alignTo(reinterpret_cast<uintptr_t>(buffer), kAlignment);
  return {reinterpret_cast<const char *>(address),
          [buffer](const char *) { std::free(buffer); }};
}

/// Pages that go back to the system when they are freed: the heap would keep
/// them, and a compilation makes and drops several copies of all weights.
static std::shared_ptr<const char> mapZeroed(size_t bytes) {
  using llvm::sys::Memory;
  std::error_code error;
  llvm::sys::MemoryBlock block = Memory::allocateMappedMemory(
      bytes, nullptr, Memory::MF_READ | Memory::MF_WRITE, error);
  if (error)
    return nullptr;
#ifdef MADV_HUGEPAGE
  // Fewer faults: of small pages they take half the time of packing weights.
  madvise(block.base(), block.allocatedSize(), MADV_HUGEPAGE);
#endif
  return {static_cast<const char *>(block.base()), [block](const char *) {
            llvm::sys::MemoryBlock pages = block;
            Memory::releaseMappedMemory(pages);
          }};
}

FailureOr<Tensor> Tensor::allocate(Location location, Type elementType,
                                   ArrayRef<int64_t> shape) {
  Tensor tensor;
  tensor.elementFormat = ElementFormat::get(elementType);
  if (!tensor.elementFormat)
    return emitError(location)
           << "cannot compute on elements of type " << elementType;
  std::optional<int64_t> count = countElements(shape);
  int64_t bytes = 0;
  if (!count ||
      __builtin_mul_overflow(*count, tensor.elementFormat->bytes(), &bytes) ||
      bytes > kMaxBytes)
    return emitError(location) << "a tensor of shape [" << shape << "] of "
                               << elementType << " is too large, or has a "
                               << "negative extent";
  tensor.elementType = elementType;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.count = *count;
  tensor.data =
      bytes < kMinMappedBytes ? allocateZeroed(bytes) : mapZeroed(bytes);
  if (!tensor.data)
    return emitError(location)
           << "out of memory for a tensor of " << bytes << " bytes";
  return tensor;
}

Tensor Tensor::view(Type elementType, ArrayRef<int64_t> shape, const char *data,
                    std::shared_ptr<const void> owner) {
  Tensor tensor;
  tensor.elementFormat = ElementFormat::get(elementType);
  std::optional<int64_t> count = countElements(shape);
  if (!tensor.elementFormat || !count)
    return {};
  tensor.elementType = elementType;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.count = *count;
  // An empty tensor may come without memory, but is not null.
  static const char nothing = 0;
  tensor.data = std::shared_ptr<const char>(owner, data ? data : &nothing);
  return tensor;
}

Tensor Tensor::withShape(ArrayRef<int64_t> newShape) const {
  assert(countElements(newShape) == count && "reshape keeps all elements");
  Tensor tensor = *this;
  tensor.shape.assign(newShape.begin(), newShape.end());
  return tensor;
}

Tensor Tensor::withElementType(Type type) const {
  const ElementFormat *format = ElementFormat::get(type);
  assert(format && format->bytes() == elementBytes() && "same width");
  Tensor tensor = *this;
  tensor.elementType = type;
  tensor.elementFormat = format;
  return tensor;
}

void Tensor::keepAlive(std::shared_ptr<const void> owner) {
  if (!text)
    text = std::move(owner);
  else if (owner && owner != text)
    text = std::make_shared<
        std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>>(
        std::move(text), std::move(owner));
}

FailureOr<Tensor> Tensor::copyOfText(Location location) const {
  FailureOr<Tensor> copy = allocate(location, elementType, shape);
  if (failed(copy))
    return failure();
  auto pool = std::make_shared<::glow::runtime::StringPool>();
  auto *strings = reinterpret_cast<GlowString *>(copy->mutableBytes());
  std::memcpy(strings, bytes(), sizeInBytes());
  if (pool->adopt(strings, count))
    return emitError(location) << glow_last_error();
  copy->text = std::move(pool);
  return copy;
}

FailureOr<Tensor> Tensor::withOwnMemory(Location location) const {
  if (data && isText())
    return copyOfText(location);
  if (!data || data.use_count() > 0)
    return *this;
  FailureOr<Tensor> copy = allocate(location, elementType, shape);
  if (succeeded(copy))
    std::memcpy(copy->mutableBytes(), bytes(), sizeInBytes());
  return copy;
}

SmallVector<int64_t> Tensor::ints() const {
  SmallVector<int64_t> values(count);
  read(0, count, values.data());
  return values;
}

// -- Attributes ---------------------------------------------------------------

static FailureOr<Tensor> fromResource(Location location,
                                      DenseResourceElementsAttr value) {
  AsmResourceBlob *blob = value.getRawHandle().getBlob();
  ShapedType type = value.getType();
  Tensor tensor = blob ? Tensor::view(type.getElementType(), type.getShape(),
                                      blob->getData().data())
                       : Tensor();
  if (!tensor || blob->getData().size() != tensor.sizeInBytes())
    return emitError(location)
           << "the data of resource '" << value.getRawHandle().getKey()
           << "' is missing or does not fit " << type;
  if (reinterpret_cast<uintptr_t>(tensor.bytes()) % tensor.elementBytes() == 0)
    return tensor;
  FailureOr<Tensor> aligned =
      Tensor::allocate(location, type.getElementType(), type.getShape());
  if (succeeded(aligned))
    std::memcpy(aligned->mutableBytes(), tensor.bytes(), tensor.sizeInBytes());
  return aligned;
}

/// Fills `tensor` with the element that `dense` repeats.
static void fillFromSplat(Tensor &tensor, const char *element) {
  char *out = tensor.mutableBytes();
  unsigned width = tensor.elementBytes();
  for (int64_t i = 0; i < tensor.size(); ++i)
    std::memcpy(out + i * width, element, width);
}

/// The attribute, and so the context, owns the bytes.
static FailureOr<Tensor> fromStrings(Location location,
                                     DenseStringElementsAttr value) {
  ShapedType type = value.getType();
  FailureOr<Tensor> tensor =
      Tensor::allocate(location, type.getElementType(), type.getShape());
  if (failed(tensor))
    return failure();
  auto *out = reinterpret_cast<GlowString *>(tensor->mutableBytes());
  for (StringRef text : value.getValues<StringRef>())
    *out++ = {text.data(), text.size()};
  return tensor;
}

FailureOr<Tensor> Tensor::fromAttribute(Location location, ElementsAttr value) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return fromResource(location, resource);
  if (auto strings = dyn_cast<DenseStringElementsAttr>(value))
    return fromStrings(location, strings);
  auto dense = dyn_cast<DenseElementsAttr>(value);
  auto type = cast<ShapedType>(value.getType());
  if (!dense || isa<StringType>(type.getElementType()))
    return emitError(location) << "cannot compute on a constant of " << type;
  FailureOr<Tensor> tensor =
      allocate(location, type.getElementType(), type.getShape());
  if (failed(tensor))
    return failure();
  if (type.getElementType().isInteger(1)) {
    char *out = tensor->mutableBytes();
    for (bool element : dense.getValues<bool>())
      *out++ = element;
  } else if (dense.isSplat()) {
    fillFromSplat(*tensor, dense.getRawData().data());
  } else if (tensor->count) {
    std::memcpy(tensor->mutableBytes(), dense.getRawData().data(),
                tensor->sizeInBytes());
  }
  return tensor;
}

/// The blob shares the tensor's buffer and keeps it alive.
ElementsAttr Tensor::toResource() const {
  auto &manager = DenseResourceElementsHandle::getManagerInterface(
      elementType.getContext());
  AsmResourceBlob blob(
      ArrayRef<char>(data.get(), sizeInBytes()), kAlignment,
      [owner = data](void *, size_t, size_t) {}, /*dataIsMutable=*/false);
  // For a name that is taken, MLIR tries all numbers from 1 on.
  static std::atomic<uint64_t> number{0};
  return DenseResourceElementsAttr::get(
      getType(),
      manager.insert("folded_" + std::to_string(number++), std::move(blob)));
}

bool Tensor::isRepeated() const {
  ArrayRef<char> raw(data.get(), sizeInBytes());
  return !isText() && !isa<quant::QuantizedType>(elementType) &&
         raw.size() > elementBytes() &&
         std::equal(raw.begin() + elementBytes(), raw.end(), raw.begin());
}

ElementsAttr Tensor::toAttribute() const {
  RankedTensorType type = getType();
  if (isText()) {
    SmallVector<StringRef> strings;
    for (const GlowString &string :
         ArrayRef(reinterpret_cast<const GlowString *>(bytes()), count))
      strings.emplace_back(string.data, string.size);
    return DenseStringElementsAttr::get(type, strings);
  }
  ArrayRef<char> raw(data.get(), sizeInBytes());
  if (isRepeated())
    raw = raw.take_front(elementBytes());
  // A dense attribute cannot hold quantised elements.
  if (raw.size() > kMaxDenseBytes || isa<quant::QuantizedType>(elementType))
    return toResource();
  if (!elementType.isInteger(1))
    return DenseElementsAttr::getFromRawBuffer(type, raw);
  // Booleans are packed to bits in a dense attribute; one stands for all.
  SmallVector<bool> bools;
  for (char byte : raw)
    bools.push_back(byte != 0);
  return DenseElementsAttr::get(type, bools);
}

SmallVector<int64_t> mlir::glow::rowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * std::max<int64_t>(shape[i + 1], 1);
  return strides;
}
