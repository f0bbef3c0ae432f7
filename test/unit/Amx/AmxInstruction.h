//===- AmxInstruction.h - AMX instructions taken apart ---------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TEST_UNIT_AMX_AMXINSTRUCTION_H
#define GLOW_TEST_UNIT_AMX_AMXINSTRUCTION_H

#include <cstdint>
#include <cstring>
#include <ucontext.h>

/// The fields of an instruction: VEX prefix, opcode, ModRM and SIB.
struct Instruction {
  enum Prefix { None, P66, PF3, PF2 };
  Prefix prefix;
  uint8_t opcode;
  bool isMemory;
  int reg, rm, vector;
  uint8_t *address;
  int64_t stride;
  int length;
};

/// General registers in the order of their numbers.
inline int64_t registerOf(const mcontext_t &context, int number) {
  static const int places[] = {
      REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
      REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  return context.gregs[places[number]];
}

/// The operand in memory; `at` is behind ModRM and moves on.
inline void decodeMemory(Instruction &result, const mcontext_t &context,
                         const uint8_t *start, const uint8_t *&at, int mod,
                         int base, bool x, bool b) {
  int64_t address = 0;
  bool isRelative = false;
  if (base == 4) {
    uint8_t sib = *at++;
    int index = (sib >> 3 & 7) | x << 3;
    if (index != 4)
      result.stride = registerOf(context, index) * (int64_t(1) << (sib >> 6));
    base = sib & 7;
    if (base != 5 || mod != 0)
      address = registerOf(context, base | b << 3);
  } else if (mod == 0 && base == 5) {
    isRelative = true;
  } else {
    address = registerOf(context, base | b << 3);
  }
  if (mod == 1) {
    address += static_cast<int8_t>(*at++);
  } else if (mod == 2 || (mod == 0 && base == 5)) {
    int32_t displacement;
    memcpy(&displacement, at, 4);
    at += 4;
    address += displacement;
  }
  if (isRelative)
    address += context.gregs[REG_RIP] + (at - start);
  result.address = reinterpret_cast<uint8_t *>(address);
}

/// False if it is none of those of AMX: they have a three-byte VEX prefix with
/// W and L clear, in the map 0F38.
inline bool decode(const mcontext_t &context, Instruction &result) {
  auto *start = reinterpret_cast<const uint8_t *>(context.gregs[REG_RIP]);
  if (start[0] != 0xc4 || (start[1] & 0x1f) != 2 || (start[2] & 0x84) != 0)
    return false;
  result.opcode = start[3];
  if (result.opcode != 0x49 && result.opcode != 0x4b && result.opcode != 0x5c &&
      result.opcode != 0x5e)
    return false;
  result.prefix = static_cast<Instruction::Prefix>(start[2] & 3);
  result.vector = ~start[2] >> 3 & 15;
  bool x = !(start[1] & 0x40), b = !(start[1] & 0x20);
  uint8_t modRM = start[4];
  result.reg = modRM >> 3 & 7;
  result.rm = modRM & 7;
  result.isMemory = modRM >> 6 != 3;
  result.stride = 0;
  const uint8_t *at = start + 5;
  if (result.isMemory)
    decodeMemory(result, context, start, at, modRM >> 6, result.rm, x, b);
  result.length = static_cast<int>(at - start);
  return true;
}

#endif // GLOW_TEST_UNIT_AMX_AMXINSTRUCTION_H
