//===- ConstantScope.h - memory of constants made on the way ---*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR keeps the contents of a dense resource as long as its context. One
// compilation makes a new copy of each weight with each change of its layout,
// and only the last one is used.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_SUPPORT_CONSTANTSCOPE_H
#define GLOW_SUPPORT_CONSTANTSCOPE_H

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/DenseSet.h"
#include <memory>

namespace mlir::glow {

/// Owns the resources of a context that are made while it lives.
class ConstantScope {
public:
  explicit ConstantScope(MLIRContext *context);
  /// Frees them all: no IR that is still read may use them.
  ~ConstantScope();
  ConstantScope(const ConstantScope &) = delete;
  ConstantScope &operator=(const ConstantScope &) = delete;

  /// Frees the contents of `value` if it is a resource of this scope. One that
  /// is older, and shows a file, gives back its pages.
  void release(Attribute value) { take(value); }
  /// The same, once the last copy of the result is gone. Null if `value` is no
  /// resource.
  std::shared_ptr<const void> take(Attribute value);

private:
  using Entry = DialectResourceBlobManager::BlobEntry;
  DialectResourceBlobManager &manager;
  DenseSet<const Entry *> older;
};

} // namespace mlir::glow

#endif // GLOW_SUPPORT_CONSTANTSCOPE_H
