//===- Recurrent.cpp - RNN, GRU and LSTM ----------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Export.h"
#include "OpTable.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

static SmallVector<StringRef> defaultActivations(RecurrentKind kind) {
  switch (kind) {
  case RecurrentKind::RNN:
    return {"Tanh"};
  case RecurrentKind::GRU:
    return {"Sigmoid", "Tanh"};
  case RecurrentKind::LSTM:
    return {"Sigmoid", "Tanh", "Tanh"};
  }
  llvm_unreachable("unknown recurrent kind");
}

/// The activations of all directions, in lower case.
static Attribute readActivations(Node &node, RecurrentKind kind,
                                 Direction direction) {
  SmallVector<StringRef> names = node.strings("activations");
  if (names.empty()) {
    names = defaultActivations(kind);
    if (direction == Direction::Bidirectional)
      llvm::append_range(names, defaultActivations(kind));
  }
  Builder builder(node.context());
  return builder.getArrayAttr(
      llvm::map_to_vector(names, [&](StringRef name) -> Attribute {
        return builder.getStringAttr(name.lower());
      }));
}

/// Brings operands of layout 1 (batch first) to layout 0.
static Value batchSecond(Node &node, Value value, bool batchFirst) {
  if (!value || !batchFirst)
    return value;
  return node.transpose(value, {1, 0, 2});
}

/// Gives the outputs; those of layout 1 have the batch in front.
static LogicalResult defineResults(Node &node, Operation *op, bool batchFirst) {
  if (!op)
    return failure();
  Value hidden = op->getResult(0);
  if (batchFirst)
    hidden = node.transpose(hidden, {2, 0, 1, 3});
  if (failed(node.result(hidden, 0)))
    return failure();
  unsigned count = node.type() == "LSTM" ? 3 : 2;
  for (unsigned i = 1; i < count; ++i)
    if (failed(node.result(batchSecond(node, op->getResult(i), batchFirst), i)))
      return failure();
  return success();
}

static LogicalResult importRecurrent(Node &node) {
  auto kind = *symbolizeRecurrentKind(node.type().lower());
  auto direction = symbolizeDirection(node.string("direction", "forward"));
  if (!direction)
    return node.fail("unknown direction '" + node.string("direction", "") +
                     "'");
  // Before version 7 all states were an output only on request.
  node.ignore("output_sequence");
  bool batchFirst = node.integer("layout", 0) != 0;
  bool isLSTM = kind == RecurrentKind::LSTM;
  for (unsigned i : {0, 1, 2})
    if (Node::rank(node.in(i)) != 3)
      return node.fail("input " + Twine(i) + " needs 3 axes");
  int64_t hidden = node.integer("hidden_size", Node::dims(node.in(2))[2]);
  Value x = batchSecond(node, node.in(0), batchFirst);
  Value initialH = batchSecond(node, node.in(5), batchFirst);
  Value initialC = batchSecond(node, isLSTM ? node.in(6) : Value(), batchFirst);
  bool beforeReset = node.flag("linear_before_reset");
  bool inputForget = node.flag("input_forget");
  auto reals = [&](StringRef name) {
    return Builder(node.context()).getDenseF64ArrayAttr(node.reals(name));
  };
  Operation *op = node.emitOp(
      RecurrentOp::getOperationName(),
      {x, node.in(1), node.in(2), node.in(3), node.in(4), /*steps=*/Value(),
       initialH, initialC, isLSTM ? node.in(7) : Value()},
      {{"kind", RecurrentKindAttr::get(node.context(), kind)},
       {"direction", DirectionAttr::get(node.context(), *direction)},
       node.i64("hidden_size", hidden),
       {"activations", readActivations(node, kind, *direction)},
       {"activation_alpha", reals("activation_alpha")},
       {"activation_beta", reals("activation_beta")},
       node.f64("clip", node.real("clip", 0)),
       node.unit("linear_before_reset", beforeReset),
       node.unit("input_forget", inputForget)});
  return defineResults(node, op, batchFirst);
}

static LogicalResult exportRecurrent(RecurrentOp op, NodeWriter &n) {
  if (op.getSteps())
    return op.emitOpError("of a number of steps has no form in ONNX");
  bool isLSTM = op.getKind() == RecurrentKind::LSTM;
  n.type(StringRef(stringifyRecurrentKind(op.getKind())).upper());
  n.input(op.getInput()).input(op.getWeights()).input(op.getRecurrence());
  n.input(op.getBias()).input(op.getSequenceLengths()).input(op.getInitialH());
  if (isLSTM)
    n.input(op.getInitialC()).input(op.getPeepholes());
  else
    n.proto.mutable_output()->RemoveLast();
  SmallVector<std::string> names;
  for (Attribute activation : op.getActivations()) {
    StringRef name = cast<StringAttr>(activation).getValue();
    names.push_back(name.take_front().upper() + name.drop_front().str());
  }
  SmallVector<StringRef> refs(names.begin(), names.end());
  n.attr("direction", stringifyDirection(op.getDirection()))
      .attr("hidden_size", static_cast<int64_t>(op.getHiddenSize()))
      .attr("activations", ArrayRef(refs));
  if (!op.getActivationAlpha().empty())
    n.attr("activation_alpha", op.getActivationAlpha());
  if (!op.getActivationBeta().empty())
    n.attr("activation_beta", op.getActivationBeta());
  if (double clip = op.getClip().convertToDouble(); clip > 0)
    n.attr("clip", clip);
  if (isLSTM)
    n.attr("input_forget", op.getInputForget());
  else if (op.getKind() == RecurrentKind::GRU)
    n.attr("linear_before_reset", op.getLinearBeforeReset());
  return success();
}

void onnx::addRecurrentOps(OpTable &table) {
  table.add("GRU", 1, {3, 6}, importRecurrent).alike({0, 1, 2, 3, 5});
  table.add("LSTM", 1, {3, 8}, importRecurrent)
      .alike({0, 1, 2, 3, 5, 6, 7})
      .exports(exportRecurrent);
  table.add("RNN", 1, {3, 6}, importRecurrent).alike({0, 1, 2, 3, 5});
}
