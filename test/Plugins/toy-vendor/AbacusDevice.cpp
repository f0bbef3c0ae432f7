// The runtime's side: three functions. Abacus.cpp describes the programs.
#include "glow/Runtime/SimpleDevice.h"

#include <algorithm>
#include <numeric>
#include <sstream>

using namespace glow::runtime;

namespace {
struct Program : SimpleProgram {
  std::vector<std::pair<std::string, size_t>> lines;
  std::vector<SimplePort> ports;
  size_t length = 0;
};

class AbacusDevice : public HostMemoryDevice {
  SimpleInfo info() override { return {"abacus", "", 1 << 30, 64}; }

  GlowStatus load(const ProgramImage &image,
                  std::unique_ptr<SimpleProgram> &result) override {
    auto program = std::make_unique<Program>();
    std::istringstream text(image.text());
    std::string word;
    if (!(text >> word >> program->length) || word != "abacus" ||
        program->length > (1 << 20))
      return fail(GLOW_INVALID_MODEL, "this is no program for an abacus");
    size_t values = 0, value;
    while (text >> word) {
      bool known = word == "in" || word == "sum" || word == "out";
      if (!known || !(text >> value) || (word != "in" && value >= values))
        return fail(GLOW_INVALID_MODEL, "a line of '", word, "' is wrong");
      values += word != "out";
      if (word != "sum")
        program->ports.push_back({word, program->length * sizeof(float)});
      program->lines.push_back({word, value});
    }
    result = std::move(program);
    return GLOW_OK;
  }

  GlowStatus run(SimpleProgram &base,
                 const std::vector<SimpleBinding> &bindings) override {
    auto &program = static_cast<Program &>(base);
    if (GlowStatus status = checkBindings(program.ports, bindings))
      return status;
    std::vector<std::vector<float>> values;
    auto binding = bindings.begin();
    for (const auto &[op, value] : program.lines) {
      if (op == "in") {
        auto *data = static_cast<const float *>((binding++)->address);
        values.emplace_back(data, data + program.length);
      } else if (op == "sum") {
        values.push_back(values[value]);
        auto &sums = values.back();
        std::partial_sum(sums.begin(), sums.end(), sums.begin());
      } else {
        std::copy(values[value].begin(), values[value].end(),
                  static_cast<float *>((binding++)->address));
      }
    }
    return GLOW_OK;
  }
};
} // namespace

GLOW_SIMPLE_DEVICE_DRIVER("abacus", AbacusDevice)
