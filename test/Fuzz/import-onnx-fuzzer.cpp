//===- import-onnx-fuzzer.cpp - arbitrary bytes as ONNX models ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The importer must tell what is wrong with a model, whatever it is, and what
// it accepts must verify and export. Seeds: test/Translate/ONNX/Inputs.
//
//===----------------------------------------------------------------------===//
#include "glow/InitAll.h"
#include "glow/Translate/ONNX.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <memory>

using namespace mlir;

/// A context that is made anew now and then: it keeps every attribute that it
/// has seen, but is slow to make.
static MLIRContext &freshContext() {
  static unsigned uses = 0;
  static std::unique_ptr<MLIRContext> context;
  if (uses++ % 512 == 0) {
    DialectRegistry registry;
    glow::registerAllDialects(registry);
    context = std::make_unique<MLIRContext>(registry,
                                            MLIRContext::Threading::DISABLED);
    context->getDiagEngine().registerHandler([](Diagnostic &) {});
  }
  return *context;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(
      StringRef(reinterpret_cast<const char *>(data), size), "input");
  // Without a folder external data is refused.
  OwningOpRef<ModuleOp> module =
      glow::importONNX(std::move(buffer), /*folder=*/"", &freshContext());
  if (!module)
    return 0;
  if (failed(verify(*module))) {
    llvm::errs() << "the imported module does not verify\n";
    std::abort();
  }
  (void)glow::exportONNX(*module, llvm::nulls());
  return 0;
}
