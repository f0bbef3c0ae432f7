//===- GlowToInst.h - how graph ops become instructions -------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// InstLowering is what an op sees of the conversion: the buffers of its
// operands and results, and the few things that many lowerings do with buffers.
// Every buffer that stands for a tensor is dense and row-major; other layouts
// exist only as views within one lowering.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_CONVERSION_GLOWTOINST_GLOWTOINST_H
#define GLOW_CONVERSION_GLOWTOINST_GLOWTOINST_H

#include "glow/Dialect/Inst/IR/Inst.h"
#include "glow/Interfaces/LowerToInst.h"
#include "glow/Interfaces/ScalarBuilder.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
class DialectRegistry;
}

namespace mlir::glow {

class InstLowering {
public:
  explicit InstLowering(OpBuilder &builder)
      : builder(builder), loc(builder.getUnknownLoc()) {}

  OpBuilder &builder;
  /// Of the op that is being lowered.
  Location loc;

  // -- Tensors and their buffers ----------------------------------------------

  /// The buffer that holds `tensor`.
  Value buffer(Value tensor);
  /// The same of an optional operand.
  Value bufferOrNone(Value tensor) { return tensor ? buffer(tensor) : tensor; }
  SmallVector<Value> buffers(ValueRange tensors);
  /// A new buffer for a result, or the function's output that it is.
  Value allocate(Value tensor);
  /// States that `buffer` holds `tensor`; a dense buffer of the same extents.
  void bind(Value tensor, Value buffer);
  /// Makes `allocate(tensor)` return `argument`.
  void setOutput(Value tensor, Value argument) { outputs[tensor] = argument; }
  /// Constants are made at the start of `block`.
  void setConstantBlock(Block *block) { constants = block; }

  /// Memory for intermediate results of one lowering.
  Value scratch(ArrayRef<int64_t> shape, Type element);
  /// Read-only memory; equal constants share it.
  Value constant(ElementsAttr value);
  Value constantInts(ArrayRef<int64_t> values);

  // -- Views ------------------------------------------------------------------

  /// `strides` and `offset` count elements from the start of the root buffer.
  Value view(Value buffer, ArrayRef<int64_t> shape, ArrayRef<int64_t> strides,
             int64_t offset);
  /// The same elements of a dense buffer in another shape.
  Value reshape(Value buffer, ArrayRef<int64_t> shape);
  /// `size` elements from `start` on, `step` apart, along `axis`.
  Value slice(Value buffer, int64_t axis, int64_t start, int64_t size,
              int64_t step = 1);
  /// Axis i of the view is axis `permutation[i]` of the buffer.
  Value transpose(Value buffer, ArrayRef<int64_t> permutation);
  /// Repeats elements along axes of extent 1 and new leading axes.
  Value broadcast(Value buffer, ArrayRef<int64_t> shape);

  // -- Instructions -----------------------------------------------------------

  void copy(Value from, Value to);
  /// Fills with a number, converted to the element type.
  void fill(Value to, double value);
  /// `body` gets one scalar per input and returns the output's.
  void map(ValueRange inputs, Value output,
           llvm::function_ref<Value(ValueRange)> body);
  /// Writes `write(slab)` to everything of `to` but the box that leaves out
  /// `before` and `after` elements along every axis; returns the box.
  Value border(Value to, ArrayRef<int64_t> before, ArrayRef<int64_t> after,
               llvm::function_ref<void(Value)> write);

private:
  DenseMap<Value, Value> bound, outputs;
  DenseMap<Attribute, Value> constantBuffers;
  Block *constants = nullptr;
  Operation *lastConstant = nullptr;
};

/// The buffer type of a tensor type, in which a string is an i128; null if
/// nothing can hold its elements.
MemRefType bufferTypeOf(Type tensor);

/// Attaches the lowering of every primitive op.
void registerGlowToInstModels(DialectRegistry &registry);

} // namespace mlir::glow

#endif // GLOW_CONVERSION_GLOWTOINST_GLOWTOINST_H
