//===- Einsum.cpp - sums of products by an equation -----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands are multiplied two at a time. Axes that only one of them has and
// that no one else needs are summed first; the others are put in the order
// batch, own, common, so that the product is one of matrices.
//
//===----------------------------------------------------------------------===//
#include "Expr.h"
#include "OpTable.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

namespace {
using Labels = SmallVector<int>;

/// A tensor with one label per axis. Axes of an ellipsis are labelled from 1000
/// on, the last one first, so that they align on the right.
struct Term {
  Value value;
  Labels labels;

  bool has(int label) const { return llvm::is_contained(labels, label); }
  int64_t axis(int label) const {
    return llvm::find(labels, label) - labels.begin();
  }
  int64_t extent(int label) const { return Node::dims(value)[axis(label)]; }
  /// The extent as a vector of one element, for a run.
  Expr shape(Node &node, int label) const {
    return Expr(node, value).shape(axis(label), axis(label) + 1);
  }
};
constexpr int kEllipsis = 1000;
} // namespace

/// Reads one operand's part of the equation. `ellipsis` is the number of axes
/// that "..." stands for.
static FailureOr<Labels> parseLabels(Node &node, StringRef text,
                                     int64_t ellipsis) {
  Labels labels;
  while (!text.empty()) {
    if (text.consume_front("...")) {
      for (int64_t i = ellipsis; i-- > 0;)
        labels.push_back(kEllipsis + i);
      continue;
    }
    char c = text.front();
    if (!llvm::isAlpha(c))
      return node.fail("the equation has an unexpected '" + Twine(c) + "'");
    labels.push_back(c);
    text = text.drop_front();
  }
  return labels;
}

/// Keeps the diagonal of the axes that have the same label: side by side and
/// taken as one axis, every (n + 1)-th element of n times n.
static Term takeDiagonals(Node &node, Term term) {
  for (size_t i = 0; i < term.labels.size(); ++i)
    for (size_t j = term.labels.size(); --j > i && !node.failed();) {
      if (term.labels[i] != term.labels[j])
        continue;
      SmallVector<int64_t> dims(Node::dims(term.value));
      int64_t extent = dims[j];
      if (extent != dims[i] || ShapedType::isDynamic(extent) ||
          llvm::count_if(dims, ShapedType::isDynamic) > 1) {
        (void)node.fail("the diagonal of '" + Twine(char(term.labels[i])) +
                        "' needs known and equal extents, and at most one "
                        "other that is open; fix them");
        return {};
      }
      auto order = llvm::to_vector(llvm::seq<int64_t>(0, dims.size()));
      order.erase(order.begin() + j);
      order.insert(order.begin() + i + 1, j);
      dims.erase(dims.begin() + j);
      dims[i] = extent * extent;
      // Of the open one it is said that it is what is left.
      std::replace(dims.begin(), dims.end(), ShapedType::kDynamic, int64_t(-1));
      Expr flat = Expr(node, term.value).transpose(order).reshape(dims);
      term.value = flat.slice(i, 0, extent * extent, extent + 1);
      term.labels.erase(term.labels.begin() + j);
    }
  return term;
}

/// Sums the axes that are not in `kept`.
static Term sumOthers(Node &node, Term term, const Labels &kept) {
  SmallVector<int64_t> axes;
  Labels left;
  for (auto [i, label] : llvm::enumerate(term.labels)) {
    if (llvm::is_contained(kept, label))
      left.push_back(label);
    else
      axes.push_back(i);
  }
  if (axes.empty())
    return term;
  return {node.reduce(ReduceKind::Sum, term.value, axes, false), left};
}

/// The axes of `term` in the order of `wanted`, which names all of them and may
/// name more: these get extent 1.
static Value arrange(Node &node, const Term &term, const Labels &wanted) {
  SmallVector<int64_t> permutation, missing;
  for (auto [i, label] : llvm::enumerate(wanted)) {
    if (term.has(label))
      permutation.push_back(llvm::find(term.labels, label) -
                            term.labels.begin());
    else
      missing.push_back(i);
  }
  return node.unsqueeze(node.transpose(term.value, permutation), missing);
}

/// `value` with these extents; those that are not known are read off `shape`,
/// if there are several.
static Value reshapeTo(Node &node, Value value, SmallVector<int64_t> dims,
                       function_ref<Expr()> shape) {
  if (llvm::count_if(dims, ShapedType::isDynamic) > 1)
    return Expr(node, value).reshape(shape());
  llvm::replace(dims, ShapedType::kDynamic, int64_t(-1));
  return node.reshape(value, dims);
}

/// Makes one axis of the axes of `value` from `from` on up to `to`.
static Value merge(Node &node, Value value, int64_t from, int64_t to) {
  if (!value || to - from == 1)
    return value;
  if (to == from)
    return node.unsqueeze(value, from);
  SmallVector<int64_t> dims(Node::dims(value));
  int64_t rank = dims.size();
  auto merged = numElements(ArrayRef(dims).slice(from, to - from));
  dims.erase(dims.begin() + from, dims.begin() + to);
  dims.insert(dims.begin() + from, merged.value_or(ShapedType::kDynamic));
  return reshapeTo(node, value, dims, [&] {
    Expr whole(node, value);
    SmallVector<Expr> parts{Expr(node, node.shape({-1}))};
    if (from > 0)
      parts.insert(parts.begin(), whole.shape(0, from));
    if (to < rank)
      parts.push_back(whole.shape(to, rank));
    return concat(parts, 0);
  });
}

/// The product of two terms; only the labels in `kept` are left.
static Term multiply(Node &node, Term a, Term b, const Labels &kept) {
  Labels keptA(kept), keptB(kept);
  llvm::append_range(keptA, b.labels);
  llvm::append_range(keptB, a.labels);
  a = sumOthers(node, a, keptA);
  b = sumOthers(node, b, keptB);
  if (node.failed())
    return {};
  Labels batch, rows, columns, common;
  for (int label : a.labels)
    (!b.has(label)                     ? rows
     : llvm::is_contained(kept, label) ? batch
                                       : common)
        .push_back(label);
  for (int label : b.labels)
    if (!a.has(label))
      columns.push_back(label);

  auto joined = [](ArrayRef<int> x, ArrayRef<int> y, ArrayRef<int> z) {
    Labels all(x);
    llvm::append_range(all, y);
    llvm::append_range(all, z);
    return all;
  };
  int64_t nb = batch.size(), nr = rows.size(), nc = columns.size(),
          nk = common.size();
  Value left = arrange(node, a, joined(batch, rows, common));
  Value right = arrange(node, b, joined(batch, common, columns));
  left = merge(node, merge(node, left, nb + nr, nb + nr + nk), nb, nb + nr);
  right = merge(node, merge(node, right, nb + nk, nb + nk + nc), nb, nb + nk);
  Value product = node.emit<MatMulOp>({left, right});
  if (!product)
    return {};

  // Undo the merging of rows and columns.
  Labels labels = joined(batch, rows, columns);
  if (nr == 1 && nc == 1)
    return {product, labels};
  SmallVector<int64_t> dims(Node::dims(product).take_front(nb));
  for (int label : rows)
    dims.push_back(a.extent(label));
  for (int label : columns)
    dims.push_back(b.extent(label));
  Value split = reshapeTo(node, product, dims, [&] {
    SmallVector<Expr> parts;
    if (nb > 0)
      parts.push_back(Expr(node, product).shape(0, nb));
    for (int label : rows)
      parts.push_back(a.shape(node, label));
    for (int label : columns)
      parts.push_back(b.shape(node, label));
    return concat(parts, 0);
  });
  return {split, labels};
}

/// Splits the equation into terms and the labels of the result.
static LogicalResult parseEquation(Node &node, SmallVectorImpl<Term> &terms,
                                   Labels &result) {
  std::string equation = node.string("equation", "").str();
  llvm::erase(equation, ' ');
  auto [inputs, output] = StringRef(equation).split("->");
  SmallVector<StringRef> parts;
  inputs.split(parts, ',');
  if (parts.size() != node.numInputs())
    return node.fail("the equation has " + Twine(parts.size()) + " terms for " +
                     Twine(node.numInputs()) + " operands");
  int64_t ellipsis = 0;
  for (auto [part, operand] : llvm::zip(parts, node.inputs())) {
    int64_t named = llvm::count_if(part, llvm::isAlpha);
    int64_t more = part.contains("...") ? Node::rank(operand) - named : 0;
    if (more < 0)
      return node.fail("'" + part + "' has more labels than axes");
    auto labels = parseLabels(node, part, more);
    if (failed(labels))
      return failure();
    if (static_cast<int64_t>(labels->size()) != Node::rank(operand))
      return node.fail("'" + part + "' does not have one label per axis");
    terms.push_back(takeDiagonals(node, {operand, *labels}));
    ellipsis = std::max(ellipsis, more);
  }
  if (StringRef(equation).contains("->")) {
    auto labels = parseLabels(node, output, ellipsis);
    if (failed(labels))
      return failure();
    result = *labels;
    for (size_t i = 0; i < result.size(); ++i)
      if (llvm::is_contained(ArrayRef(result).drop_front(i + 1), result[i]))
        return node.fail("the result has a label twice");
    return success();
  }
  // Without a result, it has the labels that appear once, in order.
  std::map<int, int> counts;
  for (const Term &term : terms)
    for (int label : term.labels)
      ++counts[label];
  for (StringRef part : parts) // a diagonal's labels are summed too
    for (char c : part)
      if (llvm::isAlpha(c) && part.count(c) > 1)
        ++counts[c];
  for (int64_t i = ellipsis; i-- > 0;)
    result.push_back(kEllipsis + i);
  for (auto [label, count] : counts)
    if (count == 1 && label < kEllipsis)
      result.push_back(label);
  return success();
}

static LogicalResult importEinsum(Node &node) {
  SmallVector<Term> terms;
  Labels result;
  if (llvm::is_contained(node.inputs(), Value()))
    return node.fail("no operand may be left out");
  if (failed(parseEquation(node, terms, result)))
    return failure();
  Term product = terms.front();
  for (size_t i = 1; i < terms.size(); ++i) {
    Labels kept(result);
    for (const Term &later : ArrayRef(terms).drop_front(i + 1))
      llvm::append_range(kept, later.labels);
    product = multiply(node, product, terms[i], kept);
    if (node.failed())
      return failure();
  }
  product = sumOthers(node, product, result);
  if (node.failed())
    return failure();
  for (int label : product.labels)
    if (!llvm::is_contained(result, label))
      return node.fail("the equation is not supported");
  if (product.labels.size() != result.size())
    return node.fail("the result has a label that no operand has");
  return node.result(arrange(node, product, result));
}

void onnx::addEinsum(OpTable &table) {
  table.add("Einsum", 12, {1, kAny}, importEinsum);
}
