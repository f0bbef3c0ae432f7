//===- WinogradBand.h - the steps of a Winograd convolution ----*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_WINOGRADBAND_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_WINOGRADBAND_H

#include "glow/Dialect/Inst/IR/Inst.h"
#include "glow/Support/Winograd.h"

namespace mlir::glow::inst {

/// The buffers of a convolution, or a band's windows of them. All but the
/// filter have the axes image, row, column and channel.
struct WinogradBuffers {
  Value input, filter, output;
  /// The epilogue's inputs, broadcast to the output.
  SmallVector<Value> extra;
  /// Whether images may have fewer columns.
  bool hasOpenColumns = false;
};

/// Emits the three steps of one band: the input's transform, the products, and
/// the transform of their results with the convolution's epilogue.
class WinogradBand {
public:
  WinogradBand(ConvOp op, OpBuilder &builder, const WinogradBuffers &band);

  /// The transformed input: a matrix for each product, a row for each tile, of
  /// all parts of the window.
  Value emitInput();
  void emitProducts(Value matrices);

private:
  /// Rows and columns of tiles, counted from the band's first.
  struct TileBox {
    int64_t row, rows, column, columns;
  };

  Value scratch(int64_t channels, Type element);
  Value tilesOf(Value matrices);
  Value filterOfTiles();
  void emitOutputMap(const TileBox &box, Value products);
  Value view(Value buffer, ArrayRef<int64_t> shape, ArrayRef<int64_t> strides,
             int64_t offset);
  Value place(Value image, const TileBox &box, int64_t i, int64_t j);
  /// Rows and columns of the window at which one of its parts begins, and the
  /// part's number.
  struct WindowPart {
    int64_t row, column, number;
  };

  void emitInputMap(Value matrices, const WindowPart &part);
  /// Of the rows that stand for the tiles of `box`, some columns.
  Value part(Value matrices, const TileBox &box, int64_t product,
             int64_t channels, int64_t first);

  ConvOp op;
  OpBuilder &builder;
  const WinogradBuffers &band;
  WinogradTile tile;
  Location loc;
  int64_t images, tileRows, tileColumns;
};

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_WINOGRADBAND_H
