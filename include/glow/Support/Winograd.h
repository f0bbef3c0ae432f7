//===- Winograd.h - the transforms of minimal filtering --------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// F(m, r): m outputs of r taps from m + r - 1 inputs, as y = A' [(G g) * (B'
// d)] with an element-wise product in the middle. S. Winograd, Arithmetic
// Complexity of Computations, SIAM 1980. Of images, along rows and along
// columns: A. Lavin and S. Gray, Fast Algorithms for Convolutional Neural
// Networks, CVPR 2016. Which points lose few digits: B. Barabasz et al., Error
// Analysis and Improving the Accuracy of Winograd Convolution, ACM TOMS 2020.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_SUPPORT_WINOGRAD_H
#define GLOW_SUPPORT_WINOGRAD_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mlir::glow {

/// A matrix with `columns` columns, row by row.
struct WinogradMatrix {
  llvm::SmallVector<double> values;
  size_t columns;

  size_t rows() const { return values.size() / columns; }
  llvm::ArrayRef<double> row(size_t i) const {
    return llvm::ArrayRef(values).slice(i * columns, columns);
  }
};

struct WinogradTransform {
  /// Null if there is none for that many outputs of that many taps.
  static const WinogradTransform *get(int64_t outputs, int64_t taps);

  int64_t outputs, taps;
  int64_t inputs() const { return outputs + taps - 1; }

  /// B', G and A', and the matrix that gives g back from G g.
  WinogradMatrix input, filter, output, inverseFilter;
};

/// Along one axis of an image. A window is cut into parts of the transform's
/// taps, the last one with zeros.
struct WinogradAxis {
  const WinogradTransform *transform;
  int64_t taps, parts;

  int64_t outputs() const { return transform->outputs; }
  int64_t inputs() const { return transform->inputs(); }
  int64_t tilesOf(int64_t outputs) const;
  /// Those that whole tiles of that many outputs read.
  int64_t inputsOf(int64_t outputs) const;
};

/// Along the rows and the columns of an image.
struct WinogradTile {
  WinogradAxis rows, columns;

  /// For windows of this form by F(outputs, taps) along each axis on which they
  /// have several places. Nothing if there is no such transform, or nothing to
  /// transform, or windows are not dense and at every place.
  static std::optional<WinogradTile> of(llvm::ArrayRef<int64_t> kernel,
                                        llvm::ArrayRef<int64_t> strides,
                                        llvm::ArrayRef<int64_t> dilations,
                                        int64_t outputs, int64_t taps);
  const WinogradAxis &along(size_t axis) const {
    return axis == 0 ? rows : columns;
  }
  int64_t taps() const { return rows.taps * columns.taps; }
  int64_t parts() const { return rows.parts * columns.parts; }
  /// Per tile, pair of channels and part of the window.
  int64_t products() const { return rows.inputs() * columns.inputs(); }
};

/// Tiles for windows of this form that lose about as few digits as F(outputs,
/// 3) along both axes, 2 or 4 outputs. If `alongBoth`, those that do along
/// both.
llvm::SmallVector<WinogradTile> winogradCandidates(
    llvm::ArrayRef<int64_t> kernel, llvm::ArrayRef<int64_t> strides,
    llvm::ArrayRef<int64_t> dilations, int64_t outputs, bool alongBoth);

/// That of a convolution of either dialect that has the attribute.
template <typename ConvOp>
std::optional<WinogradTile> winogradTileOf(ConvOp conv) {
  auto winograd = *conv.getWinograd();
  return WinogradTile::of(conv.getKernelShape(), conv.getStrides(),
                          conv.getDilations(), winograd.getOutputs(),
                          winograd.getTaps());
}

} // namespace mlir::glow

#endif // GLOW_SUPPORT_WINOGRAD_H
