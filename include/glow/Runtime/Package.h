//===- Package.h - A model split over several devices -----------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_PACKAGE_H
#define GLOW_RUNTIME_PACKAGE_H

#include "glow/Runtime/Manifest.h"
#include "glow/Runtime/Program.h"
#include "glow/Runtime/SimpleDevice.h"

namespace glow::runtime {

/// Makes a program of partitions that are in memory: `images` holds one program
/// per partition. `owner` keeps alive what the images need after loading.
GlowStatus makePackage(Manifest manifest,
                       const std::vector<ProgramImage> &images, int32_t threads,
                       Owner owner, ProgramPtr &result);

} // namespace glow::runtime
#endif // GLOW_RUNTIME_PACKAGE_H
