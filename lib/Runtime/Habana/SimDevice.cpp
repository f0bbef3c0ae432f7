//===- SimDevice.cpp - a simulated card behind the device table -----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functional only: it runs the raw commands of a recipe, one after the other,
// on memory of its own. Without MLIR; SimpleDevice supplies queues and fences.
//
//===----------------------------------------------------------------------===//
#include "Engines.h"
#include "glow/Runtime/SimpleDevice.h"

#include <cstdlib>
#include <cstring>

using namespace glow::runtime;
using namespace habana_sim;
namespace recipe = habana_recipe;

namespace {

constexpr uint64_t kSramBytes = 50 << 20;
constexpr uint64_t kDdrBytes = uint64_t(16) << 30;

struct FreeMemory {
  void operator()(float *memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<float, FreeMemory>;

/// Zeroed, so that a run does not depend on what ran before.
Memory allocate(uint64_t bytes) {
  return Memory(static_cast<float *>(std::calloc(bytes / 64 + 1, 64)));
}

struct SimProgram : SimpleProgram {
  recipe::Program program;
  std::vector<SimplePort> ports;
  Memory constants, workspace, scratch;
};

/// Where the sections lie during one run.
struct Sections {
  const SimProgram &loaded;
  const std::vector<SimpleBinding> &bindings;

  View view(const recipe::Tensor &tensor) const {
    float *base = nullptr;
    switch (tensor.section) {
    case recipe::Section::Input:
      base = static_cast<float *>(bindings[tensor.index].address);
      break;
    case recipe::Section::Output:
      base = static_cast<float *>(
          bindings[loaded.program.inputs.size() + tensor.index].address);
      break;
    case recipe::Section::Constants:
      base = loaded.constants.get();
      break;
    case recipe::Section::Workspace:
      base = loaded.workspace.get();
      break;
    case recipe::Section::Scratch:
      base = loaded.scratch.get();
      break;
    }
    return View{base + tensor.offset, &tensor};
  }
};

class SimDevice : public HostMemoryDevice {
public:
  SimpleInfo info() override {
    SimpleInfo info;
    info.name = "habana (simulated)";
    info.machine = "{\"sram\": " + std::to_string(kSramBytes) +
                   ", \"ddr\": " + std::to_string(kDdrBytes) + "}";
    info.memoryBytes = kDdrBytes;
    info.alignment = 128;
    return info;
  }

  GlowStatus load(const ProgramImage &image,
                  std::unique_ptr<SimpleProgram> &program) override;
  GlowStatus run(SimpleProgram &program,
                 const std::vector<SimpleBinding> &bindings) override;
};

} // namespace

GlowStatus SimDevice::load(const ProgramImage &image,
                           std::unique_ptr<SimpleProgram> &program) {
  auto loaded = std::make_unique<SimProgram>();
  recipe::Program &recipe = loaded->program;
  std::string error;
  if (!recipe::decode(image.data, image.bytes, recipe, error))
    return fail(GLOW_INVALID_MODEL, image.path, image.path.empty() ? "" : ": ",
                error);
  if (recipe.scratchBytes > kSramBytes || recipe.workspaceBytes > kDdrBytes)
    return fail(GLOW_UNSUPPORTED, "the recipe needs ", recipe.scratchBytes,
                " bytes of SRAM and ", recipe.workspaceBytes,
                " of workspace; the card has ", kSramBytes, " and ", kDdrBytes);
  loaded->constants = allocate(recipe.constants.size());
  loaded->workspace = allocate(recipe.workspaceBytes);
  loaded->scratch = allocate(recipe.scratchBytes);
  if (!loaded->constants || !loaded->workspace || !loaded->scratch)
    return fail(GLOW_OUT_OF_MEMORY, "the host has no memory for the recipe");
  if (!recipe.constants.empty())
    std::memcpy(loaded->constants.get(), recipe.constants.data(),
                recipe.constants.size());
  std::vector<uint8_t>().swap(recipe.constants);
  for (const auto *ports : {&recipe.inputs, &recipe.outputs})
    for (const recipe::Port &port : *ports)
      loaded->ports.push_back({port.name, port.bytes});
  program = std::move(loaded);
  return GLOW_OK;
}

static void runCommand(const Sections &sections, const Command &command) {
  std::vector<View> views;
  for (const recipe::Tensor &tensor : command.tensors)
    views.push_back(sections.view(tensor));
  switch (command.opcode) {
  case recipe::Opcode::Dma:
    return runDma(views[0], views[1]);
  case recipe::Opcode::Fill: {
    auto bits = static_cast<uint32_t>(command.params[0]);
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return runFill(views[0], value);
  }
  case recipe::Opcode::Gemm:
    return runGemm(views[0], views[1], views[2]);
  case recipe::Opcode::Conv:
    return runConv(command, views[0], views[1], views[2]);
  case recipe::Opcode::Launch:
    return runLaunch(
        sections.loaded.program.kernels[command.params[recipe::kKernel]],
        static_cast<Combine>(command.params[recipe::kCombine]), views);
  }
}

GlowStatus SimDevice::run(SimpleProgram &program,
                          const std::vector<SimpleBinding> &bindings) {
  auto &loaded = static_cast<SimProgram &>(program);
  if (GlowStatus status = checkBindings(loaded.ports, bindings))
    return status;
  Sections sections{loaded, bindings};
  for (const Command &command : loaded.program.commands)
    runCommand(sections, command);
  return GLOW_OK;
}

GLOW_SIMPLE_DEVICE_DRIVER("habana", SimDevice)
