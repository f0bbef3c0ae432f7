//===- DType.h - Element types at run time -*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_DTYPE_H
#define GLOW_RUNTIME_DTYPE_H

#include "glow-c/ModelABI.h"

#include <string>
#include <string_view>
#include <vector>

namespace glow::runtime {

/// The name used in manifests and listings, such as "f32"; "undefined" for a
/// number that is no GlowDType.
const char *dtypeName(uint32_t dtype);

/// The element type of this name, GLOW_UNDEFINED if there is none.
uint32_t parseDType(std::string_view name);

/// Bits of one element, of a string those of GlowString; 0 for a number that is
/// no GlowDType.
unsigned dtypeBits(uint32_t dtype);

/// The alignment that compiled code relies on in inputs and outputs, in bytes.
uint64_t dtypeAlignment(uint32_t dtype);

/// Sets `bytes` to the size of a dense tensor, whose elements of less than a
/// byte are packed or, as compiled code has them, take a byte each. False if
/// the type has no fixed size, an extent is negative or the size exceeds 2^62
/// bytes.
bool tensorBytes(uint32_t dtype, const int64_t *dims, uint32_t rank,
                 uint64_t &bytes, bool isPacked = true);

/// "2x3xf32", as in MLIR.
std::string shapeText(const GlowTensorDesc &desc);

/// A description that owns what GlowTensorDesc points to.
struct TensorInfo {
  std::string name;
  uint32_t dtype = GLOW_UNDEFINED;
  std::vector<int64_t> dims;
  uint64_t bytes = 0;
  std::vector<float> scales;
  std::vector<int64_t> zeroPoints;
  int32_t quantAxis = -1;

  /// Valid as long as this object is neither moved nor changed.
  GlowTensorDesc desc() const;
};

} // namespace glow::runtime
#endif // GLOW_RUNTIME_DTYPE_H
