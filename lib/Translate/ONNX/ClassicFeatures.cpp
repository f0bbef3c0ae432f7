//===- ClassicFeatures.cpp - preparing features for classic models --------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operators of ai.onnx.ml that change features one by one.
//
//===----------------------------------------------------------------------===//
#include "ClassicModels.h"
#include "OpTable.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

/// Elements along the last axis. A vector becomes a matrix of one row.
static LogicalResult importArrayFeatureExtractor(Node &node) {
  Expr x(node, node.in(0)), places(node, node.in(1));
  if (x.rank() < 1)
    return node.fail("needs an input of at least one axis");
  Expr result = x.take(places.reshape({-1}), x.rank() - 1);
  return node.result(x.rank() == 1 ? result.unsqueeze({0}) : result);
}

static LogicalResult importBinarizer(Node &node) {
  Expr x(node, node.in(0));
  return node.result((x > node.real("threshold", 0)).cast(x.element()));
}

/// An attribute with one number for all features or one for each.
static Expr perFeature(Node &node, Expr x, ArrayRef<double> values) {
  int64_t count = values.size(), features = x.dim(x.rank() - 1);
  if (count != 1 && features >= 0 && count != features)
    (void)node.fail("has " + Twine(count) + " numbers for " + Twine(features) +
                    " features");
  return {node, node.constant(x.element(), count, values)};
}

static LogicalResult importScaler(Node &node) {
  Expr x = asFloats(node, node.in(0));
  auto offset = node.reals("offset"), scale = node.reals("scale");
  if (!offset.empty())
    x = x - perFeature(node, x, offset);
  if (!scale.empty())
    x = x * perFeature(node, x, scale);
  return floatResult(node, x);
}

static LogicalResult importNormalizer(Node &node) {
  Expr x = asFloats(node, node.in(0));
  StringRef norm = node.string("norm", "MAX");
  if (x.rank() != 1 && x.rank() != 2)
    return node.fail("needs a vector or a matrix");
  int64_t axis = x.rank() - 1;
  // As ONNX says, the maximum is that of the numbers and not of their sizes.
  Expr powers = norm == "L2" ? x * x : norm == "MAX" ? x : abs(x);
  Expr size = powers.reduce(norm == "MAX" ? ReduceKind::Max : ReduceKind::Sum,
                            axis, /*keep=*/true);
  if (norm == "L2")
    size = sqrt(size);
  else if (norm != "MAX" && norm != "L1")
    return node.fail("unknown norm '" + norm + "'");
  // What is all zeros stays so.
  return floatResult(node, x / where(size == 0.0, size.like(1), size));
}

static LogicalResult importImputer(Node &node) {
  Expr x(node, node.in(0));
  bool isFloat = isa_and_present<FloatType>(x.element());
  SmallVector<double> values = node.reals("imputed_value_floats");
  double replaced = node.real("replaced_value_float", 0);
  if (!isFloat) {
    values.clear();
    for (int64_t value : node.integers("imputed_value_int64s"))
      values.push_back(double(value));
    replaced = double(node.integer("replaced_value_int64", 0));
  }
  for (StringRef name : {"imputed_value_int64s", "replaced_value_int64"})
    node.ignore(name);
  if (values.empty())
    return node.fail("has no values of the input's type to impute");
  Expr isMissing = std::isnan(replaced) ? x.emit<IsNaNOp>() : x == replaced;
  return node.result(where(isMissing, perFeature(node, x, values), x));
}

/// Inputs side by side, each cut or filled up with zeros to its width.
static LogicalResult importFeatureVectorizer(Node &node) {
  auto widths = node.integers("inputdimensions");
  if (widths.size() != node.numInputs())
    return node.fail("inputdimensions must have one number per input");
  SmallVector<Expr> parts;
  for (auto [value, width] : llvm::zip(node.inputs(), widths)) {
    Expr x = asFloats(node, value);
    if (x.rank() == 1)
      x = x.unsqueeze({1});
    int64_t own = x.dim(1);
    if (x.rank() != 2 || own < 0 || width < 1)
      return node.fail("needs inputs of one or two axes and known widths");
    if (own > width)
      x = x.slice(1, 0, width);
    else if (own < width)
      x = x.emit<PadOp>(
          {node.shape({0, 0, 0, width - own}), x.like(0)},
          Attr{"mode", PadModeAttr::get(node.context(), PadMode::Constant)});
    parts.push_back(x);
  }
  return floatResult(node, concat(parts, 1));
}

void onnx::addClassicFeatures(OpTable &table) {
  table.add("ai.onnx.ml::ArrayFeatureExtractor", 1, 2,
            importArrayFeatureExtractor);
  table.add("ai.onnx.ml::Binarizer", 1, 1, importBinarizer);
  table.add("ai.onnx.ml::FeatureVectorizer", 1, {1, kAny},
            importFeatureVectorizer);
  table.add("ai.onnx.ml::Imputer", 1, 1, importImputer);
  table.add("ai.onnx.ml::Normalizer", 1, 1, importNormalizer);
  table.add("ai.onnx.ml::Scaler", 1, 1, importScaler);
}
