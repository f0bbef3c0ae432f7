//===- Variants.cpp - ONNX models changed for a test ----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Translate/ONNXVariants.h"
#include "glow_onnx.pb.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include <climits>

using namespace mlir;
using namespace mlir::glow;
using glow_onnx::GraphProto;
using glow_onnx::ModelProto;
using glow_onnx::NodeProto;
using glow_onnx::TensorProto;
using glow_onnx::TypeProto;
using glow_onnx::ValueInfoProto;

template <typename Message>
static llvm::Error parse(StringRef bytes, const Twine &what, Message &message) {
  if (bytes.size() <= INT_MAX &&
      message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return llvm::Error::success();
  return llvm::createStringError(what + " is damaged or larger than 2 GB");
}

static llvm::Expected<ModelProto> parseModel(StringRef bytes) {
  ModelProto model;
  if (llvm::Error error = parse(bytes, "the model", model))
    return std::move(error);
  return std::move(model);
}

/// The inputs that have no initializer.
static SmallVector<ValueInfoProto *> inputsOf(GraphProto &graph) {
  llvm::StringSet<> initializers;
  for (const TensorProto &tensor : graph.initializer())
    initializers.insert(tensor.name());
  SmallVector<ValueInfoProto *> inputs;
  for (ValueInfoProto &input : *graph.mutable_input())
    if (!initializers.contains(input.name()))
      inputs.push_back(&input);
  return inputs;
}

/// The tensor type in a sequence or an optional.
static TypeProto *tensorIn(TypeProto *type) {
  if (type->has_optional_type())
    type = type->mutable_optional_type()->mutable_elem_type();
  if (type->has_sequence_type())
    type = type->mutable_sequence_type()->mutable_elem_type();
  return type;
}

static ONNXContents::Value valueOf(ValueInfoProto &info) {
  TypeProto *type = info.mutable_type();
  ONNXContents::Value value;
  value.name = info.name();
  value.isOptional = type->has_optional_type();
  const TypeProto *inside =
      value.isOptional ? &type->optional_type().elem_type() : type;
  value.isSequence = inside->has_sequence_type();
  value.dtype = tensorIn(type)->tensor_type().elem_type();
  return value;
}

llvm::Expected<ONNXContents> mlir::glow::contentsOfONNX(StringRef bytes) {
  auto model = parseModel(bytes);
  if (!model)
    return model.takeError();
  ONNXContents contents;
  GraphProto &graph = *model->mutable_graph();
  for (ValueInfoProto *input : inputsOf(graph))
    contents.inputs.push_back(valueOf(*input));
  for (ValueInfoProto &output : *graph.mutable_output())
    contents.outputs.push_back(valueOf(output));
  for (const NodeProto &node : graph.node()) {
    bool isDefault = node.domain().empty() || node.domain() == "ai.onnx";
    std::string name =
        isDefault ? node.op_type() : node.domain() + "::" + node.op_type();
    if (!llvm::is_contained(contents.operators, name))
      contents.operators.push_back(name);
  }
  return std::move(contents);
}

llvm::Expected<std::string> mlir::glow::withOpenShapes(StringRef bytes) {
  auto model = parseModel(bytes);
  if (!model)
    return model.takeError();
  GraphProto &graph = *model->mutable_graph();
  for (ValueInfoProto *input : inputsOf(graph)) {
    TypeProto *type = tensorIn(input->mutable_type());
    if (type->tensor_type().has_shape())
      for (auto &dim :
           *type->mutable_tensor_type()->mutable_shape()->mutable_dim())
        dim.Clear();
  }
  for (ValueInfoProto &output : *graph.mutable_output()) {
    TypeProto *type = tensorIn(output.mutable_type());
    if (type->has_tensor_type())
      type->mutable_tensor_type()->clear_shape();
  }
  graph.clear_value_info();
  return model->SerializeAsString();
}

namespace {
/// Adds nodes in front of those of a graph.
class Front {
public:
  explicit Front(GraphProto &graph) : graph(graph) {
    rest.Swap(graph.mutable_node());
  }
  ~Front() { graph.mutable_node()->MergeFrom(rest); }

  void addTensor(const TensorProto &tensor, StringRef name) {
    TensorProto &copy = *graph.add_initializer();
    copy = tensor;
    copy.set_name(name.str());
  }
  NodeProto &addNode(StringRef type, StringRef output) {
    NodeProto &node = *graph.add_node();
    node.set_op_type(type.str());
    node.add_output(output.str());
    return node;
  }
  void addSequence(const glow_onnx::SequenceProto &sequence, StringRef name) {
    bool isEmpty = sequence.tensor_values().empty();
    NodeProto &node =
        addNode(isEmpty ? "SequenceEmpty" : "SequenceConstruct", name);
    for (const TensorProto &tensor : sequence.tensor_values()) {
      std::string element = (name + "/" + Twine(node.input_size())).str();
      addTensor(tensor, element);
      node.add_input(element);
    }
  }
  void addOptional(const glow_onnx::OptionalProto &optional, StringRef name) {
    NodeProto &node = addNode("Optional", name);
    std::string element = (name + "/value").str();
    if (optional.has_sequence_value())
      addSequence(optional.sequence_value(), element);
    else if (optional.has_tensor_value())
      addTensor(optional.tensor_value(), element);
    else
      return;
    node.add_input(element);
    // It must come behind what it reads.
    if (optional.has_sequence_value())
      graph.mutable_node()->SwapElements(graph.node_size() - 2,
                                         graph.node_size() - 1);
  }

private:
  GraphProto &graph;
  google::protobuf::RepeatedPtrField<NodeProto> rest;
};
} // namespace

static llvm::Error addConstant(const ONNXContents::Value &value,
                               const std::string &file, Front &front) {
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createStringError("'" + file + "' cannot be opened");
  StringRef bytes = (*buffer)->getBuffer();
  std::string what = "'" + file + "'";
  if (value.isOptional) {
    glow_onnx::OptionalProto optional;
    if (llvm::Error error = parse(bytes, what, optional))
      return error;
    front.addOptional(optional, value.name);
  } else if (value.isSequence) {
    glow_onnx::SequenceProto sequence;
    if (llvm::Error error = parse(bytes, what, sequence))
      return error;
    front.addSequence(sequence, value.name);
  } else {
    TensorProto tensor;
    if (llvm::Error error = parse(bytes, what, tensor))
      return error;
    front.addTensor(tensor, value.name);
  }
  return llvm::Error::success();
}

llvm::Expected<std::string>
mlir::glow::withConstantInputs(StringRef bytes, ArrayRef<std::string> files) {
  auto model = parseModel(bytes);
  if (!model)
    return model.takeError();
  GraphProto &graph = *model->mutable_graph();
  std::vector<ONNXContents::Value> values;
  for (ValueInfoProto *input : inputsOf(graph))
    values.push_back(valueOf(*input));
  graph.clear_input();
  if (values.size() > files.size())
    return llvm::createStringError("an input has no file");
  {
    Front front(graph);
    for (auto [value, file] : llvm::zip(values, files))
      if (llvm::Error error = addConstant(value, file, front))
        return std::move(error);
  }
  return model->SerializeAsString();
}
