//===- Forest.cpp - the trees of a model as lists of nodes ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Forest.h"
#include <cmath>
#include <map>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

LogicalResult onnx::readOldForest(Node &node, StringRef what, Forest &forest) {
  auto trees = node.integers("nodes_treeids"),
       ids = node.integers("nodes_nodeids");
  auto modes = node.strings("nodes_modes");
  auto features = node.integers("nodes_featureids");
  auto thresholds = node.numbers("nodes_values");
  auto yes = node.integers("nodes_truenodeids"),
       no = node.integers("nodes_falsenodeids");
  auto missing = node.integers("nodes_missing_value_tracks_true");
  for (StringRef name : {"nodes_hitrates", "nodes_hitrates_as_tensor"})
    node.ignore(name);
  size_t count = trees.size();
  missing.resize(missing.empty() ? count : missing.size(), 0);
  for (size_t size : {ids.size(), modes.size(), features.size(),
                      thresholds.size(), yes.size(), no.size(), missing.size()})
    if (size != count)
      return node.fail("its lists of nodes differ in length");
  std::map<std::pair<int64_t, int64_t>, int64_t> numbers;
  std::map<int64_t, bool> hasRoot;
  static constexpr StringLiteral names[] = {
      "BRANCH_LEQ", "BRANCH_LT",  "BRANCH_GTE",    "BRANCH_GT",
      "BRANCH_EQ",  "BRANCH_NEQ", "BRANCH_MEMBER", "LEAF"};
  for (size_t i = 0; i < count; ++i) {
    numbers[{trees[i], ids[i]}] = i;
    if (!std::exchange(hasRoot[trees[i]], true))
      forest.roots.push_back(i);
  }
  for (size_t i = 0; i < count; ++i) {
    int mode = llvm::find(names, modes[i]) - std::begin(names);
    if (mode == Member || mode > Leaf)
      return node.fail("unknown mode '" + modes[i] + "' of a node");
    TreeNode n{mode,       features[i], thresholds[i], missing[i] != 0,
               int64_t(i), int64_t(i)};
    if (mode != Leaf) {
      auto a = numbers.find({trees[i], yes[i]}),
           b = numbers.find({trees[i], no[i]});
      if (a == numbers.end() || b == numbers.end())
        return node.fail("a node has a child that does not exist");
      n.yes = a->second;
      n.no = b->second;
    }
    forest.nodes.push_back(n);
  }
  auto list = [&](StringRef name) {
    return node.integers((what + "_" + name).str());
  };
  auto targets = list("ids"), owners = list("nodeids"),
       ownTrees = list("treeids");
  auto weights = node.numbers((what + "_weights").str());
  if (owners.size() != targets.size() || weights.size() != targets.size() ||
      ownTrees.size() != targets.size())
    return node.fail("its lists of weights differ in length");
  for (size_t i = 0; i < targets.size(); ++i) {
    auto owner = numbers.find({ownTrees[i], owners[i]});
    if (owner == numbers.end())
      return node.fail("a weight belongs to a node that does not exist");
    forest.weights.push_back({owner->second, targets[i], weights[i]});
  }
  return success(!node.failed());
}

LogicalResult onnx::readForest(Node &node, Forest &forest) {
  auto list = [&](StringRef name) { return node.numbers(name, ""); };
  auto modes = list("nodes_modes"), thresholds = list("nodes_splits"),
       members = list("membership_values"), weights = list("leaf_weights");
  auto features = node.integers("nodes_featureids");
  auto yes = node.integers("nodes_truenodeids"),
       no = node.integers("nodes_falsenodeids");
  auto yesLeaf = node.integers("nodes_trueleafs"),
       noLeaf = node.integers("nodes_falseleafs");
  auto missing = node.integers("nodes_missing_value_tracks_true");
  auto targets = node.integers("leaf_targetids");
  node.ignore("nodes_hitrates");
  int64_t count = modes.size(), leaves = targets.size();
  missing.resize(missing.empty() ? count : missing.size(), 0);
  for (size_t size : {thresholds.size(), features.size(), yes.size(), no.size(),
                      yesLeaf.size(), noLeaf.size(), missing.size()})
    if (size != static_cast<size_t>(count))
      return node.fail("its lists of nodes differ in length");
  if (weights.size() != static_cast<size_t>(leaves))
    return node.fail("its lists of leaves differ in length");
  forest.nodes.resize(count + leaves);
  for (int64_t leaf = 0; leaf < leaves; ++leaf) {
    forest.nodes[count + leaf].yes = forest.nodes[count + leaf].no =
        count + leaf;
    forest.weights.push_back({count + leaf, targets[leaf], weights[leaf]});
  }
  auto child = [&](int64_t id, int64_t isLeaf) -> int64_t {
    if (id < 0 || id >= (isLeaf ? leaves : count))
      return (void)node.fail("a node has a child that does not exist"), 0;
    return isLeaf ? count + id : id;
  };
  auto member = members.begin();
  for (int64_t i = 0; i < count; ++i) {
    TreeNode n{static_cast<int>(modes[i]),
               features[i],
               thresholds[i],
               missing[i] != 0,
               child(yes[i], yesLeaf[i]),
               child(no[i], noLeaf[i])};
    if (n.mode < LEQ || n.mode > Member)
      return node.fail("unknown mode " + Twine(n.mode) + " of a node");
    if (n.mode != Member) {
      forest.nodes[i] = n;
      continue;
    }
    SmallVector<double> set;
    for (; member != members.end() && !std::isnan(*member); ++member)
      set.push_back(*member);
    if (member == members.end() || set.empty())
      return node.fail("membership_values lacks the set of a node");
    ++member; // the NaN behind the set
    n.mode = EQ;
    for (auto [k, value] : llvm::enumerate(set)) {
      bool isLast = k + 1 == set.size();
      int64_t place = k == 0 ? i : int64_t(forest.nodes.size()) - 1;
      TreeNode link = n;
      link.threshold = value;
      if (!isLast) {
        link.no = forest.nodes.size();
        forest.nodes.emplace_back();
      }
      forest.nodes[place] = link;
    }
  }
  for (int64_t root : node.integers("tree_roots")) {
    if (root < 0 || root >= count)
      return node.fail("a root is no node");
    // Both children of a tree that is one leaf are that leaf.
    bool isLeaf = yesLeaf[root] && noLeaf[root] && yes[root] == no[root];
    forest.roots.push_back(isLeaf ? forest.nodes[root].yes : root);
  }
  return success(!node.failed());
}
