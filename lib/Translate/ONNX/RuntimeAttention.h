//===- RuntimeAttention.h - what ONNX Runtime's attentions share ----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TRANSLATE_ONNX_RUNTIMEATTENTION_H
#define GLOW_LIB_TRANSLATE_ONNX_RUNTIMEATTENTION_H

#include "Attention.h"

namespace mlir::glow::onnx {

/// Queries, keys and values with heads apart: (batch, heads, tokens, features).
struct Heads {
  Expr query, key, value;
};

inline Type i64Of(Node &node) { return IntegerType::get(node.context(), 64); }

/// softmax(Q K' scale + biases) V, of scores that 'softcap' may bound; `group`
/// heads of Q share one of K and V.
Expr attend(Node &node, const Heads &in, int64_t group, ArrayRef<Expr> biases);

/// Fails if the number of features per head is not known.
bool isKnownHead(Node &node, Expr query);

/// Cosines or sines of positions (b, s) from a table with a row for each.
Expr lookUp(Node &node, Value table, Expr positions, Type type);

} // namespace mlir::glow::onnx

#endif // GLOW_LIB_TRANSLATE_ONNX_RUNTIMEATTENTION_H
