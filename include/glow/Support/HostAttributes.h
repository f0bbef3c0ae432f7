//===- HostAttributes.h - what functions of the runtime are told ----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_SUPPORT_HOSTATTRIBUTES_H
#define GLOW_SUPPORT_HOSTATTRIBUTES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include <variant>
#include <vector>

namespace mlir::glow {

/// Attributes that are not of one function alone, see docs/HostFunctions.md:
/// the most elements along each dynamic axis of the results' cells, and whether
/// the last input and the last result are the extents of the others.
inline constexpr StringLiteral kHostMostAttrName = "most";
inline constexpr StringLiteral kHostExtentsAttrName = "extents";

/// One of a call's attributes: a list, of one element if it was a plain value.
struct HostAttribute {
  std::string name;
  std::variant<std::vector<int64_t>, std::vector<double>,
               std::vector<StringRef>>
      values;
};

/// Reads i64, f64 and string attributes, `array<i64>`, `array<f64>` and arrays
/// of strings. Strings live as long as the attribute.
std::vector<HostAttribute> readHostAttributes(DictionaryAttr attributes);

/// Fails, on `op`, if one of them is none of these.
LogicalResult verifyHostAttributes(Operation *op, DictionaryAttr attributes);

} // namespace mlir::glow

#endif // GLOW_SUPPORT_HOSTATTRIBUTES_H
