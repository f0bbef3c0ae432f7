//===- RuntimeOps.cpp - fused operators of ONNX Runtime -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators of the domain com.microsoft that stand for several of ONNX's. They
// are imported as these.
//
//===----------------------------------------------------------------------===//
#include "Expr.h"
#include "OpTable.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

// -- Activations --------------------------------------------------------------

static LogicalResult importQuickGelu(Node &node) {
  return node.result(node.emit<SwishOp>(
      node.in(0), node.f64("alpha", node.real("alpha", 1.702))));
}

static LogicalResult importBiasGelu(Node &node) {
  return node.result(
      (Expr(node, node.in(0)) + Expr(node, node.in(1))).emit<GeluOp>());
}

// -- Normalisation ------------------------------------------------------------

/// The normalisation of the sum of input, skip and bias over the last axis.
static LogicalResult importSkipLayerNormalization(Node &node) {
  bool rms = node.type() == "SkipSimplifiedLayerNormalization";
  unsigned bias = rms ? 3 : 4;
  Expr sum = Expr(node, node.in(0)) + Expr(node, node.in(1));
  if (node.in(bias))
    sum = sum + Expr(node, node.in(bias));
  for (unsigned i : {1, 2})
    if (node.wantsOutput(i))
      return node.fail("the statistics as outputs are not supported");
  if (node.wantsOutput(3) && failed(node.result(sum, 3)))
    return failure();
  double epsilon = node.real("epsilon", 1e-12);
  return node.result(node.emit<LayerNormOp>(
      {sum, node.in(2), rms ? Value() : node.in(3)},
      {node.i64("axis", sum.rank() - 1), node.f64("epsilon", epsilon),
       node.unit("rms", rms)}));
}

/// Embeddings of words, positions and segments, added up and normalised.
static LogicalResult importEmbedLayerNormalization(Node &node) {
  Expr ids(node, node.in(0)), table(node, node.in(3));
  for (unsigned i : {0, 2, 3, 5, 6})
    if (!node.in(i))
      return node.fail("input " + Twine(i) + " is missing");
  if (ids.rank() != 2)
    return node.fail("'input_ids' must have rank 2");
  Expr sum = Expr(node, node.in(2)).take(ids, 0);
  Expr positions = node.in(8) ? Expr(node, node.in(8)) : ids.positions(1);
  sum = sum + table.take(positions, 0);
  if (node.in(1) && node.in(4))
    sum = sum + Expr(node, node.in(4)).take({node, node.in(1)}, 0);
  node.ignore("mask_index_type");
  if (node.wantsOutput(1)) {
    Type i32 = IntegerType::get(node.context(), 32);
    Expr counted =
        node.in(7) ? Expr(node, node.in(7)).cast(i32) : ids.cast(i32) * 0.0;
    if (failed(node.result(counted.reduce(ReduceKind::Sum, 1), 1)))
      return failure();
  }
  if (node.wantsOutput(2) && failed(node.result(sum, 2)))
    return failure();
  double epsilon = node.real("epsilon", 1e-12);
  return node.result(node.emit<LayerNormOp>(
      {sum, node.in(5), node.in(6)},
      {node.i64("axis", 2), node.f64("epsilon", epsilon)}));
}

// -- Products -----------------------------------------------------------------

/// The last two axes swapped, or with `batch` the first moved to the last but
/// one place.
static Expr turned(Expr x, bool last, bool batch) {
  auto order = llvm::to_vector(llvm::seq(x.rank()));
  if (batch && x.rank() > 2)
    std::rotate(order.begin(), order.begin() + 1, order.end() - 1);
  if (last && x.rank() > 1)
    std::swap(order[x.rank() - 2], order[x.rank() - 1]);
  return x.transpose(order);
}

static LogicalResult importFusedMatMul(Node &node) {
  Expr a =
      turned({node, node.in(0)}, node.flag("transA"), node.flag("transBatchA"));
  Expr b =
      turned({node, node.in(1)}, node.flag("transB"), node.flag("transBatchB"));
  double alpha = node.real("alpha", 1);
  Expr product = matmul(a, b);
  return node.result(alpha == 1 ? product : product * alpha);
}

/// Numbers of `bits` bits side by side in bytes, the lowest first, along a last
/// axis.
static Expr unpackBits(Expr bytes, int64_t bits) {
  SmallVector<Expr> parts;
  for (int64_t shift = 0; shift < 8; shift += bits)
    parts.push_back(
        bytes.emit<ShiftRightOp>({bytes.like(double(shift))})
            .emit<BitwiseAndOp>({bytes.like(double((1 << bits) - 1))})
            .unsqueeze({bytes.rank()}));
  SmallVector<int64_t> dims(Node::dims(bytes));
  dims.back() *= 8 / bits;
  return concat(parts, bytes.rank()).reshape(dims);
}

/// A times the transpose of B, whose rows are quantised in blocks.
static LogicalResult importMatMulNBits(Node &node) {
  Expr a(node, node.in(0)), b(node, node.in(1)), scales(node, node.in(2));
  int64_t rows = node.integer("N", 0), depth = node.integer("K", 0);
  int64_t bits = node.integer("bits", 4), block = node.integer("block_size", 0);
  node.ignore("accuracy_level");
  if (node.in(4))
    return node.fail("g_idx is not supported");
  if ((bits != 2 && bits != 4 && bits != 8) || block < 16 || rows < 1 ||
      depth < 1)
    return node.fail("needs bits of 2, 4 or 8, a block_size of at least 16, N "
                     "and K");
  int64_t blocks = llvm::divideCeil(depth, block);
  if (b.rank() != 3 || b.dim(0) != rows || b.dim(1) != blocks ||
      b.dim(2) * 8 != block * bits)
    return node.fail("B must have the extents N, number of blocks, bytes of a "
                     "block");
  Type type = scales.element();
  Expr zero = scales.like(double(1 << (bits - 1)));
  if (node.in(3)) {
    zero = Expr(node, node.in(3));
    if (zero.element() != type) { // packed as B, rows filled up to bytes
      int64_t bytes = llvm::divideCeil(blocks * bits, 8);
      zero = unpackBits(zero.reshape({rows, bytes}), bits)
                 .slice(1, 0, blocks)
                 .cast(type);
    }
    zero = zero.reshape({rows, blocks, 1});
  }
  Expr weights = (unpackBits(b, bits).cast(type) - zero) *
                 scales.reshape({rows, blocks, 1});
  weights = weights.reshape({rows, blocks * block});
  if (blocks * block != depth)
    weights = weights.slice(1, 0, depth);
  Expr result = matmul(a, weights.transpose({1, 0}).cast(a.element()));
  if (node.in(5))
    result = result + Expr(node, node.in(5));
  return node.result(result);
}

void onnx::addRuntimeOps(OpTable &table) {
  table.add("com.microsoft::BiasGelu", 1, 2, importBiasGelu);
  table.add("com.microsoft::EmbedLayerNormalization", 1, {0, 9},
            importEmbedLayerNormalization);
  table.add("com.microsoft::FusedMatMul", 1, 2, importFusedMatMul);
  table.add("com.microsoft::MatMulNBits", 1, {3, 6}, importMatMulNBits);
  table.add("com.microsoft::QuickGelu", 1, 1, importQuickGelu);
  table.add("com.microsoft::SkipLayerNormalization", 1, {3, 5},
            importSkipLayerNormalization);
  table.add("com.microsoft::SkipSimplifiedLayerNormalization", 1, {3, 4},
            importSkipLayerNormalization);
}
