//===- Labels.cpp - operators that map labels to labels -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Expr.h"
#include "OpTable.h"
#include "glow-c/ModelABI.h"
#include "glow/Interpreter/Tensor.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

namespace {
/// A list of keys or of values, with the type of its elements.
struct Labels {
  Attribute list;
  Type element;
  explicit operator bool() const { return bool(list); }
};
} // namespace

static Type i64Type(Node &node) { return IntegerType::get(node.context(), 64); }

static Labels textLabels(Node &node, ArrayRef<StringRef> texts) {
  return {node.strs("", texts).value, StringType::get(node.context())};
}
static Labels intLabels(Node &node, ArrayRef<int64_t> ints) {
  return {node.i64s("", ints).value, i64Type(node)};
}

/// The labels in a tensor.
static Labels tensorLabels(Node &node, ElementsAttr value) {
  auto tensor =
      value ? Tensor::fromAttribute(UnknownLoc::get(node.context()), value)
            : FailureOr<Tensor>(failure());
  if (failed(tensor))
    return {};
  Type element = tensor->getElementType();
  if (auto texts = dyn_cast<DenseStringElementsAttr>(value))
    return textLabels(node, llvm::to_vector(texts.getValues<StringRef>()));
  if (isa<FloatType>(element))
    return {node.f64s("", tensor->readAll<double>()).value, element};
  return {node.i64s("", tensor->readAll<int64_t>()).value, element};
}

/// The attribute `kind`_strings, _int64s, _floats or _tensor; only one is set.
static Labels readLabels(Node &node, const std::string &kind) {
  Labels labels;
  if (auto texts = node.strings(kind + "_strings"); !texts.empty())
    labels = textLabels(node, texts);
  if (auto ints = node.integers(kind + "_int64s"); !ints.empty())
    labels = intLabels(node, ints);
  if (auto reals = node.reals(kind + "_floats"); !reals.empty())
    labels = {node.f64s("", reals).value, Float32Type::get(node.context())};
  if (node.has(kind + "_tensor"))
    labels = tensorLabels(node, node.tensor(kind + "_tensor"));
  return labels;
}

/// What stands for a label that is no key.
static Attr readDefault(Node &node, Type element) {
  StringRef text = node.string("default_string", "_Unused");
  int64_t number = node.integer("default_int64", -1);
  double real = node.real("default_float", -0.0);
  if (node.has("default_tensor")) {
    auto tensor = Tensor::fromAttribute(UnknownLoc::get(node.context()),
                                        node.tensor("default_tensor"));
    auto *strings = succeeded(tensor) && tensor->isText()
                        ? reinterpret_cast<const GlowString *>(tensor->bytes())
                        : nullptr;
    if (failed(tensor) || tensor->size() != 1 ||
        tensor->getElementType() != element) {
      (void)node.fail("attribute 'default_tensor' must have one element of the "
                      "values' type");
      return {};
    }
    if (strings)
      text = StringRef(strings->data, strings->size);
    tensor->read(0, 1, &number);
    tensor->read(0, 1, &real);
  }
  if (isa<StringType>(element))
    return node.str("default", text);
  if (isa<FloatType>(element))
    return node.f64("default", real);
  return node.i64("default", number);
}

static Value mapValues(Node &node, Labels keys, Labels values, Attr otherwise) {
  if (!keys || !values)
    return (void)node.fail("needs one list of keys and one of values"), Value();
  Type input = Node::element(node.in(0));
  if (isa<StringType>(input) != isa<StringType>(keys.element))
    return (void)node.fail("its keys have another element type than its input"),
           Value();
  return node.callHost(
      "map_values", node.in(0), values.element,
      {{"keys", keys.list}, {"values", values.list}, otherwise});
}

static LogicalResult importLabelEncoder(Node &node) {
  Labels keys = readLabels(node, "keys"), values = readLabels(node, "values");
  if (keys && keys.element != Node::element(node.in(0)))
    return node.fail("its keys have not the type of its input");
  Attr otherwise =
      readDefault(node, values ? values.element : Type(i64Type(node)));
  return node.result(mapValues(node, keys, values, otherwise));
}

/// One list of strings and one of integers: which are keys says the input.
static LogicalResult importBothWays(Node &node, Labels ints, Labels texts) {
  bool isText = isa<StringType>(Node::element(node.in(0)));
  Labels &keys = isText ? texts : ints, &values = isText ? ints : texts;
  return node.result(
      mapValues(node, keys, values, readDefault(node, values.element)));
}

static LogicalResult importCategoryMapper(Node &node) {
  return importBothWays(node, intLabels(node, node.integers("cats_int64s")),
                        textLabels(node, node.strings("cats_strings")));
}

/// The first version had a list of strings only, numbered from 0.
static LogicalResult importLegacyLabelEncoder(Node &node) {
  auto texts = node.strings("classes_strings");
  auto numbers = llvm::to_vector(llvm::seq<int64_t>(0, texts.size()));
  return importBothWays(node, intLabels(node, numbers),
                        textLabels(node, texts));
}

/// The number of the category, compared with all numbers.
static LogicalResult importOneHotEncoder(Node &node) {
  Labels keys = readLabels(node, "cats");
  if (!keys)
    return node.fail("has no categories");
  auto count = static_cast<int64_t>(
      isa<ArrayAttr>(keys.list) ? cast<ArrayAttr>(keys.list).size()
                                : cast<DenseI64ArrayAttr>(keys.list).size());
  auto numbers = llvm::to_vector(llvm::seq<int64_t>(0, count));
  Attr otherwise = node.flag("zeros", true) ? node.i64("default", -1) : Attr{};
  Expr number(node, mapValues(node, keys, intLabels(node, numbers), otherwise));
  Expr all(node, node.shape(numbers));
  return node.result((number.unsqueeze({number.rank()}) == all)
                         .cast(Float32Type::get(node.context())));
}

/// Between maps and matrices with a column for each key. Maps are such matrices
/// here, so nothing remains to be done.
static LogicalResult importColumns(Node &node, StringRef ints,
                                   StringRef texts) {
  auto count = static_cast<int64_t>(
      std::max(node.integers(ints).size(), node.strings(texts).size()));
  Expr x(node, node.in(0));
  if (x.rank() == 1)
    x = x.unsqueeze({0});
  if (x.rank() != 2 || (x.dim(1) >= 0 && x.dim(1) != count))
    return node.fail("needs a matrix with a column for each of its " +
                     Twine(count) + " keys");
  if (x.dim(1) < 0)
    x = x.reshape(concat({x.shape(0, 1), {node, node.shape({count})}}, 0));
  return node.result(x);
}

static LogicalResult importZipMap(Node &node) {
  return importColumns(node, "classlabels_int64s", "classlabels_strings");
}

static LogicalResult importDictVectorizer(Node &node) {
  return importColumns(node, "int64_vocabulary", "string_vocabulary");
}

void onnx::addLabelOps(OpTable &table) {
  table.add("ai.onnx.ml::CategoryMapper", 1, 1, importCategoryMapper);
  table.add("ai.onnx.ml::DictVectorizer", 1, 1, importDictVectorizer);
  table.add("ai.onnx.ml::LabelEncoder", 1, 1, importLegacyLabelEncoder)
      .until(1);
  table.add("ai.onnx.ml::LabelEncoder", 2, 1, importLabelEncoder);
  table.add("ai.onnx.ml::OneHotEncoder", 1, 1, importOneHotEncoder);
  table.add("ai.onnx.ml::ZipMap", 1, 1, importZipMap);
}
