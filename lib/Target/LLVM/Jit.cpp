//===- Jit.cpp - compiled models in this process --------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Target/LLVM/Jit.h"
#include "glow/Runtime/Memory.h"
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
  auto weights = std::make_shared<::glow::runtime::Buffer>();
  if (weights->allocate(program.weightsBytes, "the weights"))
    return llvm::createStringError(::glow_last_error());
  result->weights = weights;
  char *end = static_cast<char *>(weights->data());
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
  result->descriptor.weights = weights->data();
  return std::move(result);
}
