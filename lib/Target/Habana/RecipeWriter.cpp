//===- RecipeWriter.cpp - a program as bytes ------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RecipeFormat.h"
#include "glow/Target/Habana/Recipe.h"

#include <algorithm>
#include <cstring>
#include <tuple>

using namespace habana_recipe;

bool Kernel::operator==(const Kernel &other) const {
  auto equal = [](const KernelInstr &a, const KernelInstr &b) {
    return a.op == b.op &&
           std::memcmp(a.operands, b.operands, sizeof(a.operands)) == 0 &&
           std::memcmp(&a.immediate, &b.immediate, sizeof(float)) == 0;
  };
  return numInputs == other.numInputs && results == other.results &&
         std::equal(instrs.begin(), instrs.end(), other.instrs.begin(),
                    other.instrs.end(), equal);
}

uint32_t habana_recipe::crc32c(const void *data, size_t bytes) {
  static const std::vector<uint32_t> table = [] {
    std::vector<uint32_t> entries(256);
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit)
        value = value & 1 ? 0x82F63B78u ^ (value >> 1) : value >> 1;
      entries[i] = value;
    }
    return entries;
  }();
  uint32_t crc = ~0u;
  for (size_t i = 0; i < bytes; ++i)
    crc = table[(crc ^ static_cast<const uint8_t *>(data)[i]) & 0xFF] ^
          (crc >> 8);
  return ~crc;
}

namespace {
/// Appends little-endian numbers.
struct Writer {
  std::string bytes;

  template <typename T> void number(T value) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    for (size_t i = 0; i < sizeof(T); ++i)
      bytes.push_back(static_cast<char>(bits >> (8 * i)));
  }
  void text(const std::string &value) {
    number<uint32_t>(value.size());
    bytes += value;
  }
  void port(const Port &port) {
    text(port.name);
    number<uint32_t>(port.dims.size());
    for (int64_t dim : port.dims)
      number(dim);
  }
  void tensor(const Tensor &tensor) {
    number(static_cast<uint32_t>(tensor.section));
    number(tensor.index);
    number(tensor.rank);
    number(tensor.offset);
    for (uint32_t i = 0; i < tensor.rank; ++i) {
      number(tensor.dims[i]);
      number(tensor.strides[i]);
    }
  }
};
} // namespace

static std::string encodeInterface(const Program &program) {
  Writer writer;
  writer.number(program.workspaceBytes);
  writer.number(program.scratchBytes);
  for (const std::vector<Port> *ports : {&program.inputs, &program.outputs}) {
    writer.number<uint32_t>(ports->size());
    for (const Port &port : *ports)
      writer.port(port);
  }
  return writer.bytes;
}

static std::string encodeKernels(const Program &program) {
  Writer writer;
  writer.number<uint32_t>(program.kernels.size());
  for (const Kernel &kernel : program.kernels) {
    writer.number(kernel.numInputs);
    writer.number<uint32_t>(kernel.instrs.size());
    writer.number<uint32_t>(kernel.results.size());
    for (const KernelInstr &instr : kernel.instrs) {
      writer.number(static_cast<uint32_t>(instr.op));
      for (uint32_t operand : instr.operands)
        writer.number(operand);
      writer.number(instr.immediate);
    }
    for (uint32_t result : kernel.results)
      writer.number(result);
  }
  return writer.bytes;
}

static std::string encodeCommands(const Program &program) {
  Writer writer;
  writer.number<uint32_t>(program.commands.size());
  for (const Command &command : program.commands) {
    writer.number(static_cast<uint32_t>(command.opcode));
    writer.number<uint32_t>(command.params.size());
    writer.number<uint32_t>(command.tensors.size());
    for (int64_t param : command.params)
      writer.number(param);
    for (const Tensor &tensor : command.tensors)
      writer.tensor(tensor);
  }
  return writer.bytes;
}

std::string habana_recipe::encode(const Program &program) {
  std::string constants(program.constants.begin(), program.constants.end());
  const std::tuple<Kind, uint32_t, std::string> sections[] = {
      {Kind::Interface, kRequired, encodeInterface(program)},
      {Kind::Kernels, kRequired, encodeKernels(program)},
      {Kind::Commands, kRequired, encodeCommands(program)},
      {Kind::Origin, 0, program.origin},
      {Kind::Constants, kRequired, std::move(constants)}};
  auto align = [](uint64_t offset) {
    return (offset + kFileAlignment - 1) / kFileAlignment * kFileAlignment;
  };
  Writer directory;
  uint64_t end = kHeaderBytes + std::size(sections) * kEntryBytes;
  for (const auto &[kind, flags, contents] : sections) {
    end = align(end);
    directory.number(static_cast<uint32_t>(kind));
    directory.number(flags);
    directory.number(end);
    directory.number<uint64_t>(contents.size());
    directory.number(crc32c(contents.data(), contents.size()));
    directory.number<uint32_t>(0);
    end += contents.size();
  }
  Writer file;
  file.bytes.assign(kMagic, sizeof(kMagic));
  file.number(kMajor);
  file.number(kMinor);
  file.number<uint32_t>(std::size(sections));
  file.number(end);
  file.number(crc32c(directory.bytes.data(), directory.bytes.size()));
  file.bytes.resize(kHeaderBytes, 0);
  file.bytes += directory.bytes;
  for (const auto &[kind, flags, contents] : sections) {
    file.bytes.resize(align(file.bytes.size()), 0);
    file.bytes += contents;
  }
  return std::move(file.bytes);
}
