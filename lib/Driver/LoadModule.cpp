//===- LoadModule.cpp - models from files and from memory -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "glow/Driver/Compile.h"
#include "glow/Translate/ONNX.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::glow;

/// Text of MLIR begins with a comment or the name of an op; an ONNX model with
/// a field tag, whose wire type text never has at this place.
static bool looksLikeText(StringRef contents) {
  StringRef text = contents.ltrim();
  return text.starts_with("//") || text.starts_with("module") ||
         text.starts_with("func.") || text.starts_with("#") ||
         text.starts_with("!") || text.starts_with("builtin.") ||
         text.starts_with("\"builtin");
}

static bool isBytecode(llvm::MemoryBufferRef buffer) {
  return buffer.getBufferSize() >= 4 && mlir::isBytecode(buffer);
}

/// Gives those of `types` that are tensors and have no name, by their
/// attributes `get`, the one that programs show, so that options can say it.
/// What has the attribute `hidden` is not shown.
static void nameTensors(TypeRange types, StringRef stem, StringRef hidden,
                        llvm::function_ref<DictionaryAttr(unsigned)> get,
                        llvm::function_ref<void(unsigned, StringAttr)> set) {
  auto attributeOf = [&](unsigned i, StringRef name) {
    DictionaryAttr attributes = get(i);
    return attributes ? attributes.get(name) : Attribute();
  };
  auto nameOf = [&](unsigned i) {
    return dyn_cast_or_null<StringAttr>(
        attributeOf(i, GlowDialect::kNameAttrName));
  };
  llvm::StringSet<> taken;
  for (unsigned i = 0; i < types.size(); ++i)
    if (StringAttr name = nameOf(i))
      taken.insert(name.getValue());
  unsigned number = 0;
  for (auto [i, type] : llvm::enumerate(types)) {
    if (!isa<RankedTensorType>(type) || attributeOf(i, hidden))
      continue;
    std::string name = (stem + Twine(number++)).str();
    if (nameOf(i))
      continue;
    while (!taken.insert(name).second)
      name += "_";
    set(i, StringAttr::get(type.getContext(), name));
  }
}

static void nameInterface(ModuleOp module) {
  StringRef name = GlowDialect::kNameAttrName;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic())
      continue;
    nameTensors(
        function.getArgumentTypes(), "input", GlowDialect::kSymbolsAttrName,
        [&](unsigned i) { return function.getArgAttrDict(i); },
        [&](unsigned i, StringAttr text) {
          function.setArgAttr(i, name, text);
        });
    nameTensors(
        function.getResultTypes(), "output", kComputedSymbolsAttrName,
        [&](unsigned i) { return function.getResultAttrDict(i); },
        [&](unsigned i, StringAttr text) {
          function.setResultAttr(i, name, text);
        });
  }
}

static OwningOpRef<ModuleOp> parseIR(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                     MLIRContext *context) {
  // Shared with the resources, which point into the buffer.
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), SMLoc());
  SourceMgrDiagnosticHandler handler(*sources, context);
  auto module = parseSourceFile<ModuleOp>(sources, ParserConfig(context));
  if (module)
    nameInterface(*module);
  return module;
}

OwningOpRef<ModuleOp>
glow::loadModule(std::unique_ptr<llvm::MemoryBuffer> buffer, StringRef folder,
                 MLIRContext *context, ONNXInputValues *values) {
  if (::isBytecode(*buffer) || looksLikeText(buffer->getBuffer()))
    return parseIR(std::move(buffer), context);
  return importONNX(std::move(buffer), folder, context, values);
}

OwningOpRef<ModuleOp> glow::loadModule(StringRef path, MLIRContext *context,
                                       ONNXInputValues *values) {
  Location loc = FileLineColLoc::get(context, path, 0, 0);
  if (llvm::sys::fs::is_directory(path)) {
    emitError(loc) << "is a folder, not a model";
    return {};
  }
  // Bytecode wants its sections aligned, in small files too.
  auto buffer = llvm::MemoryBuffer::getFile(
      path, /*IsText=*/false, /*RequiresNullTerminator=*/false,
      /*IsVolatile=*/false, llvm::Align(64));
  if (!buffer) {
    emitError(loc) << "cannot be read: " << buffer.getError().message();
    return {};
  }
  if ((*buffer)->getBufferSize() == 0) {
    emitError(loc) << "is empty";
    return {};
  }
  if (::isBytecode(**buffer))
    return parseIR(std::move(*buffer), context);
  if (looksLikeText((*buffer)->getBuffer()))
    // The text parser reads up to a NUL.
    return parseIR(
        llvm::MemoryBuffer::getMemBufferCopy((*buffer)->getBuffer(), path),
        context);
  // What is no file, as a pipe, cannot be read again.
  if (!llvm::sys::fs::is_regular_file(path))
    return importONNX(std::move(*buffer), llvm::sys::path::parent_path(path),
                      context, values);
  return importONNX(path, context, values);
}
