//===- VectorEngine.cpp - scalar kernels over an index space --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engines.h"

#include <algorithm>
#include <cmath>

using namespace habana_sim;
using namespace habana_recipe;

/// Points that one step computes. Truth values are held as 0 and 1.
static constexpr int64_t kLanes = 64;

namespace {
struct Register {
  float lanes[kLanes];
};
} // namespace

/// The larger one; NaN if either is, and +0 above -0.
static float maximum(float a, float b) {
  if (a != a || b != b)
    return a != a ? a : b;
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
static float minimum(float a, float b) {
  if (a != a || b != b)
    return a != a ? a : b;
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

template <typename Function>
static void forLanes(Register &result, Function function) {
  for (int64_t i = 0; i < kLanes; ++i)
    result.lanes[i] = function(i);
}

static void execute(const KernelInstr &instr, std::vector<Register> &registers,
                    Register &result) {
  const float *a = registers[instr.operands[0]].lanes;
  const float *b = registers[instr.operands[1]].lanes;
  const float *c = registers[instr.operands[2]].lanes;
  switch (instr.op) {
  case KernelOp::Constant:
  case KernelOp::True:
    return forLanes(result, [&](int64_t) { return instr.immediate; });
  case KernelOp::Add:
    return forLanes(result, [&](int64_t i) { return a[i] + b[i]; });
  case KernelOp::Sub:
    return forLanes(result, [&](int64_t i) { return a[i] - b[i]; });
  case KernelOp::Mul:
    return forLanes(result, [&](int64_t i) { return a[i] * b[i]; });
  case KernelOp::Div:
    return forLanes(result, [&](int64_t i) { return a[i] / b[i]; });
  case KernelOp::Max:
    return forLanes(result, [&](int64_t i) { return maximum(a[i], b[i]); });
  case KernelOp::Min:
    return forLanes(result, [&](int64_t i) { return minimum(a[i], b[i]); });
  case KernelOp::Neg:
    return forLanes(result, [&](int64_t i) { return -a[i]; });
  case KernelOp::Abs:
    return forLanes(result, [&](int64_t i) { return std::fabs(a[i]); });
  case KernelOp::Sqrt:
    return forLanes(result, [&](int64_t i) { return std::sqrt(a[i]); });
  case KernelOp::Rsqrt:
    return forLanes(result, [&](int64_t i) { return 1.0f / std::sqrt(a[i]); });
  case KernelOp::Floor:
    return forLanes(result, [&](int64_t i) { return std::floor(a[i]); });
  case KernelOp::Ceil:
    return forLanes(result, [&](int64_t i) { return std::ceil(a[i]); });
  case KernelOp::RoundEven:
    return forLanes(result, [&](int64_t i) { return std::nearbyint(a[i]); });
  case KernelOp::Equal:
    return forLanes(result, [&](int64_t i) { return float(a[i] == b[i]); });
  case KernelOp::NotEqual:
    return forLanes(result, [&](int64_t i) { return float(a[i] != b[i]); });
  case KernelOp::Less:
    return forLanes(result, [&](int64_t i) { return float(a[i] < b[i]); });
  case KernelOp::LessEqual:
    return forLanes(result, [&](int64_t i) { return float(a[i] <= b[i]); });
  case KernelOp::Greater:
    return forLanes(result, [&](int64_t i) { return float(a[i] > b[i]); });
  case KernelOp::GreaterEqual:
    return forLanes(result, [&](int64_t i) { return float(a[i] >= b[i]); });
  case KernelOp::Unordered:
    return forLanes(
        result, [&](int64_t i) { return float(a[i] != a[i] || b[i] != b[i]); });
  case KernelOp::Select:
    return forLanes(result, [&](int64_t i) { return a[i] != 0 ? b[i] : c[i]; });
  case KernelOp::And:
    return forLanes(result, [&](int64_t i) { return a[i] * b[i]; });
  case KernelOp::Or:
    return forLanes(result, [&](int64_t i) { return std::max(a[i], b[i]); });
  case KernelOp::Xor:
    return forLanes(result, [&](int64_t i) { return float(a[i] != b[i]); });
  case KernelOp::ToFloat:
    return forLanes(result, [&](int64_t i) { return a[i]; });
  }
}

static float combine(Combine kind, float a, float b) {
  switch (kind) {
  case Combine::None:
    return b;
  case Combine::Sum:
    return a + b;
  case Combine::Prod:
    return a * b;
  case Combine::Max:
    return maximum(a, b);
  case Combine::Min:
    return minimum(a, b);
  }
  return b;
}

namespace {
/// One launch: the innermost axis is cut into steps of kLanes points.
class Launch {
public:
  Launch(const Kernel &kernel, Combine kind, const std::vector<View> &tensors)
      : kernel(kernel), kind(kind), tensors(tensors),
        // Operands that an instruction does not have name register 0.
        registers(kernel.numInputs + kernel.instrs.size() + 1) {}

  void run(uint32_t axis, std::vector<int64_t> offsets) {
    const Tensor &space = *tensors[0].tensor;
    if (axis + 1 >= space.rank) {
      int64_t extent = space.rank ? space.dims[space.rank - 1] : 1;
      for (int64_t i = 0; i < extent; i += kLanes)
        step(offsets, i, std::min(kLanes, extent - i));
      return;
    }
    for (int64_t i = 0; i < space.dims[axis]; ++i) {
      run(axis + 1, offsets);
      for (size_t t = 0; t < tensors.size(); ++t)
        offsets[t] += tensors[t].stride(axis);
    }
  }

private:
  void step(const std::vector<int64_t> &offsets, int64_t first, int64_t count) {
    uint32_t rank = tensors[0].tensor->rank;
    auto stride = [&](size_t t) {
      return rank ? tensors[t].stride(rank - 1) : 0;
    };
    auto address = [&](size_t t) {
      return tensors[t].data + offsets[t] + first * stride(t);
    };
    for (uint32_t t = 0; t < kernel.numInputs; ++t)
      for (int64_t i = 0; i < count; ++i)
        registers[t].lanes[i] = address(t)[i * stride(t)];
    for (size_t i = 0; i < kernel.instrs.size(); ++i)
      execute(kernel.instrs[i], registers, registers[kernel.numInputs + i]);
    for (size_t r = 0; r < kernel.results.size(); ++r) {
      size_t t = kernel.numInputs + r;
      float *to = address(t);
      const Register &value = registers[kernel.results[r]];
      for (int64_t i = 0; i < count; ++i) {
        float &element = to[i * stride(t)];
        element = combine(kind, element, value.lanes[i]);
      }
    }
  }

  const Kernel &kernel;
  Combine kind;
  const std::vector<View> &tensors;
  std::vector<Register> registers;
};
} // namespace

void habana_sim::runLaunch(const Kernel &kernel, Combine combine,
                           const std::vector<View> &tensors) {
  Launch(kernel, combine, tensors)
      .run(0, std::vector<int64_t>(tensors.size(), 0));
}
