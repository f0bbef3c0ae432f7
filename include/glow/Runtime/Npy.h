//===- Npy.h - Arrays in NumPy's file format --------------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_NPY_H
#define GLOW_RUNTIME_NPY_H

#include "glow-c/ModelABI.h"
#include "glow-c/Status.h"
#include "glow/Runtime/Memory.h"

#include <string>
#include <string_view>
#include <vector>

namespace glow::runtime {

/// A dense, row-major array in host memory.
struct Array {
  uint32_t dtype = GLOW_UNDEFINED;
  std::vector<int64_t> dims;
  Buffer data;
  Buffer texts; // the bytes of strings
};

/// Reads a `.npy` file of any version: booleans and little-endian numbers.
/// Fortran order is turned into row-major order.
///
/// NumPy has no names for the narrow types. The package ml_dtypes writes them
/// as raw bytes ("<V2" or "<V1"), which do not say what they are: then
/// `expected`, the type that the reader wants, decides. Types of less than a
/// byte are one byte per element in the file (raw, i1 or u1) and packed here.
/// Strings are those of one length each ("<U7" or "|S7"), never pickled
/// objects.
GlowStatus readNpy(const std::string &path, uint32_t expected, Array &array);

/// The same from memory; `where` names the source in messages.
GlowStatus parseNpy(const void *bytes, uint64_t size, uint32_t expected,
                    const std::string &where, Array &array);

/// Writes an array, the narrow types as ml_dtypes does. The file appears only
/// once it is complete.
GlowStatus writeNpy(const std::string &path, uint32_t dtype,
                    const std::vector<int64_t> &dims, const void *data);

} // namespace glow::runtime
#endif // GLOW_RUNTIME_NPY_H
