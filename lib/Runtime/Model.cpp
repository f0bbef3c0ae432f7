//===- Model.cpp - A compiled model as a program ----------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/DType.h"
#include "glow/Runtime/Error.h"
#include "glow/Runtime/Memory.h"
#include "glow/Runtime/Program.h"
#include "glow/Runtime/SharedObject.h"

#define XXH_INLINE_ALL
#include <cstdlib>
#include <cstring>
#include <xxhash.h>

using namespace glow::runtime;

namespace {

class Model : public Program {
public:
  ~Model() override {
    if (owner.release)
      owner.release(owner.user);
  }
  GlowStatus createExecution(std::unique_ptr<Execution> &result) override;
  std::vector<int64_t> extents(const int64_t *values,
                               const int64_t *computed) const override;
  GlowStatus init(const GlowModel *descriptor, const char *weightsFolder);
  /// To huge pages if that pays; the weights lie in a mapped file.
  GlowStatus moveWeights();

  const GlowModel *model = nullptr;
  const void *weights = nullptr;
  Owner owner;
  SharedObject object;

private:
  GlowStatus mapWeights(const std::string &folder);
  MappedFile weightsFile;
  Buffer movedWeights;
};

class ModelExecution : public Execution {
public:
  explicit ModelExecution(std::shared_ptr<Model> model)
      : model(std::move(model)) {}
  GlowStatus init() { return allocateArena(uint32_t(model->threads)); }
  GlowStatus run(GlowExec &exec, Profile *, const void *const *inputs,
                 void *const *outputs) override;

private:
  GlowStatus allocateArena(uint32_t workers);

  std::shared_ptr<Model> model;
  Buffer arena;
  uint32_t arenaWorkers = 0; // that the arena has room for
};

} // namespace

GlowStatus Model::init(const GlowModel *descriptor, const char *weightsFolder) {
  if (GlowStatus status = checkModel(descriptor))
    return status;
  model = descriptor;
  name = model->name;
  for (uint32_t i = 0; i < model->num_symbols; ++i)
    (model->symbols[i].input == GLOW_COMPUTED ? computedSymbols : symbols)
        .push_back(model->symbols[i]);
  inputs.assign(model->inputs,
                model->inputs + model->num_inputs - !symbols.empty());
  outputs.assign(model->outputs, model->outputs + model->num_outputs -
                                     !computedSymbols.empty());
  outputLists.assign(model->lists + model->num_input_lists,
                     model->lists + model->num_input_lists +
                         model->num_output_lists);
  inputLists.assign(model->lists, model->lists + model->num_input_lists);
  instrs.assign(model->instrs, model->instrs + model->num_instrs);
  arenaBytes = model->arena_bytes;
  workerBytes = model->worker_bytes;
  weightsBytes = model->weights_bytes;
  weights = model->weights;
  if (weights || weightsBytes == 0)
    return GLOW_OK;
  if (!weightsFolder)
    return fail(GLOW_INVALID_ARGUMENT, "model '", name,
                "' has its weights in the file '", model->weights_file,
                "'; say in which folder it lies");
  return mapWeights(weightsFolder);
}

GlowStatus Model::mapWeights(const std::string &folder) {
  if (GlowStatus status = weightsFile.openInside(folder, model->weights_file))
    return addContext(status, "weights of model '" + name + "': ");
  if (weightsFile.size() != weightsBytes)
    return fail(GLOW_INVALID_MODEL, "the weights file '", folder, "/",
                model->weights_file, "' has ", weightsFile.size(),
                " bytes, the model needs ", weightsBytes,
                "; copy it again together with the model");
  if (XXH3_64bits(weightsFile.data(), weightsFile.size()) !=
      model->weights_hash)
    return fail(GLOW_INVALID_MODEL, "the weights file '", folder, "/",
                model->weights_file,
                "' belongs to another model or is "
                "damaged; copy it again together with the model");
  weights = weightsFile.data();
  if (GlowStatus status = moveWeights())
    return status;
  if (weights == movedWeights.data())
    weightsFile = MappedFile();
  return GLOW_OK;
}

/// Pages of files are small ones. Looking them up costs up to a tenth of the
/// time where a run reads all weights from memory; nothing where caches and
/// translation buffers hold them, or where most are tables read here and there.
static bool areWorthMoving(const GlowModel &model) {
  constexpr uint64_t kLeast = 32 << 20;
  const char *setting = std::getenv("GLOW_MAP_WEIGHTS");
  if (model.weights_bytes < kLeast || (setting && !std::strcmp(setting, "1")))
    return false;
  uint64_t moved = 0;
  for (uint32_t i = 0; i < model.num_instrs; ++i)
    moved += model.instrs[i].bytes;
  return moved >= model.weights_bytes / 2;
}

GlowStatus Model::moveWeights() {
  if (!areWorthMoving(*model))
    return GLOW_OK;
  if (GlowStatus status =
          movedWeights.moveFrom(weights, weightsBytes, "the weights"))
    return status;
  weights = movedWeights.data();
  return GLOW_OK;
}

std::vector<int64_t> Model::extents(const int64_t *values,
                                    const int64_t *computed) const {
  if (model->num_symbols == 0) {
    std::vector<int64_t> fixed;
    for (const auto *tensors : {&inputs, &outputs})
      for (const GlowTensorDesc &tensor : *tensors)
        fixed.insert(fixed.end(), tensor.dims, tensor.dims + tensor.rank);
    return fixed;
  }
  std::vector<int64_t> all(values, values + symbols.size());
  for (size_t i = 0; i < computedSymbols.size(); ++i)
    all.push_back(computed ? computed[i] : computedSymbols[i].upper);
  // The values of the symbols are an input for the model, those that it
  // computes an output. Each has rank 1.
  size_t before = 0, size = !symbols.empty() + !computedSymbols.empty();
  for (const GlowTensorDesc &tensor : inputs)
    before += tensor.rank;
  for (const GlowTensorDesc &tensor : outputs)
    size += tensor.rank;
  std::vector<int64_t> dims(before + size);
  model->extents(all.data(), dims.data());
  if (!symbols.empty())
    dims.erase(dims.begin() + before);
  if (!computedSymbols.empty())
    dims.pop_back();
  return dims;
}

GlowStatus Model::createExecution(std::unique_ptr<Execution> &result) {
  auto execution = std::make_unique<ModelExecution>(
      std::static_pointer_cast<Model>(shared_from_this()));
  if (GlowStatus status = execution->init())
    return status;
  result = std::move(execution);
  return GLOW_OK;
}

GlowStatus ModelExecution::allocateArena(uint32_t workers) {
  workers = std::max<uint32_t>(workers, 1);
  uint64_t further = 0, bytes = 0;
  if (__builtin_mul_overflow(model->workerBytes, uint64_t(workers) - 1,
                             &further) ||
      __builtin_add_overflow(model->arenaBytes, further, &bytes))
    return fail(GLOW_OUT_OF_MEMORY, "the arena for ", workers,
                " threads is too large");
  arenaWorkers = 0;
  if (GlowStatus status = arena.allocate(bytes, "the model's arena"))
    return status;
  arenaWorkers = workers;
  return GLOW_OK;
}

GlowStatus ModelExecution::run(GlowExec &exec, Profile *,
                               const void *const *inputs,
                               void *const *outputs) {
  if (arenaWorkers < std::max<uint32_t>(exec.workers, 1))
    if (GlowStatus status = allocateArena(exec.workers))
      return status;
  uint64_t errors = errorCount();
  int32_t status =
      model->model->run(&exec, inputs, outputs, arena.data(), model->weights);
  if (status == GLOW_OK)
    return GLOW_OK;
  // A function that the model called has said more.
  if (errorCount() != errors)
    return addContext(GlowStatus(status), "model '" + model->name + "': ");
  if (uint32_t number = uint32_t(status) >> 8;
      number > 0 && number <= model->model->num_instrs) {
    const GlowInstrDesc &instr = model->model->instrs[number - 1];
    return fail(GlowStatus(status & 0xff), "model '", model->name, "': node '",
                instr.name, "': ", instr.kernel);
  }
  return fail(GlowStatus(status), "model '", model->name,
              "' stopped: ", glow_status_name(status));
}

GlowStatus glow::runtime::loadModelFile(const std::string &path,
                                        int32_t threads, ProgramPtr &result) {
  auto model = std::make_shared<Model>();
  if (GlowStatus status = model->object.open(path))
    return status;
  void *symbol;
  if (model->object.find("glow_model", symbol))
    return addContext(GLOW_INVALID_MODEL, "not a model compiled by Glow: ");
  if (GlowStatus status = model->init(static_cast<const GlowModel *>(symbol),
                                      folderOf(path).c_str()))
    return addContext(status, "'" + path + "': ");
  if (model->model->weights)
    if (GlowStatus status = model->moveWeights())
      return addContext(status, "'" + path + "': ");
  model->threads = threads;
  result = std::move(model);
  return GLOW_OK;
}

GlowStatus glow::runtime::loadModel(const GlowModel *descriptor,
                                    const char *weightsFolder, int32_t threads,
                                    Owner owner, ProgramPtr &result) {
  auto model = std::make_shared<Model>();
  if (GlowStatus status = model->init(descriptor, weightsFolder))
    return status;
  model->owner = owner;
  model->threads = threads;
  result = std::move(model);
  return GLOW_OK;
}
