//===- Evaluators.cpp - attaches the evaluations to their ops -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpList.h"
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
/// Calls the overload of `evaluate` for one op.
template <typename Op>
struct Evaluation : EvaluateOpInterface::ExternalModel<Evaluation<Op>, Op> {
  LogicalResult evaluate(Operation *op, ArrayRef<Tensor> operands,
                         MutableArrayRef<Tensor> results) const {
    return glow::evaluate(cast<Op>(op), Inputs<Op>(operands, cast<Op>(op)),
                          results);
  }
};
} // namespace

void glow::registerEvaluationModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, GlowDialect *) {
#define GLOW_ATTACH_EVALUATION(Op)                                             \
  Op::attachInterface<Evaluation<Op>>(*context);
    GLOW_EVALUATED_OPS(GLOW_ATTACH_EVALUATION)
#undef GLOW_ATTACH_EVALUATION
  });
}
