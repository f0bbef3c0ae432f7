//===- Jit.h - compiled models in this process -----------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TARGET_LLVM_JIT_H
#define GLOW_TARGET_LLVM_JIT_H

#include "glow-c/ModelABI.h"
#include "glow/Target/LLVM/CompiledModel.h"

namespace llvm::orc {
class LLJIT;
}

namespace mlir::glow {

/// Objects loaded into this process, and their weights.
class JitModel {
public:
  /// Links `objects`, made with the descriptor named `symbol`. Weights of
  /// `scope` are freed once they are copied.
  static llvm::Expected<std::unique_ptr<JitModel>>
  create(std::vector<std::unique_ptr<llvm::MemoryBuffer>> objects,
         const ProgramSpec &program, StringRef symbol,
         ConstantScope *scope = nullptr);
  ~JitModel();

  /// The descriptor, with its weights. Lives as long as this object.
  const GlowModel *model() const { return &descriptor; }

private:
  JitModel();
  std::unique_ptr<llvm::orc::LLJIT> jit;
  /// A runtime's buffer, on huge pages.
  std::shared_ptr<void> weights;
  GlowModel descriptor = {};
};

} // namespace mlir::glow

#endif // GLOW_TARGET_LLVM_JIT_H
