//===- RuntimeAttention.cpp - attention as ONNX Runtime defines it --------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators of the domain com.microsoft, which exporters for ONNX Runtime
// write. All become softmax(Q K' scale + masks) V on (batch, heads, tokens,
// features).
//
//===----------------------------------------------------------------------===//
#include "RuntimeAttention.h"
#include "OpTable.h"
#include <limits>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

Expr onnx::attend(Node &node, const Heads &in, int64_t group,
                  ArrayRef<Expr> biases) {
  double cap = node.real("softcap", 0);
  Expr scores = scoresOf(in.query, in.key, group);
  if (cap > 0)
    scores = tanh(scores / cap) * cap;
  for (Expr bias : biases)
    scores = scores + bias.cast(scores.element());
  return matmul(scores.softmax(3), repeatHeads(in.value, group));
}

/// What hides future tokens: query i stands `before` tokens later than key i.
static Expr causalBias(const Heads &in, Expr before, double hidden) {
  Expr row = in.query.positions(2).unsqueeze({1}) + before;
  Expr column = in.key.positions(2);
  return where(column <= row, in.query.like(0), in.query.like(hidden));
}

/// A mask of keys, in one of the forms of ONNX Runtime, as an addend: lengths
/// (batch), or zeros for hidden keys as (batch, keys), (batch, queries, keys).
static std::optional<Expr> paddingBias(Node &node, Value given, Expr scoresLike,
                                       Expr keys) {
  Expr mask(node, given);
  double hidden = node.real("mask_filter_value", -10000);
  std::optional<Expr> seen;
  if (mask.rank() == 1) {
    int64_t batch = keys.dim(0), count = mask.dim(0);
    if (count != batch && count != 1) {
      (void)node.fail("a mask of one axis must hold the number of keys of each "
                      "batch");
      return std::nullopt;
    }
    seen = keys.positions(2) < mask.cast(i64Of(node)).unsqueeze({1, 2, 3});
  } else if (mask.rank() == 2) {
    seen = mask.unsqueeze({1, 2}) > 0.0;
  } else if (mask.rank() == 3) {
    seen = mask.unsqueeze({1}) > 0.0;
  } else {
    (void)node.fail("its mask must have 1 to 3 axes");
    return std::nullopt;
  }
  return where(*seen, scoresLike.like(0), scoresLike.like(hidden));
}

/// Past tokens in front of the new ones; their number, or 0.
static Expr addPast(Node &node, Expr &key, Expr &value, Value pastKey,
                    Value pastValue) {
  Expr count(node, node.scalar(i64Of(node), 0));
  if (!pastKey)
    return count;
  Expr before(node, pastKey);
  count = before.shape(2, 3).squeeze({0});
  key = concat({before, key}, 2);
  value = concat({{node, pastValue}, value}, 2);
  return count;
}

bool onnx::isKnownHead(Node &node, Expr query) {
  if (query.rank() == 4 && query.dim(3) > 0)
    return true;
  (void)node.fail("the number of features per head must be known");
  return false;
}

/// A product with the weights of queries, keys and values side by side, then
/// attention of the tokens to each other.
static LogicalResult importRuntimeAttention(Node &node) {
  Expr x(node, node.in(0)), weights(node, node.in(1));
  int64_t heads = node.integer("num_heads", 0);
  auto sizes = node.integers("qkv_hidden_sizes");
  if (node.flag("do_rotary") || node.flag("past_present_share_buffer"))
    return node.fail("do_rotary and past_present_share_buffer are not "
                     "supported");
  int64_t all = weights.dim(1);
  if (sizes.empty())
    sizes.assign(3, all / 3);
  if (x.rank() != 3 || weights.rank() != 2 || heads < 1 || sizes.size() != 3 ||
      sizes[0] + sizes[1] + sizes[2] != all)
    return node.fail("needs an input of rank 3, and weights for queries, keys "
                     "and values side by side");
  Expr projected = matmul(x, weights);
  if (node.in(2))
    projected = projected + Expr(node, node.in(2));
  auto part = [&](int64_t start, int64_t size) {
    return splitHeads(projected.slice(2, start, start + size), heads);
  };
  Heads in{part(0, sizes[0]), part(sizes[0], sizes[1]),
           part(sizes[0] + sizes[1], sizes[2])};
  if (!isKnownHead(node, in.query))
    return failure();
  Value pastKey, pastValue;
  if (node.in(4)) {
    Expr past(node, node.in(4)); // keys and values in one tensor
    pastKey = past.slice(0, 0, 1).squeeze({0});
    pastValue = past.slice(0, 1, 2).squeeze({0});
  }
  Expr before = addPast(node, in.key, in.value, pastKey, pastValue);
  SmallVector<Expr> biases;
  if (node.in(5))
    biases.push_back({node, node.in(5)});
  if (node.flag("unidirectional"))
    biases.push_back(
        causalBias(in, before, -std::numeric_limits<double>::infinity()));
  if (node.in(3)) {
    auto bias = paddingBias(node, node.in(3), in.query, in.key);
    if (!bias)
      return failure();
    biases.push_back(*bias);
  }
  node.ignore("mask_filter_value");
  Expr result = attend(node, in, 1, biases);
  if (node.wantsOutput(1) &&
      failed(node.result(
          concat({in.key.unsqueeze({0}), in.value.unsqueeze({0})}, 0), 1)))
    return failure();
  return node.result(joinHeads(result));
}

/// Reads queries, keys and values: apart, or keys and values packed per head
/// (b, s, h, 2, d), or all of them (b, s, h, 3, d).
static std::optional<Heads> readMultiHead(Node &node, int64_t heads) {
  Expr query(node, node.in(0)), key(node, node.in(1)), value(node, node.in(2));
  auto unpack = [&](Expr packed, int64_t i) {
    return packed.slice(3, i, i + 1).squeeze({3}).transpose({0, 2, 1, 3});
  };
  if (query.rank() == 5)
    return Heads{unpack(query, 0), unpack(query, 1), unpack(query, 2)};
  if (query.rank() != 3 || !key) {
    (void)node.fail("queries must have rank 3, or be packed with keys and "
                    "values");
    return std::nullopt;
  }
  // The biases of queries, keys and values follow one another.
  int64_t start = 0;
  auto biased = [&](Expr x) {
    int64_t width = x.dim(2);
    if (!node.in(3))
      return x;
    if (ShapedType::isDynamic(width)) {
      (void)node.fail("the number of features must be known, as there is a "
                      "bias for each");
      return x;
    }
    start += width;
    return x + Expr(node, node.in(3)).slice(0, start - width, start);
  };
  if (key.rank() == 5)
    return Heads{splitHeads(biased(query), heads), unpack(key, 0),
                 unpack(key, 1)};
  if (key.rank() == 4) // those of an encoder, with heads apart already
    return Heads{splitHeads(biased(query), heads), key, value};
  if (key.rank() != 3 || value.rank() != 3) {
    (void)node.fail("keys and values must have the same rank, 3 or 4");
    return std::nullopt;
  }
  query = biased(query);
  key = biased(key);
  return Heads{splitHeads(query, heads), splitHeads(key, heads),
               splitHeads(biased(value), heads)};
}

static LogicalResult importMultiHeadAttention(Node &node) {
  auto in = readMultiHead(node, node.integer("num_heads", 0));
  if (!in || node.failed() || !isKnownHead(node, in->query))
    return failure();
  for (unsigned i : {8, 9})
    if (node.in(i))
      return node.fail("past_sequence_length and cache_indirection are not "
                       "supported");
  if (bool(node.in(6)) != bool(node.in(7)))
    return node.fail("'past_key' and 'past_value' go together");
  Expr before = addPast(node, in->key, in->value, node.in(6), node.in(7));
  SmallVector<Expr> biases;
  if (node.in(5))
    biases.push_back({node, node.in(5)});
  if (node.flag("unidirectional"))
    biases.push_back(
        causalBias(*in, before, -std::numeric_limits<double>::infinity()));
  if (node.in(4)) {
    auto bias = paddingBias(node, node.in(4), in->query, in->key);
    if (!bias)
      return failure();
    biases.push_back(*bias);
  }
  node.ignore("mask_filter_value");
  Expr result = attend(node, *in, 1, biases);
  if ((node.wantsOutput(1) && failed(node.result(in->key, 1))) ||
      (node.wantsOutput(2) && failed(node.result(in->value, 2))))
    return failure();
  return node.result(joinHeads(result));
}

// -- Rotation -----------------------------------------------------------------

Expr onnx::lookUp(Node &node, Value table, Expr positions, Type type) {
  return Expr(node, table).gather(positions, 0).cast(type);
}

/// Positions come before the tables; a single one is that of the first token.
static LogicalResult importRuntimeRotary(Node &node) {
  Expr x(node, node.in(0)), positions(node, node.in(1)),
      table(node, node.in(2));
  if (node.flag("is_packed_batching") || node.real("scale", 1) != 1)
    return node.fail("is_packed_batching and a scale are not supported");
  int64_t heads = node.integer("num_heads", 0);
  int64_t turned = node.integer("rotary_embedding_dim", 0);
  bool joined = x.rank() == 3;
  if (turned == 0 && !ShapedType::isDynamic(table.dim(1)))
    turned = 2 * table.dim(1);
  if (turned < 2 || table.rank() != 2 || (!joined && x.rank() != 4))
    return node.fail("needs an input of rank 3 or 4, and tables with one row "
                     "per position, whose columns must be known");
  if (joined)
    x = splitHeads(x, heads > 0 ? heads : x.dim(2) / turned);
  if (!x)
    return failure();
  if (positions.rank() == 1)
    positions = (positions + x.positions(2)).unsqueeze({0});
  positions = table.checked(positions, 0);
  Expr cosine = lookUp(node, node.in(2), positions, x.element());
  Expr sine = lookUp(node, node.in(3), positions, x.element());
  Expr result = turnFeatures(x, cosine, sine, turned, node.flag("interleaved"));
  return node.result(joined ? joinHeads(result) : result);
}

void onnx::addRuntimeAttention(OpTable &table) {
  table.add("com.microsoft::Attention", 1, {2, 7}, importRuntimeAttention);
  table.add("com.microsoft::MultiHeadAttention", 1, {1, 10},
            importMultiHeadAttention);
  table.add("com.microsoft::RotaryEmbedding", 1, 4, importRuntimeRotary);
}
