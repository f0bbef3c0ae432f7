//===- glow-translate.cpp - models in and out -----------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exit codes: 0 done, 1 the input is wrong or not supported, 2 wrong usage.
//
//===----------------------------------------------------------------------===//
#include "glow/Driver/DialectPlugins.h"
#include "glow/InitAll.h"
#include "glow/Support/OutputFile.h"
#include "glow/Support/PluginOption.h"
#include "glow/Support/ToolStart.h"
#include "glow/Translate/ONNX.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
namespace cl = llvm::cl;

namespace {
cl::OptionCategory category("glow-translate options");
cl::opt<std::string> input(cl::Positional, cl::desc("<input>"), cl::Required,
                           cl::cat(category));
cl::opt<std::string> output("o", cl::desc("Output file; '-' is stdout"),
                            cl::value_desc("file"), cl::init("-"),
                            cl::cat(category));
cl::opt<bool> importModel("import-onnx", cl::desc("Import an ONNX model"),
                          cl::cat(category));
cl::opt<bool> exportModel("export-onnx",
                          cl::desc("Write a function of glow ops as ONNX"),
                          cl::cat(category));
cl::opt<std::string>
    report("report",
           cl::desc("Tell what an ONNX model contains and what is "
                    "supported, as text or json"),
           cl::value_desc("text|json"), cl::ValueOptional, cl::cat(category));
cl::opt<bool> bytecode("bytecode",
                       cl::desc("Write bytecode (default for .mlirbc)"),
                       cl::cat(category));
cl::opt<bool> elide("elide-resources",
                    cl::desc("Leave the weights out of textual output"),
                    cl::cat(category));
glow::PluginOption plugins(category);
} // namespace

/// Diagnostics as `file: error: text`.
static void printDiagnostic(Diagnostic &diagnostic) {
  raw_ostream &os = llvm::errs();
  if (auto file = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
    os << file.getFilename().getValue() << ": ";
  else
    os << diagnostic.getLocation() << ": ";
  switch (diagnostic.getSeverity()) {
  case DiagnosticSeverity::Error:
    os << "error: ";
    break;
  case DiagnosticSeverity::Warning:
    os << "warning: ";
    break;
  default:
    break;
  }
  os << diagnostic << "\n";
  for (Diagnostic &note : diagnostic.getNotes())
    printDiagnostic(note);
}

/// Nothing is left half-written: a file replaces the old one when it is whole.
static int write(llvm::function_ref<llvm::Error(raw_ostream &)> writer) {
  if (llvm::Error error = mlir::glow::writeOutput(output, writer)) {
    llvm::errs() << output << ": error: " << llvm::toString(std::move(error))
                 << "\n";
    return 1;
  }
  return 0;
}

static int writeModule(ModuleOp module) {
  return write([&](raw_ostream &os) -> llvm::Error {
    if (bytecode || StringRef(output).ends_with(".mlirbc")) {
      if (failed(writeBytecodeToFile(module, os)))
        return llvm::createStringError("cannot be written as bytecode");
      return llvm::Error::success();
    }
    OpPrintingFlags flags;
    flags.enableDebugInfo(/*enable=*/false);
    if (elide)
      flags.elideLargeElementsAttrs().elideLargeResourceString();
    module->print(os, flags);
    os << "\n";
    return llvm::Error::success();
  });
}

static int exportFile(MLIRContext &context) {
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(input, &context);
  if (!module)
    return 1;
  return write([&](raw_ostream &os) -> llvm::Error {
    if (failed(glow::exportONNX(*module, os)))
      return llvm::createStringError("cannot be written as ONNX");
    return llvm::Error::success();
  });
}

static int writeReport(const glow::ONNXReport &contents) {
  int rc = write([&](raw_ostream &os) {
    report == "json" ? glow::printJSON(contents, os)
                     : glow::printText(contents, os);
    return llvm::Error::success();
  });
  return rc ? rc : contents.problems.empty() ? 0 : 1;
}

static int usage(StringRef what) {
  llvm::errs() << "glow-translate: " << what << "; see --help\n";
  return 2;
}

int main(int argc, char **argv) {
  glow::startTool();
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(argc, argv, "Models in and out of Glow\n",
                                   &llvm::errs()))
    return 2;
  bool wantsReport = report.getNumOccurrences();
  if (importModel + exportModel + wantsReport != 1)
    return usage("give one of --import-onnx, --export-onnx and --report");
  if (wantsReport && !report.empty() && report != "text" && report != "json")
    return usage("--report is text or json");

  DialectRegistry registry;
  glow::registerAllDialects(registry);
  if (llvm::Error error = glow::loadDialectPlugins(plugins, registry)) {
    llvm::errs() << "glow-translate: error: "
                 << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  MLIRContext context(registry);
  context.getDiagEngine().registerHandler(printDiagnostic);

  if (importModel) {
    OwningOpRef<ModuleOp> module = glow::importONNX(input, &context);
    return module ? writeModule(*module) : 1;
  }
  if (exportModel)
    return exportFile(context);
  auto buffer = llvm::MemoryBuffer::getFile(input, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    llvm::errs() << input << ": error: " << buffer.getError().message() << "\n";
    return 1;
  }
  auto contents = glow::reportONNX(std::move(*buffer),
                                   glow::folderOfModel(input), &context);
  return succeeded(contents) ? writeReport(*contents) : 1;
}
