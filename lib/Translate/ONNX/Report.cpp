//===- Report.cpp - import, or tell what keeps a model from importing -----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Import.h"
#include "Tensors.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

static std::string describe(const ONNXProblem &problem) {
  if (problem.op.empty())
    return problem.reason;
  std::string op =
      problem.domain.empty() ? problem.op : problem.domain + "::" + problem.op;
  return "node '" + problem.node + "' (" + op + ", opset " +
         std::to_string(problem.opset) + "): " + problem.reason;
}

// -- Import -------------------------------------------------------------------

OwningOpRef<ModuleOp>
mlir::glow::importONNX(std::unique_ptr<llvm::MemoryBuffer> buffer,
                       StringRef folder, MLIRContext *context,
                       ONNXInputValues *values) {
  context->loadDialect<GlowDialect, func::FuncDialect, ub::UBDialect>();
  std::string name = buffer->getBufferIdentifier().str();
  Location loc = FileLineColLoc::get(context, name, 0, 0);
  ModelFile file;
  std::string reason = file.open(std::move(buffer), folder);
  if (!reason.empty())
    return emitError(loc) << reason, nullptr;
  Importer importer(file, context, values);
  OwningOpRef<ModuleOp> module = importer.run();
  for (const ONNXProblem &problem : importer.problems)
    emitError(loc) << describe(problem);
  if (!importer.problems.empty())
    return nullptr;
  return module;
}

std::string mlir::glow::folderOfModel(StringRef path) {
  StringRef folder = llvm::sys::path::parent_path(path);
  return folder.empty() ? "." : folder.str();
}

OwningOpRef<ModuleOp> mlir::glow::importONNX(StringRef path,
                                             MLIRContext *context,
                                             ONNXInputValues *values) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return emitError(FileLineColLoc::get(context, path, 0, 0))
               << "cannot be opened: " << buffer.getError().message(),
           nullptr;
  return importONNX(std::move(*buffer), folderOfModel(path), context, values);
}

// -- Report -------------------------------------------------------------------

static std::string typeText(const glow_onnx::TypeProto &proto,
                            MLIRContext *context) {
  std::string text, reason;
  SmallVector<StringRef> names;
  llvm::raw_string_ostream os(text);
  if (Type type = tensorTypeOf(proto, context, names, reason))
    os << type;
  else
    os << "unsupported: " << reason;
  return text;
}

FailureOr<ONNXReport>
mlir::glow::reportONNX(std::unique_ptr<llvm::MemoryBuffer> buffer,
                       StringRef folder, MLIRContext *context) {
  context->loadDialect<GlowDialect, func::FuncDialect>();
  std::string name = buffer->getBufferIdentifier().str();
  ModelFile file;
  std::string reason = file.open(std::move(buffer), folder);
  if (!reason.empty())
    return emitError(FileLineColLoc::get(context, name, 0, 0)) << reason;
  Importer importer(file, context);
  importer.run();

  const glow_onnx::ModelProto &model = file.model();
  ONNXReport report;
  report.producer = model.producer_name();
  report.irVersion = model.ir_version();
  for (const auto &import : model.opset_import())
    report.opsets.emplace_back(import.domain(), import.version());
  report.operators = importer.operators;
  report.problems = importer.problems;
  llvm::StringMap<bool> initializers;
  for (const auto &tensor : model.graph().initializer()) {
    int64_t count = 1;
    for (int64_t dim : tensor.dims())
      if (dim < 0 || mulOverflows(count, dim, count))
        count = 0;
    if (addOverflows(report.parameters, count, report.parameters))
      report.parameters = INT64_MAX / 4;
    initializers[tensor.name()] = true;
  }
  for (const auto &input : model.graph().input())
    if (!initializers.count(input.name()))
      report.inputs.push_back({input.name(), typeText(input.type(), context)});
  for (const auto &output : model.graph().output())
    report.outputs.push_back({output.name(), typeText(output.type(), context)});
  return report;
}

void mlir::glow::printText(const ONNXReport &report, raw_ostream &os) {
  os << "producer: " << report.producer << ", IR version " << report.irVersion
     << "\n";
  for (const auto &[domain, version] : report.opsets)
    os << "operator set: " << (domain.empty() ? "ai.onnx" : domain) << " "
       << version << "\n";
  for (const ONNXReport::Tensor &input : report.inputs)
    os << "input: " << input.name << ": " << input.type << "\n";
  for (const ONNXReport::Tensor &output : report.outputs)
    os << "output: " << output.name << ": " << output.type << "\n";
  os << "parameters: " << report.parameters << "\noperators:\n";
  for (const ONNXReport::Operator &op : report.operators) {
    os << "  " << (op.domain.empty() ? "" : op.domain + "::") << op.op << ": "
       << op.count;
    if (op.unsupported)
      os << ", " << op.unsupported << " unsupported";
    os << "\n";
  }
  os << (report.problems.empty() ? "supported\n" : "not supported:\n");
  for (const ONNXProblem &problem : report.problems)
    os << "  " << describe(problem) << "\n";
}

void mlir::glow::printJSON(const ONNXReport &report, raw_ostream &stream) {
  llvm::json::OStream os(stream, /*IndentSize=*/2);
  auto text = [](StringRef s) { return llvm::json::fixUTF8(s); };
  auto tensors = [&](StringRef key,
                     const std::vector<ONNXReport::Tensor> &list) {
    os.attributeArray(key, [&] {
      for (const ONNXReport::Tensor &tensor : list)
        os.object([&] {
          os.attribute("name", text(tensor.name));
          os.attribute("type", tensor.type);
        });
    });
  };
  os.object([&] {
    os.attribute("supported", report.problems.empty());
    os.attribute("producer", text(report.producer));
    os.attribute("ir_version", report.irVersion);
    os.attributeObject("opsets", [&] {
      for (const auto &[domain, version] : report.opsets)
        os.attribute(domain.empty() ? "ai.onnx" : text(domain), version);
    });
    os.attribute("parameters", report.parameters);
    tensors("inputs", report.inputs);
    tensors("outputs", report.outputs);
    os.attributeArray("operators", [&] {
      for (const ONNXReport::Operator &op : report.operators)
        os.object([&] {
          os.attribute("op", text(op.op));
          os.attribute("domain", text(op.domain));
          os.attribute("opset", op.opset);
          os.attribute("count", op.count);
          os.attribute("unsupported", op.unsupported);
        });
    });
    os.attributeArray("problems", [&] {
      for (const ONNXProblem &problem : report.problems)
        os.object([&] {
          os.attribute("node", text(problem.node));
          os.attribute("op", text(problem.op));
          os.attribute("domain", text(problem.domain));
          os.attribute("opset", problem.opset);
          os.attribute("reason", text(problem.reason));
        });
    });
  });
  stream << "\n";
}
