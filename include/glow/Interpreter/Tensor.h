//===- Tensor.h - a tensor in memory ----------------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of the interpreter. Elements are row-major without gaps, in the
// bytes of a `.npy` file or a dense resource (see ElementFormat.h). Strings are
// GlowString of glow-c/ModelABI.h; a tensor keeps their bytes alive.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_INTERPRETER_TENSOR_H
#define GLOW_INTERPRETER_TENSOR_H

#include "glow/Interpreter/ElementFormat.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include <memory>

namespace mlir::glow {

/// A copy shares the buffer: a tensor is written only while it is being made.
class Tensor {
public:
  /// The null tensor, which stands for an absent operand.
  Tensor() = default;

  /// A tensor of zeros. An extent that is negative or a size above `kMaxBytes`
  /// is an error at `location`.
  static FailureOr<Tensor> allocate(Location location, Type elementType,
                                    ArrayRef<int64_t> shape);
  /// A tensor over foreign memory, which `owner` keeps alive. `data` must hold
  /// all elements; null is returned if the type cannot be held in memory.
  static Tensor view(Type elementType, ArrayRef<int64_t> shape,
                     const char *data, std::shared_ptr<const void> owner = {});

  /// The value of a constant. A resource is viewed, not copied, unless its
  /// elements are not aligned: it lives as long as the context.
  static FailureOr<Tensor> fromAttribute(Location location, ElementsAttr value);
  /// A dense attribute, or a dense resource if the value is large. A resource
  /// shares the buffer.
  ElementsAttr toAttribute() const;

  explicit operator bool() const { return data != nullptr; }
  Type getElementType() const { return elementType; }
  const ElementFormat &format() const { return *elementFormat; }
  ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getRank() const { return shape.size(); }
  int64_t getDim(int64_t axis) const { return shape[axis]; }
  int64_t size() const { return count; }
  unsigned elementBytes() const { return elementFormat->bytes(); }
  size_t sizeInBytes() const { return count * elementBytes(); }
  /// Whether there are several elements, all the same, of a type that a dense
  /// attribute holds as one.
  bool isRepeated() const;
  RankedTensorType getType() const {
    return RankedTensorType::get(shape, elementType);
  }

  const char *bytes() const { return data.get(); }
  char *mutableBytes() { return const_cast<char *>(data.get()); }

  /// The same buffer with another shape of as many elements, or another element
  /// type of the same width.
  Tensor withShape(ArrayRef<int64_t> newShape) const;
  Tensor withElementType(Type type) const;

  bool isText() const { return elementFormat->isText(); }
  /// Keeps the bytes of strings: what they were computed from, or made by.
  void keepAlive(std::shared_ptr<const void> owner);
  std::shared_ptr<const void> ownerOfText() const { return text; }

  /// The tensor itself, or a copy of it if it is a view that nothing owns.
  /// Strings are always copied, as their bytes may be someone else's.
  FailureOr<Tensor> withOwnMemory(Location location) const;

  /// Elements `begin` … `begin + n` as lanes; n is 0 … size() - begin.
  template <typename Lane>
  void read(int64_t begin, int64_t n, Lane *lanes) const {
    elementFormat->read(data.get() + begin * elementBytes(), n, lanes);
  }
  template <typename Lane>
  void write(int64_t begin, int64_t n, const Lane *lanes) {
    elementFormat->write(lanes, n, mutableBytes() + begin * elementBytes());
  }
  template <typename Lane> std::vector<Lane> readAll() const {
    std::vector<Lane> lanes(count);
    read(0, count, lanes.data());
    return lanes;
  }
  /// The integers of a shape operand.
  SmallVector<int64_t> ints() const;

  /// No tensor may be larger: a model that asks for more is an error.
  static constexpr int64_t kMaxBytes = int64_t(1) << 34;
  /// Larger constants become resources.
  static constexpr size_t kMaxDenseBytes = 4096;

private:
  ElementsAttr toResource() const;
  FailureOr<Tensor> copyOfText(Location location) const;

  Type elementType;
  const ElementFormat *elementFormat = nullptr;
  SmallVector<int64_t, 4> shape;
  int64_t count = 0;
  std::shared_ptr<const char> data;
  std::shared_ptr<const void> text; // keeps the bytes of strings
};

/// Row-major strides, in elements, of a tensor without gaps.
SmallVector<int64_t> rowMajorStrides(ArrayRef<int64_t> shape);

} // namespace mlir::glow

#endif // GLOW_INTERPRETER_TENSOR_H
