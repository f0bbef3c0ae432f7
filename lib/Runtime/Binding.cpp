//===- Binding.cpp - The memory of one input or output ----------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/Binding.h"
#include "glow/Runtime/DType.h"
#include "glow/Runtime/Error.h"
#include "glow/Runtime/Prefix.h"

#include <algorithm>
#include <cstring>

using namespace glow::runtime;

Binding::Binding(const GlowTensorDesc &whole)
    : whole(&whole), present(whole), dims(whole.dims, whole.dims + whole.rank),
      wholeDims(dims), boundDims(dims), boundBytes(whole.bytes) {
  present.dims = dims.data();
}

GlowStatus Binding::show(const int64_t *extents) {
  for (uint32_t i = 0; i < whole->rank; ++i)
    if (extents[i] < 0 || extents[i] > wholeDims[i])
      return fail(GLOW_INVALID_ARGUMENT, "'", whole->name, "' would have ",
                  extents[i], " elements along axis ", i, ", not 0 to ",
                  wholeDims[i], "; choose other values for the symbols");
  if (std::equal(dims.begin(), dims.end(), extents))
    return GLOW_OK;
  dims.assign(extents, extents + whole->rank);
  present.dims = dims.data();
  tensorBytes(present.dtype, present.dims, present.rank, present.bytes,
              /*isPacked=*/false);
  return GLOW_OK;
}

GlowStatus Binding::setExtents(const int64_t *extents) {
  if (GlowStatus status = show(extents))
    return status;
  if (dims == boundDims)
    return GLOW_OK;
  boundDims = dims;
  boundBytes = present.bytes;
  user = nullptr;
  return GLOW_OK;
}

GlowStatus Binding::setResult(const int64_t *extents) {
  for (uint32_t i = 0; i < whole->rank; ++i)
    if (extents[i] > boundDims[i])
      return fail(GLOW_INVALID_MODEL, "'", whole->name, "' came out with ",
                  extents[i], " elements along axis ", i, ", at most ",
                  boundDims[i], " were expected");
  return show(extents);
}

bool Binding::isPrefix() const {
  return present.bytes == 0 || whole->compact ||
         isDensePrefix(dims.data(), wholeDims.data(), whole->rank);
}

void *Binding::allocate(Buffer &buffer) {
  if (buffer.data())
    return buffer.data();
  if (buffer.allocate(whole->bytes, "an input or output"))
    return nullptr;
  // What is behind the extents may never be written, but vectors reach there.
  constexpr uint64_t kMostRead = 64 << 20;
  if (whole->bytes <= kMostRead)
    buffer.readAll();
  return buffer.data();
}

void *Binding::visible() {
  if (user)
    return user;
  return allocate(isPrefix() ? own : dense);
}

/// Memory that is too short for the buffer, or does not have the alignment
/// which kernels rely on, is copied. Kernels may read an element of what has
/// none.
void *Binding::aligned() {
  bool isAligned =
      reinterpret_cast<uintptr_t>(user) % dtypeAlignment(whole->dtype) == 0;
  bool isLongEnough = isWhole() || (whole->compact && present.bytes > 0);
  return user && isAligned && isLongEnough && !isComputed ? user
                                                          : allocate(own);
}

void Binding::copy(void *to, const int64_t *toDims, const void *from,
                   const int64_t *fromDims) {
  if (from == to || present.bytes == 0)
    return;
  // Elements of less than a byte take one each.
  unsigned bytes = (dtypeBits(present.dtype) + 7) / 8;
  if (isWhole() || whole->compact)
    std::memcpy(to, from, present.bytes);
  else
    copyPrefix(to, toDims, from, fromDims, dims.data(), present.rank, bytes);
}

void Binding::copyIn() {
  copy(aligned(), wholeDims.data(), visible(), dims.data());
}
void Binding::copyOut() {
  copy(visible(), dims.data(), aligned(), wholeDims.data());
}
