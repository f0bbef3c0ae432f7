//===- CpuDevice.cpp - The processor as a device ----------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/CpuDevice.h"
#include "glow/Runtime/ContextExec.h"
#include "glow/Runtime/DType.h"
#include "glow/Runtime/Program.h"

using namespace glow::runtime;

namespace {

struct CpuProgram : SimpleProgram {
  ProgramPtr program;
  std::unique_ptr<Execution> execution;
  std::vector<SimplePort> ports;
};

class CpuDevice : public HostMemoryDevice {
public:
  explicit CpuDevice(int32_t threads) : threads(threads), exec(threads) {}

  SimpleInfo info() override {
    return {"cpu", "", 0, GLOW_BUFFER_ALIGNMENT, /*runsOnHostMemory=*/true};
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
  if (status == GLOW_OK && (!loaded->program->symbols.empty() ||
                            !loaded->program->computedSymbols.empty()))
    status = fail(GLOW_UNSUPPORTED, "model '", loaded->program->name,
                  "' has extents of run time and cannot be part of a package; "
                  "compile it with fixed shapes");
  if (status == GLOW_OK)
    status = loaded->program->createExecution(loaded->execution);
  if (status != GLOW_OK)
    return status;
  for (const auto *tensors :
       {&loaded->program->inputs, &loaded->program->outputs})
    for (const GlowTensorDesc &tensor : *tensors)
      loaded->ports.push_back({tensor.name, tensor.bytes});
  result = std::move(loaded);
  return GLOW_OK;
}

static GlowStatus checkAlignment(const GlowTensorDesc &tensor,
                                 const void *address) {
  uint64_t alignment = dtypeAlignment(tensor.dtype);
  if (reinterpret_cast<uintptr_t>(address) % alignment == 0)
    return GLOW_OK;
  return fail(GLOW_INVALID_ARGUMENT, "'", tensor.name,
              "' is bound to memory not aligned to ", alignment);
}

GlowStatus CpuDevice::run(SimpleProgram &loaded,
                          const std::vector<SimpleBinding> &bindings) {
  auto &cpuProgram = static_cast<CpuProgram &>(loaded);
  const Program &program = *cpuProgram.program;
  GlowStatus status = checkBindings(cpuProgram.ports, bindings);
  std::vector<void *> pointers;
  for (size_t i = 0; i < bindings.size() && status == GLOW_OK; ++i) {
    size_t numInputs = program.inputs.size();
    const GlowTensorDesc &tensor =
        i < numInputs ? program.inputs[i] : program.outputs[i - numInputs];
    status = checkAlignment(tensor, bindings[i].address);
    pointers.push_back(bindings[i].address);
  }
  if (status != GLOW_OK)
    return addContext(status, "model '" + program.name + "': ");
  exec.host.beginRun();
  return cpuProgram.execution->run(exec, nullptr, pointers.data(),
                                   pointers.data() + program.inputs.size());
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
