//===- Forest.h - the trees of a model as lists of nodes -------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TRANSLATE_ONNX_FOREST_H
#define GLOW_LIB_TRANSLATE_ONNX_FOREST_H

#include "Node.h"

namespace mlir::glow::onnx {

/// What a node tests; a leaf nothing.
enum Mode { LEQ, LT, GTE, GT, EQ, NEQ, Member, Leaf };

struct TreeNode {
  int mode = Leaf;
  int64_t feature = 0;
  double threshold = 0;
  bool missingIsTrue = false;
  int64_t yes = 0, no = 0; // children, for a leaf itself
};

/// All trees of a model, and what their leaves add to which result.
struct Forest {
  std::vector<TreeNode> nodes;
  SmallVector<int64_t> roots;
  struct Weight {
    int64_t node, target;
    double value;
  };
  std::vector<Weight> weights;
  int64_t targets = 1;
};

/// TreeEnsembleClassifier and TreeEnsembleRegressor: a leaf is a node, and a
/// node has a number of its own in its tree. `what` is "class" or "target".
LogicalResult readOldForest(Node &node, StringRef what, Forest &forest);

/// TreeEnsemble: leaves lie in lists of their own. A test whether a number is
/// in a set becomes a chain of comparisons with its members.
LogicalResult readForest(Node &node, Forest &forest);

} // namespace mlir::glow::onnx

#endif // GLOW_LIB_TRANSLATE_ONNX_FOREST_H
