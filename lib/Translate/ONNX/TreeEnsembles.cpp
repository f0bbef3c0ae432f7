//===- TreeEnsembles.cpp - forests of decision trees ----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trees become the tables of `glow.walk_trees`, which compares in one way only.
// Other comparisons are that one with another threshold, with its outcomes
// exchanged, or two of it.
//
//===----------------------------------------------------------------------===//
#include "ClassicModels.h"
#include "Forest.h"
#include "OpTable.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

/// The steps from each node to its deepest leaf, where a root leads to it; none
/// if nodes form a ring.
static std::optional<std::vector<int64_t>> heightsOf(const Forest &forest) {
  enum : int64_t { Unknown = -2, Open = -1 };
  std::vector<int64_t> heights(forest.nodes.size(), Unknown);
  std::vector<int64_t> path;
  for (int64_t root : forest.roots) {
    path.push_back(root);
    while (!path.empty()) {
      const TreeNode &n = forest.nodes[path.back()];
      int64_t &height = heights[path.back()];
      bool isOpen = height == Open;
      if (n.mode == Leaf)
        height = 0;
      else if (height == Unknown)
        height = Open;
      if (isOpen)
        height = 1 + std::max(heights[n.yes], heights[n.no]);
      if (height >= 0) {
        path.pop_back();
        continue;
      }
      for (int64_t child : {n.yes, n.no}) {
        if (heights[child] == Open)
          return std::nullopt;
        if (heights[child] == Unknown)
          path.push_back(child);
      }
    }
  }
  return heights;
}

/// The next smaller number of the type; NaN if there is none.
static double below(double number, const llvm::fltSemantics &type) {
  bool isInexact;
  APFloat value(number);
  value.convert(type, APFloat::rmNearestTiesToEven, &isInexact);
  if (value.isNaN() || (value.isInfinity() && value.isNegative()))
    return std::numeric_limits<double>::quiet_NaN();
  value.next(/*nextDown=*/true);
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &isInexact);
  return value.convertToDouble();
}

/// Writes the tests of all nodes as `x <= threshold`. That is false for NaN,
/// and so is any test but one for inequality, or where `missingIsTrue`.
static void compareInOneWay(Forest &forest, const llvm::fltSemantics &type) {
  auto exchange = [](TreeNode &n) {
    std::swap(n.yes, n.no);
    n.missingIsTrue = !n.missingIsTrue;
  };
  for (size_t i = 0, count = forest.nodes.size(); i < count; ++i) {
    TreeNode n = forest.nodes[i];
    if (n.mode == Leaf)
      continue;
    int mode = std::exchange(n.mode, int(LEQ));
    bool isNever = std::isnan(n.threshold);
    if (mode == LT || mode == GTE)
      n.threshold = below(n.threshold, type);
    if (mode == NEQ || ((mode == GTE || mode == GT) && !isNever))
      exchange(n);
    if (mode == NEQ) // which NaN is to every number
      n.missingIsTrue = false;
    if (mode == EQ || mode == NEQ) {
      // Here `yes` is where equal numbers go.
      TreeNode second = n;
      second.threshold = below(n.threshold, type);
      std::swap(second.yes, second.no);
      second.missingIsTrue = false;
      n.yes = forest.nodes.size();
      forest.nodes.push_back(second);
    }
    forest.nodes[i] = n;
  }
}

/// The leaves that each row of `x` reaches: (rows, trees).
static FailureOr<Expr> leavesOf(Node &node, Forest &forest, Expr x) {
  int64_t features = x.dim(1);
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (forest.roots.empty() || x.rank() != 2 || features < 1 ||
      features > kMost || int64_t(forest.nodes.size()) > kMost / 2)
    return node.fail("needs a tree, and a matrix with a known number of "
                     "features; both have less than 2^31 parts");
  for (const TreeNode &n : forest.nodes)
    if (n.mode != Leaf && (n.feature < 0 || n.feature >= features))
      return node.fail("a node reads feature " + Twine(n.feature) + " of " +
                       Twine(features));
  compareInOneWay(forest, cast<FloatType>(x.element()).getFloatSemantics());
  auto heights = heightsOf(forest);
  if (!heights)
    return node.fail("its nodes form a ring");
  SmallVector<double> thresholds, links, roots;
  bool missing = false;
  for (const TreeNode &n : forest.nodes) {
    missing |= n.missingIsTrue;
    thresholds.push_back(n.threshold);
    links.append({double(n.missingIsTrue ? -1 - n.feature : n.feature),
                  double(n.no), double(n.yes)});
  }
  for (int64_t root : forest.roots)
    roots.append({double(root), double((*heights)[root])});
  int64_t nodes = thresholds.size(), trees = forest.roots.size();
  Type index = IntegerType::get(node.context(), 32);
  return x.emit<WalkTreesOp>({node.constant(x.element(), nodes, thresholds),
                              node.constant(index, {nodes, 3}, links),
                              node.constant(index, {trees, 2}, roots)},
                             node.unit("missing", missing));
}

/// The weights of the leaves that each row of `x` reaches, combined over all
/// trees: (rows, targets).
static FailureOr<Expr> walk(Node &node, Forest &forest, Expr x,
                            StringRef aggregate) {
  auto leaves = leavesOf(node, forest, x);
  if (failed(leaves))
    return failure();
  int64_t nodes = forest.nodes.size(), count;
  if (llvm::MulOverflow(nodes, forest.targets, count) || count > (1 << 26))
    return node.fail("has too many nodes and results: " + Twine(nodes) +
                     " and " + Twine(forest.targets));
  bool isMin = aggregate == "MIN", isExtreme = isMin || aggregate == "MAX";
  double infinity = std::numeric_limits<double>::infinity();
  double nothing = !isExtreme ? 0 : isMin ? infinity : -infinity;
  std::vector<double> table(count, nothing);
  for (const Forest::Weight &w : forest.weights) {
    if (w.target < 0 || w.target >= forest.targets)
      return node.fail("a weight is for result " + Twine(w.target) + " of " +
                       Twine(forest.targets));
    double &entry = table[w.node * forest.targets + w.target];
    entry = !isExtreme ? entry + w.value
            : isMin    ? std::min(entry, w.value)
                       : std::max(entry, w.value);
  }
  Expr weights(node,
               node.constant(x.element(), {nodes, forest.targets}, table));
  Expr each = weights.gather(*leaves, 0);
  if (isExtreme) {
    Expr best = each.reduce(isMin ? ReduceKind::Min : ReduceKind::Max, 1);
    return where(abs(best) == infinity, best.like(0), best);
  }
  Expr sum = each.reduce(ReduceKind::Sum, 1);
  if (aggregate == "AVERAGE")
    return sum / double(forest.roots.size());
  if (aggregate != "SUM")
    return node.fail("unknown aggregate_function '" + aggregate + "'");
  return sum;
}

// -- The operators ------------------------------------------------------------

static LogicalResult importTreeEnsembleRegressor(Node &node) {
  Expr x = asFloats(node, node.in(0));
  Forest forest;
  forest.targets = std::max<int64_t>(1, node.integer("n_targets", 1));
  if (failed(readOldForest(node, "target", forest)))
    return failure();
  auto base = node.numbers("base_values");
  auto scores = walk(node, forest, x, node.string("aggregate_function", "SUM"));
  if (failed(scores))
    return failure();
  Expr all = *scores;
  if (!base.empty())
    all = all +
          Expr(node, node.constant(all.element(), int64_t(base.size()), base));
  // The result is single precision whatever the input.
  return node.result(
      postTransform(node, all).cast(Float32Type::get(node.context())));
}

static LogicalResult importTreeEnsembleClassifier(Node &node) {
  Expr x = asFloats(node, node.in(0));
  Forest forest;
  int64_t classes = countClasses(node);
  if (classes < 2)
    return node.fail("needs labels for two or more classes");
  forest.targets = classes;
  if (failed(readOldForest(node, "class", forest)))
    return failure();
  auto base = node.numbers("base_values");
  bool isSingle = !forest.weights.empty() && classes == 2;
  for (const Forest::Weight &w : forest.weights)
    isSingle &= w.target == forest.weights.front().target;
  bool allPositive = llvm::all_of(
      forest.weights, [](const Forest::Weight &w) { return w.value >= 0; });
  if (isSingle) { // the weights are those of the second class
    forest.targets = 1;
    for (Forest::Weight &w : forest.weights)
      w.target = 0;
    base.erase(base.begin(), base.end() - std::min<size_t>(base.size(), 1));
  }
  auto sums = walk(node, forest, x, "SUM");
  if (failed(sums))
    return failure();
  Expr scores = *sums;
  if (!base.empty())
    scores = scores + Expr(node, node.constant(scores.element(),
                                               int64_t(base.size()), base));
  Expr chosen = scores;
  if (isSingle) {
    chosen = (scores > (allPositive ? 0.5 : 0.0))
                 .cast(IntegerType::get(node.context(), 64))
                 .squeeze({1});
    scores = twoClassScores(node, scores, allPositive);
  } else {
    chosen = largestPlace(scores);
    scores = postTransform(node, scores);
  }
  if (failed(floatResult(node, scores, 1)))
    return failure();
  return node.result(classLabels(node, chosen));
}

static LogicalResult importTreeEnsemble(Node &node) {
  static constexpr StringLiteral aggregates[] = {"AVERAGE", "SUM", "MIN",
                                                 "MAX"};
  static constexpr StringLiteral transforms[] = {"NONE", "SOFTMAX", "LOGISTIC",
                                                 "SOFTMAX_ZERO", "PROBIT"};
  int64_t aggregate = node.integer("aggregate_function", 1),
          transform = node.integer("post_transform", 0);
  Forest forest;
  forest.targets = node.integer("n_targets", 1);
  if (aggregate < 0 || aggregate > 3 || transform < 0 || transform > 4 ||
      forest.targets < 1)
    return node.fail("aggregate_function, post_transform or n_targets is out "
                     "of range");
  if (failed(readForest(node, forest)))
    return failure();
  auto scores =
      walk(node, forest, Expr(node, node.in(0)), aggregates[aggregate]);
  if (failed(scores))
    return failure();
  return node.result(postTransform(*scores, transforms[transform]));
}

void onnx::addTreeEnsembles(OpTable &table) {
  table.add("ai.onnx.ml::TreeEnsemble", 5, 1, importTreeEnsemble);
  table.add("ai.onnx.ml::TreeEnsembleClassifier", 1, 1,
            importTreeEnsembleClassifier);
  table.add("ai.onnx.ml::TreeEnsembleRegressor", 1, 1,
            importTreeEnsembleRegressor);
}
