//===- Winograd.cpp - the transforms of minimal filtering -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Support/Winograd.h"

using namespace mlir::glow;

// Interpolation at 0, 1, -1 and infinity.
static constexpr double kInput2[] = {1, 0,  -1, 0, //
                                     0, 1,  1,  0, //
                                     0, -1, 1,  0, //
                                     0, 1,  0,  -1};
static constexpr double kFilter2[] = {1,  0,   0,  //
                                      .5, .5,  .5, //
                                      .5, -.5, .5, //
                                      0,  0,   1};
static constexpr double kOutput2[] = {1, 1, 1,  0, //
                                      0, 1, -1, -1};
static constexpr double kInverse2[] = {1, 0, 0,  0, //
                                       0, 1, -1, 0, //
                                       0, 0, 0,  1};

// Interpolation at 0, 1, -1, 2, -2 and infinity.
static constexpr double kInput4[] = {4, 0,  -5, 0,  1, 0, //
                                     0, -4, -4, 1,  1, 0, //
                                     0, 4,  -4, -1, 1, 0, //
                                     0, -2, -1, 2,  1, 0, //
                                     0, 2,  -1, -2, 1, 0, //
                                     0, 4,  0,  -5, 0, 1};
static constexpr double kFilter4[] = {1. / 4,  0,        0,       //
                                      -1. / 6, -1. / 6,  -1. / 6, //
                                      -1. / 6, 1. / 6,   -1. / 6, //
                                      1. / 24, 1. / 12,  1. / 6,  //
                                      1. / 24, -1. / 12, 1. / 6,  //
                                      0,       0,        1};
static constexpr double kOutput4[] = {1, 1, 1,  1, 1,  0, //
                                      0, 1, -1, 2, -2, 0, //
                                      0, 1, 1,  4, 4,  0, //
                                      0, 1, -1, 8, -8, 1};
static constexpr double kInverse4[] = {4, 0,  0, 0, 0, 0, //
                                       0, -3, 3, 0, 0, 0, //
                                       0, 0,  0, 0, 0, 1};

const WinogradTransform *WinogradTransform::get(int64_t outputs) {
  static const WinogradTransform transforms[] = {
      {2, {kInput2, 4}, {kFilter2, 3}, {kOutput2, 4}, {kInverse2, 4}},
      {4, {kInput4, 6}, {kFilter4, 3}, {kOutput4, 6}, {kInverse4, 6}}};
  for (const WinogradTransform &transform : transforms)
    if (transform.outputs == outputs)
      return &transform;
  return nullptr;
}
