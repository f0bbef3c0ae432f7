//===- Sequences.cpp - operators on sequences and optionals ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They rearrange lists that the importer holds, see Lists.h, and so build no
// ops, except where a sequence is cut from a tensor, joined to one, or asked
// for an element at a place that is computed at run time.
//
//===----------------------------------------------------------------------===//
#include "Expr.h"
#include "Lists.h"
#include "OpTable.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

/// Fails unless input `index` is a sequence.
static FailureOr<SmallVector<Value>> sequenceAt(Node &node, unsigned index) {
  if (!isSequence(node.in(index)))
    return node.fail("input " + Twine(index) + " must be a sequence");
  return llvm::to_vector(elementsOf(node.in(index)));
}

static LogicalResult wantTensor(Node &node, unsigned index) {
  if (isList(node.in(index)))
    return node.fail("input " + Twine(index) + " must be a tensor");
  return success();
}

/// The place that input `index` names, counted from 0: from the end of `count`
/// elements if it is negative, otherwise at most `last`.
static FailureOr<int64_t> placeAt(Node &node, unsigned index, int64_t count,
                                  int64_t last) {
  auto known = node.known(node.in(index));
  if (!known || known->size() != 1)
    return node.fail("the position must be known: make it a constant, or a "
                     "small input of the model");
  int64_t place = known->front();
  if (place < -count || place > last)
    return node.fail("position " + Twine(place) +
                     " is outside of the sequence");
  return place < 0 ? place + count : place;
}

// -- Sequences ----------------------------------------------------------------

static LogicalResult importEmpty(Node &node) {
  node.ignore("dtype"); // Tensors know their type.
  return node.result(node.sequence({}));
}

static LogicalResult importConstruct(Node &node) {
  for (unsigned i = 0; i < node.numInputs(); ++i)
    if (!node.in(i) || failed(wantTensor(node, i)))
      return node.fail("input " + Twine(i) + " is missing");
  return node.result(node.sequence(node.inputs()));
}

static LogicalResult importInsert(Node &node) {
  auto elements = sequenceAt(node, 0);
  if (failed(elements) || failed(wantTensor(node, 1)))
    return failure();
  if (!elements->empty() &&
      Node::element(elements->front()) != Node::element(node.in(1)))
    return node.fail("the tensor has another element type than the sequence");
  int64_t place = elements->size();
  if (node.in(2)) {
    // Here -1 is before the last element, as in Python's insert.
    auto known = placeAt(node, 2, elements->size(), elements->size());
    if (failed(known))
      return failure();
    place = *known;
  }
  elements->insert(elements->begin() + place, node.in(1));
  return node.result(node.sequence(*elements));
}

static LogicalResult importErase(Node &node) {
  auto elements = sequenceAt(node, 0);
  if (failed(elements))
    return failure();
  int64_t place = elements->size() - 1;
  if (node.in(1)) {
    auto known = placeAt(node, 1, elements->size(), place);
    if (failed(known))
      return failure();
    place = *known;
  }
  if (place < 0)
    return node.fail("the sequence is empty");
  elements->erase(elements->begin() + place);
  return node.result(node.sequence(*elements));
}

static LogicalResult importAt(Node &node) {
  auto elements = sequenceAt(node, 0);
  if (failed(elements))
    return failure();
  auto canStack = [&] {
    TypeRange types = ValueRange(*elements).getTypes();
    return !types.empty() && llvm::all_equal(types) &&
           cast<ShapedType>(types.front()).hasStaticShape();
  };
  if (constantInts(node.in(1)) || !canStack()) {
    auto place = placeAt(node, 1, elements->size(), elements->size() - 1);
    return failed(place) ? failure() : node.result((*elements)[*place]);
  }
  // Tensors of one type can be stacked, and one chosen at run time.
  Expr place(node, node.in(1));
  if (place.rank() != 0)
    place = place.reshape(ArrayRef<int64_t>());
  return node.result(stack(node, *elements, 0).take(place, 0));
}

static LogicalResult importLength(Node &node) {
  auto elements = sequenceAt(node, 0);
  if (failed(elements))
    return failure();
  return node.result(node.scalar(IntegerType::get(node.context(), 64),
                                 static_cast<double>(elements->size())));
}

/// Where the parts of a SplitToSequence end.
static FailureOr<SmallVector<int64_t>> partEnds(Node &node, int64_t axis,
                                                int64_t extent) {
  SmallVector<int64_t> sizes;
  bool isChunk = !node.in(1) || Node::rank(node.in(1)) == 0;
  if (node.in(1)) {
    auto known = node.constant(1, "'split'");
    if (failed(known))
      return failure();
    sizes = *known;
  }
  if (!isChunk) {
    int64_t end = 0;
    for (int64_t &size : sizes) {
      if (size < 0 || addOverflows(end, size, end))
        return node.fail("'split' has a size that is negative or too large");
      size = end;
    }
    if (extent >= 0 && end != extent)
      return node.fail("the sizes in 'split' add up to " + Twine(end) +
                       ", not to the axis's extent of " + Twine(extent));
    return sizes;
  }
  int64_t chunk = sizes.empty() ? 1 : sizes.front();
  if (extent < 0)
    return node.fail("the extent of axis " + Twine(axis) +
                     " must be known; fix the shapes of the model's inputs");
  if (chunk < 1)
    return node.fail("'split' must be positive");
  SmallVector<int64_t> ends;
  for (int64_t begin = 0; begin < extent; begin += chunk)
    ends.push_back(std::min(begin + chunk, extent));
  return ends;
}

static LogicalResult importSplitToSequence(Node &node) {
  Expr x(node, node.in(0));
  int64_t axis = node.axis(node.integer("axis", 0), x.rank());
  bool keep = node.flag("keepdims", true) || node.in(1);
  if (node.failed())
    return failure();
  auto ends = partEnds(node, axis, x.dim(axis));
  if (failed(ends))
    return failure();
  SmallVector<Value> parts;
  int64_t begin = 0;
  for (int64_t end : *ends) {
    Expr part = x.slice(axis, begin, end);
    parts.push_back(keep ? part : part.squeeze({axis}));
    begin = end;
  }
  if (node.failed())
    return failure();
  return node.result(node.sequence(parts));
}

static LogicalResult importConcatFromSequence(Node &node) {
  auto elements = sequenceAt(node, 0);
  if (failed(elements))
    return failure();
  if (elements->empty())
    return node.fail("the sequence is empty");
  bool isNew = node.flag("new_axis");
  int64_t rank = Node::rank(elements->front()) + isNew;
  int64_t axis = node.axis(node.integer("axis", 0), rank);
  if (node.failed())
    return failure();
  if (isNew)
    return node.result(stack(node, *elements, axis));
  SmallVector<Expr> parts;
  for (Value element : *elements)
    parts.push_back(Expr(node, element));
  return node.result(concat(parts, axis));
}

/// The body for each element. Inputs that are tensors are the same each time.
static LogicalResult importMap(Node &node) {
  auto first = sequenceAt(node, 0);
  if (failed(first))
    return failure();
  SmallVector<SmallVector<Value>> results(node.numOutputs());
  for (size_t i = 0; i < first->size(); ++i) {
    SmallVector<Value> inputs;
    for (Value input : node.inputs()) {
      if (!isSequence(input)) {
        inputs.push_back(input);
        continue;
      }
      ValueRange elements = elementsOf(input);
      if (elements.size() != first->size())
        return node.fail("its sequences differ in length");
      inputs.push_back(elements[i]);
    }
    auto outputs = node.body("body", inputs);
    if (failed(outputs))
      return failure();
    if (outputs->size() != results.size())
      return node.fail("its body has another number of outputs");
    for (auto [list, value] : llvm::zip(results, *outputs))
      list.push_back(value);
  }
  node.ignore("body");
  for (auto [i, list] : llvm::enumerate(results))
    if (node.wantsOutput(i) && failed(node.result(node.sequence(list), i)))
      return failure();
  return success();
}

// -- Optionals ----------------------------------------------------------------

static LogicalResult importOptional(Node &node) {
  node.ignore("type"); // What is in it knows its type.
  if (isOptional(node.in(0)))
    return node.fail("an optional of an optional is not supported");
  return node.result(node.optional(node.in(0)));
}

static LogicalResult importHasElement(Node &node) {
  Value x = node.in(0);
  bool has = isOptional(x) ? !elementsOf(x).empty() : x != Value();
  return node.result(node.scalar(IntegerType::get(node.context(), 1), has));
}

static LogicalResult importGetElement(Node &node) {
  if (!isOptional(node.in(0)))
    return node.result(node.in(0));
  ValueRange elements = elementsOf(node.in(0));
  if (elements.empty())
    return node.fail("the optional has no element");
  return node.result(elements.front());
}

void onnx::addSequenceOps(OpTable &table) {
  table.add("SequenceEmpty", 11, 0, importEmpty);
  table.add("SequenceConstruct", 11, {1, kAny}, importConstruct).takesLists();
  table.add("SequenceInsert", 11, {2, 3}, importInsert).takesLists();
  table.add("SequenceErase", 11, {1, 2}, importErase).takesLists();
  table.add("SequenceAt", 11, 2, importAt).takesLists();
  table.add("SequenceLength", 11, 1, importLength).takesLists();
  table.add("SplitToSequence", 11, {1, 2}, importSplitToSequence);
  table.add("ConcatFromSequence", 11, 1, importConcatFromSequence).takesLists();
  table.add("SequenceMap", 17, {1, kAny}, importMap).takesLists();
  table.add("Optional", 15, {0, 1}, importOptional).takesLists();
  table.add("OptionalHasElement", 15, {0, 1}, importHasElement).takesLists();
  table.add("OptionalGetElement", 15, 1, importGetElement).takesLists();
}
