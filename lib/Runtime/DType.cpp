//===- DType.cpp - Element types at run time -*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/DType.h"

#include <algorithm>

using namespace glow::runtime;

namespace {
struct DTypeRow {
  GlowDType dtype;
  const char *name;
  unsigned bits;
};
} // namespace

static constexpr DTypeRow rows[] = {
    {GLOW_F32, "f32", 32},
    {GLOW_U8, "u8", 8},
    {GLOW_I8, "i8", 8},
    {GLOW_U16, "u16", 16},
    {GLOW_I16, "i16", 16},
    {GLOW_I32, "i32", 32},
    {GLOW_I64, "i64", 64},
    {GLOW_STRING, "string", 128},
    {GLOW_BOOL, "bool", 8},
    {GLOW_F16, "f16", 16},
    {GLOW_F64, "f64", 64},
    {GLOW_U32, "u32", 32},
    {GLOW_U64, "u64", 64},
    {GLOW_C64, "c64", 64},
    {GLOW_C128, "c128", 128},
    {GLOW_BF16, "bf16", 16},
    {GLOW_F8E4M3FN, "f8e4m3fn", 8},
    {GLOW_F8E4M3FNUZ, "f8e4m3fnuz", 8},
    {GLOW_F8E5M2, "f8e5m2", 8},
    {GLOW_F8E5M2FNUZ, "f8e5m2fnuz", 8},
    {GLOW_U4, "u4", 4},
    {GLOW_I4, "i4", 4},
    {GLOW_F4E2M1, "f4e2m1", 4},
    {GLOW_F8E8M0, "f8e8m0", 8},
    {GLOW_U2, "u2", 2},
    {GLOW_I2, "i2", 2},
};

static const DTypeRow *findRow(uint32_t dtype) {
  for (const DTypeRow &row : rows)
    if (row.dtype == dtype)
      return &row;
  return nullptr;
}

const char *glow::runtime::dtypeName(uint32_t dtype) {
  const DTypeRow *row = findRow(dtype);
  return row ? row->name : "undefined";
}

uint32_t glow::runtime::parseDType(std::string_view name) {
  for (const DTypeRow &row : rows)
    if (name == row.name)
      return row.dtype;
  return GLOW_UNDEFINED;
}

unsigned glow::runtime::dtypeBits(uint32_t dtype) {
  const DTypeRow *row = findRow(dtype);
  return row ? row->bits : 0;
}

uint64_t glow::runtime::dtypeAlignment(uint32_t dtype) {
  return std::clamp(dtypeBits(dtype) / 8, 1u, 8u);
}

bool glow::runtime::tensorBytes(uint32_t dtype, const int64_t *dims,
                                uint32_t rank, uint64_t &bytes, bool isPacked) {
  // 2^62 bytes leave room for the sums and paddings of later arithmetic.
  const uint64_t limit = uint64_t(1) << 62;
  uint64_t bits = dtypeBits(dtype);
  if (bits == 0)
    return false;
  if (!isPacked && bits < 8)
    bits = 8;
  uint64_t elements = 1;
  bool isEmpty = false;
  for (uint32_t i = 0; i < rank; ++i) {
    if (dims[i] < 0)
      return false;
    if (dims[i] == 0)
      isEmpty = true;
    else if (__builtin_mul_overflow(elements, uint64_t(dims[i]), &elements))
      return false;
  }
  // A zero must not hide an absurd extent beside it.
  if (elements > limit / 8)
    return false;
  // Sub-byte elements are packed densely over the whole tensor.
  uint64_t whole =
      bits >= 8 ? elements * (bits / 8) : (elements * bits + 7) / 8;
  bytes = isEmpty ? 0 : whole;
  return true;
}

std::string glow::runtime::shapeText(const GlowTensorDesc &desc) {
  std::string text;
  for (uint32_t i = 0; i < desc.rank; ++i)
    text += std::to_string(desc.dims[i]) + "x";
  return text + dtypeName(desc.dtype);
}

GlowTensorDesc TensorInfo::desc() const {
  GlowTensorDesc desc = {};
  desc.name = name.c_str();
  desc.dims = dims.data();
  desc.bytes = bytes;
  desc.scales = scales.data();
  desc.zero_points = zeroPoints.data();
  desc.num_scales = uint32_t(scales.size());
  desc.quant_axis = quantAxis;
  desc.dtype = dtype;
  desc.rank = uint32_t(dims.size());
  return desc;
}
