//===- Random.cpp - random numbers and dropout ----------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element i of a tensor of random numbers is a function of i and of the seed,
// so that it does not depend on threads or on the order of work: Philox2x32-10
// of Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3 (2011), written
// as arithmetic on 64-bit integers. Each run of a program draws the same
// numbers.
//
//===----------------------------------------------------------------------===//
#include "Expr.h"
#include "OpTable.h"
#include "Tensors.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

namespace {
/// Two words of 32 random bits for each element, in 64-bit integers.
struct RandomWords {
  Expr first, second;
};
} // namespace

static Expr shiftRight(Expr x, int64_t count) {
  return x.emit<ShiftRightOp>({x.like(double(count))});
}

/// The key of a stream: that of the attribute 'seed', or of the node's place in
/// the model if there is none.
static uint64_t readSeed(Node &node) {
  if (!node.has("seed")) {
    if (node.isRepeated())
      (void)node.fail("draws other numbers in each iteration");
    return uint64_t(1) << 32 | node.place();
  }
  // Dropout's is an integer.
  if (node.type() == "Dropout")
    return static_cast<uint32_t>(node.integer("seed", 0));
  return llvm::bit_cast<uint32_t>(static_cast<float>(node.real("seed", 0)));
}

/// Words for a tensor with the extents `shape`, a list.
static RandomWords randomWords(Node &node, Expr shape, uint64_t seed) {
  constexpr double low = 0xffffffff;
  Type i64 = IntegerType::get(node.context(), 64);
  Type word = IntegerType::get(node.context(), 64, IntegerType::Unsigned);
  Expr count = shape.reduce(ReduceKind::Prod);
  Expr all(node, count ? node.emit<RangeOp>(
                             {node.scalar(i64, 0), count, node.scalar(i64, 1)})
                       : Value());
  Expr index = all.reshape(shape).cast(word);
  Expr left = index.emit<BitwiseAndOp>({index.like(low)});
  Expr right = shiftRight(index, 32).emit<BitwiseXorOp>(
      {index.like(double(seed >> 32))});
  uint32_t key = static_cast<uint32_t>(seed);
  for (int round = 0; round < 10; ++round, key += 0x9e3779b9) {
    Expr product = left * double(0xd256d193);
    right = right.emit<BitwiseXorOp>({left.like(key)});
    left = shiftRight(product, 32).emit<BitwiseXorOp>({right});
    right = product.emit<BitwiseAndOp>({left.like(low)});
  }
  return {left, right};
}

/// Numbers from 0 up to, but not including, 1, as f64 or otherwise f32.
static Expr uniform(Node &node, Expr shape, Type type) {
  RandomWords words = randomWords(node, shape, readSeed(node));
  if (!type.isF64())
    return shiftRight(words.first, 8).cast(Float32Type::get(node.context())) *
           0x1p-24;
  Expr bits = shiftRight(words.first, 6) * 0x1p27 + shiftRight(words.second, 5);
  return bits.cast(type) * 0x1p-53;
}

/// Normally distributed numbers, by Box and Muller.
static Expr normal(Node &node, Expr shape, Type type) {
  RandomWords words = randomWords(node, shape, readSeed(node));
  if (!type.isF64())
    type = Float32Type::get(node.context());
  Expr radius = (words.first.cast(type) + 1.0) * 0x1p-32;
  Expr angle = words.second.cast(type) * (2 * M_PI * 0x1p-32);
  return sqrt(log(radius) * -2.0) * angle.emit<CosOp>();
}

/// The type that the attribute 'dtype' names, or `otherwise`.
static Type readType(Node &node, Type otherwise) {
  int64_t number = node.integer("dtype", 0);
  if (number == 0)
    return otherwise;
  std::string reason;
  Type type =
      elementTypeOf(static_cast<int32_t>(number), node.context(), reason);
  if (!type)
    (void)node.fail("attribute 'dtype': " + reason);
  return type;
}

/// RandomUniform, RandomNormal, and those with the shape of another tensor.
static LogicalResult importRandom(Node &node) {
  bool like = node.type().ends_with("Like");
  Type type = readType(node, like ? Node::element(node.in(0))
                                  : Float32Type::get(node.context()));
  if (!isa_and_present<FloatType>(type))
    return node.fail("its numbers must be of a floating-point type");
  auto given = node.integers("shape");
  if (!like && llvm::any_of(given, [](int64_t n) { return n < 0; }))
    return node.fail("attribute 'shape' has a negative extent");
  Expr shape(node, like ? node.shapeOf(node.in(0)) : node.shape(given));
  if (node.type().starts_with("RandomNormal"))
    return node.result((normal(node, shape, type) * node.real("scale", 1) +
                        node.real("mean", 0))
                           .cast(type));
  double low = node.real("low", 0), high = node.real("high", 1);
  return node.result(
      (uniform(node, shape, type) * (high - low) + low).cast(type));
}

/// 1 with the probability that the input gives, otherwise 0.
static LogicalResult importBernoulli(Node &node) {
  Expr p(node, node.in(0));
  Type type = readType(node, p.element());
  Expr draw = uniform(node, p.shape(), p.element());
  return node.result(type ? (draw < p.cast(draw.element())).cast(type) : p);
}

/// Classes drawn by probabilities that are given as logarithms: as many running
/// sums of the probabilities as lie at or below a uniform number.
static LogicalResult importMultinomial(Node &node) {
  Expr x(node, node.in(0));
  Type type = readType(node, IntegerType::get(node.context(), 32));
  int64_t samples = node.integer("sample_size", 1), classes = x.dim(1);
  if (!type || x.rank() != 2 || classes < 1 || samples < 1)
    return node.fail("needs a matrix with a known number of classes and a "
                     "positive sample_size");
  Attr sum{"kind", ReduceKindAttr::get(node.context(), ReduceKind::Sum)};
  if (!x.element().isF64())
    x = x.cast(Float32Type::get(node.context()));
  Expr sums = x.softmax(1).emit<ScanOp>({}, {sum, node.i64("axis", 1)});
  Expr draw =
      uniform(node, concat({x.shape(0, 1), Expr(node, node.shape(samples))}, 0),
              x.element());
  draw = draw * sums.slice(1, classes - 1, classes);
  Expr below = sums.unsqueeze({1}) <= draw.unsqueeze({2});
  Expr chosen = below.cast(type).reduce(ReduceKind::Sum, 2);
  return node.result(minimum(chosen, double(classes - 1)));
}

/// In training, elements are zero with the probability `ratio` and the others
/// grow, so that the mean stays (Srivastava et al., 2014).
static LogicalResult importDropout(Node &node) {
  for (StringRef name : {"is_test", "consumed_inputs"})
    node.ignore(name);
  Expr x(node, node.in(0));
  auto training = constantInts(node.in(2));
  bool draws =
      node.in(2) &&
      !(training && llvm::all_of(*training, [](int64_t t) { return t == 0; }));
  if (!draws) {
    for (StringRef name : {"ratio", "seed"})
      node.ignore(name);
    // Before version 10 the mask was as the input.
    Type maskType = node.opset() < 10
                        ? x.element()
                        : Type(IntegerType::get(node.context(), 1));
    Value all =
        node.wantsOutput(1)
            ? node.emit<SplatOp>({node.scalar(maskType, 1), node.shapeOf(x)})
            : Value();
    if (all && failed(node.result(all, 1)))
      return failure();
    return node.result(x);
  }
  Expr draw = uniform(node, x.shape(), x.element());
  Expr ratio(node, node.in(1) ? node.in(1) : Value(draw.like(0.5)));
  ratio = ratio.cast(draw.element());
  if (!training)
    ratio = where({node, node.in(2)}, ratio, ratio.like(0));
  Expr kept = draw >= ratio;
  Expr grown = (x.cast(draw.element()) / (1.0 - ratio)).cast(x.element());
  if (node.wantsOutput(1) && failed(node.result(kept, 1)))
    return failure();
  return node.result(where(kept, grown, x.like(0)));
}

void onnx::addRandomOps(OpTable &table) {
  table.add("Bernoulli", 15, 1, importBernoulli);
  table.add("Dropout", 1, {1, 3}, importDropout);
  table.add("Multinomial", 7, 1, importMultinomial);
  table.add("RandomNormal", 1, 0, importRandom);
  table.add("RandomNormalLike", 1, 1, importRandom);
  table.add("RandomUniform", 1, 0, importRandom);
  table.add("RandomUniformLike", 1, 1, importRandom);
}
