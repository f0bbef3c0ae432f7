//===- StreamTiles.cpp - loads of tiles past the first-level cache --------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect of AMX has no such op; the intrinsic takes the same operands as
// that of other loads.
//
//===----------------------------------------------------------------------===//
#include "glow/Kernels/TileKernel.h"
#include "glow/Target/LLVM/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::glow {
#define GEN_PASS_DEF_STREAMTILES
#include "glow/Target/LLVM/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;

namespace {
struct StreamTiles : glow::impl::StreamTilesBase<StreamTiles> {
  void runOnOperation() override {
    getOperation().walk([](LLVM::CallIntrinsicOp call) {
      if (call->removeDiscardableAttr(glow::TileKernel::kStreamed))
        call.setIntrin("llvm.x86.tileloaddt164.internal");
    });
  }
};
} // namespace
