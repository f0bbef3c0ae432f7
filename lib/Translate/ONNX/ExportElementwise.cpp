//===- ExportElementwise.cpp - element-wise ops as ONNX nodes -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most are rows of the importer's table, read backwards; these need code.
//
//===----------------------------------------------------------------------===//
#include "Export.h"
#include "Tensors.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

#define GLOW_EXPORT(Op) static LogicalResult write(Op op, NodeWriter &n)

GLOW_EXPORT(CastOp) {
  int32_t to = dataTypeOf(op.getTo());
  if (!to)
    return hasNoForm(op, "to an element type that it lacks");
  return n.type("Cast")
      .input(op.getInput())
      .attr("to", static_cast<int64_t>(to))
      .done();
}
GLOW_EXPORT(ClampOp) {
  for (Value bound : {op.getLow(), op.getHigh()})
    if (!dimsOf(bound).empty())
      return hasNoForm(op, "with bounds that are not scalars");
  return n.type("Clip").inputs(op->getOperands()).done();
}
GLOW_EXPORT(GeluOp) {
  return n.type("Gelu")
      .input(op.getInput())
      .attr("approximate", StringRef(op.getTanh() ? "tanh" : "none"))
      .done();
}
GLOW_EXPORT(IsInfOp) {
  return n.type("IsInf")
      .input(op.getInput())
      .attr("detect_negative", op.getNegative())
      .attr("detect_positive", op.getPositive())
      .done();
}
GLOW_EXPORT(FmodOp) {
  return n.type("Mod").inputs(op->getOperands()).attr("fmod", true).done();
}
GLOW_EXPORT(ShiftLeftOp) {
  return n.type("BitShift")
      .inputs(op->getOperands())
      .attr("direction", StringRef("LEFT"))
      .done();
}
GLOW_EXPORT(ShiftRightOp) {
  return n.type("BitShift")
      .inputs(op->getOperands())
      .attr("direction", StringRef("RIGHT"))
      .done();
}
/// 1 / sqrt x, in two nodes.
GLOW_EXPORT(RsqrtOp) {
  std::string root = n.writer.newName("sqrt");
  // Nodes are in order: this one becomes the root, the next the reciprocal.
  glow_onnx::NodeProto &inverse = *n.writer.graph.add_node();
  inverse.set_op_type("Reciprocal");
  inverse.add_input(root);
  inverse.add_output(n.proto.output(0));
  n.proto.set_output(0, root);
  return n.type("Sqrt").input(op.getInput()).done();
}

template <typename... Ops> static void add(ExportTable &table) {
  (table.try_emplace(Ops::getOperationName(),
                     [](Operation *op, NodeWriter &node) {
                       return write(cast<Ops>(op), node);
                     }),
   ...);
}

static constexpr char kMax[] = "Max", kMin[] = "Min", kMod[] = "Mod",
                      kPow[] = "Pow";

void onnx::addElementwiseExports(ExportTable &table) {
  add<CastOp, ClampOp, FmodOp, GeluOp, IsInfOp, RsqrtOp, ShiftLeftOp,
      ShiftRightOp>(table);
  table[MaximumOp::getOperationName()] = writeAs<kMax>;
  table[MinimumOp::getOperationName()] = writeAs<kMin>;
  table[ModOp::getOperationName()] = writeAs<kMod>;
  table[PowOp::getOperationName()] = writeAs<kPow>;
}
