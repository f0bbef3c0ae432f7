//===- KeptOps.h - which composite ops stay whole --------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_GLOW_TRANSFORMS_KEPTOPS_H
#define GLOW_LIB_DIALECT_GLOW_TRANSFORMS_KEPTOPS_H

#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Interfaces/Target.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::glow {

/// The composite ops that the target has, and those named by an option.
class KeptOps {
public:
  KeptOps(Operation *root, ArrayRef<std::string> names) {
    this->names.insert(names.begin(), names.end());
    for (; root && !target; root = root->getParentOp())
      target = root->getAttrOfType<TargetAttrInterface>(
          GlowDialect::kTargetAttrName);
  }

  bool contains(Operation *op) const {
    return names.contains(op->getName().getStringRef()) ||
           (target && target.keepsComposite(op));
  }

private:
  llvm::StringSet<> names;
  TargetAttrInterface target;
};

} // namespace mlir::glow

#endif // GLOW_LIB_DIALECT_GLOW_TRANSFORMS_KEPTOPS_H
