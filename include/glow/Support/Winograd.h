//===- Winograd.h - the transforms of minimal filtering --------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// F(m x m, 3 x 3): m x m outputs of a 3 x 3 convolution from a tile of
// (m + 2) x (m + 2) inputs, as Y = A' [(G g G') * (B' d B)] A with an
// element-wise product in the middle. A. Lavin and S. Gray, Fast Algorithms for
// Convolutional Neural Networks, CVPR 2016.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_SUPPORT_WINOGRAD_H
#define GLOW_SUPPORT_WINOGRAD_H

#include "llvm/ADT/ArrayRef.h"

namespace mlir::glow {

/// A matrix with `columns` columns, row by row.
struct WinogradMatrix {
  llvm::ArrayRef<double> values;
  size_t columns;

  size_t rows() const { return values.size() / columns; }
  llvm::ArrayRef<double> row(size_t i) const {
    return values.slice(i * columns, columns);
  }
};

struct WinogradTransform {
  /// Whether the transforms are for windows of this form: 3 x 3, dense, at
  /// every place.
  static bool isFor(llvm::ArrayRef<int64_t> kernel,
                    llvm::ArrayRef<int64_t> strides,
                    llvm::ArrayRef<int64_t> dilations) {
    auto are = [](llvm::ArrayRef<int64_t> values, int64_t wanted) {
      return values.size() == 2 && values[0] == wanted && values[1] == wanted;
    };
    return are(kernel, 3) && are(strides, 1) && are(dilations, 1);
  }

  /// Null if there is no transform for that many outputs.
  static const WinogradTransform *get(int64_t outputs);

  /// Extents of a tile: m of the outputs, m + 2 of the inputs.
  int64_t outputs;
  int64_t inputs() const { return outputs + 2; }
  /// Products per tile and pair of channels.
  int64_t products() const { return inputs() * inputs(); }

  /// B', G and A', and the matrix that gives g back from G g.
  WinogradMatrix input, filter, output, inverseFilter;
};

} // namespace mlir::glow

#endif // GLOW_SUPPORT_WINOGRAD_H
