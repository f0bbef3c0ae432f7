//===- ONNX.h - ONNX models in and out ----------------------------*- C++
//-*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TRANSLATE_ONNX_H
#define GLOW_TRANSLATE_ONNX_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace mlir::glow {

/// Imports an ONNX model as one function of `glow` ops. Large weights stay in
/// the mapped file. Every unsupported or invalid node is reported as an error
/// with its name, operator, operator set and reason; the result is then null.
OwningOpRef<ModuleOp> importONNX(StringRef path, MLIRContext *context);

/// The same for a model in memory. `folder` is where its external data lies;
/// with an empty one, external data is refused.
OwningOpRef<ModuleOp> importONNX(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                 StringRef folder, MLIRContext *context);

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
