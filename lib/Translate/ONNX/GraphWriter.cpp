//===- GraphWriter.cpp - names, constants and attributes for ONNX ---------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Export.h"
#include "Tensors.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;
using glow_onnx::AttributeProto;
using glow_onnx::TensorProto;

// -- Names --------------------------------------------------------------------

void GraphWriter::setName(Value value, StringRef name) {
  names[value] = name.str();
  taken.insert(name);
}

std::string GraphWriter::newName(StringRef hint) {
  std::string name = hint.str();
  while (!taken.insert(name).second)
    name = (hint + "_" + Twine(counter++)).str();
  return name;
}

std::string GraphWriter::newNodeName(StringRef hint) {
  std::string name = hint.str();
  while (!nodeNames.insert(name).second)
    name = (hint + "_" + Twine(counter++)).str();
  return name;
}

std::string GraphWriter::name(Value value) {
  auto known = names.find(value);
  if (known != names.end())
    return known->second;
  std::string hint = "value";
  if (auto loc = dyn_cast<NameLoc>(value.getLoc()))
    hint = loc.getName().str();
  std::string name = newName(hint);
  names[value] = name;
  return name;
}

// -- Constants ----------------------------------------------------------------

/// Elements of less than a byte, the low ones first.
static std::string packBits(ArrayRef<uint8_t> elements, unsigned bits) {
  std::string bytes((elements.size() * bits + 7) / 8, '\0');
  unsigned perByte = 8 / bits;
  for (auto [i, element] : llvm::enumerate(elements))
    bytes[i / perByte] |= (element & ((1 << bits) - 1)) << (i % perByte * bits);
  return bytes;
}

/// The bytes of a constant, as ONNX has them.
static std::string rawData(ElementsAttr value) {
  Type element = value.getElementType();
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    ArrayRef<char> data = blob ? blob->getData() : ArrayRef<char>();
    if (unsigned bits = bitsOf(dataTypeOf(element)); bits && bits < 8)
      return packBits(
          ArrayRef(reinterpret_cast<const uint8_t *>(data.data()), data.size()),
          bits);
    return std::string(data.begin(), data.end());
  }
  std::string bytes;
  unsigned bits = bitsOf(dataTypeOf(element));
  SmallVector<uint8_t> small;
  auto append = [&](const APInt &number) {
    uint64_t raw = number.getZExtValue();
    if (bits < 8)
      small.push_back(static_cast<uint8_t>(raw));
    else
      bytes.append(reinterpret_cast<const char *>(&raw), bits / 8);
  };
  if (isa<FloatType>(element))
    for (const APFloat &number : value.getValues<APFloat>())
      append(number.bitcastToAPInt());
  else
    for (const APInt &number : value.getValues<APInt>())
      append(number);
  return bits < 8 ? packBits(small, bits) : bytes;
}

std::string GraphWriter::addConstant(ElementsAttr value, StringRef hint) {
  TensorProto &tensor = *graph->add_initializer();
  std::string name = newName(hint);
  tensor.set_name(name);
  tensor.set_data_type(dataTypeOf(value.getElementType()));
  for (int64_t dim : value.getShapedType().getShape())
    tensor.add_dims(dim);
  if (auto strings = dyn_cast<DenseStringElementsAttr>(value))
    for (StringRef text : strings.getValues<StringRef>())
      tensor.add_string_data(text.str());
  else
    tensor.set_raw_data(rawData(value));
  return name;
}

std::string GraphWriter::addInts(ArrayRef<int64_t> values,
                                 MLIRContext *context) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())},
                                    IntegerType::get(context, 64));
  return addConstant(DenseIntElementsAttr::get(type, values), "ints");
}

// -- Attributes ---------------------------------------------------------------

static AttributeProto &addAttribute(glow_onnx::NodeProto &node, StringRef name,
                                    AttributeProto::AttributeType type) {
  AttributeProto &attribute = *node.add_attribute();
  attribute.set_name(name.str());
  attribute.set_type(type);
  return attribute;
}

NodeWriter &NodeWriter::attr(StringRef name, int64_t value) {
  addAttribute(proto, name, AttributeProto::INT).set_i(value);
  return *this;
}
NodeWriter &NodeWriter::attr(StringRef name, double value) {
  addAttribute(proto, name, AttributeProto::FLOAT)
      .set_f(static_cast<float>(value));
  return *this;
}
NodeWriter &NodeWriter::attr(StringRef name, ArrayRef<double> values) {
  AttributeProto &attribute = addAttribute(proto, name, AttributeProto::FLOATS);
  for (double value : values)
    attribute.add_floats(static_cast<float>(value));
  return *this;
}
NodeWriter &NodeWriter::attr(StringRef name, StringRef value) {
  addAttribute(proto, name, AttributeProto::STRING).set_s(value.str());
  return *this;
}
NodeWriter &NodeWriter::attr(StringRef name, ArrayRef<int64_t> values) {
  AttributeProto &attribute = addAttribute(proto, name, AttributeProto::INTS);
  for (int64_t value : values)
    attribute.add_ints(value);
  return *this;
}
NodeWriter &NodeWriter::attr(StringRef name, ArrayRef<StringRef> values) {
  AttributeProto &attribute =
      addAttribute(proto, name, AttributeProto::STRINGS);
  for (StringRef value : values)
    attribute.add_strings(value.str());
  return *this;
}

NodeWriter &NodeWriter::shared(ArrayRef<SharedAttr> attributes) {
  for (const SharedAttr &both : attributes) {
    Attribute value = op->getAttr(both.glow);
    if (auto number = dyn_cast_or_null<FloatAttr>(value))
      attr(both.onnx, number.getValueAsDouble());
    else if (auto list = dyn_cast_or_null<DenseI64ArrayAttr>(value))
      attr(both.onnx, list.asArrayRef());
    else if (auto number = dyn_cast_or_null<IntegerAttr>(value))
      attr(both.onnx, number.getInt());
    else // a unit attribute, which may be absent
      attr(both.onnx, value != nullptr);
  }
  return *this;
}

LogicalResult onnx::hasNoForm(Operation *op, StringRef what) {
  return op->emitError("cannot be written as ONNX ") << what;
}
