//===- RecipeCheck.cpp - what must hold of a program before it runs -------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device runs a checked program without looking at bounds again.
//
//===----------------------------------------------------------------------===//
#include "glow/Target/Habana/Recipe.h"

#include <algorithm>
#include <cstring>

using namespace habana_recipe;

/// Sizes stay below this, so that products of two of them do not overflow.
static constexpr int64_t kLimit = int64_t(1) << 40;

const char *habana_recipe::signatureOf(KernelOp op) {
  static const char *const signatures[kNumKernelOps] = {
      "",     ":f",    "ff:f", "ff:f", "ff:f", "ff:f", "ff:f",
      "ff:f", "f:f",   "f:f",  "f:f",  "f:f",  "f:f",  "f:f",
      "f:f",  "ff:b",  "ff:b", "ff:b", "ff:b", "ff:b", "ff:b",
      "ff:b", "bff:f", "bb:b", "bb:b", "bb:b", ":b",   "b:f"};
  return signatures[static_cast<uint16_t>(op)];
}

/// An empty string, or what is wrong with the kernel.
static std::string checkKernel(const Kernel &kernel) {
  if (kernel.numInputs > 64 || kernel.instrs.size() > 4096)
    return "is too large";
  std::string types(kernel.numInputs, 'f');
  for (const KernelInstr &instr : kernel.instrs) {
    const char *signature = signatureOf(instr.op);
    unsigned count = std::strchr(signature, ':') - signature;
    for (unsigned i = 0; i < 3; ++i) {
      if (i >= count ? instr.operands[i] != 0
                     : instr.operands[i] >= types.size())
        return "reads a register before it is written";
      if (i < count && types[instr.operands[i]] != signature[i])
        return "reads a register of another type";
    }
    types.push_back(signature[count + 1]);
  }
  for (uint32_t result : kernel.results)
    if (result >= types.size() || types[result] != 'f')
      return "has a result that is not a number";
  return "";
}

static uint64_t sectionBytes(const Program &program, const Tensor &tensor) {
  auto portBytes = [&](const std::vector<Port> &ports) {
    return tensor.index < ports.size() ? ports[tensor.index].bytes : 0;
  };
  switch (tensor.section) {
  case Section::Input:
    return portBytes(program.inputs);
  case Section::Output:
    return portBytes(program.outputs);
  case Section::Constants:
    return program.constants.size();
  case Section::Workspace:
    return program.workspaceBytes;
  case Section::Scratch:
    return program.scratchBytes;
  }
  return 0;
}

static std::string checkTensor(const Program &program, const Tensor &tensor) {
  int64_t low = tensor.offset, high = tensor.offset, elements = 1;
  if (low < 0 || low > kLimit || tensor.rank > kMaxRank)
    return "a tensor starts outside its section";
  for (uint32_t i = 0; i < tensor.rank; ++i) {
    int64_t dim = tensor.dims[i], stride = tensor.strides[i];
    if (dim < 1 || dim > kLimit || stride < -kLimit || stride > kLimit ||
        elements > kLimit / dim)
      return "an extent or a stride is out of range";
    elements *= dim;
    int64_t reach;
    if (__builtin_mul_overflow(dim - 1, stride, &reach) || reach > kLimit ||
        reach < -kLimit)
      return "a tensor reaches outside its section";
    (stride < 0 ? low : high) += reach;
  }
  int64_t available = sectionBytes(program, tensor) / sizeof(float);
  if (low < 0 || high >= available)
    return "a tensor reaches outside its section";
  return "";
}

static bool haveSameShape(const Tensor &a, const Tensor &b) {
  return a.rank == b.rank && std::equal(a.dims, a.dims + a.rank, b.dims);
}

static std::string checkGemm(const Command &command) {
  const Tensor &a = command.tensors[0], &b = command.tensors[1],
               &out = command.tensors[2];
  if (a.rank != 2 || b.rank != 2 || out.rank != 2 || a.dims[0] != out.dims[0] ||
      a.dims[1] != b.dims[0] || b.dims[1] != out.dims[1])
    return "the matrices do not fit each other";
  return "";
}

static std::string checkConv(const Command &command) {
  const Tensor &in = command.tensors[0], &filter = command.tensors[1],
               &out = command.tensors[2];
  const std::vector<int64_t> &params = command.params;
  if (in.rank != 4 || filter.rank != 4 || out.rank != 4)
    return "a convolution needs tensors of 4 axes";
  for (int i = 0; i < kNumConvParams; ++i) {
    bool isPad = i == kPadH || i == kPadW;
    if (params[i] < (isPad ? 0 : 1) || params[i] > (1 << 20))
      return "a parameter of the convolution is out of range";
  }
  int64_t group = params[kGroup];
  if (in.dims[0] != out.dims[0] || filter.dims[0] != out.dims[1] ||
      in.dims[1] != filter.dims[1] * group || out.dims[1] % group != 0)
    return "the tensors of a convolution do not fit each other";
  return "";
}

static std::string checkLaunch(const Program &program, const Command &command) {
  uint64_t index = command.params[kKernel];
  uint64_t combine = command.params[kCombine];
  if (index >= program.kernels.size() || combine > 4)
    return "a launch names no kernel";
  const Kernel &kernel = program.kernels[index];
  if (command.tensors.empty() || kernel.results.empty() ||
      command.tensors.size() != kernel.numInputs + kernel.results.size() ||
      (combine && kernel.results.size() != 1))
    return "a launch does not fit its kernel";
  for (const Tensor &tensor : command.tensors)
    if (!haveSameShape(tensor, command.tensors[0]))
      return "the tensors of a launch differ in shape";
  return "";
}

/// An empty string, or what is wrong with the command.
static std::string checkCommand(const Program &program,
                                const Command &command) {
  struct Counts {
    size_t params, tensors;
  };
  static const Counts counts[] = {
      {0, 0}, {0, 2}, {1, 1}, {0, 3}, {kNumConvParams, 3}};
  auto opcode = static_cast<uint32_t>(command.opcode);
  bool isLaunch = command.opcode == Opcode::Launch;
  if (!isLaunch && (opcode == 0 || opcode >= std::size(counts)))
    return "unknown opcode " + std::to_string(opcode);
  if (isLaunch ? command.params.size() != kNumLaunchParams
               : command.params.size() != counts[opcode].params ||
                     command.tensors.size() != counts[opcode].tensors)
    return "has the wrong number of operands";
  for (const Tensor &tensor : command.tensors)
    if (std::string error = checkTensor(program, tensor); !error.empty())
      return error;
  switch (command.opcode) {
  case Opcode::Dma:
    return haveSameShape(command.tensors[0], command.tensors[1])
               ? ""
               : "source and destination differ in shape";
  case Opcode::Gemm:
    return checkGemm(command);
  case Opcode::Conv:
    return checkConv(command);
  case Opcode::Launch:
    return checkLaunch(program, command);
  case Opcode::Fill:
    break;
  }
  return "";
}

bool habana_recipe::check(const Program &program, std::string &error) {
  if (program.workspaceBytes > uint64_t(kLimit) ||
      program.scratchBytes > uint64_t(kLimit)) {
    error = "the program asks for too much memory";
    return false;
  }
  for (size_t i = 0; i < program.kernels.size() && error.empty(); ++i)
    if (std::string reason = checkKernel(program.kernels[i]); !reason.empty())
      error = "kernel " + std::to_string(i) + " " + reason;
  for (size_t i = 0; i < program.commands.size() && error.empty(); ++i) {
    std::string reason = checkCommand(program, program.commands[i]);
    if (!reason.empty())
      error = "command " + std::to_string(i) + ": " + reason;
  }
  return error.empty();
}
