//===- Strings.cpp - operators on strings and pictures --------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They have no kernels: each is a call of a function of the runtime.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

/// Of what only the data tell, there is room for this much: pieces of a string,
/// rows and columns of a picture.
static constexpr int64_t kMostPieces = 256, kMostPixels = 4096;

static Type stringType(Node &node) { return StringType::get(node.context()); }

static RankedTensorType listOf(Type element,
                               int64_t extent = ShapedType::kDynamic) {
  return RankedTensorType::get({extent}, element);
}

/// Fails unless all inputs consist of strings.
static LogicalResult expectStrings(Node &node) {
  for (auto [i, input] : llvm::enumerate(node.inputs()))
    if (!isa<StringType>(Node::element(input)))
      return node.fail("input " + Twine(i) + " must consist of strings");
  return success();
}

static LogicalResult importStringConcat(Node &node) {
  if (failed(expectStrings(node)))
    return failure();
  return node.result(
      node.callHost("string_concat", node.inputs(), stringType(node)));
}

static LogicalResult importStringNormalizer(Node &node) {
  node.ignore("locale"); // any locale's letters change
  int64_t rank = Node::rank(node.in(0));
  if (failed(expectStrings(node)) || rank < 1 || rank > 2)
    return node.fail("its input must be a list of strings, or a matrix of "
                     "strings with one row");
  auto result = node.callHost(
      "string_normalize", node.in(0), listOf(stringType(node)),
      {node.str("case", node.string("case_change_action", "NONE")),
       node.i64("case_sensitive", node.flag("is_case_sensitive")),
       node.strs("stopwords", node.strings("stopwords"))},
      /*coreRank=*/1);
  return node.result(result.front());
}

static LogicalResult importStringSplit(Node &node) {
  if (failed(expectStrings(node)))
    return failure();
  Type i64 = IntegerType::get(node.context(), 64);
  int64_t cuts = node.integer("maxsplit", -1);
  int64_t most = cuts < 0 ? kMostPieces : std::min(cuts, kMostPieces - 1) + 1;
  auto results =
      node.callHost("string_split", node.in(0), {listOf(stringType(node)), i64},
                    {node.str("delimiter", node.string("delimiter", "")),
                     node.i64("maxsplit", cuts), node.i64s("most", most)});
  if (node.wantsOutput(1) && failed(node.result(results[1], 1)))
    return failure();
  return node.result(results[0]);
}

static LogicalResult importRegexFullMatch(Node &node) {
  if (failed(expectStrings(node)))
    return failure();
  return node.result(node.callHost(
      "regex_full_match", node.in(0), IntegerType::get(node.context(), 1),
      node.str("pattern", node.string("pattern", ""))));
}

static LogicalResult importTfIdf(Node &node) {
  int64_t columns = 0;
  SmallVector<int64_t> indices = node.integers("ngram_indexes");
  for (int64_t index : indices)
    columns = std::max(columns, index + 1);
  auto result = node.callHost(
      "tf_idf", node.in(0), listOf(Float32Type::get(node.context()), columns),
      {node.str("mode", node.string("mode", "")),
       node.i64("min_gram_length", node.integer("min_gram_length", 1)),
       node.i64("max_gram_length", node.integer("max_gram_length", 1)),
       node.i64("max_skip_count", node.integer("max_skip_count", 0)),
       node.i64s("ngram_counts", node.integers("ngram_counts")),
       node.i64s("ngram_indexes", indices),
       node.f64s("weights", node.reals("weights")),
       node.i64s("pool_int64s", node.integers("pool_int64s")),
       node.strs("pool_strings", node.strings("pool_strings"))},
      /*coreRank=*/1);
  return node.result(result.front());
}

static LogicalResult importImageDecoder(Node &node) {
  StringRef format = node.string("pixel_format", "RGB");
  Type u8 = IntegerType::get(node.context(), 8, IntegerType::Unsigned);
  if (Node::element(node.in(0)) != u8 || Node::rank(node.in(0)) != 1)
    return node.fail("its input must be a list of bytes");
  auto cell = RankedTensorType::get({ShapedType::kDynamic, ShapedType::kDynamic,
                                     format == "Grayscale" ? 1 : 3},
                                    u8);
  return node.result(
      node.callHost("decode_image", node.in(0), cell,
                    {node.str("pixel_format", format),
                     node.i64s("most", {kMostPixels, kMostPixels})},
                    /*coreRank=*/1)
          .front());
}

void onnx::addStringOps(OpTable &table) {
  table.add("ImageDecoder", 20, 1, importImageDecoder);
  table.add("RegexFullMatch", 20, 1, importRegexFullMatch);
  table.add("StringConcat", 20, 2, importStringConcat);
  table.add("StringNormalizer", 10, 1, importStringNormalizer);
  table.add("StringSplit", 20, 1, importStringSplit);
  table.add("TfIdfVectorizer", 9, 1, importTfIdf);
}
