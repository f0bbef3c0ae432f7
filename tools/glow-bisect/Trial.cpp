//===- Trial.cpp - a window, compiled and interpreted ---------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Trial.h"
#include "glow/Tools/Outputs.h"
#include "mlir/Bytecode/BytecodeWriter.h"

using namespace mlir;
using namespace mlir::glow;

std::optional<size_t> Trial::departs(const Bound &bound) const {
  for (auto [i, error] : llvm::enumerate(errors))
    if (!bound.isMet(error))
      return i;
  return std::nullopt;
}

static ProgramOptions interpreting(ProgramOptions options) {
  options.target = "interpret";
  return options;
}

llvm::Expected<std::vector<OutputTensor>>
mlir::glow::runModule(ModuleOp module, const ProgramOptions &options,
                      ArrayRef<OutputTensor> inputs, Trial *interface) {
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  if (failed(writeBytecodeToFile(module, out)))
    return llvm::createStringError("a part of the model cannot be written");
  auto program = Program::compile(bytes, "", options);
  if (!program)
    return program.takeError();
  std::vector<GlowTensor> tensors;
  for (auto [info, input] : llvm::zip_equal((*program)->inputs, inputs))
    tensors.push_back({info.name.c_str(), input.data.get(), input.dims.data(),
                       input.bytes, input.dtype,
                       static_cast<uint32_t>(input.dims.size())});
  if (interface) {
    interface->inputs = (*program)->inputs;
    interface->outputs = (*program)->outputs;
  }
  return (*program)->run(tensors);
}

llvm::Expected<std::vector<Errors>>
mlir::glow::findErrors(ArrayRef<Program::Info> outputs,
                       ArrayRef<OutputTensor> actual,
                       ArrayRef<OutputTensor> wanted) {
  std::vector<Errors> list;
  for (auto [info, one, other] : llvm::zip_equal(outputs, actual, wanted)) {
    if (!elementReader(one.dtype) || one.dims != other.dims) {
      // Not numbers: they are equal or not.
      bool isSame = one.dims == other.dims && one.bytes == other.bytes &&
                    !memcmp(one.data.get(), other.data.get(), one.bytes);
      list.emplace_back().mismatches = !isSame;
      continue;
    }
    auto errors = findErrors(info, one, other);
    if (!errors)
      return errors.takeError();
    list.push_back(*errors);
  }
  return list;
}

std::vector<OutputTensor> mlir::glow::inputsOf(const Window &window,
                                               const Tensors &tensors) {
  std::vector<OutputTensor> inputs;
  for (Value value : window.arguments)
    inputs.push_back(tensors.lookup(value));
  return inputs;
}

llvm::Expected<Trial> mlir::glow::tryWindow(const Window &window,
                                            const Tensors &tensors,
                                            const ProgramOptions &options) {
  std::vector<OutputTensor> inputs = inputsOf(window, tensors);
  Trial trial;
  auto wanted =
      runModule(window.module.get(), interpreting(options), inputs, &trial);
  if (!wanted)
    return wanted.takeError();
  auto actual = runModule(window.module.get(), options, inputs);
  if (!actual)
    return actual.takeError();
  auto errors = findErrors(trial.outputs, *actual, *wanted);
  if (!errors)
    return errors.takeError();
  trial.wanted = std::move(*wanted);
  trial.errors = std::move(*errors);
  return trial;
}
