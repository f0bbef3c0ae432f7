//===- ONNX.h - ONNX models in and out --------------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TRANSLATE_ONNX_H
#define GLOW_TRANSLATE_ONNX_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace mlir::glow {

/// An input or output as the model declares it: a tensor, a sequence of
/// tensors, or an optional of one of these.
struct ONNXPort {
  std::string name;
  bool isSequence = false, isOptional = false;
  /// Of the tensors; null if it is not declared.
  Type element = {};
  std::optional<std::vector<int64_t>> dims = {};
  bool isTensor() const { return !isSequence && !isOptional; }
};

/// What an import knows of inputs beyond their declaration, and would have to
/// know.
///
/// Operators take lists such as axes, sizes or pads as inputs, and the types of
/// results depend on them. Where such a list is an input of the model, there is
/// no function before its value is known. The same holds for the number of
/// tensors in a sequence, and now and then for extents that are open.
struct ONNXInputValues {
  /// Elements that an input may have whose value has to be known.
  static constexpr int64_t kMaxElements = 1024;

  /// Inputs whose values are known. They stay arguments of the function, but
  /// the graph reads these constants.
  llvm::StringMap<ElementsAttr> known;
  /// The same as numbers in text. The argument says what they are, so that a
  /// compiled model can refuse others.
  llvm::StringMap<std::vector<std::string>> numbers;
  /// Shapes of inputs, and of the tensors name[0], name[1] of lists.
  llvm::StringMap<std::vector<int64_t>> shapes;
  /// Lists without tensors: true for an empty sequence, false for an optional
  /// that is absent.
  llvm::StringMap<bool> empty;
  /// Rows that loops have room for, by the names of their nodes; and those that
  /// were found.
  llvm::StringMap<int64_t> most;
  std::set<std::string> loops;
  /// Whether the import may wait for what is missing. If so and nothing else is
  /// wrong, it returns an empty module and sets the fields below.
  bool mayWait = true;

  /// Inputs whose values must be known.
  std::vector<std::string> missing;
  /// The shapes of all inputs must be known, and the lengths of all lists.
  bool needsShapes = false;
  /// All that `missing` would tell is extents. An import that does not wait
  /// leaves them open, and a program with room for the most there can be may
  /// do without them.
  bool onlyExtents = false;
  std::vector<ONNXPort> inputs, outputs;

  /// Notes a shape as options give it: name=2x3, name=[] for an empty sequence,
  /// name=none for an optional without value. Others, with open extents or
  /// ranges, are left alone. Returns false if it is for this reader only.
  bool addShape(StringRef text);
  /// Notes values as options give them: axes=0,2. Ranges are left alone.
  /// Returns false if it is for this reader only.
  bool addValue(StringRef text);
  /// Notes for how many rows a loop has room, as options give it: node=8192.
  void addMost(StringRef text);
  /// Whether a node of the model could make use of that.
  bool tookMost(StringRef text) const;
  bool isWaiting() const { return needsShapes || !missing.empty(); }
};

/// Imports an ONNX model as one function of `glow` ops. Large weights stay in
/// the mapped file. Every unsupported or invalid node is reported as an error
/// with its name, operator, operator set and reason; the result is then null.
OwningOpRef<ModuleOp> importONNX(StringRef path, MLIRContext *context,
                                 ONNXInputValues *values = nullptr);

/// The same for a model in memory. `folder` is where its external data lies;
/// with an empty one, external data is refused.
OwningOpRef<ModuleOp> importONNX(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                 StringRef folder, MLIRContext *context,
                                 ONNXInputValues *values = nullptr);

/// The folder of the model at `path`.
std::string folderOfModel(StringRef path);

/// Writes a module of one function of `glow` ops as an ONNX model. Every op
/// that has no ONNX form is reported as an error.
LogicalResult exportONNX(ModuleOp module, raw_ostream &os);

/// A node, or with an empty operator the model itself, that is not imported.
struct ONNXProblem {
  std::string node, op, domain;
  int64_t opset = 0;
  std::string reason;
  /// If the values of these inputs are all that is missing: their names.
  std::vector<std::string> inputs = {};
  /// Whether it may vanish once the shapes of all inputs are known.
  bool mayNeedShapes = false;
};

/// What a model contains and how much of it is supported.
struct ONNXReport {
  struct Operator {
    std::string op, domain;
    int64_t opset = 0;
    unsigned count = 0, unsupported = 0;
  };
  struct Tensor {
    std::string name, type;
  };
  std::string producer;
  int64_t irVersion = 0;
  std::vector<std::pair<std::string, int64_t>> opsets;
  std::vector<Operator> operators;
  std::vector<Tensor> inputs, outputs;
  int64_t parameters = 0;
  std::vector<ONNXProblem> problems;
};

/// Reports on a model; fails, after an error, if it cannot be read at all.
FailureOr<ONNXReport> reportONNX(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                 StringRef folder, MLIRContext *context);
void printText(const ONNXReport &report, raw_ostream &os);
void printJSON(const ONNXReport &report, raw_ostream &os);

} // namespace mlir::glow

#endif // GLOW_TRANSLATE_ONNX_H
