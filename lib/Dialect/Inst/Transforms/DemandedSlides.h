//===- DemandedSlides.h - reads of parts that slide ------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_DEMANDEDSLIDES_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_DEMANDEDSLIDES_H

#include "glow/Dialect/Inst/Analysis/Padding.h"

namespace mlir::glow::inst {

/// How far along one of its axes a part begins that slides, in elements of that
/// axis.
struct SlideAlong {
  size_t axis, loopAxis;
  /// No more than this, a function of the point's index along the loop's axis.
  AffineExpr start;
  /// No more than this at any point.
  int64_t most;

  /// Nothing if it moves along several axes, or between elements.
  static std::optional<SlideAlong> of(SlideOp slide);
};

/// No less than `extent`, which may depend on the point's index, at any of the
/// first `points` points; null if that is not known.
AffineExpr largestOfPoints(AffineExpr extent, AffineExpr points);

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_DEMANDEDSLIDES_H
