//===- Target.cpp - capability tables, estimates, target names ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Interfaces/Target.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::glow;

#include "glow/Interfaces/Target.cpp.inc"

static std::string toString(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Why a row refuses a value of this type, or nothing.
static std::optional<std::string> whyRefused(const Capability &row, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return "takes ranked tensors only, not " + toString(type);
  if (!tensor.hasStaticShape())
    return "takes static shapes only, not " + toString(type);
  if (tensor.getRank() > row.maxRank)
    return "takes up to " + std::to_string(row.maxRank) + " axes, not " +
           std::to_string(tensor.getRank());
  std::string element = toString(tensor.getElementType());
  SmallVector<StringRef> allowed;
  row.elements.split(allowed, ' ');
  if (!llvm::is_contained(allowed, element))
    return "takes " + row.elements.str() + " only, not " + element;
  return std::nullopt;
}

/// A shape or another list of integers that lowering reads, not the device.
static bool isShapeConstant(Value value) {
  return getElementTypeOrSelf(value).isInteger() &&
         matchPattern(value, m_Constant());
}

std::optional<std::string> glow::whyUnsupported(ArrayRef<Capability> table,
                                                Operation *op,
                                                Attribute target) {
  StringRef name = op->getName().getStringRef();
  const auto *row = llvm::find_if(
      table, [&](const Capability &row) { return row.op == name; });
  if (row == table.end())
    return "has no such op";
  for (Value operand : op->getOperands())
    if (!isShapeConstant(operand))
      if (auto reason = whyRefused(*row, operand.getType()))
        return reason;
  for (Type type : op->getResultTypes())
    if (auto reason = whyRefused(*row, type))
      return reason;
  return row->limit ? row->limit(op, target) : std::nullopt;
}

double glow::estimateNanoseconds(const TargetRates &rates, Operation *op) {
  OpWork work = workOf(op);
  return std::max(work.flops / rates.flops, work.bytes / rates.memoryBytes);
}

/// The attribute written as `text`, or null; `message` then says why.
static Attribute parseQuietly(StringRef text, MLIRContext *context,
                              std::string &message) {
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (message.empty())
      message = diagnostic.str();
    return success();
  });
  return parseAttribute(text, context);
}

FailureOr<Attribute> glow::parseTarget(StringRef text, MLIRContext *context) {
  Location loc = UnknownLoc::get(context);
  SmallVector<std::string> spellings;
  if (text.starts_with("#"))
    spellings = {text.str()};
  else
    spellings = {"#glow." + text.str(), "#" + text.str() + ".target"};
  std::string message;
  for (const std::string &spelling : spellings) {
    message.clear();
    Attribute target = parseQuietly(spelling, context, message);
    if (!target)
      continue;
    if (isa<TargetAttrInterface>(target))
      return target;
    return emitError(loc) << "'" << text
                          << "' is an attribute, but not a target";
  }
  InFlightDiagnostic error = emitError(loc)
                             << "there is no target '" << text << "'";
  // Of a name the parser only says that it is none of its attributes.
  if (!message.empty() && text.starts_with("#"))
    error << ": " << message;
  error.attachNote() << "is the plug-in with its dialect loaded "
                        "(--load-dialect-plugin)?";
  return failure();
}
