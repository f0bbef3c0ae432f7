//===- ExportLoop.cpp - a loop as an ONNX node ----------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body becomes a graph that sees the values around it. What ONNX collects
// has no rows but those of iterations that took place, so here all rows are a
// state, of which the body updates one.
//
//===----------------------------------------------------------------------===//
#include "Export.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

static glow_onnx::NodeProto &addNode(GraphWriter &writer, StringRef type,
                                     ArrayRef<std::string> inputs,
                                     StringRef output) {
  glow_onnx::NodeProto &node = *writer.graph->add_node();
  node.set_op_type(type.str());
  for (const std::string &input : inputs)
    node.add_input(input);
  node.add_output(output.str());
  return node;
}

/// An input of a body, with the name by which it sees it.
static void addInput(Value argument, GraphWriter &writer) {
  auto &info = *writer.graph->add_input();
  info.set_name(writer.newName("state"));
  writer.setName(argument, info.name());
  writeType(argument.getType(), nullptr, info);
}

/// Writes `value` under a new name as the next output of the body.
static void addOutput(Type type, StringRef node, ArrayRef<std::string> inputs,
                      GraphWriter &writer) {
  auto &info = *writer.graph->add_output();
  info.set_name(writer.newName("next"));
  writeType(type, nullptr, info);
  addNode(writer, node, inputs, info.name());
}

/// The rows after an iteration: those before with another in its place.
static void addRows(Value value, Value result, const std::string &number,
                    GraphWriter &writer) {
  MLIRContext *context = value.getContext();
  auto &info = *writer.graph->add_input();
  info.set_name(writer.newName("rows"));
  writeType(result.getType(), nullptr, info);
  std::string place = writer.newName("place"), row = writer.newName("row");
  addNode(writer, "Reshape", {number, writer.addInts({1, 1}, context)}, place);
  addNode(writer, "Unsqueeze",
          {writer.name(value), writer.addInts({0}, context)}, row);
  addOutput(result.getType(), "ScatterND", {info.name(), place, row}, writer);
}

static LogicalResult writeBody(func::FuncOp function, LoopOp loop,
                               GraphWriter &writer) {
  Block &block = function.front();
  ValueRange results = block.getTerminator()->getOperands();
  size_t states = loop.getStates().size();
  addInput(block.getArgument(0), writer);
  auto &condition = *writer.graph->add_input();
  condition.set_name(writer.newName("condition"));
  writeType(loop.getCondition().getType(), nullptr, condition);
  for (Value argument : block.getArguments().slice(1, states))
    addInput(argument, writer);
  for (auto [argument, read] :
       llvm::zip(block.getArguments().drop_front(1 + states), loop.getReads()))
    writer.setName(argument, writer.name(read));
  LogicalResult written = exportOps(function, writer);
  for (Value value : results.take_front(1 + states))
    addOutput(value.getType(), "Identity", {writer.name(value)}, writer);
  for (auto [value, result] : llvm::zip(results.drop_front(1 + states),
                                        loop.getResults().drop_front(states)))
    addRows(value, result, writer.name(block.getArgument(0)), writer);
  return written;
}

/// Zeros of the type of `result`, before the last node; returns their name.
static std::string addZeros(Value result, GraphWriter &writer) {
  auto type = cast<RankedTensorType>(result.getType());
  Builder builder(result.getContext());
  auto scalar = RankedTensorType::get({}, type.getElementType());
  std::string zero = writer.addConstant(
      cast<ElementsAttr>(builder.getZeroAttr(scalar)), "zero");
  std::string shape = writer.addInts(type.getShape(), result.getContext());
  std::string zeros = writer.newName("zeros");
  addNode(writer, "Expand", {zero, shape}, zeros);
  auto &nodes = *writer.graph->mutable_node();
  nodes.SwapElements(nodes.size() - 2, nodes.size() - 1);
  return zeros;
}

LogicalResult onnx::exportLoop(LoopOp op, NodeWriter &node) {
  auto function =
      SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, op.getBodyAttr());
  GraphWriter &writer = node.writer;
  if (llvm::is_contained(writer.bodies, function))
    return op.emitOpError("is in its own body");
  node.type("Loop").input(Value()).input(op.getCondition());
  node.inputs(op.getStates());
  for (Value result : op.getResults().drop_front(op.getStates().size()))
    node.proto.add_input(addZeros(result, writer));
  auto *attribute = node.proto.add_attribute();
  attribute->set_name("body");
  attribute->set_type(glow_onnx::AttributeProto::GRAPH);
  attribute->mutable_g()->set_name(function.getName().str());
  glow_onnx::GraphProto *outer =
      std::exchange(writer.graph, attribute->mutable_g());
  writer.bodies.push_back(function);
  LogicalResult written = writeBody(function, op, writer);
  writer.bodies.pop_back();
  writer.graph = outer;
  return written;
}
