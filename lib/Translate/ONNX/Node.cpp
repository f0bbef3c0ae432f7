//===- Node.cpp - one ONNX node while it is imported ----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Node.h"
#include "Lists.h"
#include "Tensors.h"
#include "glow/Interpreter/Tensor.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;
using glow_onnx::AttributeProto;

LogicalResult Node::fail(const Twine &why) {
  if (!bad)
    reason = why.str();
  bad = true;
  return failure();
}

Value Node::sequence(ArrayRef<Value> elements) {
  return makeSequence(builder, loc, elements);
}

Value Node::optional(Value element) {
  return makeOptional(builder, loc, element);
}

// -- Attributes ---------------------------------------------------------------

std::optional<int64_t> Node::most() {
  if (!values)
    return std::nullopt;
  values->loops.insert(displayName().str());
  auto given = values->most.find(displayName());
  return given == values->most.end() ? std::nullopt
                                     : std::optional(given->second);
}

bool Node::mayWaitFor(Value value) const {
  return mayWait() && !inputsBehind(value).empty();
}

bool Node::has(StringRef name) {
  return llvm::any_of(proto.attribute(), [&](const AttributeProto &attribute) {
    return attribute.name() == name;
  });
}

const AttributeProto *Node::find(StringRef name,
                                 AttributeProto::AttributeType type) {
  used.insert(name);
  for (const AttributeProto &attribute : proto.attribute()) {
    if (attribute.name() != name)
      continue;
    // Before IR version 2 attributes did not state their type.
    if (attribute.type() == type ||
        attribute.type() == AttributeProto::UNDEFINED)
      return &attribute;
    (void)fail("attribute '" + name + "' has the wrong type");
    return nullptr;
  }
  return nullptr;
}

int64_t Node::integer(StringRef name, int64_t otherwise) {
  const AttributeProto *attribute = find(name, AttributeProto::INT);
  return attribute ? attribute->i() : otherwise;
}

bool Node::flag(StringRef name, bool otherwise) {
  return integer(name, otherwise) != 0;
}

double Node::real(StringRef name, double otherwise) {
  const AttributeProto *attribute = find(name, AttributeProto::FLOAT);
  // ONNX's attributes are single precision, and so are its defaults.
  return attribute ? attribute->f() : static_cast<float>(otherwise);
}

StringRef Node::string(StringRef name, StringRef otherwise) {
  const AttributeProto *attribute = find(name, AttributeProto::STRING);
  return attribute ? StringRef(attribute->s()) : otherwise;
}

SmallVector<int64_t> Node::integers(StringRef name,
                                    ArrayRef<int64_t> otherwise) {
  const AttributeProto *attribute = find(name, AttributeProto::INTS);
  if (!attribute)
    return llvm::to_vector(otherwise);
  return SmallVector<int64_t>(attribute->ints().begin(),
                              attribute->ints().end());
}

SmallVector<double> Node::reals(StringRef name) {
  const AttributeProto *attribute = find(name, AttributeProto::FLOATS);
  if (!attribute)
    return {};
  return SmallVector<double>(attribute->floats().begin(),
                             attribute->floats().end());
}

SmallVector<StringRef> Node::strings(StringRef name) {
  const AttributeProto *attribute = find(name, AttributeProto::STRINGS);
  if (!attribute)
    return {};
  return SmallVector<StringRef>(attribute->strings().begin(),
                                attribute->strings().end());
}

ElementsAttr Node::tensor(StringRef name) {
  const AttributeProto *attribute = find(name, AttributeProto::TENSOR);
  if (!attribute)
    return {};
  std::string why;
  ElementsAttr value = elementsOf(
      attribute->t(), file,
      proto.output_size() ? StringRef(proto.output(0)) : name, context(), why);
  if (!value)
    (void)fail("tensor in attribute '" + name + "': " + why);
  return value;
}

ElementsAttr Node::sparseTensor(StringRef name) {
  const AttributeProto *attribute = find(name, AttributeProto::SPARSE_TENSOR);
  if (!attribute)
    return {};
  std::string why;
  glow_onnx::TensorProto dense;
  ElementsAttr value;
  if (densify(attribute->sparse_tensor(), file, dense, why))
    value = elementsOf(dense, file, name, context(), why);
  if (!value)
    (void)fail("sparse tensor in attribute '" + name + "': " + why);
  return value;
}

SmallVector<double> Node::numbers(StringRef name, StringRef suffix) {
  ElementsAttr value = tensor((name + suffix).str());
  if (!value)
    return suffix.empty() ? SmallVector<double>() : reals(name);
  auto elements = Tensor::fromAttribute(loc, value);
  if (mlir::failed(elements))
    return (void)fail(""), SmallVector<double>();
  SmallVector<double> numbers(elements->size());
  elements->read(0, elements->size(), numbers.data());
  return numbers;
}

FailureOr<SmallVector<Value>> Node::body(StringRef name, ArrayRef<Value> inputs,
                                         Value onlyIf) {
  const AttributeProto *attribute = find(name, AttributeProto::GRAPH);
  if (!attribute)
    return fail("attribute '" + name + "' is missing");
  if (condition && onlyIf)
    onlyIf = emit<AndOp>({condition, onlyIf});
  std::string problem;
  auto outputs = importBody(attribute->g(), inputs, onlyIf ? onlyIf : condition,
                            isTrying ? &problem : nullptr);
  if (mlir::failed(outputs) && isTrying)
    return fail(problem);
  if (mlir::failed(outputs)) {
    consequence = true;
    return fail("");
  }
  if (!takesLists && llvm::any_of(*outputs, isList))
    return fail(
        "its body gives a sequence or an optional in place of a tensor");
  return outputs;
}

LogicalResult Node::checkAttributes() {
  for (const AttributeProto &attribute : proto.attribute())
    if (!used.contains(attribute.name()))
      return fail("attribute '" + StringRef(attribute.name()) +
                  "' is not known for this operator");
  return success(!failed());
}

// -- Axes and constants -------------------------------------------------------

int64_t Node::axis(int64_t axis, int64_t rank) {
  int64_t counted = axis < 0 ? axis + rank : axis;
  if (counted >= 0 && counted < rank)
    return counted;
  (void)fail("axis " + Twine(axis) + " is out of range for " + Twine(rank) +
             " axes");
  return 0;
}

SmallVector<int64_t> Node::axesInOrder(ArrayRef<int64_t> axes, int64_t rank) {
  SmallVector<int64_t> counted;
  for (int64_t a : axes) {
    counted.push_back(axis(a, rank));
    if (llvm::is_contained(ArrayRef(counted).drop_back(), counted.back()))
      (void)fail("an axis is named twice");
  }
  return failed() ? SmallVector<int64_t>() : counted;
}

SmallVector<int64_t> Node::axes(ArrayRef<int64_t> axes, int64_t rank) {
  SmallVector<int64_t> counted = axesInOrder(axes, rank);
  llvm::sort(counted);
  return counted;
}

std::optional<SmallVector<int64_t>> Node::known(Value value) {
  auto values = constantInts(value);
  if (!values)
    noteMissing(value);
  return values;
}

std::optional<SmallVector<int64_t>> Node::knownNumbers(Value value) {
  return known(cast(value, builder.getI64Type()));
}

FailureOr<SmallVector<int64_t>> Node::constant(unsigned index, StringRef what) {
  if (auto values = known(in(index)))
    return *values;
  // A list without entries is known even where its value is not.
  if (Value list = in(index); list && llvm::is_contained(dims(list), 0))
    return SmallVector<int64_t>();
  return fail(what + " must be constant");
}

// -- Results ------------------------------------------------------------------

LogicalResult Node::result(Value value, unsigned index) {
  if (failed())
    return failure();
  if (!value)
    return fail("output " + Twine(index) + " has no value");
  if (results.size() <= index)
    results.resize(index + 1);
  results[index] = value;
  return success();
}
