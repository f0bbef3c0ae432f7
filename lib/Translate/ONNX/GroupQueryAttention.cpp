//===- GroupQueryAttention.cpp - attention with a cache for each batch ----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grouped-query attention (Ainslie et al., https://arxiv.org/abs/2305.13245) as
// ONNX Runtime has it: each batch may have a number of tokens of its own in its
// cache. That number and the number of all tokens may be data, so that one
// program decodes token after token.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"
#include "RuntimeAttention.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

/// Queries, keys and values: apart, or side by side in the first input.
static std::optional<Heads> readGrouped(Node &node, int64_t heads,
                                        int64_t keyHeads) {
  Expr query(node, node.in(0)), key(node, node.in(1)), value(node, node.in(2));
  if (!node.in(0) || bool(key) != bool(value) || query.rank() != 3 ||
      heads < 1 || keyHeads < 1 || heads % keyHeads) {
    (void)node.fail("needs queries of rank 3, both keys and values or none, "
                    "and numbers of heads that divide each other");
    return std::nullopt;
  }
  if (!key) {
    int64_t size = query.dim(2) / (heads + 2 * keyHeads);
    if (size < 1) {
      (void)node.fail("the number of features must be known, and enough for "
                      "queries, keys and values");
      return std::nullopt;
    }
    int64_t first = heads * size, second = first + keyHeads * size;
    key = query.slice(2, first, second);
    value = query.slice(2, second, second + keyHeads * size);
    query = query.slice(2, 0, first);
  }
  Heads in{splitHeads(query, heads), splitHeads(key, keyHeads),
           splitHeads(value, keyHeads)};
  if (!isKnownHead(node, in.query))
    return std::nullopt;
  return in;
}

// -- The cache ----------------------------------------------------------------

namespace {
/// Where the tokens of a call go.
struct Cache {
  Expr places; // (batch, tokens) of the new ones
  Expr total;  // tokens of the longest batch, the new ones included
  /// Tokens that the cache gets room for, if that is known; the new ones else.
  std::optional<int64_t> room;
};
} // namespace

/// The extent of an axis as a scalar.
static Expr extentOf(Expr x, int64_t axis) {
  return x.shape(axis, axis + 1).squeeze({0});
}

static std::optional<Cache> placeTokens(Node &node, const Heads &in) {
  Expr last(node, node.in(5)), total(node, node.in(6));
  if (!last || !total || bool(node.in(3)) != bool(node.in(4))) {
    (void)node.fail("needs 'seqlens_k' and 'total_sequence_length', and both a "
                    "past key and value or none");
    return std::nullopt;
  }
  Expr past(node, node.in(3));
  if (past && past.rank() != 4) {
    (void)node.fail("'past_key' and 'past_value' must have rank 4");
    return std::nullopt;
  }
  Cache cache{last, total.cast(i64Of(node)).reshape(ArrayRef<int64_t>()), {}};
  int64_t tokens = in.query.dim(2), before = past ? past.dim(2) : 0;
  if (node.failed())
    return std::nullopt;
  if (auto all = constantInts(Value(cache.total));
      all && tokens >= 0 && before >= 0) {
    if (all->front() < tokens) {
      (void)node.fail("'total_sequence_length' must not be less than the "
                      "number of new tokens");
      return std::nullopt;
    }
    cache.room = std::max(all->front() - before, int64_t(0));
  }
  // A prompt starts at the first token although it may be padded at its end.
  Expr count = extentOf(in.query, 2);
  last = last.cast(i64Of(node)).reshape({-1, 1});
  Expr start = where(cache.total == count, last.like(0), last - (count - 1.0));
  cache.places = in.query.positions(2) + start;
  return cache;
}

/// The cache `past`, which may be null, with `fresh` (b, h, s, d) in it.
static Expr writeCache(Node &node, Value past, Expr fresh, const Cache &cache) {
  Expr whole(node, past);
  if (!cache.room || *cache.room > 0 || !past) {
    Expr shape = fresh.shape();
    if (cache.room)
      shape = concat({fresh.shape(0, 2), Expr(node, node.shape(*cache.room)),
                      fresh.shape(3)},
                     0);
    Expr room = fresh.like(0).expand(shape);
    whole = past ? concat({whole, room}, 2) : room;
  }
  Attr replace{"kind", ScatterKindAttr::get(node.context(), ScatterKind::None)};
  return whole.emit<ScatterElementsOp>(
      {cache.places.unsqueeze({1, 3}).expand(fresh.shape()), fresh},
      {replace, node.i64("axis", 2)});
}

/// The part of the cache that is a result: as long as the past or, if that is
/// more, as all tokens.
static LogicalResult storeCache(Node &node, unsigned index, Value past,
                                Expr whole, const Cache &cache) {
  if (!node.wantsOutput(index))
    return success();
  if (cache.room)
    return node.result(whole, index);
  Expr length =
      past ? maximum(cache.total, extentOf({node, past}, 2)) : cache.total;
  return node.result(
      whole.emit<SliceOp>({node.shape(0), length.unsqueeze({0}), node.shape(1)},
                          node.i64s("axes", 2)),
      index);
}

// -- Scores -------------------------------------------------------------------

/// Turns queries and keys by the angles of their places.
static LogicalResult rotate(Node &node, Heads &in, const Cache &cache) {
  Expr cosines(node, node.in(7)), sines(node, node.in(8));
  int64_t turned = 2 * cosines.dim(1);
  if (!cosines || !sines || turned < 2 || turned > in.query.dim(3))
    return node.fail("do_rotary needs tables of cosines and sines, of at most "
                     "half as many columns as a head has features");
  Expr positions = node.in(9) ? Expr(node, node.in(9)) : cache.places;
  bool interleaved = node.flag("rotary_interleaved");
  Expr cosine = lookUp(node, cosines, positions, in.query.element());
  Expr sine = lookUp(node, sines, positions, in.query.element());
  in.query = turnFeatures(in.query, cosine, sine, turned, interleaved);
  in.key = turnFeatures(in.key, cosine, sine, turned, interleaved);
  return success();
}

/// What is added to scores: minus infinity for tokens that a query does not
/// see, and 'attention_bias'.
static std::optional<SmallVector<Expr>> biasesOf(Node &node, const Heads &in,
                                                 const Cache &cache) {
  int64_t window = node.integer("local_window_size", -1);
  // (b, 1, queries, 1) beside the places of keys.
  Expr row = cache.places.unsqueeze({1, 3}), column = in.key.positions(2);
  Expr seen = column <= row;
  if (window > 0)
    seen = seen & (column > row - double(window));
  SmallVector<Expr> biases{biasOf(seen, in.query)};
  if (!node.in(10))
    return biases;
  Expr bias(node, node.in(10));
  if (!cache.room) {
    (void)node.constant(6, "beside 'attention_bias', 'total_sequence_length'");
    return std::nullopt;
  }
  int64_t length = in.key.dim(2);
  if (bias.dim(3) < length) // that of a cache with room left
    bias = bias.emit<PadOp>(
        {node.shape({0, 0, 0, 0, 0, 0, 0, length - bias.dim(3)}), bias.like(0)},
        Attr{"mode", PadModeAttr::get(node.context(), PadMode::Constant)});
  biases.push_back(bias);
  return biases;
}

/// One more key whose score is 'head_sink', or 0 if 'smooth_softmax' is all
/// there is: it takes part in the sum of a softmax, its value is 0.
static void addSink(Node &node, Heads &in, SmallVectorImpl<Expr> &biases) {
  Expr one(node, node.shape(1));
  auto extend = [&](Expr x, int64_t axis) {
    SmallVector<Expr> shape{x.shape(0, axis), one};
    if (axis + 1 < x.rank())
      shape.push_back(x.shape(axis + 1));
    return concat({x, x.like(0).expand(concat(shape, 0))}, axis);
  };
  for (Expr &bias : biases)
    bias = extend(bias, 3);
  if (Expr sink{node, node.in(11)}) {
    sink = sink.reshape({1, -1, 1, 1}).cast(in.query.element());
    Expr keys = concat({sink.shape(0, 3), in.key.shape(2, 3)}, 0);
    biases.push_back(concat({sink.like(0).expand(keys), sink}, 3));
  }
  in.key = extend(in.key, 2);
  in.value = extend(in.value, 2);
}

/// `seqlens_k` tells the place of the last token of each batch in its cache.
static LogicalResult importGroupQueryAttention(Node &node) {
  int64_t heads = node.integer("num_heads", 0),
          keyHeads = node.integer("kv_num_heads", 0);
  auto in = readGrouped(node, heads, keyHeads);
  auto cache = in ? placeTokens(node, *in) : std::nullopt;
  if (!cache || (node.flag("do_rotary") && failed(rotate(node, *in, *cache))))
    return failure();
  in->key = writeCache(node, node.in(3), in->key, *cache);
  in->value = writeCache(node, node.in(4), in->value, *cache);
  if (failed(storeCache(node, 1, node.in(3), in->key, *cache)) ||
      failed(storeCache(node, 2, node.in(4), in->value, *cache)))
    return failure();
  auto biases = biasesOf(node, *in, *cache);
  if (!biases)
    return failure();
  if (node.flag("smooth_softmax") || node.in(11))
    addSink(node, *in, *biases);
  return node.result(joinHeads(attend(node, *in, heads / keyHeads, *biases)));
}

void onnx::addGroupQueryAttention(OpTable &table) {
  table.add("com.microsoft::GroupQueryAttention", 1, {0, 12},
            importGroupQueryAttention);
}
