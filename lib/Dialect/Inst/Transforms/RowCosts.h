//===- RowCosts.h - what loops over rows cost ------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_ROWCOSTS_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_ROWCOSTS_H

#include "RowChain.h"
#include "glow/Interfaces/KernelTarget.h"

namespace mlir::glow::inst {

/// Costs in cycles of one core, of which a vector operation takes about one or
/// half of one.
class RowCosts {
public:
  explicit RowCosts(const KernelTarget &target) : target(target) {}

  /// Of the members one after the other.
  double apart(const RowChain &chain) const;
  /// Of the loop over the bands into which the chain is divided.
  double inBands(const RowChain &chain) const;

private:
  double arithmetic(const RowChain::Member &member) const;
  double outside(double bytes) const;

  const KernelTarget &target;
};

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_ROWCOSTS_H
