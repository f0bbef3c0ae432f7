//===- Lists.h - sequences and optionals at a function's border -*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions take and return tensors. Those that a model takes or gives as one
// sequence or optional stand side by side, and attributes of the function say
// which they are.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_DIALECT_GLOW_IR_LISTS_H
#define GLOW_DIALECT_GLOW_IR_LISTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include <string>
#include <vector>

namespace mlir::glow {

/// One sequence or optional among the arguments or results of a function.
struct TensorList {
  std::string name;
  bool isSequence = true, isOptional = false;
  /// An optional without a value is not present; neither has tensors.
  bool isPresent = true;
  unsigned first = 0, count = 0; ///< which tensors
};

/// Attributes of a function: arrays with an entry for each list.
inline constexpr llvm::StringLiteral kInputListsAttrName = "glow.input_lists";
inline constexpr llvm::StringLiteral kOutputListsAttrName = "glow.output_lists";

Attribute toAttribute(ArrayRef<TensorList> lists, MLIRContext *context);
/// No lists for a null attribute, or one that means something else.
std::vector<TensorList> tensorListsOf(Attribute attribute);

/// The name of a list's element: name[3].
std::string nameInList(StringRef name, unsigned index);

} // namespace mlir::glow

#endif // GLOW_DIALECT_GLOW_IR_LISTS_H
