//===- Export.cpp - write a glow function as an ONNX model ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Export.h"
#include "OpTable.h"
#include "Tensors.h"
#include "glow/Translate/ONNX.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include <climits>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;
using glow_onnx::AttributeProto;
using glow_onnx::TensorProto;

// -- Names -------------------------------------------------------------------------

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

// -- Constants ---------------------------------------------------------------------

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
      return packBits(ArrayRef(reinterpret_cast<const uint8_t *>(data.data()),
                               data.size()),
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
  TensorProto &tensor = *graph.add_initializer();
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

// -- Attributes --------------------------------------------------------------------

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

// -- Nodes -------------------------------------------------------------------------

/// The newest row that is no more than the graph op `name`, or null.
static const OpRow *simpleRow(StringRef name) {
  const OpRow *found = nullptr;
  for (const OpRow &row : opTable())
    if (row.glowOp == name && row.until == kLatestOpset &&
        !row.name.contains("::"))
      found = &row;
  return found;
}

static LogicalResult exportSimple(Operation *op, const OpRow &row,
                                  NodeWriter &node) {
  node.type(row.name).inputs(op->getOperands());
  for (const SharedAttr &shared : row.attributes)
    node.attr(shared.onnx, op->getAttrOfType<FloatAttr>(shared.glow)
                               .getValueAsDouble());
  if (row.name == "Swish")
    node.needs(24);
  return success();
}

static LogicalResult exportOp(Operation *op, GraphWriter &writer) {
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    StringRef hint = "constant";
    if (auto loc = dyn_cast<NameLoc>(op->getLoc()))
      hint = loc.getName();
    if (!dataTypeOf(constant.getValue().getElementType()))
      return op->emitError("constant has an element type that ONNX lacks: ")
             << constant.getType();
    writer.setName(constant,
                   writer.addConstant(constant.getValue(), hint));
    return success();
  }
  const OpRow *row = simpleRow(op->getName().getStringRef());
  ExportFn function = findExport(op->getName().getStringRef());
  if (!row && !function)
    return op->emitError("'") << op->getName() << "' has no ONNX form";
  NodeWriter node(op, writer);
  if (auto loc = dyn_cast<NameLoc>(op->getLoc()))
    node.proto.set_name(writer.newNodeName(loc.getName()));
  for (Value result : op->getResults())
    node.proto.add_output(writer.name(result));
  return function ? function(op, node) : exportSimple(op, *row, node);
}

// -- The model ---------------------------------------------------------------------

static void writeType(Type type, ArrayAttr dimNames,
                      glow_onnx::ValueInfoProto &info) {
  auto tensor = cast<RankedTensorType>(type);
  auto *proto = info.mutable_type()->mutable_tensor_type();
  proto->set_elem_type(dataTypeOf(tensor.getElementType()));
  proto->mutable_shape();
  for (auto [i, extent] : llvm::enumerate(tensor.getShape())) {
    auto *dim = proto->mutable_shape()->add_dim();
    if (!ShapedType::isDynamic(extent))
      dim->set_dim_value(extent);
    else if (dimNames && i < dimNames.size())
      dim->set_dim_param(cast<StringAttr>(dimNames[i]).str());
  }
}

/// The ONNX name of an argument or result, or one made up from its number.
static std::string interfaceName(Attribute given, StringRef otherwise,
                                 unsigned index) {
  if (auto name = dyn_cast_or_null<StringAttr>(given))
    return name.str();
  return (otherwise + Twine(index)).str();
}

static LogicalResult checkInterface(func::FuncOp function) {
  for (Type type : llvm::concat<const Type>(function.getArgumentTypes(),
                                            function.getResultTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !dataTypeOf(tensor.getElementType()))
      return function.emitError("has an argument or result that ONNX has no "
                                "type for: ")
             << type;
  }
  return success();
}

static void writeOutputs(func::FuncOp function, func::ReturnOp op,
                         GraphWriter &writer) {
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned i = operand.getOperandNumber();
    auto &info = *writer.graph.add_output();
    info.set_name(interfaceName(
        function.getResultAttr(i, GlowDialect::kNameAttrName), "output", i));
    writeType(operand.get().getType(), nullptr, info);
    if (writer.name(operand.get()) == info.name())
      continue;
    // A value that is an input, a constant, or an output twice.
    glow_onnx::NodeProto &identity = *writer.graph.add_node();
    identity.set_op_type("Identity");
    identity.add_input(writer.name(operand.get()));
    identity.add_output(info.name());
  }
}

/// Values that are outputs have their names from the start.
static void nameOutputs(func::FuncOp function, func::ReturnOp op,
                        GraphWriter &writer) {
  llvm::DenseSet<Value> named;
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned i = operand.getOperandNumber();
    Operation *def = operand.get().getDefiningOp();
    std::string name = interfaceName(
        function.getResultAttr(i, GlowDialect::kNameAttrName), "output", i);
    if (def && !isa<ConstantOp>(def) && named.insert(operand.get()).second)
      writer.setName(operand.get(), name);
    else
      writer.newName(name);
  }
}

static LogicalResult exportFunction(func::FuncOp function,
                                    GraphWriter &writer) {
  if (failed(checkInterface(function)))
    return failure();
  auto ret = cast<func::ReturnOp>(function.getBody().front().getTerminator());
  for (BlockArgument argument : function.getArguments()) {
    unsigned i = argument.getArgNumber();
    auto &info = *writer.graph.add_input();
    info.set_name(interfaceName(
        function.getArgAttr(i, GlowDialect::kNameAttrName), "input", i));
    writer.setName(argument, info.name());
    writeType(argument.getType(),
              function.getArgAttrOfType<ArrayAttr>(i, "glow.dim_names"), info);
  }
  nameOutputs(function, ret, writer);
  bool failedAny = false;
  for (Operation &op : function.getBody().front().without_terminator())
    failedAny |= failed(exportOp(&op, writer));
  writeOutputs(function, ret, writer);
  return failure(failedAny);
}

LogicalResult mlir::glow::exportONNX(ModuleOp module, raw_ostream &os) {
  auto functions = module.getOps<func::FuncOp>();
  if (functions.empty() || std::next(functions.begin()) != functions.end())
    return module.emitError("must hold exactly one function");
  func::FuncOp function = *functions.begin();
  if (!function.getBody().hasOneBlock())
    return function.emitError("must have one block");
  glow_onnx::ModelProto model;
  model.set_ir_version(10);
  model.set_producer_name("glow");
  model.mutable_graph()->set_name(function.getName().str());
  GraphWriter writer(*model.mutable_graph());
  if (failed(exportFunction(function, writer)))
    return failure();
  model.add_opset_import()->set_version(writer.opset);
  if (model.ByteSizeLong() > INT_MAX)
    return module.emitError("is larger than the 2 GB that one ONNX file holds");
  os << model.SerializeAsString();
  return success();
}
