//===- StateSpace.cpp - linear attention and causal convolutions ----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recurrent layers of state-space language models. Both carry a state from
// one call to the next, as attention carries keys and values.
//
//===----------------------------------------------------------------------===//
#include "Expr.h"
#include "OpTable.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

// -- Linear attention ---------------------------------------------------------

namespace {
/// The update of the state, by the name of the rule.
struct UpdateRule {
  StringLiteral name;
  bool decays, corrects;
};
} // namespace

static constexpr UpdateRule kRules[] = {{"linear", false, false},
                                        {"gated", true, false},
                                        {"delta", false, true},
                                        {"gated_delta", true, true}};

/// Step `t` of a sequence (b, t, n), as (b, heads, rows, columns).
static Expr stepOf(Expr x, int64_t t, int64_t heads, int64_t rows,
                   int64_t columns) {
  return x.slice(1, t, t + 1).reshape({x.dim(0), heads, rows, columns});
}

/// S = exp(decay) S + k (x) beta (v - S' k), o = scale S' q for each token,
/// with the parts that the rule names. Computed in single precision at least.
static LogicalResult importLinearAttention(Node &node) {
  StringRef name = node.string("update_rule", "gated_delta");
  const UpdateRule *rule = llvm::find_if(
      kRules, [&](const UpdateRule &r) { return r.name == name; });
  if (rule == std::end(kRules))
    return node.fail("unknown update_rule '" + name + "'");
  node.ignore("chunk_size");
  int64_t queryHeads = node.integer("q_num_heads", 0);
  int64_t heads = node.integer("kv_num_heads", 0);
  if (heads < 1 || queryHeads < 1 || queryHeads % heads != 0)
    return node.fail("q_num_heads must be a multiple of kv_num_heads");
  if (rule->decays != bool(node.in(4)) || rule->corrects != bool(node.in(5)))
    return node.fail("update_rule '" + name + "' " +
                     (rule->decays ? "needs" : "takes no") + " 'decay' and " +
                     (rule->corrects ? "needs" : "takes no") + " 'beta'");
  for (unsigned i : {0, 1, 2, 4, 5})
    if (Value x = node.in(i))
      if (Node::rank(x) != 3 ||
          llvm::any_of(Node::dims(x), ShapedType::isDynamic))
        return node.fail("input " + Twine(i) +
                         " must have rank 3 and known extents");
  Type outer = Node::element(node.in(0));
  Type inner = outer.isF64() ? outer : Float32Type::get(node.context());
  auto input = [&](unsigned i) { return Expr(node, node.in(i)).cast(inner); };
  Expr query = input(0), key = input(1), value = input(2);
  int64_t batch = query.dim(0), tokens = query.dim(1);
  int64_t keySize = key.dim(2) / heads, valueSize = value.dim(2) / heads;
  int64_t group = queryHeads / heads;
  if (key.dim(2) % heads != 0 || value.dim(2) % heads != 0 ||
      query.dim(2) != queryHeads * keySize || tokens < 1)
    return node.fail(
        "the extents of its inputs do not fit the numbers of heads");
  if (rule->decays && node.in(4) && Node::dims(node.in(4))[2] != heads &&
      Node::dims(node.in(4))[2] != heads * keySize)
    return node.fail("'decay' needs one value per head or per key feature");
  double scale = node.real("scale", 0);
  if (scale == 0)
    scale = 1 / std::sqrt(static_cast<double>(keySize));
  Expr zero(node, node.scalar(inner, 0));
  Expr state =
      node.in(3)
          ? input(3)
          : zero.expand({node, node.shape({batch, heads, keySize, valueSize})});
  SmallVector<Expr> outputs;
  for (int64_t t = 0; t < tokens && !node.failed(); ++t) {
    Expr k = stepOf(key, t, heads, keySize, 1);
    Expr v = stepOf(value, t, heads, 1, valueSize);
    if (rule->decays) {
      Expr decay = input(4);
      state = state * exp(stepOf(decay, t, heads, decay.dim(2) / heads, 1));
    }
    if (rule->corrects) {
      Expr beta = input(5);
      Expr known = matmul(k.transpose({0, 1, 3, 2}), state);
      v = stepOf(beta, t, beta.dim(2), 1, 1) * (v - known);
    }
    state = state + k * v;
    // The queries of a group read the state of one head.
    Expr q = stepOf(query, t, heads, group, keySize);
    outputs.push_back(
        (matmul(q, state) * scale).reshape({batch, 1, queryHeads * valueSize}));
  }
  if (node.failed())
    return failure();
  Type stateType = node.in(3) ? Node::element(node.in(3)) : outer;
  if (node.wantsOutput(1) && failed(node.result(state.cast(stateType), 1)))
    return failure();
  return node.result(concat(outputs, 1).cast(outer));
}

// -- Causal convolution -------------------------------------------------------

/// A depthwise convolution along a sequence that sees only the past, whose last
/// k - 1 positions are the state.
static LogicalResult importCausalConvWithState(Node &node) {
  Expr x(node, node.in(0)), weight(node, node.in(1));
  if (x.rank() != 3 || weight.rank() != 3 ||
      llvm::any_of(Node::dims(weight), ShapedType::isDynamic) ||
      llvm::any_of(Node::dims(x), ShapedType::isDynamic))
    return node.fail("input and weight must have rank 3 and known extents");
  int64_t past = weight.dim(2) - 1;
  Expr front =
      node.in(3)
          ? Expr(node, node.in(3))
          : x.like(0).expand({node, node.shape({x.dim(0), x.dim(1), past})});
  Expr whole = past > 0 ? concat({front, x}, 2) : x;
  Expr result(node,
              node.emit<ConvOp>(
                  {whole, weight, node.in(2), Value()},
                  {node.i64s("kernel_shape", weight.dim(2)),
                   node.i64s("strides", 1), node.i64s("pads", {0, 0}),
                   node.i64s("dilations", 1), node.i64("group", x.dim(1))}));
  StringRef activation = node.string("activation", "none");
  if (activation == "silu" || activation == "swish") {
    Type single = Float32Type::get(node.context());
    Type inner = x.element().isF64() ? x.element() : Type(single);
    result = result.cast(inner);
    result = (result * result.emit<SigmoidOp>()).cast(x.element());
  } else if (activation != "none") {
    return node.fail("unknown activation '" + activation + "'");
  }
  if (node.wantsOutput(1) &&
      failed(node.result(whole.slice(2, x.dim(2), x.dim(2) + past), 1)))
    return failure();
  return node.result(result);
}

void onnx::addStateSpaceOps(OpTable &table) {
  table.add("CausalConvWithState", 27, {2, 4}, importCausalConvWithState);
  table.add("LinearAttention", 27, {3, 6}, importLinearAttention);
}
