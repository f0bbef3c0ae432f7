//===- Package.cpp - Packages: several partitions on several devices *- C++
//-*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/Error.h"
#include "glow/Runtime/Program.h"
using namespace glow::runtime;
GlowStatus glow::runtime::loadPackage(const std::string &folder, int32_t,
                                      ProgramPtr &) {
  return fail(GLOW_UNSUPPORTED, "'", folder, "' is a folder; packages cannot be loaded yet");
}
