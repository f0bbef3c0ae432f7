//===- MatrixViews.h - buffers of products as matrices ---------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_MATRIXVIEWS_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_MATRIXVIEWS_H

#include "glow/Dialect/Inst/IR/Inst.h"

namespace mlir::glow::inst {

/// A buffer as a matrix, all axes but the last one as its rows; null if no
/// strides describe it, or if they go backwards.
MemRefType asMatrix(Value buffer);

/// The same with as few axes of rows, outermost first, as their distances
/// allow.
MemRefType asRows(Value buffer);

/// A buffer with one element for each column, or for all, as a vector.
MemRefType asRow(Value buffer);

/// A buffer as images of rows, which are one if it is a matrix; null if it has
/// further axes, or if they go backwards.
MemRefType asImages(Value buffer);

/// What an epilogue reads, seen by `asWhole` if it has an element for each of
/// `output`'s, else as a vector; null if it is neither, or if it is another
/// part of the output's root.
MemRefType asEpilogueInput(Value input, Value output,
                           MemRefType (*asWhole)(Value) = asRows);

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_MATRIXVIEWS_H
