//===- RecipeReader.cpp - bytes from anywhere as a program ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is read before its size is checked, and nothing is allocated that the
// file is not large enough to fill.
//
//===----------------------------------------------------------------------===//
#include "RecipeFormat.h"
#include "glow/Target/Habana/Recipe.h"

#include <cstring>

using namespace habana_recipe;

namespace {
/// Reads little-endian numbers until the first mistake, then only zeros.
class Reader {
public:
  Reader(const uint8_t *data, uint64_t bytes, const char *name,
         std::string &error)
      : data(data), bytes(bytes), name(name), error(error) {}

  template <typename T> T number() {
    T value{};
    if (!has(sizeof(T)))
      return value;
    uint64_t bits = 0;
    for (size_t i = 0; i < sizeof(T); ++i)
      bits |= uint64_t(data[at + i]) << (8 * i);
    std::memcpy(&value, &bits, sizeof(T));
    at += sizeof(T);
    return value;
  }

  /// A number of items that take at least `itemBytes` each.
  uint32_t count(uint64_t itemBytes, const char *what) {
    uint32_t items = number<uint32_t>();
    if (ok() && items > (bytes - at) / itemBytes)
      fail(std::string("too many ") + what);
    return ok() ? items : 0;
  }

  std::string text() {
    uint32_t length = count(1, "characters");
    std::string value(reinterpret_cast<const char *>(data + at), length);
    at += length;
    return value;
  }

  void fail(const std::string &message) {
    if (error.empty())
      error =
          std::string(name) + ", byte " + std::to_string(at) + ": " + message;
  }
  bool ok() const { return error.empty(); }
  /// True if all bytes were read.
  bool finish() {
    if (ok() && at != bytes)
      fail("bytes are left over");
    return ok();
  }

private:
  bool has(uint64_t needed) {
    if (ok() && bytes - at < needed)
      fail("ends too early");
    return ok();
  }

  const uint8_t *data;
  uint64_t bytes, at = 0;
  const char *name;
  std::string &error;
};

/// Where the contents of the sections lie.
struct Contents {
  const uint8_t *data = nullptr;
  uint64_t bytes = 0;
};
} // namespace

static Port readPort(Reader &reader) {
  Port port;
  port.name = reader.text();
  port.dims.resize(reader.count(8, "axes"));
  uint64_t elements = 1;
  for (int64_t &dim : port.dims) {
    dim = reader.number<int64_t>();
    if (dim < 0 || dim > (int64_t(1) << 32) ||
        (dim && elements > (uint64_t(1) << 40) / uint64_t(dim)))
      reader.fail("an extent is out of range");
    else
      elements *= uint64_t(dim);
    if (!reader.ok())
      return port;
  }
  port.bytes = elements * sizeof(float);
  return port;
}

static bool readInterface(Reader reader, Program &program) {
  program.workspaceBytes = reader.number<uint64_t>();
  program.scratchBytes = reader.number<uint64_t>();
  for (std::vector<Port> *ports : {&program.inputs, &program.outputs}) {
    uint32_t count = reader.count(8, "inputs or outputs");
    for (uint32_t i = 0; i < count && reader.ok(); ++i)
      ports->push_back(readPort(reader));
  }
  return reader.finish();
}

static bool readKernels(Reader reader, Program &program) {
  uint32_t count = reader.count(12, "kernels");
  for (uint32_t i = 0; i < count && reader.ok(); ++i) {
    Kernel &kernel = program.kernels.emplace_back();
    kernel.numInputs = reader.number<uint32_t>();
    uint32_t instrs = reader.count(20, "instructions");
    uint32_t results = reader.count(4, "results");
    for (uint32_t j = 0; j < instrs && reader.ok(); ++j) {
      KernelInstr &instr = kernel.instrs.emplace_back();
      uint32_t op = reader.number<uint32_t>();
      if (op == 0 || op >= kNumKernelOps)
        reader.fail("unknown kernel instruction " + std::to_string(op));
      instr.op = static_cast<KernelOp>(op);
      for (uint32_t &operand : instr.operands)
        operand = reader.number<uint32_t>();
      instr.immediate = reader.number<float>();
    }
    for (uint32_t j = 0; j < results && reader.ok(); ++j)
      kernel.results.push_back(reader.number<uint32_t>());
  }
  return reader.finish();
}

static Tensor readTensor(Reader &reader) {
  Tensor tensor;
  uint32_t section = reader.number<uint32_t>();
  if (section >= kNumSections)
    reader.fail("unknown section " + std::to_string(section));
  tensor.section = static_cast<Section>(section);
  tensor.index = reader.number<uint32_t>();
  tensor.rank = reader.number<uint32_t>();
  tensor.offset = reader.number<int64_t>();
  if (tensor.rank > kMaxRank) {
    reader.fail("a tensor has more than 5 axes");
    tensor.rank = 0;
  }
  for (uint32_t i = 0; i < tensor.rank; ++i) {
    tensor.dims[i] = reader.number<int64_t>();
    tensor.strides[i] = reader.number<int64_t>();
  }
  return tensor;
}

static bool readCommands(Reader reader, Program &program) {
  uint32_t count = reader.count(12, "commands");
  for (uint32_t i = 0; i < count && reader.ok(); ++i) {
    Command &command = program.commands.emplace_back();
    command.opcode = static_cast<Opcode>(reader.number<uint32_t>());
    uint32_t params = reader.count(8, "parameters");
    uint32_t tensors = reader.count(20, "tensors");
    for (uint32_t j = 0; j < params && reader.ok(); ++j)
      command.params.push_back(reader.number<int64_t>());
    for (uint32_t j = 0; j < tensors && reader.ok(); ++j)
      command.tensors.push_back(readTensor(reader));
  }
  return reader.finish();
}

/// Finds the sections of a file; those that are not known must be optional.
static bool readDirectory(const uint8_t *data, uint64_t bytes,
                          Contents (&sections)[6], std::string &error) {
  Reader header(data, bytes, "header", error);
  if (bytes < kHeaderBytes || std::memcmp(data, kMagic, sizeof(kMagic)) != 0) {
    error = "this is not a recipe";
    return false;
  }
  header.number<uint64_t>();
  uint16_t major = header.number<uint16_t>();
  header.number<uint16_t>();
  uint32_t count = header.number<uint32_t>();
  uint64_t end = header.number<uint64_t>();
  uint32_t crc = header.number<uint32_t>();
  if (major != kMajor)
    header.fail("version " + std::to_string(major) + "; this reader knows " +
                std::to_string(kMajor));
  else if (end != bytes)
    header.fail("the file has " + std::to_string(bytes) + " bytes, not " +
                std::to_string(end));
  else if (count > (bytes - kHeaderBytes) / kEntryBytes)
    header.fail("the directory does not fit the file");
  else if (crc32c(data + kHeaderBytes, count * kEntryBytes) != crc)
    header.fail("the directory is damaged");
  if (!header.ok())
    return false;
  Reader entry(data + kHeaderBytes, count * kEntryBytes, "directory", error);
  for (uint32_t i = 0; i < count && entry.ok(); ++i) {
    uint32_t kind = entry.number<uint32_t>();
    uint32_t flags = entry.number<uint32_t>();
    uint64_t offset = entry.number<uint64_t>();
    uint64_t size = entry.number<uint64_t>();
    uint32_t contentsCrc = entry.number<uint32_t>();
    entry.number<uint32_t>();
    bool isKnown = kind > 0 && kind < std::size(sections);
    if (offset > bytes || size > bytes - offset)
      entry.fail("a section lies outside the file");
    else if (crc32c(data + offset, size) != contentsCrc)
      entry.fail("section " + std::to_string(kind) + " is damaged");
    else if (!isKnown && (flags & kRequired))
      entry.fail("unknown section " + std::to_string(kind));
    else if (isKnown && sections[kind].data)
      entry.fail("two sections of kind " + std::to_string(kind));
    else if (isKnown)
      sections[kind] = {data + offset, size};
  }
  return entry.ok();
}

bool habana_recipe::decode(const void *data, size_t bytes, Program &program,
                           std::string &error) {
  error.clear();
  Contents sections[6];
  if (!readDirectory(static_cast<const uint8_t *>(data), bytes, sections,
                     error))
    return false;
  auto reader = [&](Kind kind, const char *name) {
    const Contents &contents = sections[static_cast<uint32_t>(kind)];
    if (!contents.data)
      error = std::string("there is no section '") + name + "'";
    return Reader(contents.data, contents.bytes, name, error);
  };
  program = Program();
  if (!readInterface(reader(Kind::Interface, "interface"), program) ||
      !readKernels(reader(Kind::Kernels, "kernels"), program) ||
      !readCommands(reader(Kind::Commands, "commands"), program))
    return false;
  const Contents &constants = sections[static_cast<uint32_t>(Kind::Constants)];
  program.constants.assign(constants.data, constants.data + constants.bytes);
  const Contents &origin = sections[static_cast<uint32_t>(Kind::Origin)];
  program.origin.assign(reinterpret_cast<const char *>(origin.data),
                        origin.bytes);
  return check(program, error);
}
