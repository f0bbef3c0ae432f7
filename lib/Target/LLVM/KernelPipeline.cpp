//===- KernelPipeline.cpp - kernels from vectors and loops to LLVM --------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Target/LLVM/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void glow::buildKernelPipeline(OpPassManager &manager,
                               const KernelTarget &target, bool checkBounds) {
  OpPassManager &kernel = manager.nest<ModuleOp>();
  // While operands are buffers of known extents.
  if (checkBounds)
    kernel.addPass(createCheckBounds());
  kernel.addPass(createCanonicalizerPass());
  kernel.addPass(createCSEPass());
  // Before vectors are broken up: the polynomials are written on vectors.
  LowerKernelMathOptions math;
  math.flushesBfloat16 = target.has("avx512bf16");
  math.convertsBfloat16 = math.flushesBfloat16 || target.has("bf16");
  // Without VL LLVM 22 scales shorter vectors by the bits of the exponents.
  math.scalesVectors = target.has("avx512f") && target.has("avx512vl");
  kernel.addPass(createLowerKernelMath(math));
  kernel.addPass(createConvertVectorToSCFPass());
  kernel.addPass(createLowerAffinePass());
  kernel.addPass(createLoopInvariantCodeMotionPass());
  kernel.addPass(createSCFToControlFlowPass());
  kernel.addPass(memref::createExpandStridedMetadataPass());
  kernel.addPass(createLowerAffinePass());
  // What no polynomial covers: first LLVM's intrinsics, then the C library,
  // which takes vectors apart.
  kernel.addPass(createConvertMathToLLVMPass());
  kernel.addPass(createConvertMathToLibmPass());
  // The instructions of one processor that generators name themselves.
  ConvertVectorToLLVMPassOptions vectors;
  vectors.x86Vector = true;
  kernel.addPass(createConvertVectorToLLVMPass(vectors));
  kernel.addPass(createFinalizeMemRefToLLVMConversionPass());
  ConvertFuncToLLVMPassOptions functions;
  functions.useBarePtrCallConv = true;
  kernel.addPass(createConvertFuncToLLVMPass(functions));
  if (target.has("amx-tile")) {
    // Tiles go through branches, so both are converted at once.
    kernel.addPass(createConvertToLLVMPass());
    kernel.addPass(createStreamTiles());
  } else {
    kernel.addPass(createArithToLLVMConversionPass());
    kernel.addPass(createConvertControlFlowToLLVMPass());
    kernel.addPass(createConvertIndexToLLVMPass());
  }
  kernel.addPass(createReconcileUnrealizedCastsPass());
  kernel.addPass(createCanonicalizerPass());
  kernel.addPass(createCSEPass());
  kernel.addPass(createExportKernels());
}

void glow::registerKernelPipeline() {
  PassPipelineRegistration<>("glow-kernel-pipeline",
                             "Lower outlined kernels to the LLVM dialect",
                             [](OpPassManager &manager) {
                               buildKernelPipeline(manager, KernelTarget());
                             });
}
