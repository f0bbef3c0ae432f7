//===- TreeEnsembles.cpp - forests of decision trees ----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nodes of all trees lie in tables: feature, threshold, children. All rows
// of the input walk down all trees at once, a step being a few gathers and a
// comparison; there are as many steps as the deepest tree has levels, and a
// leaf is its own child.
//
//===----------------------------------------------------------------------===//
#include "ClassicModels.h"
#include "Forest.h"
#include "OpTable.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

/// How many steps there are at most from a root to a leaf; none if nodes form a
/// ring.
static std::optional<int64_t> depthOf(const Forest &forest) {
  std::vector<int64_t> level(forest.roots.begin(), forest.roots.end());
  for (int64_t depth = 0; depth <= int64_t(forest.nodes.size()); ++depth) {
    llvm::sort(level);
    level.erase(std::unique(level.begin(), level.end()), level.end());
    std::vector<int64_t> next;
    for (int64_t place : level)
      if (const TreeNode &n = forest.nodes[place]; n.mode != Leaf)
        next.insert(next.end(), {n.yes, n.no});
    if (next.empty())
      return depth;
    level = std::move(next);
  }
  return std::nullopt;
}

namespace {
/// The tables of a forest as constants.
class Tables {
public:
  Tables(Node &node, const Forest &forest, Type type)
      : node(node), forest(forest), type(type),
        index(IntegerType::get(node.context(), 32)) {
    for (const TreeNode &n : forest.nodes)
      if (n.mode != Leaf && !llvm::is_contained(modes, n.mode))
        modes.push_back(n.mode);
  }

  /// A table with one number per node, read at the nodes `at`.
  Expr read(Type element, Expr at, double (*field)(const TreeNode &)) {
    SmallVector<double> values;
    for (const TreeNode &n : forest.nodes)
      values.push_back(field(n));
    return Expr(node, node.constant(element, int64_t(values.size()), values))
        .gather(at, 0);
  }

  /// The nodes after `at`, for the rows of `x`.
  Expr step(Expr x, Expr at);

  Node &node;
  const Forest &forest;
  Type type, index;
  SmallVector<int> modes;
};
} // namespace

static Expr compare(int mode, Expr x, Expr threshold) {
  switch (mode) {
  case LEQ:
    return x <= threshold;
  case LT:
    return x < threshold;
  case GTE:
    return x >= threshold;
  case GT:
    return x > threshold;
  case EQ:
    return x == threshold;
  default: // NEQ; nothing is unequal to what is missing
    return x.emit<NotEqualOp>({threshold}) & (x == x);
  }
}

Expr Tables::step(Expr x, Expr at) {
  Expr feature =
      read(index, at, [](const TreeNode &n) { return double(n.feature); });
  Expr value = x.emit<GatherElementsOp>({feature}, node.i64("axis", 1));
  Expr threshold =
      read(type, at, [](const TreeNode &n) { return n.threshold; });
  Expr goes = compare(modes[0], value, threshold);
  if (modes.size() > 1) {
    Expr own =
        read(index, at, [](const TreeNode &n) { return double(n.mode); });
    for (int mode : ArrayRef(modes).drop_front())
      goes = where(own == double(mode), compare(mode, value, threshold), goes);
  }
  if (llvm::any_of(forest.nodes,
                   [](const TreeNode &n) { return n.missingIsTrue; })) {
    Expr tracks = read(
        index, at, [](const TreeNode &n) { return double(n.missingIsTrue); });
    goes = goes | (value.emit<IsNaNOp>() & (tracks > 0.0));
  }
  SmallVector<double> children;
  for (const TreeNode &n : forest.nodes)
    children.append({double(n.no), double(n.yes)});
  Expr table(node, node.constant(index, int64_t(children.size()), children));
  return table.gather(at * 2.0 + goes.cast(index), 0);
}

/// The weights of the leaves that each row of `x` reaches, combined over all
/// trees: (rows, targets).
static FailureOr<Expr> walk(Node &node, const Forest &forest, Expr x,
                            StringRef aggregate) {
  auto depth = depthOf(forest);
  int64_t features = x.dim(1), nodes = forest.nodes.size();
  if (!depth || *depth > 4096)
    return node.fail("its nodes form a ring, or a tree of more than 4096 "
                     "levels");
  if (forest.roots.empty() || x.rank() != 2 || features < 1)
    return node.fail("needs a tree, and a matrix with a known number of "
                     "features");
  for (const TreeNode &n : forest.nodes)
    if (n.mode != Leaf && (n.feature < 0 || n.feature >= features))
      return node.fail("a node reads feature " + Twine(n.feature) + " of " +
                       Twine(features));
  Tables tables(node, forest, x.element());
  SmallVector<double> roots(forest.roots.begin(), forest.roots.end());
  int64_t trees = roots.size();
  Expr at(node, node.constant(tables.index, {1, trees}, roots));
  at = at.expand(concat({x.shape(0, 1), Expr(node, node.shape(trees))}, 0));
  for (int64_t level = 0; level < *depth && !node.failed(); ++level)
    at = tables.step(x, at);

  bool isMin = aggregate == "MIN", isExtreme = isMin || aggregate == "MAX";
  double infinity = std::numeric_limits<double>::infinity();
  double nothing = !isExtreme ? 0 : isMin ? infinity : -infinity;
  SmallVector<double> table(nodes * forest.targets, nothing);
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
  Expr each = weights.gather(at, 0);
  if (isExtreme) {
    Expr best = each.reduce(isMin ? ReduceKind::Min : ReduceKind::Max, 1);
    return where(abs(best) == infinity, best.like(0), best);
  }
  Expr sum = each.reduce(ReduceKind::Sum, 1);
  if (aggregate == "AVERAGE")
    return sum / double(trees);
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
  if (failed(node.result(scores.cast(Float32Type::get(node.context())), 1)))
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
