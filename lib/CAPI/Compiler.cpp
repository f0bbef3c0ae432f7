//===- Compiler.cpp - the C interface of the compiler ---------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow-c/Compiler.h"
#include "glow/Driver/Program.h"
#include "glow/Runtime/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using mlir::glow::CompileOptions;
using mlir::glow::MachineOptions;
using mlir::glow::OutputTensor;
using mlir::glow::Program;
using mlir::glow::ProgramOptions;
using mlir::glow::TensorList;

struct GlowProgram {
  std::unique_ptr<Program> program;
  std::vector<GlowTensorInfo> inputs, outputs;
  std::vector<GlowList> lists;
};

struct GlowResults {
  std::vector<OutputTensor> outputs;
  std::vector<GlowTensor> tensors;
  std::shared_ptr<Program> owner; // of the names, if not the GlowProgram
  std::vector<GlowList> lists;
};

/// Keeps the message for glow_last_error.
static int32_t fail(llvm::Error error) {
  return ::glow::runtime::setLastError(GLOW_INVALID_MODEL,
                                       llvm::toString(std::move(error)));
}
static int32_t misuse(const char *message) {
  return ::glow::runtime::setLastError(GLOW_INVALID_ARGUMENT, message);
}

namespace {
/// A key of GlowCompileOptions.options.
struct OptionKey {
  StringLiteral name;
  /// Which values there are; null if it is any text.
  const char *values;
  /// False if the value is none of these.
  bool (*set)(ProgramOptions &options, StringRef value);
};
} // namespace

template <std::string MachineOptions::*text>
static bool setMachine(ProgramOptions &options, StringRef value) {
  options.compile.machine.*text = value.str();
  return true;
}
template <std::string CompileOptions::*text>
static bool setText(ProgramOptions &options, StringRef value) {
  options.compile.*text = value.str();
  return true;
}
template <std::vector<std::string> CompileOptions::*list>
static bool append(ProgramOptions &options, StringRef value) {
  (options.compile.*list).push_back(value.str());
  return true;
}

static constexpr OptionKey kOptions[] = {
    {"mcpu", nullptr, setMachine<&MachineOptions::cpu>},
    {"mattr", nullptr, setMachine<&MachineOptions::features>},
    {"mtriple", nullptr, setMachine<&MachineOptions::triple>},
    {"machine", nullptr, setMachine<&MachineOptions::description>},
    {"tuning", nullptr, setMachine<&MachineOptions::tuning>},
    {"shape", nullptr, append<&CompileOptions::shapes>},
    {"values", nullptr, append<&CompileOptions::values>},
    {"most", nullptr, append<&CompileOptions::most>},
    {"dynamic-shapes", "auto, exact or ranges",
     [](ProgramOptions &options, StringRef value) {
       auto mode = mlir::glow::parseDynamicShapes(value);
       options.dynamicShapes = mode.value_or(options.dynamicShapes);
       return mode.has_value();
     }},
    {"dump-stages", nullptr, setText<&CompileOptions::dumpFolder>},
    {"memory-budget", "a number of bytes",
     [](ProgramOptions &options, StringRef value) {
       return !value.getAsInteger(10, options.compile.memoryBudget);
     }},
    {"kernel-cache", nullptr, setText<&CompileOptions::kernelCache>},
    {"check-bounds", "0 or 1",
     [](ProgramOptions &options, StringRef value) {
       options.compile.checkBounds = value == "1";
       return value == "0" || value == "1";
     }},
    {"load-dialect-plugin", nullptr,
     [](ProgramOptions &options, StringRef value) {
       options.plugins.push_back(value.str());
       return true;
     }},
    {"cache-size", "a number of programs",
     [](ProgramOptions &options, StringRef value) {
       return !value.getAsInteger(10, options.cacheSize);
     }},
};

static llvm::Error setOption(ProgramOptions &options, StringRef name,
                             StringRef value) {
  const OptionKey *key =
      llvm::find_if(kOptions, [&](auto &key) { return key.name == name; });
  if (key == std::end(kOptions))
    return llvm::createStringError(
        "option '" + name + "' is not known; the options are " +
        llvm::join(
            llvm::map_range(kOptions, [](auto &key) { return key.name; }),
            ", "));
  if (!key->set(options, value))
    return llvm::createStringError("option '" + name + "' = '" + value +
                                   "' must be " + key->values);
  return llvm::Error::success();
}

static llvm::Expected<ProgramOptions>
readOptions(const GlowCompileOptions *given) {
  ProgramOptions options;
  if (!given)
    return options;
  if (given->size < sizeof(GlowCompileOptions))
    return llvm::createStringError("GlowCompileOptions.size is not set");
  options.threads = given->threads;
  if (given->target)
    options.target = given->target;
  if (given->precision) {
    auto precision = mlir::glow::parsePrecision(given->precision);
    if (!precision)
      return llvm::createStringError(
          "precision '" + std::string(given->precision) +
          "' is not available; use strict, fp32, fp32-fast or bf16");
    options.compile.precision = *precision;
  }
  for (uint32_t i = 0; i < given->num_shapes; ++i) {
    const GlowInputShape &shape = given->shapes[i];
    if (!shape.name)
      return llvm::createStringError("a shape names no input");
    std::string text = std::string(shape.name) + "=";
    llvm::raw_string_ostream out(text);
    llvm::interleave(
        ArrayRef(shape.dims, shape.rank), out,
        [&](int64_t extent) {
          if (extent < 0)
            out << '?';
          else
            out << extent;
        },
        "x");
    options.compile.shapes.push_back(text);
  }
  for (uint32_t i = 0; i < given->num_options; ++i)
    if (llvm::Error error =
            setOption(options, given->options[i].key, given->options[i].value))
      return std::move(error);
  return options;
}

static std::vector<GlowTensorInfo> infosOf(ArrayRef<Program::Info> list) {
  std::vector<GlowTensorInfo> infos;
  for (const Program::Info &info : list)
    infos.push_back({info.name.c_str(), info.dims.data(), info.dtype,
                     static_cast<uint32_t>(info.dims.size()), info.kind});
  return infos;
}

static std::vector<GlowList> listsOf(ArrayRef<TensorList> lists) {
  std::vector<GlowList> result;
  for (const TensorList &list : lists)
    result.push_back({list.name.c_str(),
                      uint32_t(list.isSequence | list.isOptional << 1),
                      list.isPresent, list.first, list.count});
  return result;
}

static int32_t publish(llvm::Expected<std::unique_ptr<Program>> program,
                       GlowProgram **result) {
  if (!program)
    return fail(program.takeError());
  auto handle = std::make_unique<GlowProgram>();
  handle->program = std::move(*program);
  handle->inputs = infosOf(handle->program->inputs);
  handle->outputs = infosOf(handle->program->outputs);
  handle->lists = listsOf(handle->program->inputLists);
  *result = handle.release();
  return GLOW_OK;
}

uint32_t glow_compiler_api_version(void) { return GLOW_COMPILER_API_VERSION; }

int32_t glow_compile_file(const char *path, const GlowCompileOptions *options,
                          GlowProgram **program) {
  if (!path || !program)
    return misuse("glow_compile_file needs a path and a place for the program");
  auto read = readOptions(options);
  if (!read)
    return fail(read.takeError());
  return publish(Program::compile(path, *read), program);
}

int32_t glow_compile_bytes(const void *bytes, uint64_t size,
                           const GlowCompileOptions *options,
                           GlowProgram **program) {
  if (!bytes || !program)
    return misuse("glow_compile_bytes needs bytes and a place for the program");
  auto read = readOptions(options);
  if (!read)
    return fail(read.takeError());
  return publish(
      Program::compile(StringRef(static_cast<const char *>(bytes), size), "",
                       *read),
      program);
}

int32_t glow_load(const char *path, uint32_t threads, GlowProgram **program) {
  if (!path || !program)
    return misuse("glow_load needs a path and a place for the program");
  return publish(Program::load(path, threads), program);
}

int32_t glow_save(const GlowProgram *program, const char *path) {
  if (!program || !path)
    return misuse("glow_save needs a program and a path");
  if (llvm::Error error = program->program->save(path))
    return fail(std::move(error));
  return GLOW_OK;
}

void glow_program_free(GlowProgram *program) { delete program; }

uint32_t glow_num_inputs(const GlowProgram *program) {
  return program->inputs.size();
}
uint32_t glow_num_outputs(const GlowProgram *program) {
  return program->outputs.size();
}
const GlowTensorInfo *glow_input(const GlowProgram *program, uint32_t index) {
  return index < program->inputs.size() ? &program->inputs[index] : nullptr;
}
const GlowTensorInfo *glow_output(const GlowProgram *program, uint32_t index) {
  return index < program->outputs.size() ? &program->outputs[index] : nullptr;
}

const GlowList *glow_input_list(const GlowProgram *program, uint32_t index) {
  return index < program->lists.size() ? &program->lists[index] : nullptr;
}

int32_t glow_run(GlowProgram *program, const GlowTensor *inputs,
                 uint32_t numInputs, GlowResults **results) {
  if (!program || !results || (numInputs && !inputs))
    return misuse("glow_run needs a program, inputs and a place for results");
  auto bound = program->program->bind(ArrayRef(inputs, numInputs));
  if (!bound)
    return fail(bound.takeError());
  const Program &model = *bound->program;
  auto outputs = bound->program->run(bound->tensors);
  if (!outputs)
    return fail(outputs.takeError());
  auto handle = std::make_unique<GlowResults>();
  handle->outputs = std::move(*outputs);
  handle->owner = bound->owner;
  for (auto [info, output] : llvm::zip(model.outputs, handle->outputs))
    handle->tensors.push_back({info.name.c_str(), output.data.get(),
                               output.dims.data(), output.bytes, output.dtype,
                               static_cast<uint32_t>(output.dims.size())});
  handle->lists = listsOf(model.outputLists);
  *results = handle.release();
  return GLOW_OK;
}

uint32_t glow_num_results(const GlowResults *results) {
  return results->tensors.size();
}
const GlowTensor *glow_result(const GlowResults *results, uint32_t index) {
  return index < results->tensors.size() ? &results->tensors[index] : nullptr;
}
const GlowList *glow_result_list(const GlowResults *results, uint32_t index) {
  return index < results->lists.size() ? &results->lists[index] : nullptr;
}
void glow_results_free(GlowResults *results) { delete results; }
