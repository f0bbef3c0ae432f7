// One operation of oneDNN 2.x on matrices in memory, timed call by call.
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <dnnl.hpp>
#include <string>
#include <unordered_map>
#include <vector>

using namespace dnnl;

namespace {
/// A primitive with its arguments.
struct Operation {
  engine processor{engine::kind::cpu, 0};
  stream queue{processor};
  primitive action;
  std::unordered_map<int, memory> arguments;
};

const std::unordered_map<std::string, algorithm> kElementwise = {
    {"gelu", algorithm::eltwise_gelu_erf},
    {"relu", algorithm::eltwise_relu},
    {"sigmoid", algorithm::eltwise_logistic},
    {"tanh", algorithm::eltwise_tanh}};
const std::unordered_map<std::string, algorithm> kBinary = {
    {"add", algorithm::binary_add}, {"mul", algorithm::binary_mul}};
constexpr auto kForward = prop_kind::forward_inference;
} // namespace

static primitive makePrimitive(const std::string &name, const engine &engine,
                               const memory::desc &matrix) {
  if (auto found = kElementwise.find(name); found != kElementwise.end())
    return eltwise_forward(
        {{kForward, found->second, matrix, 0.0f, 0.0f}, engine});
  if (auto found = kBinary.find(name); found != kBinary.end())
    return binary({{found->second, matrix, matrix, matrix}, engine});
  if (name == "softmax")
    return softmax_forward({{kForward, matrix, 1}, engine});
  return layer_normalization_forward(
      {{kForward, matrix, 1e-5f,
        normalization_flags::use_scale | normalization_flags::use_shift},
       engine});
}

/// `second` is the other operand of a binary operation; behind a normalisation,
/// scales and then shifts.
static Operation *makeOperation(const std::string &name, int64_t rows,
                                int64_t columns, float *input, float *second,
                                float *output) {
  auto *operation = new Operation;
  memory::desc matrix({rows, columns}, memory::data_type::f32,
                      memory::format_tag::ab);
  memory::desc row({columns}, memory::data_type::f32, memory::format_tag::a);
  operation->action = makePrimitive(name, operation->processor, matrix);
  auto bind = [&](int place, const memory::desc &type, float *data) {
    operation->arguments.emplace(place,
                                 memory(type, operation->processor, data));
  };
  bind(kBinary.count(name) ? DNNL_ARG_SRC_0 : DNNL_ARG_SRC, matrix, input);
  if (kBinary.count(name))
    bind(DNNL_ARG_SRC_1, matrix, second);
  if (name == "layer_norm") {
    bind(DNNL_ARG_SCALE, row, second);
    bind(DNNL_ARG_SHIFT, row, second + columns);
  }
  bind(DNNL_ARG_DST, matrix, output);
  return operation;
}

extern "C" {

/// Null, with a line on standard error, if oneDNN cannot do it.
void *glow_bench_onednn_make(const char *name, int64_t rows, int64_t columns,
                             float *input, float *second, float *output) {
  try {
    return makeOperation(name, rows, columns, input, second, output);
  } catch (const error &failure) {
    std::fprintf(stderr, "oneDNN: %s: %s\n", name, failure.what());
    return nullptr;
  }
}

/// The median of `calls` times, in seconds.
double glow_bench_onednn_time(void *handle, int calls) {
  auto *operation = static_cast<Operation *>(handle);
  std::vector<double> times;
  for (int i = 0; i < calls; ++i) {
    auto start = std::chrono::steady_clock::now();
    operation->action.execute(operation->queue, operation->arguments);
    operation->queue.wait();
    times.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count());
  }
  std::nth_element(times.begin(), times.begin() + calls / 2, times.end());
  return times[calls / 2];
}

void glow_bench_onednn_version(char *text, int size) {
  const version_t *v = version();
  std::snprintf(text, size, "%d.%d.%d", v->major, v->minor, v->patch);
}
}
