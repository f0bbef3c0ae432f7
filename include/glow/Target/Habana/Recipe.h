//===- Recipe.h - the program file of the card ----------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compiler writes and the device loads, without MLIR. docs/Recipe.md
// describes the bytes. No address stands in a file: an operand is a section and
// an offset, so one check at load holds for every launch.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_TARGET_HABANA_RECIPE_H
#define GLOW_TARGET_HABANA_RECIPE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace habana_recipe {

/// Readers refuse another major version and accept any minor one.
constexpr uint16_t kMajor = 1, kMinor = 0;
constexpr uint32_t kMaxRank = 5;

enum class Section : uint32_t { Input, Output, Constants, Workspace, Scratch };
constexpr uint32_t kNumSections = 5;

/// f32 elements in a section. `offset` and `strides` count elements.
struct Tensor {
  Section section = Section::Scratch;
  uint32_t index = 0; // of the input or output
  uint32_t rank = 0;
  int64_t offset = 0;
  int64_t dims[kMaxRank] = {};
  int64_t strides[kMaxRank] = {};
};

enum class Opcode : uint32_t {
  Dma = 1,   // tensors: source, destination
  Fill = 2,  // tensors: destination; params: bits of the value
  Gemm = 3,  // tensors: a, b, out
  Conv = 4,  // tensors: input, filter, out; params: see ConvParam
  Launch = 5 // tensors: inputs, outputs; params: see LaunchParam
};
enum ConvParam {
  kStrideH,
  kStrideW,
  kPadH,
  kPadW,
  kDilationH,
  kDilationW,
  kGroup,
  kNumConvParams
};
enum LaunchParam { kKernel, kCombine, kNumLaunchParams };

struct Command {
  Opcode opcode;
  std::vector<int64_t> params;
  std::vector<Tensor> tensors;
};

/// How a launch combines values; `None` stores them.
enum class Combine : uint32_t { None, Sum, Prod, Max, Min };

/// Instructions of the vector cores. Registers hold an f32 or a truth value.
enum class KernelOp : uint16_t {
  Constant = 1, // immediate
  Add,
  Sub,
  Mul,
  Div,
  Max,
  Min, // max, min: NaN if either is
  Neg,
  Abs,
  Sqrt,
  Rsqrt,
  Floor,
  Ceil,
  RoundEven,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Unordered,
  Select, // a ? b : c
  And,
  Or,
  Xor,
  True,
  ToFloat // a constant; 1 or 0
};
constexpr uint16_t kNumKernelOps = static_cast<uint16_t>(KernelOp::ToFloat) + 1;

/// Inputs come first, then one register per instruction.
struct KernelInstr {
  KernelOp op;
  uint32_t operands[3] = {};
  float immediate = 0;
};
struct Kernel {
  uint32_t numInputs = 0;
  std::vector<KernelInstr> instrs;
  std::vector<uint32_t> results; // registers

  bool operator==(const Kernel &other) const;
};

/// Operands and result of an instruction: 'f' and 'b', as in "ff:b".
const char *signatureOf(KernelOp op);

/// An input or output: dense, row-major f32.
struct Port {
  std::string name;
  std::vector<int64_t> dims;
  uint64_t bytes = 0;
};

struct Program {
  std::vector<Port> inputs, outputs;
  uint64_t workspaceBytes = 0, scratchBytes = 0;
  std::vector<uint8_t> constants;
  std::vector<Kernel> kernels;
  std::vector<Command> commands;
  std::string origin; // who wrote it; for people
};

/// The bytes of a file; the same program gives the same bytes.
std::string encode(const Program &program);

/// Reads and checks bytes from anywhere. On failure returns false and says in
/// `error` what is wrong and where.
bool decode(const void *data, size_t bytes, Program &program,
            std::string &error);

/// The part of decoding that does not depend on the bytes: every operand lies
/// in its section, every kernel is typed, every command has the shapes it
/// needs.
bool check(const Program &program, std::string &error);

uint32_t crc32c(const void *data, size_t bytes);

} // namespace habana_recipe

#endif // GLOW_TARGET_HABANA_RECIPE_H
