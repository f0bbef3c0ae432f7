//===- TfIdf.cpp - Counting n-grams -----------------------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostOps.h"

#include <algorithm>
#include <string>

using namespace glow::runtime;

namespace {

/// How often n-grams of a pool occur in a row, with gaps of up to a number of
/// elements, as ONNX's TfIdfVectorizer has it. A trie holds the pool; words are
/// numbered, so both kinds of elements are numbers in it.
class TfIdf : public HostFunction {
public:
  GlowStatus initialize(const HostAttrs &attrs) {
    shortest = attrs.integer("min_gram_length", 1);
    longest = attrs.integer("max_gram_length", 1);
    mostSkipped = attrs.integer("max_skip_count", 0);
    if (shortest < 1 || longest < shortest || mostSkipped < 0)
      return attrs.fail(GLOW_INVALID_MODEL, "has n-grams of ", shortest, " to ",
                        longest, " elements and gaps of up to ", mostSkipped);
    for (const GlowString &word : attrs.strings("pool_strings"))
      pool.push_back(words.emplace(textOf(word), words.size()).first->second);
    for (int64_t element : attrs.ints("pool_int64s"))
      pool.push_back(element);
    isText = !attrs.strings("pool_strings").empty();
    if (GlowStatus status = readColumns(attrs))
      return status;
    return addGrams(attrs);
  }

  GlowStatus run(HostCall &call) override {
    if (GlowStatus status = call.expect({0}))
      return status;
    const HostTensor &input = call.inputs[0];
    if (input.dims.empty() || input.dims.size() > 2)
      return call.fail(GLOW_INVALID_ARGUMENT, "takes a list or a matrix");
    std::vector<int64_t> elements;
    if (GlowStatus status = read(call, input, elements))
      return status;
    HostDims dims = input.dims;
    uint64_t length = uint64_t(dims.back());
    uint64_t rows = dims.size() == 2 ? uint64_t(dims[0]) : 1;
    dims.back() = int64_t(numColumns);
    if (GlowStatus status = call.checkSize(dims, GLOW_F32))
      return status;
    auto *out = call.resultOf<float>(0, dims);
    if (!out)
      return GLOW_INVALID_ARGUMENT;
    for (uint64_t row = 0; row < rows; ++row, out += numColumns) {
      std::fill(out, out + numColumns, 0.0f);
      count(elements.data() + row * length, length, out);
      weigh(out);
    }
    return GLOW_OK;
  }

private:
  struct Node {
    std::unordered_map<int64_t, uint32_t> next;
    int64_t column = -1; // of the n-gram that ends here
  };

  GlowStatus readColumns(const HostAttrs &attrs) {
    for (int64_t column : attrs.ints("ngram_indexes")) {
      if (column < 0 || column >= int64_t(1) << 31)
        return attrs.fail(GLOW_INVALID_MODEL, "has the index ", column,
                          " for an n-gram");
      columns.push_back(column);
      numColumns = std::max(numColumns, uint64_t(column) + 1);
    }
    std::string_view mode = attrs.string("mode");
    keepsCounts = mode != "IDF";
    if (mode != "TF" && mode != "IDF" && mode != "TFIDF")
      return attrs.fail(GLOW_INVALID_MODEL,
                        "the mode must be TF, IDF or TFIDF, not '", mode, "'");
    Span<double> given = attrs.reals("weights");
    if (mode == "TF" || given.empty())
      return GLOW_OK;
    if (given.size != columns.size())
      return attrs.fail(GLOW_INVALID_MODEL, "has ", given.size, " weights for ",
                        columns.size(), " n-grams");
    weights.assign(numColumns, 0.0f);
    for (uint64_t i = 0; i < given.size; ++i)
      weights[columns[i]] = float(given[i]);
    return GLOW_OK;
  }

  /// Puts the n-grams of the lengths that count into the trie.
  GlowStatus addGrams(const HostAttrs &attrs) {
    Span<int64_t> starts = attrs.ints("ngram_counts");
    uint64_t gram = 0;
    for (uint64_t i = 0; i < starts.size; ++i) {
      int64_t begin = starts[i], length = int64_t(i) + 1;
      int64_t end = i + 1 < starts.size ? starts[i + 1] : int64_t(pool.size());
      if (begin < 0 || end < begin || end > int64_t(pool.size()) ||
          (end - begin) % length)
        return attrs.fail(GLOW_INVALID_MODEL, "has ", end - begin,
                          " elements of n-grams of ", length);
      for (; begin < end; begin += length, ++gram) {
        if (gram >= columns.size())
          return attrs.fail(GLOW_INVALID_MODEL,
                            "has more n-grams than indices for them");
        if (length >= shortest && length <= longest)
          nodes[nodeOf(begin, length)].column = columns[gram];
      }
    }
    return GLOW_OK;
  }

  uint32_t nodeOf(int64_t begin, int64_t length) {
    uint32_t node = 0;
    for (int64_t i = 0; i < length; ++i) {
      auto [next, isNew] =
          nodes[node].next.try_emplace(pool[begin + i], nodes.size());
      node = next->second;
      if (isNew)
        nodes.emplace_back();
    }
    return node;
  }

  /// The elements as the trie has them; an unknown word is -1, which no word
  /// is.
  GlowStatus read(const HostCall &call, const HostTensor &input,
                  std::vector<int64_t> &elements) const {
    bool isString = input.dtype == GLOW_STRING;
    if ((isString || isText) && isString != isText && !pool.empty())
      return call.fail(GLOW_INVALID_MODEL,
                       "has a pool of another element type than its input");
    if (isString) {
      for (const GlowString &text : input.strings()) {
        auto word = words.find(std::string(textOf(text)));
        elements.push_back(word == words.end() ? -1 : word->second);
      }
      return GLOW_OK;
    }
    if (input.dtype == GLOW_I32)
      elements.assign(input.elements<int32_t>().begin(),
                      input.elements<int32_t>().end());
    else if (input.dtype == GLOW_I64)
      elements.assign(input.elements<int64_t>().begin(),
                      input.elements<int64_t>().end());
    else
      return call.fail(GLOW_INVALID_MODEL,
                       "takes strings and integers of 32 or 64 bits");
    return GLOW_OK;
  }

  void count(const int64_t *elements, uint64_t length, float *out) const {
    int64_t from = shortest;
    for (int64_t step = 1; step <= mostSkipped + 1 && step <= int64_t(length);
         ++step) {
      for (uint64_t start = 0; start < length; ++start) {
        uint32_t node = 0;
        uint64_t at = start;
        for (int64_t n = 1; n <= longest && at < length; ++n, at += step) {
          auto next = nodes[node].next.find(elements[at]);
          if (next == nodes[node].next.end())
            break;
          node = next->second;
          if (n >= from && nodes[node].column >= 0)
            out[nodes[node].column] += 1;
        }
      }
      // Gaps make no difference to single elements.
      if (from == 1 && ++from > longest)
        break;
    }
  }

  void weigh(float *out) const {
    for (uint64_t i = 0; i < numColumns; ++i) {
      if (!keepsCounts)
        out[i] = out[i] > 0;
      if (!weights.empty())
        out[i] *= weights[i];
    }
  }

  int64_t shortest = 1, longest = 1, mostSkipped = 0;
  bool isText = false, keepsCounts = true;
  std::vector<int64_t> pool, columns;
  std::unordered_map<std::string, int64_t> words;
  std::vector<Node> nodes = std::vector<Node>(1);
  std::vector<float> weights;
  uint64_t numColumns = 0;
};

} // namespace

GlowStatus glow::runtime::makeTfIdf(const HostAttrs &attrs,
                                    HostFunctionPtr &result) {
  auto function = std::make_unique<TfIdf>();
  if (GlowStatus status = function->initialize(attrs))
    return status;
  result = std::move(function);
  return GLOW_OK;
}
