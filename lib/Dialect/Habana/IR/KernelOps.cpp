//===- KernelOps.cpp - what the vector cores can compute ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Habana/IR/KernelOps.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Habana/IR/Habana.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::glow::habana;
using arith::CmpFPredicate;
using habana_recipe::KernelOp;

/// Special functions are missing: they come with polynomials that are fixed for
/// card, simulator and reference alike.
static std::optional<KernelOp> simpleOp(StringRef name) {
  return llvm::StringSwitch<std::optional<KernelOp>>(name)
      .Case("arith.addf", KernelOp::Add)
      .Case("arith.subf", KernelOp::Sub)
      .Case("arith.mulf", KernelOp::Mul)
      .Case("arith.divf", KernelOp::Div)
      .Case("arith.maximumf", KernelOp::Max)
      .Case("arith.minimumf", KernelOp::Min)
      .Case("arith.negf", KernelOp::Neg)
      .Case("arith.select", KernelOp::Select)
      .Case("arith.andi", KernelOp::And)
      .Case("arith.ori", KernelOp::Or)
      .Case("arith.xori", KernelOp::Xor)
      .Case("arith.uitofp", KernelOp::ToFloat)
      .Case("math.absf", KernelOp::Abs)
      .Case("math.sqrt", KernelOp::Sqrt)
      .Case("math.rsqrt", KernelOp::Rsqrt)
      .Case("math.floor", KernelOp::Floor)
      .Case("math.ceil", KernelOp::Ceil)
      .Case("math.roundeven", KernelOp::RoundEven)
      .Default(std::nullopt);
}

static std::optional<KernelChoice> compareOp(CmpFPredicate predicate) {
  switch (predicate) {
  case CmpFPredicate::OEQ:
    return KernelChoice{KernelOp::Equal};
  case CmpFPredicate::UNE:
    return KernelChoice{KernelOp::NotEqual};
  case CmpFPredicate::OLT:
    return KernelChoice{KernelOp::Less};
  case CmpFPredicate::OLE:
    return KernelChoice{KernelOp::LessEqual};
  case CmpFPredicate::OGT:
    return KernelChoice{KernelOp::Greater};
  case CmpFPredicate::OGE:
    return KernelChoice{KernelOp::GreaterEqual};
  case CmpFPredicate::UGE:
    return KernelChoice{KernelOp::Less, true};
  case CmpFPredicate::UGT:
    return KernelChoice{KernelOp::LessEqual, true};
  case CmpFPredicate::ULE:
    return KernelChoice{KernelOp::Greater, true};
  case CmpFPredicate::ULT:
    return KernelChoice{KernelOp::GreaterEqual, true};
  case CmpFPredicate::UNO:
    return KernelChoice{KernelOp::Unordered};
  case CmpFPredicate::ORD:
    return KernelChoice{KernelOp::Unordered, true};
  default:
    return std::nullopt;
  }
}

std::optional<KernelChoice> glow::habana::kernelOpOf(Operation *op) {
  auto isScalar = [](Type type) { return type.isF32() || type.isInteger(1); };
  if (!llvm::all_of(op->getOperandTypes(), isScalar) ||
      !llvm::all_of(op->getResultTypes(), isScalar))
    return std::nullopt;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return KernelChoice{constant.getType().isF32() ? KernelOp::Constant
                                                   : KernelOp::True};
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return compareOp(compare.getPredicate());
  std::optional<KernelOp> simple = simpleOp(op->getName().getStringRef());
  // The cores select numbers, and do bit operations on truth values only.
  if (!simple ||
      (simple == KernelOp::Select && !op->getResult(0).getType().isF32()))
    return std::nullopt;
  return KernelChoice{*simple};
}

std::optional<std::string> glow::habana::whyNoKernel(Region &region) {
  for (Operation &op : region.front().without_terminator())
    if (!kernelOpOf(&op))
      return "the vector cores have no " + op.getName().getStringRef().str() +
             " on these types";
  for (Value value : region.front().getTerminator()->getOperands())
    if (!value.getType().isF32())
      return std::string("the vector cores store f32 only");
  for (Type type : region.front().getArgumentTypes())
    if (!type.isF32())
      return std::string("the vector cores load f32 only");
  return std::nullopt;
}
