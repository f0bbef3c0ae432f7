//===- Attention.h - what kinds of attention share -------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TRANSLATE_ONNX_ATTENTION_H
#define GLOW_LIB_TRANSLATE_ONNX_ATTENTION_H

#include "Expr.h"

namespace mlir::glow::onnx {

/// (b, s, h*d) as (b, h, s, d).
Expr splitHeads(Expr x, int64_t heads);
/// (b, h, s, d) as (b, s, h*d).
Expr joinHeads(Expr x);
/// Each head `times` times, one after the other.
Expr repeatHeads(Expr x, int64_t times);

/// Q K' times the attribute 'scale', by default one over the root of the number
/// of features; `group` heads of Q share one of K.
Expr scoresOf(Expr query, Expr key, int64_t group);

/// `allowed` as what is added to scores: 0 or minus infinity.
Expr biasOf(Expr allowed, Expr scores);

/// Turns pairs of the first `turned` features of (b, h, s, d) by angles with
/// these cosines and sines, (b, s, turned / 2). Pairs are neighbours if
/// `interleaved`, otherwise half of `turned` apart.
Expr turnFeatures(Expr x, Expr cosine, Expr sine, int64_t turned,
                  bool interleaved);

} // namespace mlir::glow::onnx

#endif // GLOW_LIB_TRANSLATE_ONNX_ATTENTION_H
