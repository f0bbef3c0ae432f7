//===- AmxEmulator.cpp - the AMX instructions on processors without them --===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loaded into a process (LD_PRELOAD, or linked), it catches the illegal
// instructions that AMX-TILE, AMX-BF16 and AMX-INT8 are to an older processor
// and does what the architecture manual says they do, on tiles that every
// thread has of its own. What the manual forbids ends the process with a
// message. A processor with AMX configures tiles by itself; all else is illegal
// there too until a process asks Linux for tiles, which must not be done then.
//
// AMX_EMULATOR_LOG names a file to which the number of products is written at
// exit.
//
//===----------------------------------------------------------------------===//
#include "AmxInstruction.h"

#include <cerrno>
#include <cpuid.h>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <xmmintrin.h>

namespace {
constexpr int kTiles = 8, kRows = 16, kRowBytes = 64;

struct Tile {
  uint16_t rowBytes;
  uint8_t rows;
  alignas(kRowBytes) uint8_t data[kRows][kRowBytes];
};

/// Bytes 16 to 31 and 48 to 55 of the configuration's 64.
struct Configuration {
  uint8_t palette, startRow, reserved[14];
  uint16_t rowBytes[kTiles], reservedBytes[8];
  uint8_t rows[kTiles], reservedRows[8];
};
static_assert(sizeof(Configuration) == 64);

struct State {
  uint8_t palette;
  Tile tiles[kTiles];
};
} // namespace

// Signal handlers may not allocate it on first use.
static thread_local State state __attribute__((tls_model("initial-exec")));
static unsigned long products;
static struct sigaction previous;

[[noreturn]] static void forbid(const char *what) {
  static const char prefix[] = "AMX emulator: ";
  (void)!write(2, prefix, sizeof prefix - 1);
  (void)!write(2, what, strlen(what));
  (void)!write(2, "\n", 1);
  abort();
}

static void configure(const uint8_t *from) {
  Configuration given;
  memcpy(&given, from, sizeof given);
  memset(&state, 0, sizeof state);
  if (given.palette == 0)
    return;
  if (given.palette != 1 || given.startRow != 0)
    forbid("a palette that is not 1, or a row to start with");
  for (uint8_t byte : given.reserved)
    if (byte)
      forbid("reserved bytes of the configuration are set");
  for (int i = 0; i < kTiles; ++i) {
    if (given.rowBytes[i] > kRowBytes || given.rows[i] > kRows ||
        (given.rowBytes[i] == 0) != (given.rows[i] == 0))
      forbid("a tile that is too large, or has rows without columns");
    state.tiles[i].rowBytes = given.rowBytes[i];
    state.tiles[i].rows = given.rows[i];
  }
  state.palette = 1;
}

static void storeConfiguration(uint8_t *to) {
  Configuration result{};
  result.palette = state.palette;
  for (int i = 0; i < kTiles; ++i) {
    result.rowBytes[i] = state.tiles[i].rowBytes;
    result.rows[i] = state.tiles[i].rows;
  }
  memcpy(to, &result, sizeof result);
}

static Tile &tileAt(int number) {
  if (!state.palette || number >= kTiles || !state.tiles[number].rows)
    forbid("a tile that is not configured");
  return state.tiles[number];
}

static void load(Tile &tile, const Instruction &from) {
  memset(tile.data, 0, sizeof tile.data);
  for (int row = 0; row < tile.rows; ++row)
    memcpy(tile.data[row], from.address + row * from.stride, tile.rowBytes);
}

static void store(const Tile &tile, const Instruction &to) {
  for (int row = 0; row < tile.rows; ++row)
    memcpy(to.address + row * to.stride, tile.data[row], tile.rowBytes);
}

static float widen(const uint8_t *bf16) {
  uint32_t bits = uint32_t(bf16[0]) << 16 | uint32_t(bf16[1]) << 24;
  float result;
  memcpy(&result, &bits, sizeof result);
  return result;
}

/// Each lane has one sum of even and one of odd products, from zero, which are
/// added and then added to the result. Not inlined, so that no arithmetic
/// leaves the place where its mode is set.
__attribute__((target("avx2,fma"), noinline)) static void
sumBf16(Tile &sums, const Tile &a, const Tile &b) {
  float columns[kRows][2][kRows];
  for (int k = 0; k < a.rowBytes / 4; ++k)
    for (int n = 0; n < kRows; ++n)
      for (int odd = 0; odd < 2; ++odd)
        columns[k][odd][n] = widen(b.data[k] + 4 * n + 2 * odd);
  for (int row = 0; row < sums.rows; ++row) {
    float parts[2][kRows] = {}, total[kRows];
    for (int k = 0; k < a.rowBytes / 4; ++k)
      for (int odd = 0; odd < 2; ++odd) {
        float x = widen(a.data[row] + 4 * k + 2 * odd);
        for (int n = 0; n < kRows; ++n)
          parts[odd][n] = __builtin_fmaf(x, columns[k][odd][n], parts[odd][n]);
      }
    memcpy(total, sums.data[row], sizeof total);
    for (int n = 0; n < sums.rowBytes / 4; ++n)
      total[n] += parts[0][n] + parts[1][n];
    memcpy(sums.data[row], total, sizeof total);
  }
}

/// Rounds to nearest, traps nothing, and takes denormals for zero.
static void multiplyBf16(Tile &sums, const Tile &a, const Tile &b) {
  unsigned saved = _mm_getcsr();
  _mm_setcsr(0x9fc0);
  sumBf16(sums, a, b);
  _mm_setcsr(saved);
}

static void multiplyInt8(Tile &sums, const Tile &a, const Tile &b,
                         bool isSignedA, bool isSignedB) {
  auto value = [](uint8_t byte, bool isSigned) {
    return isSigned ? int32_t(static_cast<int8_t>(byte)) : int32_t(byte);
  };
  for (int row = 0; row < sums.rows; ++row)
    for (int n = 0; n < sums.rowBytes / 4; ++n) {
      uint32_t total;
      memcpy(&total, sums.data[row] + 4 * n, sizeof total);
      for (int k = 0; k < a.rowBytes; ++k)
        total += static_cast<uint32_t>(
            value(a.data[row][k], isSignedA) *
            value(b.data[k / 4][4 * n + k % 4], isSignedB));
      memcpy(sums.data[row] + 4 * n, &total, sizeof total);
    }
}

static void multiply(const Instruction &op) {
  Tile &sums = tileAt(op.reg);
  const Tile &a = tileAt(op.rm), &b = tileAt(op.vector);
  if (op.reg == op.rm || op.reg == op.vector || op.rm == op.vector)
    forbid("a product of a tile with itself");
  if (sums.rows != a.rows || a.rowBytes != 4 * b.rows ||
      sums.rowBytes != b.rowBytes || sums.rowBytes % 4 || a.rowBytes % 4)
    forbid("a product of tiles that do not fit");
  __atomic_add_fetch(&products, 1, __ATOMIC_RELAXED);
  if (op.opcode == 0x5e)
    multiplyInt8(sums, a, b,
                 op.prefix == Instruction::PF2 || op.prefix == Instruction::PF3,
                 op.prefix == Instruction::PF2 ||
                     op.prefix == Instruction::P66);
  else
    multiplyBf16(sums, a, b);
}

/// False if there is no such instruction.
static bool execute(const Instruction &op) {
  switch (op.opcode) {
  case 0x49:
    if (op.isMemory && op.prefix == Instruction::None)
      configure(op.address);
    else if (op.isMemory && op.prefix == Instruction::P66)
      storeConfiguration(op.address);
    else if (!op.isMemory && op.prefix == Instruction::None)
      memset(&state, 0, sizeof state);
    else if (!op.isMemory && op.prefix == Instruction::PF2)
      memset(tileAt(op.reg).data, 0, sizeof(Tile::data));
    else
      return false;
    return true;
  case 0x4b:
    if (!op.isMemory || op.prefix == Instruction::None)
      return false;
    if (op.prefix == Instruction::PF3)
      store(tileAt(op.reg), op);
    else
      load(tileAt(op.reg), op);
    return true;
  case 0x5c:
    if (op.isMemory || op.prefix != Instruction::PF3)
      return false;
    multiply(op);
    return true;
  default:
    if (op.isMemory)
      return false;
    multiply(op);
    return true;
  }
}

/// Where a processor with AMX keeps the configuration in what it saves; else 0.
static unsigned configurationOffset() {
  constexpr unsigned kTilesInEdx = 1u << 24, kComponent = 17;
  unsigned a, b, c, d;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(d & kTilesInEdx) ||
      !__get_cpuid_count(0xd, kComponent, &a, &b, &c, &d))
    return 0;
  return b;
}

/// Takes over what the processor has configured by itself.
static void followProcessor(const mcontext_t &context) {
  static const unsigned offset = configurationOffset();
  if (!offset)
    return;
  constexpr size_t kPresent = 512; // bits of the components that are saved
  auto saved = reinterpret_cast<const uint8_t *>(context.fpregs);
  uint64_t present;
  memcpy(&present, saved + kPresent, sizeof present);
  uint8_t now[sizeof(Configuration)] = {}, before[sizeof now];
  if (present >> 17 & 1)
    memcpy(now, saved + offset, sizeof now);
  storeConfiguration(before);
  if (memcmp(now, before, sizeof now) != 0)
    configure(now);
}

static void handle(int signal, siginfo_t *, void *opaque) {
  auto &context = static_cast<ucontext_t *>(opaque)->uc_mcontext;
  followProcessor(context);
  Instruction op;
  if (decode(context, op) && execute(op)) {
    context.gregs[REG_RIP] += op.length;
    return;
  }
  // Something else: it comes again and is not caught.
  sigaction(signal, &previous, nullptr);
}

/// Nobody in the process gets the processor's own tiles.
static void refuseTiles() {
  constexpr unsigned kRequestPermission = 0x1023; // ARCH_REQ_XCOMP_PERM
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_arch_prctl, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kRequestPermission, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  sock_fprog program = {sizeof filter / sizeof *filter, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    forbid("no filter for system calls can be set");
}

/// Called before main, or by a test.
extern "C" __attribute__((constructor)) void startAmxEmulator() {
  if (configurationOffset())
    refuseTiles();
  struct sigaction action = {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGILL, &action, &previous);
}

__attribute__((destructor)) static void writeLog() {
  const char *name = getenv("AMX_EMULATOR_LOG");
  FILE *file = name ? fopen(name, "w") : nullptr;
  if (!file)
    return;
  fprintf(file, "%lu\n", products);
  fclose(file);
}
