//===- Evaluators.h - what the evaluations of ops share ---------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op is evaluated by its method `evaluate`, which the file of its family
// defines. Operands are tensors by name, `in.getInput()`; their shapes are the
// actual ones, where the types of the op may be dynamic.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_INTERPRETER_EVALUATORS_H
#define GLOW_LIB_INTERPRETER_EVALUATORS_H

#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Interpreter/Tensor.h"

namespace mlir::func {
class FuncOp;
}

namespace mlir::glow {

using Outputs = MutableArrayRef<Tensor>;

/// Sets `out` to a new tensor of zeros, or fails with a message on `op`.
LogicalResult allocateResult(Operation *op, ArrayRef<int64_t> shape,
                             Tensor &out, unsigned result = 0);

/// Runs a scalar block over the broadcast inputs; `elementType` is the
/// result's.
FailureOr<Tensor> evaluateBody(Location location, Block &body,
                               ArrayRef<Tensor> inputs, Type elementType);
/// Evaluates an op from its scalar body.
LogicalResult evaluateScalarBody(ScalarBodyOpInterface op,
                                 ArrayRef<Tensor> operands, Tensor &out);

/// Interprets the function that an op calls.
FailureOr<SmallVector<Tensor>> evaluateCall(Operation *op, func::FuncOp callee,
                                            ArrayRef<Tensor> operands);
FailureOr<SmallVector<Tensor>> evaluateLoop(LoopOp loop,
                                            ArrayRef<Tensor> operands);
FailureOr<SmallVector<Tensor>> evaluateSteps(ForStepsOp loop,
                                             ArrayRef<Tensor> operands);

/// Copies to `dst`, row-major over `dims`, the elements at `src` that lie
/// `strides` elements apart (0 repeats, negative runs backwards).
void gatherStrided(const char *src, ArrayRef<int64_t> strides,
                   ArrayRef<int64_t> dims, char *dst, unsigned elementBytes);

/// Steps through the places of a shape in row-major order.
class PlaceWalker {
public:
  explicit PlaceWalker(ArrayRef<int64_t> dims)
      : dims(dims), place(dims.size(), 0) {}
  ArrayRef<int64_t> operator*() const { return place; }
  int64_t operator[](size_t axis) const { return place[axis]; }
  void next() {
    for (size_t i = dims.size(); i-- > 0;) {
      if (++place[i] < dims[i])
        return;
      place[i] = 0;
    }
  }
  /// The offset of the place under `strides`.
  int64_t offset(ArrayRef<int64_t> strides) const {
    int64_t sum = 0;
    for (size_t i = 0; i < place.size(); ++i)
      sum += place[i] * strides[i];
    return sum;
  }

private:
  SmallVector<int64_t> dims, place;
};

/// A shape seen from one axis: `outer` blocks of `extent` rows of `inner`.
struct AxisView {
  int64_t outer = 1, extent = 1, inner = 1;
  AxisView(ArrayRef<int64_t> shape, int64_t axis) : extent(shape[axis]) {
    for (int64_t dim : shape.take_front(axis))
      outer *= dim;
    for (int64_t dim : shape.drop_front(axis + 1))
      inner *= dim;
  }
};

/// The numbers that the pieces of a `glow.bf16_pieces` stand for, as f32. The
/// axis has `blocks` rows of pieces, one after the other.
FailureOr<Tensor> sumPieces(Location location, const Tensor &tensor,
                            int64_t axis, int64_t blocks, int64_t pieces);

} // namespace mlir::glow

#endif // GLOW_LIB_INTERPRETER_EVALUATORS_H
