//===- Staging.cpp - tiles of buffers in SRAM -----------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Staging.h"
#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::glow::habana;

Box::Box(Value value) : buffer(value) {
  auto type = cast<MemRefType>(value.getType());
  sizes.assign(type.getShape().begin(), type.getShape().end());
  Strided layout = stridedOf(type);
  strides = layout.strides;
  offset = layout.offset;
}

Box Box::slice(int64_t axis, int64_t start, int64_t size) const {
  Box box = *this;
  box.offset += start * strides[axis];
  box.sizes[axis] = size;
  return box;
}

Box Box::slice(ArrayRef<int64_t> offsets, ArrayRef<int64_t> extents) const {
  Box box = *this;
  for (int64_t axis = 0; axis < rank(); ++axis)
    box = box.slice(axis, offsets[axis], extents[axis]);
  return box;
}

Box Box::broadcast(ArrayRef<int64_t> shape) const {
  Box box = *this;
  while (box.rank() < static_cast<int64_t>(shape.size()))
    box = box.insertAxis(0);
  for (auto [axis, extent] : llvm::enumerate(shape))
    if (box.sizes[axis] != extent || extent == 1) {
      box.sizes[axis] = extent;
      box.strides[axis] = 0;
    }
  return box;
}

Box Box::permute(ArrayRef<int64_t> order) const {
  Box box = *this;
  for (auto [i, axis] : llvm::enumerate(order)) {
    box.sizes[i] = sizes[axis];
    box.strides[i] = strides[axis];
  }
  return box;
}

Box Box::insertAxis(int64_t axis) const {
  Box box = *this;
  box.sizes.insert(box.sizes.begin() + axis, 1);
  box.strides.insert(box.strides.begin() + axis, 0);
  return box;
}

Box Box::dropAxis(int64_t axis) const {
  Box box = *this;
  box.sizes.erase(box.sizes.begin() + axis);
  box.strides.erase(box.strides.begin() + axis);
  return box;
}

int64_t Box::numElements() const {
  int64_t product = 1;
  for (int64_t size : sizes)
    product *= size;
  return product;
}

int64_t glow::habana::sramBytes(int64_t elements) {
  return llvm::alignTo(elements * 4, kAlignment);
}

Value Tile::value(const Box &box) {
  auto type = cast<MemRefType>(box.buffer.getType());
  AllocOp root = allocOf(box.buffer);
  auto layout =
      StridedLayoutAttr::get(builder.getContext(), box.offset, box.strides);
  auto wanted = MemRefType::get(box.sizes, type.getElementType(), layout,
                                type.getMemorySpace());
  if (Box own(root); own.sizes == box.sizes && own.strides == box.strides &&
                     own.offset == box.offset)
    return root;
  return memref::ReinterpretCastOp::create(builder, loc, wanted,
                                           root.getResult(), box.offset,
                                           box.sizes, box.strides);
}

Box Tile::allocate(const Box &like) {
  SmallVector<int64_t> order;
  for (int64_t axis = 0; axis < like.rank(); ++axis)
    order.push_back(axis);
  llvm::sort(order, [&](int64_t a, int64_t b) {
    int64_t strideA = std::abs(like.strides[a]);
    int64_t strideB = std::abs(like.strides[b]);
    return strideA != strideB ? strideA > strideB : a < b;
  });
  Box box = like;
  box.offset = 0;
  int64_t elements = 1;
  for (int64_t axis : llvm::reverse(order)) {
    box.strides[axis] = elements;
    elements *= like.sizes[axis];
  }
  auto sram = MemAttr::get(builder.getContext(), Memory::SRAM);
  auto type = MemRefType::get({elements}, builder.getF32Type(),
                              MemRefLayoutAttrInterface(), sram);
  box.buffer = AllocOp::create(builder, loc, type, Section::Scratch,
                               builder.getI64IntegerAttr(end),
                               /*index=*/nullptr, /*name=*/nullptr,
                               /*value=*/nullptr);
  end += sramBytes(elements);
  return box;
}

Box Tile::load(const Box &source) {
  // Leave out the axes along which elements repeat, and put them back after.
  Box once = source;
  for (int64_t axis = 0; axis < source.rank(); ++axis)
    if (source.strides[axis] == 0)
      once.sizes[axis] = 1;
  Box copy = allocate(once);
  store(once, copy);
  for (int64_t axis = 0; axis < source.rank(); ++axis)
    if (source.sizes[axis] != once.sizes[axis]) {
      copy.sizes[axis] = source.sizes[axis];
      copy.strides[axis] = 0;
    }
  return copy;
}

void Tile::store(const Box &source, const Box &destination) {
  DmaOp::create(builder, loc, value(source), value(destination));
}

void Tile::fill(const Box &destination, double number) {
  FillOp::create(builder, loc, value(destination),
                 builder.getF32FloatAttr(static_cast<float>(number)));
}

LogicalResult glow::habana::forEachTile(
    ArrayRef<int64_t> shape, ArrayRef<int64_t> whole, int64_t sram,
    function_ref<int64_t(ArrayRef<int64_t>)> bytesOf,
    function_ref<void(ArrayRef<int64_t>, ArrayRef<int64_t>)> compute) {
  Dims sizes(shape);
  while (bytesOf(sizes) > sram) {
    int64_t axis = 0, rank = shape.size();
    while (axis < rank && (sizes[axis] == 1 || llvm::is_contained(whole, axis)))
      ++axis;
    if (axis == rank)
      return failure();
    sizes[axis] = (sizes[axis] + 1) / 2;
  }
  Dims offsets(shape.size(), 0), extents(shape.size());
  while (true) {
    for (size_t i = 0; i < shape.size(); ++i)
      extents[i] = std::min(sizes[i], shape[i] - offsets[i]);
    compute(offsets, extents);
    int64_t axis = static_cast<int64_t>(shape.size()) - 1;
    for (; axis >= 0; --axis) {
      offsets[axis] += sizes[axis];
      if (offsets[axis] < shape[axis])
        break;
      offsets[axis] = 0;
    }
    if (axis < 0)
      return success();
  }
}

int64_t glow::habana::sramOf(Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  auto target = module ? module->getAttrOfType<TargetAttr>(
                             glow::GlowDialect::kTargetAttrName)
                       : TargetAttr();
  return target ? target.getSram() : kDefaultSram;
}

void glow::habana::launchEpilogue(Tile &tile, Region &region,
                                  const Box &results, ArrayRef<Box> inputs) {
  if (region.empty())
    return;
  Value out = tile.value(results);
  SmallVector<Value> ins{out};
  for (const Box &input : inputs)
    ins.push_back(tile.value(tile.load(input)));
  auto launch = LaunchOp::create(tile.builder, tile.loc, ins, out,
                                 /*combine=*/CombineAttr());
  IRMapping mapping;
  region.cloneInto(&launch.getKernel(), mapping);
}
