//===- Export.h - graph ops as ONNX nodes -----------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TRANSLATE_ONNX_EXPORT_H
#define GLOW_LIB_TRANSLATE_ONNX_EXPORT_H

#include "OpTable.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow_onnx.pb.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::glow::onnx {

/// The operator set that is written, unless an operator needs a newer one.
constexpr int64_t kExportOpset = 21;

class GraphWriter {
public:
  explicit GraphWriter(glow_onnx::GraphProto &graph) : graph(&graph) {}

  /// The name of a value; values without one get a new name.
  std::string name(Value value);
  void setName(Value value, StringRef name);
  std::string newName(StringRef hint);
  /// A name for a node; several ops may come from one.
  std::string newNodeName(StringRef hint);
  /// Adds a constant and returns its name.
  std::string addConstant(ElementsAttr value, StringRef hint);
  std::string addInts(ArrayRef<int64_t> values, MLIRContext *context);

  /// Where nodes go: the model's graph, or a body within it.
  glow_onnx::GraphProto *graph;
  int64_t opset = kExportOpset;
  /// Bodies of loops within one another, at this place.
  SmallVector<func::FuncOp> bodies;

private:
  llvm::DenseMap<Value, std::string> names;
  llvm::StringSet<> taken, nodeNames;
  unsigned counter = 0;
};

/// One ONNX node that is being written.
class NodeWriter {
public:
  NodeWriter(Operation *op, GraphWriter &writer)
      : op(op), writer(writer), proto(*writer.graph->add_node()) {}

  NodeWriter &type(StringRef name) {
    proto.set_op_type(name.str());
    return *this;
  }
  /// A null value is an input left out.
  NodeWriter &input(Value value) {
    proto.add_input(value ? writer.name(value) : "");
    return *this;
  }
  NodeWriter &inputs(ValueRange values) {
    for (Value value : values)
      input(value);
    return *this;
  }
  NodeWriter &ints(ArrayRef<int64_t> values) {
    proto.add_input(writer.addInts(values, op->getContext()));
    return *this;
  }
  NodeWriter &attr(StringRef name, int64_t value);
  NodeWriter &attr(StringRef name, bool value) {
    return attr(name, static_cast<int64_t>(value));
  }
  NodeWriter &attr(StringRef name, ArrayRef<int64_t> values);
  NodeWriter &attr(StringRef name, double value);
  NodeWriter &attr(StringRef name, ArrayRef<double> values);
  NodeWriter &attr(StringRef name, StringRef value);
  NodeWriter &attr(StringRef name, ArrayRef<StringRef> values);
  /// Attributes that the op and the operator share.
  NodeWriter &shared(ArrayRef<SharedAttr> attributes);
  NodeWriter &needs(int64_t opset) {
    writer.opset = std::max(writer.opset, opset);
    return *this;
  }
  LogicalResult done() { return success(); }

  Operation *op;
  GraphWriter &writer;
  glow_onnx::NodeProto &proto;
};

/// Writes a name and a type of the model's interface.
void writeType(Type type, ArrayAttr dimNames, glow_onnx::ValueInfoProto &info);

/// Writes the ops of a function whose arguments have names.
LogicalResult exportOps(func::FuncOp function, GraphWriter &writer);

/// Writes a loop, with its body.
LogicalResult exportLoop(LoopOp op, NodeWriter &node);

/// Reports an op that passes have given a form that ONNX lacks.
LogicalResult hasNoForm(Operation *op, StringRef what);

} // namespace mlir::glow::onnx

#endif // GLOW_LIB_TRANSLATE_ONNX_EXPORT_H
