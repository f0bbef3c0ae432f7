//===- ClassicModels.h - what operators of ai.onnx.ml share ----*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TRANSLATE_ONNX_CLASSICMODELS_H
#define GLOW_LIB_TRANSLATE_ONNX_CLASSICMODELS_H

#include "Expr.h"

namespace mlir::glow::onnx {

/// An input as floats: as it is if it holds some, otherwise in f32.
Expr asFloats(Node &node, Value value);
/// A result of these operators: in single precision, also where the input is in
/// double.
LogicalResult floatResult(Node &node, Expr value, unsigned index = 0);

/// What a 'post_transform' does to scores (n, classes), and the one that the
/// attribute names.
Expr postTransform(Expr scores, StringRef name);
Expr postTransform(Node &node, Expr scores);

/// Scores of two classes from those of one, as ONNX Runtime writes them; the
/// other class has what is missing to 1, or if scores are not probabilities,
/// the same with the other sign.
Expr twoClassScores(Node &node, Expr scores, bool areProbabilities);

/// The classes with the numbers `chosen`, by the attributes 'classlabels_*'.
Value classLabels(Node &node, Expr chosen);
/// How many classes those attributes name.
int64_t countClasses(Node &node);

/// The first place of the largest element along axis 1.
Expr largestPlace(Expr x);

} // namespace mlir::glow::onnx

#endif // GLOW_LIB_TRANSLATE_ONNX_CLASSICMODELS_H
