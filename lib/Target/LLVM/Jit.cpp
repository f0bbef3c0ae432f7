//===- Jit.cpp - compiled models in this process --------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Target/LLVM/Jit.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"

using namespace mlir;
using namespace mlir::glow;

JitModel::JitModel() = default;
JitModel::~JitModel() = default;

llvm::Expected<std::unique_ptr<JitModel>>
JitModel::create(std::vector<std::unique_ptr<llvm::MemoryBuffer>> objects,
                 const ProgramSpec &program, StringRef symbol,
                 ConstantScope *scope) {
  std::unique_ptr<JitModel> result(new JitModel());
  size_t bytes = llvm::alignTo(program.weightsBytes + 1, GLOW_BUFFER_ALIGNMENT);
  result->weights.reset(
      static_cast<char *>(std::aligned_alloc(GLOW_BUFFER_ALIGNMENT, bytes)));
  if (!result->weights)
    return llvm::createStringError("no memory for " + std::to_string(bytes) +
                                   " bytes of weights");
  char *end = result->weights.get();
  auto append = [&](ArrayRef<char> piece) { end = llvm::copy(piece, end); };
  if (failed(readWeights(program, append, scope)))
    return llvm::createStringError("the weights could not be read");

  auto jit =
      llvm::orc::LLJITBuilder()
          .setObjectLinkingLayerCreator(
              [](llvm::orc::ExecutionSession &session) {
                return std::make_unique<llvm::orc::ObjectLinkingLayer>(session);
              })
          .create();
  if (!jit)
    return jit.takeError();
  result->jit = std::move(*jit);
  for (auto &object : objects)
    if (llvm::Error error = result->jit->addObjectFile(std::move(object)))
      return std::move(error);
  auto address = result->jit->lookup(symbol);
  if (!address)
    return address.takeError();
  result->descriptor = *address->toPtr<const GlowModel *>();
  result->descriptor.weights = result->weights.get();
  return std::move(result);
}
