// The runtime's side: six functions. Abacus.cpp describes the programs.
#include "glow/Runtime/SimpleDevice.h"

#include <cstdlib>
#include <cstring>
#include <sstream>

using namespace glow::runtime;

namespace {
struct Line {
  std::string op;
  float number = 0;
  size_t a = 0, b = 0;
};
struct Program : SimpleProgram {
  size_t length = 0;
  std::vector<Line> lines;
};

class AbacusDevice : public SimpleDevice {
  SimpleInfo info() override { return {"abacus", "", 1 << 30, 64}; }
  GlowStatus alloc(uint64_t bytes, uint64_t alignment,
                   void *&address) override {
    return posix_memalign(&address, alignment, bytes)
               ? fail(GLOW_OUT_OF_MEMORY, "no beads left")
               : GLOW_OK;
  }
  void free(void *address) override { std::free(address); }
  GlowStatus copy(void *target, const void *source, uint64_t bytes,
                  CopyKind) override {
    std::memcpy(target, source, bytes);
    return GLOW_OK;
  }

  GlowStatus load(const ProgramImage &image,
                  std::unique_ptr<SimpleProgram> &program) override {
    auto loaded = std::make_unique<Program>();
    std::istringstream text(
        std::string(static_cast<const char *>(image.data), image.bytes));
    std::string word;
    if (!(text >> word >> loaded->length) || word != "abacus" ||
        loaded->length > (1 << 20))
      return fail(GLOW_INVALID_MODEL, "this is no program for an abacus");
    size_t values = 0;
    for (Line line; text >> line.op; loaded->lines.push_back(line)) {
      bool isBinary = line.op == "add" || line.op == "mul" || line.op == "max";
      if (line.op == "const")
        text >> line.number;
      else if (line.op == "out" || isBinary)
        text >> line.a;
      else if (line.op != "in")
        return fail(GLOW_INVALID_MODEL, "unknown instruction '", line.op, "'");
      if (isBinary)
        text >> line.b;
      if (!text || line.a > values || line.b > values ||
          ((isBinary || line.op == "out") &&
           (line.a >= values || line.b >= values)))
        return fail(GLOW_INVALID_MODEL, "a line of '", line.op, "' is wrong");
      values += line.op != "out";
    }
    program = std::move(loaded);
    return GLOW_OK;
  }

  GlowStatus run(SimpleProgram &base,
                 const std::vector<SimpleBinding> &bindings) override {
    auto &program = static_cast<Program &>(base);
    std::vector<std::vector<float>> values;
    size_t next = 0, bytes = program.length * sizeof(float);
    for (const Line &line : program.lines) {
      bool isPort = line.op == "in" || line.op == "out";
      if (isPort && (next == bindings.size() || bindings[next].bytes != bytes))
        return fail(GLOW_INVALID_ARGUMENT, "buffer ", next, " does not fit");
      if (line.op == "out") {
        std::memcpy(bindings[next++].address, values[line.a].data(), bytes);
        continue;
      }
      std::vector<float> value(program.length, line.number);
      if (line.op == "in")
        std::memcpy(value.data(), bindings[next++].address, bytes);
      else if (line.op != "const")
        for (size_t i = 0; i < program.length; ++i) {
          float a = values[line.a][i], b = values[line.b][i];
          value[i] = line.op == "add"   ? a + b
                     : line.op == "mul" ? a * b
                                        : (a > b ? a : b);
        }
      values.push_back(std::move(value));
    }
    return GLOW_OK;
  }
};
} // namespace

GLOW_SIMPLE_DEVICE_DRIVER("abacus", AbacusDevice)
