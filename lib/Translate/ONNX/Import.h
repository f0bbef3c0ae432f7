//===- Import.h - walk an ONNX graph and build its function -----*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TRANSLATE_ONNX_IMPORT_H
#define GLOW_LIB_TRANSLATE_ONNX_IMPORT_H

#include "Node.h"
#include "glow/Dialect/Glow/IR/Lists.h"
#include "glow/Translate/ONNX.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include <deque>
#include <map>

namespace mlir::glow::onnx {

/// Nodes after inlining; more come only from functions that multiply.
inline constexpr int64_t kMaxNodes = 1'000'000;

/// What a name of the model stands for.
struct Entry {
  enum Kind {
    Known,   ///< `value`
    Unknown, ///< the result of a node that was not imported
    Absent   ///< a function's input that the caller leaves out
  } kind = Unknown;
  Value value;
};

/// The names of a graph or of the body of a function that is inlined.
struct Scope {
  explicit Scope(Scope *outer) : outer(outer) {}
  /// The enclosing graph, whose names are visible; null for functions.
  Scope *outer;
  llvm::StringMap<Entry> names;
  /// Constants that no node has used yet.
  llvm::StringMap<const glow_onnx::TensorProto *> initializers;
  /// The node that calls the function; its attributes stand in for references.
  const glow_onnx::NodeProto *caller = nullptr;
  const glow_onnx::FunctionProto *function = nullptr;
  llvm::StringMap<int64_t> opsets;
  int depth = 0;
  /// See Node::onlyIf() and Node::isRepeated().
  Value onlyIf;
  bool isRepeated = false;
};

class Importer {
public:
  Importer(ModelFile &file, MLIRContext *context,
           ONNXInputValues *values = nullptr)
      : file(file), builder(context), values(values) {}

  /// Imports the main graph. Problems, if there are any, are in `problems`.
  OwningOpRef<ModuleOp> run();

  std::vector<ONNXProblem> problems;
  std::vector<ONNXReport::Operator> operators;

private:
  // InputValues.cpp
  void findOpenTypes(func::FuncOp function);
  /// If all that is missing may come later: says what, and forgets the rest.
  bool wait(const glow_onnx::GraphProto &graph);

  // Interface.cpp
  void readOpsets(
      const google::protobuf::RepeatedPtrField<glow_onnx::OperatorSetIdProto>
          &imports,
      Scope &scope);
  void addInitializers(const glow_onnx::GraphProto &graph, Scope &scope);
  void addInputs(const glow_onnx::GraphProto &graph, Scope &scope,
                 func::FuncOp function);
  Value addArgument(const Twine &name, const ONNXPort &port,
                    ArrayRef<StringRef> dimNames, func::FuncOp function);
  Value addList(const ONNXPort &port, func::FuncOp function);
  void addOutputs(const glow_onnx::GraphProto &graph, Scope &scope,
                  func::FuncOp function);

  // Import.cpp
  void problem(const Twine &reason);
  void addProblem(ONNXProblem problem);
  void importNodes(
      const google::protobuf::RepeatedPtrField<glow_onnx::NodeProto> &nodes,
      Scope &scope);
  void importNode(const glow_onnx::NodeProto &node, Scope &scope);
  void importOperator(const glow_onnx::NodeProto &node, int64_t opset,
                      Location loc, ArrayRef<Value> inputs, Scope &scope);
  /// The entry of `name`, or null after noting that there is none.
  const Entry *find(StringRef name, Scope &scope);
  Entry materialize(StringRef name, const glow_onnx::TensorProto &tensor);
  void define(StringRef name, Entry entry, Scope &scope);
  void nodeProblem(const glow_onnx::NodeProto &node, int64_t opset,
                   const Twine &reason, std::vector<std::string> inputs = {});
  void countOperator(const glow_onnx::NodeProto &node, int64_t opset,
                     bool unsupported);
  void defineUnknown(const glow_onnx::NodeProto &node, Scope &scope);

  // Functions.cpp
  const glow_onnx::FunctionProto *
  findFunction(const glow_onnx::NodeProto &node);
  void importCall(const glow_onnx::NodeProto &node,
                  const glow_onnx::FunctionProto &function, int64_t opset,
                  ArrayRef<Entry> inputs, Scope &scope);
  FailureOr<SmallVector<Value>> importBody(const glow_onnx::GraphProto &graph,
                                           ArrayRef<Value> inputs, Value onlyIf,
                                           std::string *problem, Scope &scope);
  FailureOr<SmallVector<Value>> importBody(const glow_onnx::GraphProto &graph,
                                           ArrayRef<Value> inputs, Value onlyIf,
                                           bool isRepeated, Scope &scope);
  void defineOutputs(const glow_onnx::NodeProto &node,
                     ArrayRef<std::string> names, Scope &inner, Scope &scope);

  ModelFile &file;
  /// Those that the model has in sparse form; their addresses stay.
  std::deque<glow_onnx::TensorProto> denseInitializers;
  OpBuilder builder;
  Block *mainBlock = nullptr;
  ONNXInputValues *values; // null: nothing is known
  bool hasOpenInputs = false;
  std::vector<TensorList> inputLists;
  std::map<std::pair<std::string, std::string>, size_t> operatorIndex;
  std::map<std::pair<std::string, std::string>,
           const glow_onnx::FunctionProto *>
      functions;
  /// Nodes imported so far, inlined ones each time.
  int64_t imported = 0;
};

/// `node` with references to the attributes of the function's caller replaced;
/// null if there are none.
std::unique_ptr<glow_onnx::NodeProto>
resolveAttributes(const glow_onnx::NodeProto &node, const Scope &scope);

/// The default domain has two names.
inline StringRef domainOf(StringRef domain) {
  return domain == "ai.onnx" ? "" : domain;
}

} // namespace mlir::glow::onnx

#endif // GLOW_LIB_TRANSLATE_ONNX_IMPORT_H
