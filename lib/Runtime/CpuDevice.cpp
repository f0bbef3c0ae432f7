//===- CpuDevice.cpp - The processor as a device ----------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/CpuDevice.h"
#include "glow/Runtime/ContextExec.h"
#include "glow/Runtime/Program.h"

#include <cstdlib>
#include <cstring>

using namespace glow::runtime;

namespace {

struct CpuProgram : SimpleProgram {
  ProgramPtr program;
  std::unique_ptr<Execution> execution;
};

class CpuDevice : public SimpleDevice {
public:
  explicit CpuDevice(int32_t threads) : threads(threads), exec(threads) {}

  SimpleInfo info() override {
    return {"cpu", "", 0, GLOW_BUFFER_ALIGNMENT, /*runsOnHostMemory=*/true};
  }
  GlowStatus alloc(uint64_t bytes, uint64_t alignment,
                   void *&address) override {
    if (posix_memalign(&address, alignment, bytes) == 0)
      return GLOW_OK;
    address = nullptr;
    return fail(GLOW_OUT_OF_MEMORY, "cannot get ", bytes, " bytes");
  }
  void free(void *address) override { std::free(address); }
  GlowStatus copy(void *target, const void *source, uint64_t bytes,
                  CopyKind) override {
    std::memcpy(target, source, bytes);
    return GLOW_OK;
  }
  GlowStatus load(const ProgramImage &image,
                  std::unique_ptr<SimpleProgram> &program) override;
  GlowStatus run(SimpleProgram &program,
                 const std::vector<SimpleBinding> &bindings) override;

private:
  int32_t threads;
  ContextExec exec;
};

} // namespace

GlowStatus CpuDevice::load(const ProgramImage &image,
                           std::unique_ptr<SimpleProgram> &result) {
  auto loaded = std::make_unique<CpuProgram>();
  GlowStatus status;
  if (!image.path.empty())
    status = loadModelFile(image.path, threads, loaded->program);
  else if (image.bytes == sizeof(GlowModel))
    status = loadModel(static_cast<const GlowModel *>(image.data), nullptr,
                       threads, {}, loaded->program);
  else
    status = fail(GLOW_INVALID_MODEL, "the processor runs a shared object by "
                                      "its path or a GlowModel descriptor");
  if (status == GLOW_OK)
    status = loaded->program->createExecution(loaded->execution);
  if (status == GLOW_OK)
    result = std::move(loaded);
  return status;
}

static GlowStatus checkBinding(const GlowTensorDesc &tensor,
                               const SimpleBinding &binding) {
  if (binding.bytes != tensor.bytes)
    return fail(GLOW_INVALID_ARGUMENT, "'", tensor.name, "' has ", tensor.bytes,
                " bytes, bound are ", binding.bytes);
  if (reinterpret_cast<uintptr_t>(binding.address) % GLOW_BUFFER_ALIGNMENT)
    return fail(GLOW_INVALID_ARGUMENT, "'", tensor.name,
                "' is bound to memory not aligned to ", GLOW_BUFFER_ALIGNMENT);
  return GLOW_OK;
}

GlowStatus CpuDevice::run(SimpleProgram &loaded,
                          const std::vector<SimpleBinding> &bindings) {
  auto &cpuProgram = static_cast<CpuProgram &>(loaded);
  const ProgramPtr &program = cpuProgram.program;
  size_t numInputs = program->inputs.size();
  size_t numOutputs = program->outputs.size();
  if (bindings.size() != numInputs + numOutputs)
    return fail(GLOW_INVALID_ARGUMENT, "model '", program->name, "' has ",
                numInputs, " inputs and ", numOutputs, " outputs, bound are ",
                bindings.size());
  std::vector<void *> pointers;
  for (size_t i = 0; i < bindings.size(); ++i) {
    const GlowTensorDesc &tensor =
        i < numInputs ? program->inputs[i] : program->outputs[i - numInputs];
    if (GlowStatus status = checkBinding(tensor, bindings[i]))
      return addContext(status, "model '" + program->name + "': ");
    pointers.push_back(bindings[i].address);
  }
  return cpuProgram.execution->run(exec, nullptr, pointers.data(),
                                   pointers.data() + numInputs);
}

std::unique_ptr<SimpleDevice> glow::runtime::createCpuDevice(int32_t threads) {
  return std::make_unique<CpuDevice>(threads);
}

const GlowDeviceTable *glow::runtime::cpuDeviceTable() {
  static const GlowDeviceTable table = simpleDeviceTable(
      "cpu",
      [](uint32_t *count) {
        *count = 1;
        return GLOW_OK;
      },
      [](uint32_t index, GlowDevice **device) {
        if (index != 0)
          return fail(GLOW_NOT_FOUND, "there is one processor device");
        return openSimpleDevice(createCpuDevice(defaultThreads()), device);
      });
  return &table;
}
