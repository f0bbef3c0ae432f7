//===- Lists.h - sequences and optionals while imported --------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sequence is a list of values that the importer knows, an optional one of
// none or one. Both are values of MLIR's tuple type, made by a cast of what is
// in them, so all that hands values around - names, functions, bodies, states
// of loops - hands lists around too. Nothing uses the casts once a model is
// imported. The tuple of an optional begins with `none`, which no tensor is.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_TRANSLATE_ONNX_LISTS_H
#define GLOW_LIB_TRANSLATE_ONNX_LISTS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::glow::onnx {

inline bool isList(Value value) {
  return value && isa<TupleType>(value.getType());
}

inline bool isOptional(Value value) {
  if (!isList(value))
    return false;
  auto tuple = cast<TupleType>(value.getType());
  return tuple.size() > 0 && isa<NoneType>(tuple.getType(0));
}

inline bool isSequence(Value value) {
  return isList(value) && !isOptional(value);
}

/// The tensors of a sequence; what is in an optional.
inline ValueRange elementsOf(Value list) {
  return list.getDefiningOp<UnrealizedConversionCastOp>().getInputs();
}

inline Value makeSequence(OpBuilder &builder, Location loc,
                          ValueRange elements) {
  Type type = builder.getTupleType(llvm::to_vector(elements.getTypes()));
  return UnrealizedConversionCastOp::create(builder, loc, type, elements)
      .getResult(0);
}

/// An optional without a value if `element` is null.
inline Value makeOptional(OpBuilder &builder, Location loc, Value element) {
  SmallVector<Type> types{builder.getNoneType()};
  SmallVector<Value> values;
  if (element) {
    types.push_back(element.getType());
    values.push_back(element);
  }
  return UnrealizedConversionCastOp::create(builder, loc,
                                            builder.getTupleType(types), values)
      .getResult(0);
}

} // namespace mlir::glow::onnx

#endif // GLOW_LIB_TRANSLATE_ONNX_LISTS_H
