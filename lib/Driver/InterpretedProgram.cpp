//===- InterpretedProgram.cpp - programs without generated code -----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ModelProgram.h"
#include "glow/Interpreter/Interpreter.h"
#include "glow/Support/DType.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
class InterpretedProgram : public ModelProgram {
public:
  using ModelProgram::describe;
  using ModelProgram::ModelProgram;
  void widen() { widenFloats(mainFunction()); }

  llvm::Error save(StringRef) override {
    return llvm::createStringError("an interpreted program cannot be saved");
  }
  llvm::Expected<std::shared_ptr<GlowRtProgram>>
  specialize(ArrayRef<GlowTensor>) override {
    return std::shared_ptr<GlowRtProgram>();
  }

private:
  llvm::Expected<std::vector<OutputTensor>>
  runChecked(ArrayRef<GlowTensor> tensors) override {
    if (options.checkFile)
      if (llvm::Error error = options.checkFile())
        return std::move(error);
    std::lock_guard lock(mutex);
    ErrorCollector errors(context.get());
    SmallVector<Tensor> operands;
    for (const GlowTensor &tensor : tensors) {
      FailureOr<Type> type = typeOf(tensor.dtype, context.get());
      if (failed(type))
        return errors.take("unknown element type");
      operands.push_back(Tensor::view(*type, {tensor.dims, tensor.rank},
                                      static_cast<const char *>(tensor.data)));
    }
    auto values = interpret(mainFunction(), operands);
    if (failed(values))
      return errors.take("the model could not be evaluated");
    std::vector<OutputTensor> results;
    for (const Tensor &value : *values) {
      OutputTensor &result = results.emplace_back();
      result.dims.assign(value.getShape().begin(), value.getShape().end());
      result.dtype = *dtypeOf(value.getElementType());
      result.bytes = value.sizeInBytes();
      auto owner = std::make_shared<Tensor>(value);
      result.data = {owner, owner->bytes()};
    }
    return std::move(results);
  }
};
} // namespace

llvm::Expected<std::unique_ptr<Program>>
glow::makeInterpretedProgram(std::unique_ptr<MLIRContext> context,
                             OwningOpRef<ModuleOp> module,
                             const ProgramOptions &options) {
  auto program = std::make_unique<InterpretedProgram>(
      std::move(context), std::move(module), options);
  if (options.target == "interpret-double")
    program->widen();
  if (llvm::Error error = program->describe(/*hidesBounds=*/false))
    return std::move(error);
  return std::move(program);
}
