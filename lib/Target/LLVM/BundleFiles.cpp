//===- BundleFiles.cpp - the text files beside a static object ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BundleFiles.h"
#include "glow-c/ModelABI.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::glow;

/// An upper-case C identifier of a tensor's name.
static std::string macroName(StringRef name) {
  std::string result;
  for (char c : name)
    result += llvm::isAlnum(c) ? llvm::toUpper(c) : '_';
  return result;
}

static std::string shapeText(const TensorSpec &tensor) {
  return "[" +
         llvm::join(llvm::map_range(
                        tensor.dims,
                        [](int64_t extent) { return std::to_string(extent); }),
                    ", ") +
         "]";
}

namespace {
/// Names of macros for tensors or symbols of one kind.
class MacroNames {
public:
  /// `suffixes` make further macros of a name.
  MacroNames(StringRef prefix, StringRef kind, ArrayRef<StringRef> suffixes)
      : prefix((prefix + "_" + kind + "_").str()), suffixes(suffixes) {}

  /// That of the `i`th one. "a.b" and "A_b" would be one macro, and "x_bytes"
  /// has the name of the size of "x".
  std::string get(StringRef name, size_t i) {
    std::string result = prefix + macroName(name);
    while (isTaken(result))
      result += "_" + std::to_string(i);
    taken.insert(result);
    for (StringRef suffix : suffixes)
      taken.insert(result + suffix.str());
    return result;
  }

private:
  bool isTaken(StringRef name) const {
    return taken.contains(name) ||
           llvm::any_of(suffixes, [&](StringRef suffix) {
             return taken.contains((name + suffix).str());
           });
  }

  std::string prefix;
  SmallVector<StringRef> suffixes;
  llvm::StringSet<> taken;
};
} // namespace

static void tensorMacros(raw_ostream &out, StringRef prefix, StringRef kind,
                         ArrayRef<TensorSpec> tensors) {
  MacroNames names(prefix, kind, {"_BYTES"});
  for (auto [i, tensor] : llvm::enumerate(tensors)) {
    std::string name = names.get(tensor.name, i);
    out << "/* " << shapeText(tensor) << ", element type " << tensor.dtype
        << (tensor.isCompact ? ", without padding" : "") << " */\n#define "
        << name << " " << i << "\n#define " << name << "_BYTES " << tensor.bytes
        << "\n";
  }
}

/// Of each symbol the place among the symbols' values, and its range.
static void symbolMacros(raw_ostream &out, StringRef prefix,
                         ArrayRef<SymbolSpec> symbols) {
  MacroNames names(prefix, "SYMBOL", {"_MIN", "_MAX"});
  for (auto [i, symbol] : llvm::enumerate(symbols)) {
    std::string name = names.get(symbol.name, i);
    out << (symbol.input == GLOW_COMPUTED ? "/* Computed */\n" : "")
        << "#define " << name << " " << i << "\n#define " << name << "_MIN "
        << symbol.lower << "\n#define " << name << "_MAX " << symbol.upper
        << "\n";
  }
}

std::string glow::bundleHeader(const ProgramSpec &program,
                               const EmitOptions &options) {
  std::string text;
  llvm::raw_string_ostream out(text);
  std::string prefix = macroName(StringRef(options.symbol).drop_back(6));
  out << "/* Made by glow-compile. Do not edit. */\n#ifndef GLOW_MODEL_"
      << prefix << "_H\n#define GLOW_MODEL_" << prefix
      << "_H\n\n#include \"glow-c/ModelABI.h\"\n\n#ifdef __cplusplus\n"
         "extern \"C\" {\n#endif\n\n"
      << "extern const GlowModel " << options.symbol << ";\n\n"
      << "/* The contents of " << options.weightsFile << " */\n#define "
      << prefix << "_WEIGHTS_BYTES " << program.weightsBytes << "\n#define "
      << prefix << "_ARENA_BYTES " << program.arenaBytes
      << "\n/* What each further thread needs behind it */\n#define " << prefix
      << "_WORKER_BYTES " << program.workerBytes << "\n#define " << prefix
      << "_ALIGNMENT " << GLOW_BUFFER_ALIGNMENT << "\n#define " << prefix
      << "_NUM_INPUTS " << program.inputs.size() << "\n#define " << prefix
      << "_NUM_OUTPUTS " << program.outputs.size() << "\n\n";
  tensorMacros(out, prefix, "INPUT", program.inputs);
  tensorMacros(out, prefix, "OUTPUT", program.outputs);
  symbolMacros(out, prefix, program.symbols);
  out << "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
  return text;
}

static llvm::json::Array tensorsJson(ArrayRef<TensorSpec> tensors) {
  llvm::json::Array array;
  for (const TensorSpec &tensor : tensors) {
    llvm::json::Object object{{"name", tensor.name},
                              {"dtype", static_cast<int64_t>(tensor.dtype)},
                              {"shape", llvm::json::Array(tensor.dims)},
                              {"bytes", static_cast<int64_t>(tensor.bytes)}};
    if (tensor.isCompact)
      object["compact"] = true;
    array.push_back(std::move(object));
  }
  return array;
}

static llvm::json::Array symbolsJson(ArrayRef<SymbolSpec> symbols) {
  llvm::json::Array array;
  for (const SymbolSpec &symbol : symbols)
    array.push_back(
        llvm::json::Object{{"name", symbol.name},
                           {"min", symbol.lower},
                           {"max", symbol.upper},
                           {"computed", symbol.input == GLOW_COMPUTED}});
  return array;
}

std::string glow::bundleManifest(const ProgramSpec &program,
                                 const EmitOptions &options) {
  llvm::json::Object manifest{
      {"abi_version", GLOW_ABI_VERSION},
      {"name", program.name},
      {"symbol", options.symbol},
      {"target_triple", options.machine.triple},
      {"cpu", options.machine.cpu},
      {"cpu_features", requiredFeatures(options.machine)},
      {"weights_file", options.weightsFile},
      {"weights_bytes", static_cast<int64_t>(program.weightsBytes)},
      {"weights_xxh3", llvm::formatv("{0:x16}", options.weightsHash).str()},
      {"arena_bytes", static_cast<int64_t>(program.arenaBytes)},
      {"worker_bytes", static_cast<int64_t>(program.workerBytes)},
      {"alignment", GLOW_BUFFER_ALIGNMENT},
      {"inputs", tensorsJson(program.inputs)},
      {"outputs", tensorsJson(program.outputs)},
      {"symbols", symbolsJson(program.symbols)}};
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(manifest))).str();
}
