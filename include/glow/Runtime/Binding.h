//===- Binding.h - The memory of one input or output ------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_BINDING_H
#define GLOW_RUNTIME_BINDING_H

#include "glow-c/ModelABI.h"
#include "glow-c/Status.h"
#include "glow/Runtime/Memory.h"

#include <vector>

namespace glow::runtime {

/// A tensor as the caller sees it is dense. The model sees it in a buffer for
/// the largest extents, as a prefix along each axis.
class Binding {
public:
  explicit Binding(const GlowTensorDesc &whole);

  /// The tensor with its present extents.
  const GlowTensorDesc &desc() const { return present; }
  /// What the caller's memory has: the bytes of the extents that were set.
  uint64_t bytes() const { return boundBytes; }
  /// Takes new extents from `dims`, and what was bound out of use if they
  /// differ from those that were set before.
  GlowStatus setExtents(const int64_t *dims);
  /// Takes the extents that a run has computed, each at most the one that was
  /// set.
  GlowStatus setResult(const int64_t *dims);
  /// Extents follow from runs, so the model does not write to the caller's
  /// memory.
  void expectResult() { isComputed = true; }

  /// The caller's memory, `bytes` of it; null: back to our own.
  void bind(void *data) { user = data; }
  /// What the caller fills or reads; null if memory is short.
  void *visible();
  /// What the model sees; null if memory is short.
  void *aligned();

  /// Between what the caller sees and what the model does, both of which were
  /// asked for before.
  void copyIn();
  void copyOut();

private:
  bool isWhole() const { return dims == wholeDims; }
  GlowStatus show(const int64_t *extents);
  /// The elements lie side by side in the whole buffer too.
  bool isPrefix() const;
  void *allocate(Buffer &buffer);
  void copy(void *to, const int64_t *toDims, const void *from,
            const int64_t *fromDims);

  const GlowTensorDesc *whole;
  GlowTensorDesc present;
  std::vector<int64_t> dims, wholeDims, boundDims;
  uint64_t boundBytes;
  bool isComputed = false;
  void *user = nullptr;
  Buffer own;   // whole
  Buffer dense; // the caller's side, if it has no memory of its own
};

} // namespace glow::runtime
#endif // GLOW_RUNTIME_BINDING_H
