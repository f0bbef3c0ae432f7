//===- PackedElements.cpp - types of less than a byte ---------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PackedElements.h"
#include "glow/Runtime/DType.h"

using namespace mlir;
using namespace mlir::glow;

/// Bits of one element if several share a byte, else 0.
static unsigned packedBits(uint32_t dtype) {
  unsigned bits = ::glow::runtime::dtypeBits(dtype);
  return dtype != GLOW_BOOL && bits < 8 ? bits : 0;
}

static uint64_t countOf(ArrayRef<int64_t> dims) {
  uint64_t count = 1;
  for (int64_t extent : dims)
    count *= extent;
  return count;
}

GlowTensor mlir::glow::unpackElements(const GlowTensor &tensor,
                                      std::vector<uint8_t> &owner) {
  unsigned bits = packedBits(tensor.dtype);
  if (!bits)
    return tensor;
  auto *from = static_cast<const uint8_t *>(tensor.data);
  bool isSigned = tensor.dtype == GLOW_I4 || tensor.dtype == GLOW_I2;
  unsigned perByte = 8 / bits, mask = (1u << bits) - 1;
  unsigned sign = isSigned ? 1u << (bits - 1) : 0;
  owner.resize(countOf({tensor.dims, tensor.rank}));
  for (size_t i = 0; i < owner.size(); ++i) {
    unsigned value = from[i / perByte] >> (i % perByte * bits) & mask;
    owner[i] = static_cast<uint8_t>((value ^ sign) - sign);
  }
  GlowTensor unpacked = tensor;
  unpacked.data = owner.data();
  unpacked.bytes = owner.size();
  return unpacked;
}

void mlir::glow::packElements(OutputTensor &output) {
  unsigned bits = packedBits(output.dtype);
  if (!bits)
    return;
  auto *from = static_cast<const uint8_t *>(output.data.get());
  unsigned perByte = 8 / bits, mask = (1u << bits) - 1;
  uint64_t count = countOf(output.dims);
  auto packed =
      std::make_shared<std::vector<uint8_t>>(llvm::divideCeil(count, perByte));
  for (uint64_t i = 0; i < count; ++i)
    (*packed)[i / perByte] |= (from[i] & mask) << (i % perByte * bits);
  output.bytes = packed->size();
  output.data = std::shared_ptr<const void>(packed, packed->data());
}
