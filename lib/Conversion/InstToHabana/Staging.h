//===- Staging.h - tiles of buffers in SRAM -------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The engines work in SRAM. Each instruction is cut into tiles whose operands
// fit there together: load them, compute, store the results. Commands run in
// order, so every tile starts with an empty SRAM.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_CONVERSION_INSTTOHABANA_STAGING_H
#define GLOW_LIB_CONVERSION_INSTTOHABANA_STAGING_H

#include "glow/Dialect/Habana/IR/Habana.h"
#include "mlir/IR/Builders.h"

namespace mlir::glow::habana {

using Dims = SmallVector<int64_t>;

/// Elements of a buffer: what a memref type states, before it becomes a value.
struct Box {
  Value buffer;
  Dims sizes, strides;
  int64_t offset = 0;

  Box() = default;
  explicit Box(Value buffer);
  int64_t rank() const { return sizes.size(); }

  /// `size` elements from `start` on along `axis`.
  Box slice(int64_t axis, int64_t start, int64_t size) const;
  /// The elements at `offsets` with the extents `sizes`.
  Box slice(ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes) const;
  /// NumPy broadcasting: stride 0 where an extent of 1 repeats.
  Box broadcast(ArrayRef<int64_t> shape) const;
  /// Axis i of the result is axis `order[i]` of the box.
  Box permute(ArrayRef<int64_t> order) const;
  Box insertAxis(int64_t axis) const;
  Box dropAxis(int64_t axis) const;
  int64_t numElements() const;
};

/// Bytes that a dense copy of so many elements takes in SRAM.
int64_t sramBytes(int64_t elements);

class Tile {
public:
  Tile(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  OpBuilder &builder;
  Location loc;

  /// A dense buffer whose axes lie in memory as those of `like`.
  Box allocate(const Box &like);
  /// Copies a box to SRAM. Repeated elements are loaded once.
  Box load(const Box &source);
  void store(const Box &source, const Box &destination);
  void fill(const Box &destination, double value);
  /// The memref of a box.
  Value value(const Box &box);

private:
  int64_t end = 0; // first free byte of SRAM
};

/// Calls `compute` for boxes that cover `shape`. The outermost axes are halved
/// until `bytesOf` a box is at most `sram`; axes in `whole` are never cut.
LogicalResult forEachTile(
    ArrayRef<int64_t> shape, ArrayRef<int64_t> whole, int64_t sram,
    function_ref<int64_t(ArrayRef<int64_t> sizes)> bytesOf,
    function_ref<void(ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes)>
        compute);

/// Usable SRAM of the card that the module of `op` is for.
int64_t sramOf(Operation *op);

/// Runs an epilogue region in place on a tile of results: its first argument is
/// the tile's element, the others those of `inputs`, which have its shape.
void launchEpilogue(Tile &tile, Region &region, const Box &results,
                    ArrayRef<Box> inputs);

} // namespace mlir::glow::habana

#endif // GLOW_LIB_CONVERSION_INSTTOHABANA_STAGING_H
