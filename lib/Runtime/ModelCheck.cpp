//===- ModelCheck.cpp - Is this descriptor one that can be run here? ------===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/CpuFeatures.h"
#include "glow/Runtime/DType.h"
#include "glow/Runtime/Error.h"
#include "glow/Runtime/Program.h"

#include <cmath>
#include <cstddef>
#include <unordered_set>

using namespace glow::runtime;

// Far above any real model; they keep a damaged descriptor from making the
// checks themselves expensive.
static constexpr uint32_t kMostTensors = 1 << 16;
static constexpr uint32_t kMostInstrs = 1 << 24;
static constexpr uint32_t kMostRank = 1 << 8;
static constexpr uint32_t kMostScales = 1 << 24;
static constexpr uint32_t kMostSymbols = 1 << 16;
static constexpr uint32_t kMostAlignment = 4096; // of a page

template <typename... Parts> static GlowStatus invalid(const Parts &...parts) {
  return fail(GLOW_INVALID_MODEL, "the compiled model is damaged: ", parts...);
}

static GlowStatus checkQuantisation(const GlowTensorDesc &tensor,
                                    const std::string &where) {
  if (tensor.num_scales == 0)
    return GLOW_OK;
  if (tensor.num_scales > kMostScales || !tensor.scales || !tensor.zero_points)
    return invalid(where, " has no scales or zero points");
  bool isPerAxis = tensor.quant_axis != -1;
  if (isPerAxis &&
      (tensor.quant_axis < 0 || uint32_t(tensor.quant_axis) >= tensor.rank ||
       tensor.dims[tensor.quant_axis] != int64_t(tensor.num_scales)))
    return invalid(where, " has ", tensor.num_scales, " scales along axis ",
                   tensor.quant_axis, ", which does not have that extent");
  if (!isPerAxis && tensor.num_scales != 1)
    return invalid(where, " has ", tensor.num_scales, " scales but no axis");
  for (uint32_t i = 0; i < tensor.num_scales; ++i)
    if (!std::isfinite(tensor.scales[i]) || tensor.scales[i] <= 0)
      return invalid(where, " has a scale that is not positive");
  return GLOW_OK;
}

static GlowStatus checkTensor(const GlowTensorDesc &tensor, const char *kind,
                              uint32_t index) {
  std::string where = std::string(kind) + " " + std::to_string(index);
  if (!tensor.name)
    return invalid(where, " has no name");
  where += " '" + std::string(tensor.name) + "'";
  if (tensor.rank > kMostRank || (tensor.rank && !tensor.dims))
    return invalid(where, " has no shape");
  uint64_t bytes;
  if (!tensorBytes(tensor.dtype, tensor.dims, tensor.rank, bytes,
                   /*isPacked=*/false))
    return invalid(where, " has an unknown element type or an impossible "
                          "extent");
  if (bytes != tensor.bytes)
    return invalid(where, " is said to have ", tensor.bytes,
                   " bytes, but its shape has ", bytes);
  return checkQuantisation(tensor, where);
}

static GlowStatus checkTensors(const GlowTensorDesc *tensors, uint32_t count,
                               const char *kind) {
  if (count > kMostTensors || (count && !tensors))
    return invalid("no ", kind, "s are listed");
  std::unordered_set<std::string> names;
  for (uint32_t i = 0; i < count; ++i) {
    if (GlowStatus status = checkTensor(tensors[i], kind, i))
      return status;
    if (!names.insert(tensors[i].name).second)
      return invalid("two ", kind, "s are called '", tensors[i].name, "'");
  }
  return GLOW_OK;
}

static bool holdsValues(const GlowTensorDesc *tensors, uint32_t count,
                        uint32_t values) {
  return count > 0 && tensors[count - 1].dtype == GLOW_I64 &&
         tensors[count - 1].rank == 1 &&
         tensors[count - 1].dims[0] == int64_t(values);
}

/// One whose value is an extent of an input.
static GlowStatus checkGiven(const GlowModel &model, const GlowSymbol &symbol) {
  if (symbol.input + 1 >= model.num_inputs ||
      symbol.axis >= model.inputs[symbol.input].rank ||
      !model.inputs[symbol.input].varies ||
      model.inputs[symbol.input].dims[symbol.axis] != symbol.upper)
    return invalid("symbol '", symbol.name,
                   "' is not the extent of the input that it names");
  return GLOW_OK;
}

/// Their values are the last input, and the last output if they are computed.
static GlowStatus checkSymbols(const GlowModel &model) {
  if (model.num_symbols == 0)
    return GLOW_OK;
  if (model.num_symbols > kMostSymbols || !model.symbols || !model.extents)
    return invalid("no symbols are listed");
  uint32_t given = 0;
  while (given < model.num_symbols &&
         model.symbols[given].input != GLOW_COMPUTED)
    ++given;
  if (given && !holdsValues(model.inputs, model.num_inputs, given))
    return invalid("its last input cannot hold the values of ", given,
                   " symbols");
  uint32_t computed = model.num_symbols - given;
  if (computed && !holdsValues(model.outputs, model.num_outputs, computed))
    return invalid("its last output cannot hold the values of ", computed,
                   " symbols");
  for (uint32_t i = 0; i < model.num_symbols; ++i) {
    const GlowSymbol &symbol = model.symbols[i];
    if (!symbol.name || symbol.lower > symbol.upper ||
        (symbol.lower < 0 && symbol.input != GLOW_COMPUTED))
      return invalid("symbol ", i, " has no name or no values");
    if ((symbol.input == GLOW_COMPUTED) != (i >= given))
      return invalid("symbol '", symbol.name,
                     "' follows those that are computed");
    if (i < given)
      if (GlowStatus status = checkGiven(model, symbol))
        return status;
  }
  return GLOW_OK;
}

static GlowStatus checkLists(const GlowModel &model) {
  uint64_t count = uint64_t(model.num_input_lists) + model.num_output_lists;
  if (count > kMostTensors || (count && !model.lists))
    return invalid("no lists are listed");
  for (uint64_t i = 0; i < count; ++i) {
    const GlowList &list = model.lists[i];
    uint64_t end = uint64_t(list.first) + list.count;
    if (!list.name || list.kind < GLOW_SEQUENCE ||
        list.kind > GLOW_OPTIONAL_SEQUENCE ||
        end >
            (i < model.num_input_lists ? model.num_inputs : model.num_outputs))
      return invalid("list ", i, " has no name, or tensors that there are not");
  }
  return GLOW_OK;
}

static GlowStatus checkInstrs(const GlowModel &model) {
  if (model.num_instrs > kMostInstrs || (model.num_instrs && !model.instrs))
    return invalid("no instructions are listed");
  for (uint32_t i = 0; i < model.num_instrs; ++i) {
    const GlowInstrDesc &instr = model.instrs[i];
    if (!instr.op || !instr.name || !instr.kernel)
      return invalid("instruction ", i, " has no name");
  }
  return GLOW_OK;
}

static GlowStatus checkMemory(const GlowModel &model) {
  uint32_t alignment = model.alignment;
  if (alignment == 0 || (alignment & (alignment - 1)) ||
      alignment > kMostAlignment)
    return invalid("alignment ", alignment, " is no power of two up to ",
                   kMostAlignment);
  if (model.arena_bytes >> 62 || model.worker_bytes >> 62 ||
      model.weights_bytes >> 62)
    return invalid("arena or weights have an impossible size");
  if (model.worker_bytes &&
      (model.worker_bytes | model.arena_bytes) % alignment)
    return invalid("the scratch memory of its threads is not aligned to ",
                   alignment);
  if (model.weights && model.weights_file)
    return invalid("the weights are both embedded and in a file");
  if (model.weights_bytes && !model.weights && !model.weights_file)
    return invalid("the weights are neither embedded nor in a file");
  if (reinterpret_cast<uintptr_t>(model.weights) % alignment)
    return invalid("the embedded weights are not aligned to ", alignment);
  return GLOW_OK;
}

/// The header comes first: nothing else may be read before it is right.
static GlowStatus checkHeader(const GlowModel *model) {
  if (!model)
    return fail(GLOW_INVALID_ARGUMENT, "the model descriptor is NULL");
  if (reinterpret_cast<uintptr_t>(model) % alignof(GlowModel))
    return fail(GLOW_INVALID_ARGUMENT, "the model descriptor is not aligned");
  if (model->abi_version != GLOW_ABI_VERSION)
    return fail(GLOW_UNSUPPORTED, "the model has binary interface version ",
                model->abi_version, ", this runtime has ", GLOW_ABI_VERSION,
                "; compile the model again with a matching Glow");
  // Fields of later versions may follow; the ones of this one must be there.
  if (model->size < sizeof(GlowModel))
    return invalid("its descriptor has ", model->size, " bytes, at least ",
                   sizeof(GlowModel), " are needed");
  if (!model->name || !model->target_triple || !model->cpu_features)
    return invalid("it has no name, target or feature list");
  if (!model->run)
    return invalid("it has no code");
  return GLOW_OK;
}

GlowStatus glow::runtime::checkModel(const GlowModel *model) {
  if (GlowStatus status = checkHeader(model))
    return status;
  if (GlowStatus status = checkTriple(model->target_triple))
    return status;
  if (GlowStatus status = checkCpuFeatures(model->cpu_features))
    return status;
  if (GlowStatus status = checkMemory(*model))
    return status;
  if (GlowStatus status =
          checkTensors(model->inputs, model->num_inputs, "input"))
    return status;
  if (GlowStatus status =
          checkTensors(model->outputs, model->num_outputs, "output"))
    return status;
  if (GlowStatus status = checkLists(*model))
    return status;
  if (GlowStatus status = checkSymbols(*model))
    return status;
  return checkInstrs(*model);
}
