//===- Image.h - Pictures as arrays -----------------------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_IMAGE_H
#define GLOW_RUNTIME_IMAGE_H

#include "glow/Runtime/Npy.h"

namespace glow::runtime {

/// Reads a PNG, binary PGM or binary PPM file as u8 of height x width x
/// channels. Channels are 1 (grey) or 3 (red, green, blue); transparency is
/// dropped, palettes are resolved, deeper samples are scaled to 8 bits.
GlowStatus readImage(const std::string &path, Array &image);

/// The same from memory; `where` names the source in messages.
GlowStatus parseImage(const void *bytes, uint64_t size,
                      const std::string &where, Array &image);

} // namespace glow::runtime
#endif // GLOW_RUNTIME_IMAGE_H
