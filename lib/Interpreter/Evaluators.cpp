//===- Evaluators.cpp - attaches the evaluations to their ops -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Evaluators.h"
#include "glow/Dialect/Glow/IR/GlowOpList.h"
#include "glow/Interfaces/Evaluate.h"
#include "glow/Interpreter/Interpreter.h"

using namespace mlir;
using namespace mlir::glow;

LogicalResult glow::allocateResult(Operation *op, ArrayRef<int64_t> shape,
                                   Tensor &out, unsigned result) {
  FailureOr<Tensor> tensor =
      Tensor::allocate(op->getLoc(), elementType(op->getResult(result)), shape);
  if (failed(tensor))
    return failure();
  out = *tensor;
  return success();
}

namespace {
/// Implements the interface by the op's own method.
template <typename Op>
struct Evaluation : EvaluateOpInterface::ExternalModel<Evaluation<Op>, Op> {
  LogicalResult evaluate(Operation *op, ArrayRef<Tensor> operands,
                         MutableArrayRef<Tensor> results) const {
    auto self = cast<Op>(op);
    return self.evaluate(typename Op::Inputs(operands, self), results);
  }
};
} // namespace

void glow::registerEvaluationModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, GlowDialect *) {
    GlowOps::attach<Evaluated, Evaluation>(*context);
  });
}
