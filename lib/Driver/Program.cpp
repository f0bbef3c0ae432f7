//===- Program.cpp - what all kinds of programs share ---------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Driver/Program.h"
#include "ContextPool.h"
#include "PackedElements.h"
#include "glow/Runtime/DType.h"
#include "glow/Runtime/StringPool.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::glow;

Program::Program() : contexts(std::make_unique<ContextPool>()) {}
Program::~Program() = default;

std::optional<DynamicShapes> mlir::glow::parseDynamicShapes(StringRef text) {
  return llvm::StringSwitch<std::optional<DynamicShapes>>(text)
      .Case("auto", DynamicShapes::Auto)
      .Case("exact", DynamicShapes::Exact)
      .Case("ranges", DynamicShapes::Ranges)
      .Default(std::nullopt);
}

static std::string shapeText(ArrayRef<int64_t> dims) {
  std::string text = "[";
  llvm::raw_string_ostream out(text);
  llvm::interleaveComma(dims, out, [&](int64_t extent) {
    if (extent < 0)
      out << '?';
    else
      out << extent;
  });
  return text + "]";
}

llvm::Expected<size_t> mlir::glow::findInput(const Program &program,
                                             StringRef name) {
  auto found = llvm::find_if(program.inputs, [&](const Program::Info &input) {
    return input.name == name;
  });
  if (found != program.inputs.end())
    return found - program.inputs.begin();
  std::vector<std::string> names;
  for (const Program::Info &input : program.inputs)
    names.push_back("'" + input.name + "'");
  return llvm::createStringError("the model has no input '" + name.str() +
                                 "'; its inputs are " +
                                 llvm::join(names, ", "));
}

/// The runtime's last error as one of LLVM's.
static llvm::Error lastError() {
  return llvm::createStringError(glow_last_error());
}

llvm::Error Program::missingInput(StringRef name) {
  return llvm::createStringError("input '" + name.str() + "' is missing");
}

llvm::Error Program::checkCount(ArrayRef<GlowTensor> tensors) const {
  if (tensors.size() == inputs.size())
    return llvm::Error::success();
  return llvm::createStringError(
      "the model takes " + std::to_string(inputs.size()) + " inputs, not " +
      std::to_string(tensors.size()));
}

llvm::Error Program::checkTensor(const Info &info, const GlowTensor &tensor) {
  std::string prefix = "input '" + info.name + "': ";
  if ((tensor.rank && !tensor.dims) || (tensor.bytes && !tensor.data))
    return llvm::createStringError(prefix + "its extents or data are missing");
  ArrayRef<int64_t> dims(tensor.dims, tensor.rank);
  if (tensor.dtype != info.dtype)
    return llvm::createStringError(
        prefix + "element type is " + ::glow::runtime::dtypeName(tensor.dtype) +
        ", the model takes " + ::glow::runtime::dtypeName(info.dtype));
  bool fits = !info.hasRank || dims.size() == info.dims.size();
  for (size_t i = 0; fits && i < info.dims.size(); ++i)
    fits = dims[i] >= 0 && (info.dims[i] < 0 || info.dims[i] == dims[i]);
  if (!fits)
    return llvm::createStringError(prefix + "shape is " + shapeText(dims) +
                                   ", the model takes " + shapeText(info.dims));
  uint64_t bytes;
  if (!::glow::runtime::tensorBytes(tensor.dtype, tensor.dims, tensor.rank,
                                    bytes))
    return llvm::createStringError(prefix + "shape overflows");
  if (bytes != tensor.bytes)
    return llvm::createStringError(
        prefix + "has " + std::to_string(tensor.bytes) +
        " bytes, its shape needs " + std::to_string(bytes));
  if (tensor.dtype == GLOW_STRING &&
      ::glow::runtime::checkStrings(
          static_cast<const GlowString *>(tensor.data),
          bytes / sizeof(GlowString), info.name.c_str()))
    return lastError();
  return llvm::Error::success();
}

llvm::Expected<std::vector<OutputTensor>>
Program::run(ArrayRef<GlowTensor> tensors) {
  if (llvm::Error error = checkCount(tensors))
    return std::move(error);
  for (auto [info, tensor] : llvm::zip(inputs, tensors))
    if (llvm::Error error = checkTensor(info, tensor))
      return std::move(error);
  std::vector<std::vector<uint8_t>> owners(tensors.size());
  SmallVector<GlowTensor> unpacked;
  for (auto [tensor, owner] : llvm::zip(tensors, owners))
    unpacked.push_back(unpackElements(tensor, owner));
  auto results = runChecked(unpacked);
  if (results)
    for (OutputTensor &result : *results)
      packElements(result);
  return results;
}

llvm::Expected<Program::Bound> Program::bind(ArrayRef<GlowTensor> tensors) {
  Bound bound{this, std::vector<GlowTensor>(inputs.size()), nullptr};
  std::vector<bool> isGiven(inputs.size());
  for (const GlowTensor &tensor : tensors) {
    // Says that a list is empty, which this program knows.
    if (tensor.dtype == GLOW_UNDEFINED)
      continue;
    auto index = findInput(*this, tensor.name);
    if (!index)
      return index.takeError();
    if (isGiven[*index])
      return llvm::createStringError("input '" + inputs[*index].name +
                                     "' is given twice");
    bound.tensors[*index] = tensor;
    isGiven[*index] = true;
  }
  for (auto [info, given] : llvm::zip(inputs, isGiven))
    if (!given)
      return missingInput(info.name);
  return std::move(bound);
}

/// The values of the symbols stand in the shapes of the inputs. All other
/// extents must agree with them; of a range there may be a single one left,
/// which another tensor has.
static llvm::Error setSymbols(GlowRtProgram *program, GlowRtContext *context,
                              ArrayRef<GlowTensor> tensors) {
  SmallVector<int64_t> values;
  for (uint32_t i = 0, e = glow_rt_num_symbols(program); i < e; ++i) {
    const GlowSymbol *symbol = glow_rt_symbol(program, i);
    values.push_back(tensors[symbol->input].dims[symbol->axis]);
  }
  if (!values.empty() &&
      glow_rt_set_symbols(context, values.data(), values.size()))
    return lastError();
  for (auto [i, value] : llvm::enumerate(values)) {
    const GlowSymbol *symbol = glow_rt_symbol(program, i);
    const GlowTensorDesc *desc =
        glow_rt_context_input_desc(context, symbol->input);
    if (desc->dims[symbol->axis] != value)
      return llvm::createStringError(
          "input '" + std::string(desc->name) + "': extent " + Twine(value) +
          " along axis " + Twine(symbol->axis) +
          " is none of the multiples that the model was compiled for; the next "
          "lower one is " +
          Twine(desc->dims[symbol->axis]));
  }
  for (auto [i, tensor] : llvm::enumerate(tensors)) {
    const GlowTensorDesc *desc = glow_rt_context_input_desc(context, i);
    ArrayRef<int64_t> wanted(desc->dims, desc->rank);
    ArrayRef<int64_t> given(tensor.dims, tensor.rank);
    if (given != wanted)
      return llvm::createStringError("input '" + std::string(desc->name) +
                                     "': shape is " + shapeText(given) +
                                     (values.empty()
                                          ? ", the compiled model takes "
                                          : ", with the other inputs' it "
                                            "must be ") +
                                     shapeText(wanted));
  }
  return llvm::Error::success();
}

llvm::Error mlir::glow::bindInputs(GlowRtProgram *program,
                                   GlowRtContext *context,
                                   ArrayRef<GlowTensor> tensors) {
  if (llvm::Error error = setSymbols(program, context, tensors))
    return error;
  for (auto [i, tensor] : llvm::enumerate(tensors))
    if (glow_rt_bind_input(context, i, tensor.data, tensor.bytes))
      return lastError();
  return llvm::Error::success();
}

llvm::Expected<std::vector<OutputTensor>>
Program::runChecked(ArrayRef<GlowTensor> tensors) {
  auto program = specialize(tensors);
  if (!program)
    return program.takeError();
  auto taken = contexts->take(*program);
  if (!taken)
    return taken.takeError();
  std::shared_ptr<GlowRtContext> context = *taken;
  GlowRtContext *raw = context.get();
  if (llvm::Error error = bindInputs(program->get(), raw, tensors))
    return std::move(error);
  if (glow_rt_run(raw))
    return lastError();
  // They outlive the context, which serves the next run meanwhile.
  auto outputs = std::exchange(raw->outputs, nullptr);
  std::vector<OutputTensor> results;
  for (::glow::runtime::Binding &output : outputs->bindings) {
    const GlowTensorDesc &desc = output.desc();
    OutputTensor &result = results.emplace_back();
    result.dims.assign(desc.dims, desc.dims + desc.rank);
    result.dtype = desc.dtype;
    result.bytes = desc.bytes;
    result.data = {outputs, output.visible()};
  }
  return std::move(results);
}
