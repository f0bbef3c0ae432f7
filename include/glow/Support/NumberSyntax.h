//===- NumberSyntax.h - integers in the text of ops -------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_SUPPORT_NUMBERSYNTAX_H
#define GLOW_SUPPORT_NUMBERSYNTAX_H

#include "mlir/IR/OpImplementation.h"

namespace mlir::glow {

/// `custom<Int>` in an assembly format: an I64Attr without its type.
inline ParseResult parseInt(OpAsmParser &parser, IntegerAttr &attribute) {
  int64_t value;
  if (parser.parseInteger(value))
    return failure();
  attribute = parser.getBuilder().getI64IntegerAttr(value);
  return success();
}
inline void printInt(OpAsmPrinter &printer, Operation *,
                     IntegerAttr attribute) {
  printer << attribute.getInt();
}

} // namespace mlir::glow

#endif // GLOW_SUPPORT_NUMBERSYNTAX_H
