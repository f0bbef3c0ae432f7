//===- Engines.h - the simulated engines of the card ----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each command computes, and in which order it adds: this is the meaning
// of a recipe. The commands have been checked, so nothing here looks at bounds.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_RUNTIME_HABANA_ENGINES_H
#define GLOW_LIB_RUNTIME_HABANA_ENGINES_H

#include "glow/Target/Habana/Recipe.h"

namespace habana_sim {

using habana_recipe::Combine;
using habana_recipe::Command;
using habana_recipe::Kernel;
using habana_recipe::Tensor;

/// A tensor of a command with its address.
struct View {
  float *data = nullptr;
  const Tensor *tensor = nullptr;

  int64_t dim(int axis) const { return tensor->dims[axis]; }
  int64_t stride(int axis) const { return tensor->strides[axis]; }
};

void runDma(const View &source, const View &destination);
void runFill(const View &destination, float value);

/// out = a b, each element's products added in ascending order of K.
void runGemm(const View &a, const View &b, const View &out);

/// Each element's products added in ascending order of C, KH, KW.
void runConv(const Command &command, const View &input, const View &filter,
             const View &out);

/// The kernel for all points of the index space, in row-major order.
void runLaunch(const Kernel &kernel, Combine combine,
               const std::vector<View> &tensors);

} // namespace habana_sim

#endif // GLOW_LIB_RUNTIME_HABANA_ENGINES_H
