//===- Attention.cpp - attention and rotary embedding ---------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both work on (batch, heads, tokens, features). Inputs of rank 3 have the
// heads side by side in the last axis.
//
//===----------------------------------------------------------------------===//
#include "Attention.h"
#include "OpTable.h"
#include "Tensors.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

// -- Heads --------------------------------------------------------------------

/// The extent `number` as a list, inferred by a reshape if it is not known.
static Expr extentOrRest(Node &node, int64_t number) {
  return {node, node.shape(number < 0 ? -1 : number)};
}

Expr onnx::splitHeads(Expr x, int64_t heads) {
  Node &node = x.builder();
  if (heads < 1 || (x.dim(2) >= 0 && x.dim(2) % heads != 0)) {
    (void)node.fail("the number of heads, " + Twine(heads) +
                    ", must divide the last extent of a tensor of rank 3");
    return {node, Value()};
  }
  Expr features = extentOrRest(node, x.dim(2) < 0 ? -1 : x.dim(2) / heads);
  return x
      .reshape(concat({x.shape(0, 2), {node, node.shape(heads)}, features}, 0))
      .transpose({0, 2, 1, 3});
}

Expr onnx::joinHeads(Expr x) {
  Node &node = x.builder();
  Expr rows = x.transpose({0, 2, 1, 3});
  int64_t heads = rows.dim(2), features = rows.dim(3);
  Expr rest =
      extentOrRest(node, heads < 0 || features < 0 ? -1 : heads * features);
  return rows.reshape(concat({rows.shape(0, 2), rest}, 0));
}

Expr onnx::repeatHeads(Expr x, int64_t times) {
  if (!x || times == 1)
    return x;
  Node &node = x.builder();
  Expr count(node, node.shape(times));
  Expr table =
      x.unsqueeze({2}).expand(concat({x.shape(0, 2), count, x.shape(2)}, 0));
  Expr heads = extentOrRest(node, x.dim(1) < 0 ? -1 : x.dim(1) * times);
  return table.reshape(concat({x.shape(0, 1), heads, x.shape(2)}, 0));
}

Expr onnx::scoresOf(Expr query, Expr key, int64_t group) {
  if (!isa<FloatType>(query.element())) {
    (void)query.builder().fail("needs queries and keys of floats");
    return {query.builder(), Value()};
  }
  double features = static_cast<double>(query.dim(3));
  double scale = query.builder().real("scale", 1 / std::sqrt(features));
  Expr keys = repeatHeads(key, group).transpose({0, 1, 3, 2});
  // There are fewer queries than keys.
  if (query.element().getIntOrFloatBitWidth() >= 32)
    return matmul(query * scale, keys);
  // Both sides are scaled, so that products in half precision do not overflow.
  double root = std::sqrt(scale);
  return matmul(query * root, keys * root);
}

// -- Attention ----------------------------------------------------------------

namespace {
/// The inputs of Attention, with heads apart and past tokens in front.
struct AttentionInputs {
  Expr query, key, value;
  int64_t past = 0; // tokens; dynamic if not known
  bool joined = false;
};
} // namespace

static std::optional<AttentionInputs> readInputs(Node &node) {
  AttentionInputs in{
      {node, node.in(0)}, {node, node.in(1)}, {node, node.in(2)}};
  int64_t queryHeads = node.integer("q_num_heads", 0);
  int64_t keyHeads = node.integer("kv_num_heads", 0);
  for (Expr x : {in.query, in.key, in.value})
    if (x.rank() != in.query.rank() || (x.rank() != 3 && x.rank() != 4)) {
      (void)node.fail("Q, K and V must all have rank 3, or all rank 4");
      return std::nullopt;
    }
  in.joined = in.query.rank() == 3;
  if (in.joined) {
    in.query = splitHeads(in.query, queryHeads);
    in.key = splitHeads(in.key, keyHeads);
    in.value = splitHeads(in.value, keyHeads);
  }
  if (bool(node.in(4)) != bool(node.in(5))) {
    (void)node.fail("'past_key' and 'past_value' go together");
    return std::nullopt;
  }
  if (node.in(4)) {
    Expr pastKey(node, node.in(4)), pastValue(node, node.in(5));
    if (pastKey.rank() != 4 || pastValue.rank() != 4) {
      (void)node.fail("'past_key' and 'past_value' must have rank 4");
      return std::nullopt;
    }
    in.past = pastKey.dim(2);
    in.key = concat({pastKey, in.key}, 2);
    in.value = concat({pastValue, in.value}, 2);
  }
  return in;
}

Expr onnx::biasOf(Expr allowed, Expr scores) {
  return where(allowed, scores.like(0),
               scores.like(-std::numeric_limits<double>::infinity()));
}

/// The given mask as an addend, made as wide as there are keys.
static Expr maskBias(Node &node, Expr scores, Expr keys) {
  Expr mask(node, node.in(3));
  bool isBool = mask.element().isInteger(1);
  if (isBool)
    mask = biasOf(mask, scores);
  else if (mask.element() != scores.element())
    mask = mask.cast(scores.element());
  // A mask may leave out the last keys: they are not looked at.
  int64_t width = mask.dim(mask.rank() - 1), count = keys.dim(2);
  if (ShapedType::isDynamic(width) || ShapedType::isDynamic(count) ||
      width == 1 || width >= count)
    return mask;
  SmallVector<int64_t> pads(2 * mask.rank());
  pads.back() = count - width;
  return mask.emit<PadOp>(
      {node.shape(pads), scores.like(-std::numeric_limits<double>::infinity())},
      Attr{"mode", PadModeAttr::get(node.context(), PadMode::Constant)});
}

/// All that is added to the scores, one addend after the other.
static Expr addMasks(Node &node, Expr scores, const AttentionInputs &in) {
  if (node.in(3))
    scores = scores + maskBias(node, scores, in.key);
  if (node.flag("is_causal")) {
    Expr row = in.query.positions(2).unsqueeze({1});
    Expr past = node.in(4) ? Expr(node, node.in(4)).shape(2, 3).squeeze({0})
                           : row.like(0);
    scores = scores + biasOf(in.key.positions(2) <= row + past, scores);
  }
  if (node.in(6)) {
    Expr lengths(node, node.in(6));
    scores =
        scores + biasOf(in.key.positions(2) <
                            lengths.cast(IntegerType::get(node.context(), 64))
                                .unsqueeze({1, 2, 3}),
                        scores);
  }
  return scores;
}

static FailureOr<Type> softmaxType(Node &node, Type otherwise) {
  if (!node.has("softmax_precision"))
    return otherwise;
  std::string reason;
  Type type =
      elementTypeOf(static_cast<int32_t>(node.integer("softmax_precision", 1)),
                    node.context(), reason);
  if (!isa_and_present<FloatType>(type))
    return node.fail("softmax_precision must name a floating-point type");
  return type;
}

/// softmax(Q Kᵀ scale + masks) V, after https://arxiv.org/abs/1706.03762.
static LogicalResult importAttention(Node &node) {
  auto in = readInputs(node);
  if (!in || node.failed())
    return failure();
  int64_t features = in->query.dim(3);
  if (!node.has("scale") && ShapedType::isDynamic(features))
    return node.fail("the number of features per head must be known, or "
                     "'scale' given");
  if (ShapedType::isDynamic(in->query.dim(1)) ||
      ShapedType::isDynamic(in->key.dim(1)) || in->key.dim(1) == 0 ||
      in->query.dim(1) % in->key.dim(1) != 0)
    return node.fail("the number of heads of K must be known and divide that "
                     "of Q");
  int64_t group = in->query.dim(1) / in->key.dim(1);
  double cap = node.real("softcap", 0);
  int64_t mode = node.integer("qk_matmul_output_mode", 0);
  Expr raw = scoresOf(in->query, in->key, group);
  Expr capped = cap > 0 ? tanh(raw / cap) * cap : raw;
  Expr masked = addMasks(node, capped, *in);
  auto precision = softmaxType(node, in->query.element());
  if (failed(precision) || !masked)
    return failure();
  Expr weights = masked.cast(*precision).softmax(3).cast(in->query.element());
  Expr value = in->value.cast(weights.element());
  Expr result = matmul(weights, repeatHeads(value, group));
  const Expr stages[] = {raw, capped, masked, weights};
  if (mode < 0 || mode > 3)
    return node.fail("qk_matmul_output_mode must be from 0 to 3");
  if (node.wantsOutput(1) && failed(node.result(in->key, 1)))
    return failure();
  if (node.wantsOutput(2) && failed(node.result(in->value, 2)))
    return failure();
  if (node.wantsOutput(3) && failed(node.result(stages[mode], 3)))
    return failure();
  return node.result(in->joined ? joinHeads(result) : result);
}

// -- Attention with bodies ----------------------------------------------------

/// softmax(Q K' scale) V, where bodies may change the scores and the
/// probabilities. Single precision is the least.
static LogicalResult importFlexAttention(Node &node) {
  Expr query(node, node.in(0)), key(node, node.in(1)), value(node, node.in(2));
  for (Expr x : {query, key, value})
    if (x.rank() != 4 || ShapedType::isDynamic(x.dim(1)) ||
        ShapedType::isDynamic(x.dim(3)))
      return node.fail("Q, K and V must have rank 4 and known numbers of heads "
                       "and features");
  if (key.dim(1) < 1 || query.dim(1) % key.dim(1) != 0)
    return node.fail("the number of heads of K must divide that of Q");
  Type outer = query.element();
  auto inner = softmaxType(
      node, outer.isF64() ? outer : Float32Type::get(node.context()));
  if (failed(inner))
    return failure();
  int64_t group = query.dim(1) / key.dim(1);
  Expr x = scoresOf(query, key, group).cast(*inner);
  for (StringRef stage : {"score_mod", "prob_mod"}) {
    if (node.has(stage)) {
      auto changed = node.body(stage, Value(x));
      if (failed(changed) || changed->size() != 1)
        return node.fail("'" + stage + "' must have one output");
      x = Expr(node, changed->front());
    }
    if (stage == "score_mod")
      x = x.softmax(3);
  }
  return node.result(
      matmul(x, repeatHeads(value, group).cast(*inner)).cast(value.element()));
}

// -- Rotary embedding ---------------------------------------------------------

Expr onnx::turnFeatures(Expr x, Expr cosine, Expr sine, int64_t turned,
                        bool interleaved) {
  Node &node = x.builder();
  // (b, s, turned / 2) beside (b, h, s, turned / 2).
  cosine = cosine.unsqueeze({1});
  sine = sine.unsqueeze({1});
  int64_t half = turned / 2, step = interleaved ? 2 : 1;
  Expr first = x.slice(3, 0, interleaved ? turned : half, step);
  Expr second = x.slice(3, interleaved ? 1 : half, turned, step);
  Expr real = cosine * first - sine * second;
  Expr imaginary = sine * first + cosine * second;
  Expr result = concat({real, imaginary}, 3);
  if (interleaved) {
    Expr pairs = concat({real.unsqueeze({4}), imaginary.unsqueeze({4})}, 4);
    result = pairs.reshape(
        concat({x.shape(0, 3), Expr(node, node.shape(turned))}, 0));
  }
  if (turned == x.dim(3))
    return result;
  return concat(
      {result, x.slice(3, turned, std::numeric_limits<int64_t>::max())}, 3);
}

/// Turns pairs of features by an angle that grows with the position, after
/// https://arxiv.org/abs/2104.09864.
static LogicalResult importRotaryEmbedding(Node &node) {
  Expr x(node, node.in(0)), cosine(node, node.in(1)), sine(node, node.in(2));
  bool joined = x.rank() == 3, interleaved = node.flag("interleaved");
  int64_t heads = node.integer("num_heads", 0);
  if (!joined && x.rank() != 4)
    return node.fail("the input must have rank 3 or 4");
  if (joined)
    x = splitHeads(x, heads);
  if (!x)
    return failure();
  int64_t turned = node.integer("rotary_embedding_dim", 0);
  if (turned == 0)
    turned = x.dim(3);
  if (turned < 2 || turned % 2 != 0 || (x.dim(3) >= 0 && turned > x.dim(3)))
    return node.fail("rotary_embedding_dim must be even and at most the "
                     "number of features per head, which must be known");
  if (Value positions = node.in(3)) {
    cosine = cosine.take({node, positions}, 0);
    sine = sine.take({node, positions}, 0);
  }
  Expr result = turnFeatures(x, cosine, sine, turned, interleaved);
  return node.result(joined ? joinHeads(result) : result);
}

void onnx::addAttentionOps(OpTable &table) {
  table.add("Attention", 23, {3, 7}, importAttention).alike({0, 1, 4});
  table.add("ai.onnx.preview::FlexAttention", 1, 3, importFlexAttention);
  table.add("RotaryEmbedding", 23, {3, 4}, importRotaryEmbedding);
}
