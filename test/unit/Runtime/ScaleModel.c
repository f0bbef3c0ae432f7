/* A model as the compiler would emit it: y = w * x + x on 1000 floats, in two
 * instructions, with its one weight in a file.
 *
 * Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "glow-c/ModelABI.h"

enum { Count = 1000, Tile = 10, Tickets = Count / Tile };

/* args: x, w, product */
static void multiply(void *const *args, int64_t begin, int64_t end,
                     int32_t worker) {
  const float *x = args[0], *w = args[1];
  float *product = args[2];
  (void)worker;
  for (int64_t i = begin * Tile; i < end * Tile; ++i)
    product[i] = x[i] * *w;
}

/* args: x, product, y */
static void add(void *const *args, int64_t begin, int64_t end, int32_t worker) {
  const float *x = args[0], *product = args[1];
  float *y = args[2];
  (void)worker;
  for (int64_t i = begin * Tile; i < end * Tile; ++i)
    y[i] = x[i] + product[i];
}

static void launch(GlowExec *exec, uint32_t instr, GlowKernel kernel,
                   void *const *args) {
  if (exec->parallel_for)
    exec->parallel_for(exec, instr, kernel, args, Tickets);
  else
    kernel(args, 0, Tickets, 0);
}

static int32_t run(GlowExec *exec, const void *const *inputs,
                   void *const *outputs, void *arena, const void *weights) {
  void *const first[] = {(void *)inputs[0], (void *)weights, arena};
  void *const second[] = {(void *)inputs[0], arena, outputs[0]};
  launch(exec, 0, multiply, first);
  launch(exec, 1, add, second);
  return 0;
}

static const int64_t dims[] = {10, 100};
static const float scale = 0.5f;
static const int64_t zeroPoint = 3;

static const GlowTensorDesc inputs[] = {{.name = "x",
                                         .dims = dims,
                                         .bytes = Count * sizeof(float),
                                         .scales = &scale,
                                         .zero_points = &zeroPoint,
                                         .num_scales = 1,
                                         .quant_axis = -1,
                                         .dtype = GLOW_F32,
                                         .rank = 2}};
static const GlowTensorDesc outputs[] = {{.name = "y",
                                          .dims = dims,
                                          .bytes = Count * sizeof(float),
                                          .quant_axis = -1,
                                          .dtype = GLOW_F32,
                                          .rank = 2}};
static const GlowInstrDesc instrs[] = {
    {"mul", "/scale/Mul", "multiply", Count, 8 * Count},
    {"add", "/scale/Add", "add", Count, 12 * Count}};

const GlowModel glow_model = {
    .abi_version = GLOW_ABI_VERSION,
    .size = sizeof(GlowModel),
    .name = "scale",
    .target_triple = GLOW_TEST_TRIPLE,
    .cpu_features = "",
    .inputs = inputs,
    .outputs = outputs,
    .instrs = instrs,
    .weights_file = "ScaleModel.weights",
    .weights_bytes = sizeof(float),
    .weights_hash = UINT64_C(0x8cbcb19766caa19a), /* of 2.0f */
    .arena_bytes = Count * sizeof(float),
    .num_inputs = 1,
    .num_outputs = 1,
    .num_instrs = 2,
    .alignment = 64,
    .run = run,
};
