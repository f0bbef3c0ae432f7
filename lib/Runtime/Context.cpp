//===- Context.cpp - One execution at a time, with its buffers --*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/Context.h"
#include "glow/Runtime/Error.h"

#include <cstring>

using namespace glow::runtime;

ContextOutputs::ContextOutputs(const Program &program) {
  for (const GlowTensorDesc &tensor : program.outputs)
    bindings.emplace_back(tensor);
  for (Binding &output : bindings)
    if (!program.computedSymbols.empty() && output.desc().varies)
      output.expectResult();
}

GlowRtContext::GlowRtContext(ProgramPtr loaded)
    : program(std::move(loaded)), exec(program->threads),
      outputs(std::make_shared<ContextOutputs>(*program)) {
  for (const GlowTensorDesc &tensor : program->inputs)
    inputs.emplace_back(tensor);
}

static GlowStatus bind(std::vector<Binding> &bindings, const char *kind,
                       uint32_t index, void *data, uint64_t bytes) {
  if (index >= bindings.size())
    return fail(GLOW_INVALID_ARGUMENT, "there is no ", kind, " ", index,
                ", the model has ", bindings.size());
  if (data && bytes != bindings[index].bytes())
    return fail(GLOW_INVALID_ARGUMENT, kind, " '", bindings[index].desc().name,
                "' has ", bindings[index].bytes(),
                " bytes, the bound memory has ", bytes);
  bindings[index].bind(data);
  return GLOW_OK;
}

GlowStatus GlowRtContext::bindInput(uint32_t index, const void *data,
                                    uint64_t bytes) {
  return bind(inputs, "input", index, const_cast<void *>(data), bytes);
}

GlowStatus GlowRtContext::bindOutput(uint32_t index, void *data,
                                     uint64_t bytes) {
  return bind(outputs->bindings, "output", index, data, bytes);
}

GlowStatus GlowRtContext::setSymbols(const int64_t *values, uint32_t count) {
  if (count != program->symbols.size())
    return fail(GLOW_INVALID_ARGUMENT, "the model has ",
                program->symbols.size(), " symbols, not ", count);
  for (uint32_t i = 0; i < count; ++i) {
    const GlowSymbol &symbol = program->symbols[i];
    if (values[i] < symbol.lower || values[i] > symbol.upper)
      return fail(GLOW_INVALID_ARGUMENT, "symbol '", symbol.name, "' is ",
                  values[i], ", the model was compiled for ", symbol.lower,
                  " to ", symbol.upper);
  }
  if (count == 0)
    return GLOW_OK;
  if (!symbols.data())
    if (GlowStatus status =
            symbols.allocate(count * sizeof(int64_t), "the symbols"))
      return status;
  std::memcpy(symbols.data(), values, count * sizeof(int64_t));
  std::vector<int64_t> dims = program->extents(values);
  const int64_t *next = dims.data();
  for (auto *bindings : {&inputs, &outputs->bindings})
    for (Binding &binding : *bindings) {
      if (GlowStatus status = binding.setExtents(next))
        return status;
      next += binding.desc().rank;
    }
  return GLOW_OK;
}

/// Sees to the memory of both sides.
static GlowStatus collect(std::vector<Binding> &bindings,
                          std::vector<void *> &pointers) {
  pointers.clear();
  for (Binding &binding : bindings) {
    pointers.push_back(binding.aligned());
    if (!pointers.back() || !binding.visible())
      return GLOW_OUT_OF_MEMORY;
  }
  return GLOW_OK;
}

/// Strings are addresses that functions will follow.
static GlowStatus checkTexts(std::vector<Binding> &inputs) {
  for (Binding &input : inputs)
    if (input.desc().dtype == GLOW_STRING)
      if (GlowStatus status = checkStrings(
              static_cast<const GlowString *>(input.visible()),
              input.desc().bytes / sizeof(GlowString), input.desc().name))
        return status;
  return GLOW_OK;
}

/// Symbols and buffers for all that the model reads and writes.
GlowStatus GlowRtContext::prepare() {
  if (!symbols.data() && !program->symbols.empty()) {
    std::vector<int64_t> largest;
    for (const GlowSymbol &symbol : program->symbols)
      largest.push_back(symbol.upper);
    if (GlowStatus status = setSymbols(largest.data(), largest.size()))
      return status;
  }
  if (GlowStatus status = collect(inputs, inputPointers))
    return status;
  if (GlowStatus status = collect(outputs->bindings, outputPointers))
    return status;
  if (symbols.data())
    inputPointers.push_back(symbols.data());
  size_t count = program->computedSymbols.size();
  if (count && !computed.data())
    if (GlowStatus status =
            computed.allocate(count * sizeof(int64_t), "the symbols"))
      return status;
  if (count)
    outputPointers.push_back(computed.data());
  return GLOW_OK;
}

/// The extents of the outputs, where the model computes some, and what the
/// caller sees of them.
GlowStatus GlowRtContext::finish() {
  if (!program->computedSymbols.empty()) {
    auto *values = static_cast<const int64_t *>(computed.data());
    for (const GlowSymbol &symbol : program->computedSymbols) {
      if (*values < symbol.lower || *values > symbol.upper)
        return fail(GLOW_INVALID_MODEL, "symbol '", symbol.name,
                    "' came out as ", *values, ", not ", symbol.lower, " to ",
                    symbol.upper);
      ++values;
    }
    std::vector<int64_t> dims =
        program->extents(static_cast<const int64_t *>(symbols.data()),
                         static_cast<const int64_t *>(computed.data()));
    const int64_t *next = dims.data();
    for (const Binding &input : inputs)
      next += input.desc().rank;
    for (Binding &output : outputs->bindings) {
      if (GlowStatus status = output.setResult(next))
        return status;
      next += output.desc().rank;
    }
  }
  for (Binding &output : outputs->bindings) {
    if (!output.visible())
      return GLOW_OUT_OF_MEMORY;
    output.copyOut();
    if (output.desc().dtype != GLOW_STRING)
      continue;
    if (GlowStatus status =
            outputs->texts.adopt(static_cast<GlowString *>(output.visible()),
                                 output.desc().bytes / sizeof(GlowString)))
      return status;
  }
  return GLOW_OK;
}

bool GlowRtContext::hasLargestExtents() const {
  auto *value = static_cast<const int64_t *>(symbols.data());
  for (const GlowSymbol &symbol : program->symbols)
    if (*value++ != symbol.upper)
      return false;
  return true;
}

GlowStatus GlowRtContext::run() {
  if (GlowStatus status = prepare())
    return status;
  for (Binding &input : inputs)
    input.copyIn();
  if (GlowStatus status = checkTexts(inputs))
    return status;
  exec.host.beginRun();
  outputs->texts.clear();
  Profile *timing = exec.profiling();
  if (timing)
    timing->isWholeWork &= hasLargestExtents();
  if (GlowStatus status = execution->run(exec, timing, inputPointers.data(),
                                         outputPointers.data()))
    return status;
  return finish();
}
