//===- ClassicModels.cpp - linear models and support vectors --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models of ai.onnx.ml, as scikit-learn exports them. Where the specification
// leaves results open, they are those of ONNX Runtime.
//
//===----------------------------------------------------------------------===//
#include "ClassicModels.h"
#include "OpTable.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

// -- Scores and labels --------------------------------------------------------

Expr onnx::asFloats(Node &node, Value value) {
  Expr x(node, value);
  return isa_and_present<FloatType>(x.element())
             ? x
             : x.cast(Float32Type::get(node.context()));
}

LogicalResult onnx::floatResult(Node &node, Expr value, unsigned index) {
  return node.result(value.cast(Float32Type::get(node.context())), index);
}

static Expr logistic(Expr x) { return x.emit<SigmoidOp>(); }

/// sqrt 2 times the inverse error function of 2 x - 1, by the approximation of
/// Winitzki.
static Expr probit(Expr x) {
  Expr y = x * 2.0 - 1.0, rest = (1.0 - y) * (1.0 + y);
  Expr logarithm = log(rest);
  Expr v = logarithm * 0.5 + 2 / (M_PI * 0.147);
  Expr root = sqrt(sqrt(v * v - logarithm / 0.147) - v);
  Expr result = where(y < 0.0, -root, root) * 1.41421356;
  return where(rest == 0.0, result.like(0), result);
}

/// A softmax where scores of zero count as the smallest.
static Expr softmaxZero(Expr x) {
  Expr peak = x.reduce(ReduceKind::Max, 1, /*keep=*/true);
  Expr powers = where(abs(x) > 1e-7, exp(x - peak), x * exp(-peak));
  Expr sum = powers.reduce(ReduceKind::Sum, 1, /*keep=*/true);
  return where(sum == 0.0, powers.like(0.5), powers / sum);
}

Expr onnx::postTransform(Node &node, Expr scores) {
  return postTransform(scores, node.string("post_transform", "NONE"));
}

Expr onnx::postTransform(Expr scores, StringRef name) {
  if (name == "SOFTMAX")
    return scores.softmax(1);
  if (name == "SOFTMAX_ZERO")
    return softmaxZero(scores);
  if (name == "LOGISTIC")
    return logistic(scores);
  if (name == "PROBIT")
    return probit(scores);
  if (name != "NONE")
    (void)scores.builder().fail("unknown post_transform '" + name + "'");
  return scores;
}

Expr onnx::twoClassScores(Node &node, Expr scores, bool areProbabilities) {
  StringRef name = node.string("post_transform", "NONE");
  if (name == "PROBIT")
    return probit(scores);
  if (areProbabilities && name == "LOGISTIC")
    scores = logistic(scores);
  if (areProbabilities)
    return concat({1.0 - scores, scores}, 1);
  Expr both = concat({-scores, scores}, 1);
  return name == "LOGISTIC" ? logistic(both) : both;
}

int64_t onnx::countClasses(Node &node) {
  size_t count = 0;
  for (StringRef name : {"classlabels_ints", "classlabels_int64s"})
    count = std::max(count, node.integers(name).size());
  return std::max(count, node.strings("classlabels_strings").size());
}

Value onnx::classLabels(Node &node, Expr chosen) {
  if (auto texts = node.strings("classlabels_strings"); !texts.empty()) {
    auto type =
        RankedTensorType::get(texts.size(), StringType::get(node.context()));
    Expr labels(node, node.constant(DenseStringElementsAttr::get(type, texts)));
    return labels.gather(chosen, 0);
  }
  auto labels = node.integers("classlabels_ints");
  if (labels.empty())
    labels = node.integers("classlabels_int64s");
  if (labels.empty())
    return chosen;
  return Expr(node, node.shape(labels)).gather(chosen, 0);
}

Expr onnx::largestPlace(Expr x) {
  Node &node = x.builder();
  Attr largest{"kind", ReduceKindAttr::get(node.context(), ReduceKind::Max)};
  return x.emit<ArgReduceOp>({}, {largest, node.i64("axis", 1)});
}

// -- Linear models ------------------------------------------------------------

/// X C' + b for the attributes 'coefficients' and 'intercepts'.
static FailureOr<Expr> linearScores(Node &node, Expr x) {
  auto coefficients = node.reals("coefficients");
  auto intercepts = node.reals("intercepts");
  int64_t features = x.dim(1);
  if (x.rank() != 2 || features < 1 || coefficients.empty() ||
      coefficients.size() % features != 0)
    return node.fail("needs a matrix with a known number of features, and as "
                     "many coefficients for each result");
  int64_t results = coefficients.size() / features;
  if (!intercepts.empty() && intercepts.size() != static_cast<size_t>(results))
    return node.fail("needs as many intercepts as results");
  Expr matrix(node,
              node.constant(x.element(), {results, features}, coefficients));
  Expr scores = matmul(x, matrix.transpose({1, 0}));
  if (!intercepts.empty())
    scores =
        scores + Expr(node, node.constant(x.element(), results, intercepts));
  return scores;
}

static LogicalResult importLinearRegressor(Node &node) {
  auto scores = linearScores(node, asFloats(node, node.in(0)));
  if (failed(scores))
    return failure();
  if (scores->dim(1) != node.integer("targets", 1))
    return node.fail("its coefficients do not fit the number of targets");
  return floatResult(node, postTransform(node, *scores));
}

static LogicalResult importLinearClassifier(Node &node) {
  node.ignore("multi_class");
  auto scores = linearScores(node, asFloats(node, node.in(0)));
  if (failed(scores))
    return failure();
  int64_t classes = countClasses(node);
  Expr all = *scores;
  if (all.dim(1) == 1 && classes == 2)
    all = concat({-all, all}, 1);
  if (all.dim(1) < 2 || all.dim(1) != classes)
    return node.fail("needs scores for two or more classes and a label for "
                     "each of them");
  Expr chosen = largestPlace(all);
  if (failed(floatResult(node, postTransform(node, all), 1)))
    return failure();
  return node.result(classLabels(node, chosen));
}

// -- Support vectors ----------------------------------------------------------

/// The attribute 'support_vectors' as a matrix with as many columns as `x`.
static FailureOr<Expr> readVectors(Node &node, Expr x, int64_t count) {
  auto values = node.reals("support_vectors");
  int64_t size = values.size();
  if (x.rank() != 2 || x.dim(1) < 1 || count < 1 || size / count != x.dim(1) ||
      size % count != 0)
    return node.fail("needs a matrix with a known number of features, and "
                     "support vectors of as many");
  return Expr(node, node.constant(x.element(), {count, x.dim(1)}, values));
}

/// The kernel of each row of x with each of `count` support vectors.
static FailureOr<Expr> kernelOf(Node &node, Expr x, int64_t count) {
  auto matrix = readVectors(node, x, count);
  if (failed(matrix))
    return failure();
  Expr vectors = *matrix;
  auto parameters = node.reals("kernel_params");
  parameters.resize(3, 0);
  double gamma = parameters[0], shift = parameters[1], degree = parameters[2];
  StringRef kind = node.string("kernel_type", "LINEAR");
  Expr product = matmul(x, vectors.transpose({1, 0}));
  if (kind == "LINEAR")
    return product;
  if (kind == "POLY") {
    Expr base = product * gamma + shift;
    return base.emit<PowOp>({base.like(std::floor(degree))});
  }
  if (kind == "SIGMOID")
    return tanh(product * gamma + shift);
  if (kind != "RBF")
    return node.fail("unknown kernel_type '" + kind + "'");
  // |x - v|^2 = x x - 2 x v + v v
  Expr own = (x * x).reduce(ReduceKind::Sum, 1, /*keep=*/true);
  Expr others = (vectors * vectors).reduce(ReduceKind::Sum, 1);
  return exp(maximum(own - product * 2.0 + others, 0.0) * -gamma);
}

static LogicalResult importSVMRegressor(Node &node) {
  node.ignore("n_targets");
  Expr x = asFloats(node, node.in(0));
  auto weights = node.reals("coefficients");
  auto rho = node.reals("rho");
  int64_t vectors = node.integer("n_supports", 0);
  bool oneClass = node.flag("one_class");
  Expr inputs = x;
  if (vectors > 0) {
    auto kernel = kernelOf(node, x, vectors);
    if (failed(kernel))
      return failure();
    inputs = *kernel;
  } else {
    node.ignore("kernel_type");
    node.ignore("kernel_params");
    node.ignore("support_vectors");
  }
  int64_t count = weights.size();
  if (inputs.rank() != 2 || inputs.dim(1) != count || rho.empty())
    return node.fail("its coefficients and rho do not fit its vectors");
  Expr score =
      matmul(inputs, {node, node.constant(x.element(), {count, 1}, weights)}) +
      rho[0];
  if (oneClass)
    score = where(score > 0.0, score.like(1), score.like(-1));
  return floatResult(node, postTransform(node, score));
}

namespace {
/// The decisions between each two classes: column (i, j) of the scores is
/// positive for i. `votes` counts from them who wins.
struct Decisions {
  SmallVector<double> weights, votes, lost;
  int64_t pairs = 0;
};
} // namespace

static Decisions pairwiseDecisions(ArrayRef<double> coefficients,
                                   ArrayRef<int64_t> sizes) {
  int64_t classes = sizes.size(), vectors = 0;
  SmallVector<int64_t> starts;
  for (int64_t size : sizes) {
    starts.push_back(vectors);
    vectors += size;
  }
  Decisions d;
  d.lost.assign(classes, 0);
  for (int64_t i = 0; i < classes; ++i)
    for (int64_t j = i + 1; j < classes; ++j, ++d.pairs) {
      SmallVector<double> row(vectors, 0), vote(classes, 0);
      for (int64_t v = starts[i]; v < starts[i] + sizes[i]; ++v)
        row[v] = coefficients[(j - 1) * vectors + v];
      for (int64_t v = starts[j]; v < starts[j] + sizes[j]; ++v)
        row[v] = coefficients[i * vectors + v];
      vote[i] = 1; // a vote for i is none for j
      vote[j] = -1;
      d.lost[j] += 1;
      llvm::append_range(d.weights, row);
      llvm::append_range(d.votes, vote);
    }
  return d;
}

/// Probabilities from decisions between each two classes. They are found by
/// iteration, of two classes too, which is a function of the runtime.
static Expr svmProbabilities(Node &node, Expr scores, ArrayRef<double> slopes,
                             ArrayRef<double> shifts, int64_t classes) {
  Type type = scores.element();
  int64_t pairs = slopes.size();
  Expr a(node, node.constant(type, pairs, slopes));
  Expr b(node, node.constant(type, pairs, shifts));
  Expr p = 1.0 - logistic(scores * a + b);
  p = minimum(maximum(p, 1e-7), 1 - 1e-7);
  Value found = node.callHost("couple_probabilities", Value(p),
                              {RankedTensorType::get(classes, type)}, {},
                              /*coreRank=*/1)
                    .front();
  return {node, found};
}

/// Classification by votes between each two classes, or without vectors by the
/// largest score.
static LogicalResult importSVMClassifier(Node &node) {
  Expr x = asFloats(node, node.in(0));
  Type type = x.element();
  int64_t classes = countClasses(node);
  auto coefficients = node.reals("coefficients"), rho = node.reals("rho");
  auto slopes = node.reals("prob_a"), shifts = node.reals("prob_b");
  auto sizes = node.integers("vectors_per_class");
  if (classes < 2 || rho.empty() || coefficients.empty())
    return node.fail("needs two or more classes, coefficients and rho");
  if (sizes.empty()) {
    for (StringRef name : {"kernel_type", "kernel_params", "support_vectors"})
      node.ignore(name);
    int64_t features = x.dim(1);
    if (x.rank() != 2 ||
        coefficients.size() != static_cast<size_t>(classes * features))
      return node.fail("needs one coefficient per class and feature");
    Expr matrix(node, node.constant(type, {classes, features}, coefficients));
    Expr scores = matmul(x, matrix.transpose({1, 0})) + rho[0];
    if (failed(floatResult(node, postTransform(node, scores), 1)))
      return failure();
    return node.result(classLabels(node, largestPlace(scores)));
  }
  // The sum of as many as there are coefficients cannot overflow.
  int64_t vectors = 0, most = coefficients.size();
  for (int64_t size : sizes) {
    if (size < 0 || size > most - vectors)
      return node.fail("'vectors_per_class' does not fit its coefficients");
    vectors += size;
  }
  if (sizes.size() != static_cast<size_t>(classes) ||
      most / (classes - 1) != vectors || most % (classes - 1) != 0 ||
      rho.size() != static_cast<size_t>(classes * (classes - 1) / 2))
    return node.fail(
        "its vectors, coefficients and rho do not fit its classes");
  if (slopes.size() != shifts.size() ||
      (!slopes.empty() && slopes.size() != rho.size()))
    return node.fail("needs as many elements in prob_a and prob_b as in rho");
  auto kernel = kernelOf(node, x, vectors);
  if (failed(kernel))
    return failure();
  Decisions d = pairwiseDecisions(coefficients, sizes);
  Expr weights(node, node.constant(type, {d.pairs, vectors}, d.weights));
  Expr scores = matmul(*kernel, weights.transpose({1, 0})) +
                Expr(node, node.constant(type, d.pairs, rho));
  Expr wins = (scores > 0.0).cast(type);
  Expr votes =
      matmul(wins, {node, node.constant(type, {d.pairs, classes}, d.votes)}) +
      Expr(node, node.constant(type, classes, d.lost));
  Expr chosen = largestPlace(votes);
  if (!slopes.empty())
    scores = postTransform(
        node, svmProbabilities(node, scores, slopes, shifts, classes));
  else
    scores = classes == 2 ? twoClassScores(node, scores, false)
                          : postTransform(node, scores);
  if (failed(node.result(scores, 1)))
    return failure();
  return node.result(classLabels(node, chosen));
}

void onnx::addClassicModels(OpTable &table) {
  table.add("ai.onnx.ml::LinearClassifier", 1, 1, importLinearClassifier);
  table.add("ai.onnx.ml::LinearRegressor", 1, 1, importLinearRegressor);
  table.add("ai.onnx.ml::SVMClassifier", 1, 1, importSVMClassifier);
  table.add("ai.onnx.ml::SVMRegressor", 1, 1, importSVMRegressor);
}
