//===- Elementwise.cpp - element-wise operators that need code ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpTable.h"
#include "Tensors.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

LogicalResult onnx::importSimple(Node &node, const OpRow &row) {
  SmallVector<Attr> attributes;
  for (const SharedAttr &shared : row.attributes)
    attributes.push_back(
        node.f64(shared.glow, node.real(shared.onnx, shared.otherwise)));
  // In-place execution, a hint of the first operator sets.
  node.ignore("consumed_inputs");
  return node.result(node.emitNamed(row.glowOp, node.inputs(), attributes));
}

LogicalResult onnx::importIdentity(Node &node) {
  return node.result(node.in(0));
}

LogicalResult onnx::importDropout(Node &node) {
  for (StringRef name : {"ratio", "seed", "is_test", "consumed_inputs"})
    node.ignore(name);
  if (node.in(2)) {
    auto training = node.constant(2, "'training_mode'");
    if (failed(training))
      return failure();
    if (llvm::any_of(*training, [](int64_t t) { return t != 0; }))
      return node.fail("dropout in training mode is not supported");
  }
  if (node.wantsOutput(1)) {
    Value all =
        node.emit<SplatOp>({node.scalar(IntegerType::get(node.context(), 1), 1),
                            node.shapeOf(node.in(0))});
    if (failed(node.result(all, 1)))
      return failure();
  }
  return node.result(node.in(0));
}

/// Before version 7, the second operand was only broadcast on request, from
/// `axis` on.
LogicalResult onnx::importLegacyBinary(Node &node) {
  static const llvm::StringMap<StringRef> ops = {
      {"Add", "glow.add"},         {"Sub", "glow.sub"},
      {"Mul", "glow.mul"},         {"Div", "glow.div"},
      {"Pow", "glow.pow"},         {"And", "glow.and"},
      {"Or", "glow.or"},           {"Xor", "glow.xor"},
      {"Equal", "glow.equal"},     {"Less", "glow.less"},
      {"Greater", "glow.greater"}, {"PRelu", "glow.prelu"}};
  node.ignore("consumed_inputs");
  Value lhs = node.in(0), rhs = node.in(1);
  bool broadcast = node.flag("broadcast");
  int64_t left = Node::rank(lhs), right = Node::rank(rhs);
  if (node.has("axis") && broadcast && right < left) {
    int64_t axis = node.axis(node.integer("axis", 0), left);
    SmallVector<int64_t> behind;
    for (int64_t i = axis + right; i < left; ++i)
      behind.push_back(i - axis);
    rhs = node.unsqueeze(rhs, behind);
  }
  node.ignore("axis");
  return node.result(node.emitNamed(ops.lookup(node.type()), {lhs, rhs}));
}

/// Sum, Mean, Max, Min of any number of operands.
LogicalResult onnx::importVariadic(Node &node) {
  node.ignore("consumed_inputs");
  StringRef op = node.type() == "Max"   ? MaximumOp::getOperationName()
                 : node.type() == "Min" ? MinimumOp::getOperationName()
                                        : AddOp::getOperationName();
  if (llvm::is_contained(node.inputs(), Value()))
    return node.fail("no operand may be left out");
  Value result = node.in(0);
  for (Value operand : node.inputs().drop_front())
    result = node.emitNamed(op, {result, operand});
  if (node.type() == "Mean")
    result = node.emit<DivOp>(
        {result, node.scalarLike(node.in(0), node.numInputs())});
  return node.result(result);
}

LogicalResult onnx::importClip(Node &node) {
  Value x = node.in(0), low, high;
  node.ignore("consumed_inputs");
  if (node.opset() < 11) {
    if (node.has("min"))
      low = node.scalarLike(x, node.real("min", 0));
    if (node.has("max"))
      high = node.scalarLike(x, node.real("max", 0));
  } else {
    low = node.in(1);
    high = node.in(2);
  }
  for (Value *bound : {&low, &high})
    if (*bound && Node::rank(*bound) != 0)
      *bound = node.reshape(*bound, {});
  if (node.failed())
    return failure();
  if (low && high)
    return node.result(node.emit<ClampOp>({x, low, high}));
  if (low)
    return node.result(node.emit<MaximumOp>({x, low}));
  if (high)
    return node.result(node.emit<MinimumOp>({x, high}));
  return node.result(x);
}

/// The exponent may have another element type; the base's is the result's.
LogicalResult onnx::importPow(Node &node) {
  Value base = node.in(0), exponent = node.in(1);
  Type type = Node::element(base);
  if (isa<IntegerType>(type) && isa<FloatType>(Node::element(exponent)))
    base = node.cast(base, Node::element(exponent));
  else
    exponent = node.cast(exponent, type);
  return node.result(node.cast(node.emit<PowOp>({base, exponent}), type));
}

LogicalResult onnx::importMod(Node &node) {
  StringRef op = node.flag("fmod") ? FmodOp::getOperationName()
                                   : ModOp::getOperationName();
  return node.result(node.emitNamed(op, node.inputs()));
}

LogicalResult onnx::importBitShift(Node &node) {
  StringRef direction = node.string("direction", "");
  if (direction != "LEFT" && direction != "RIGHT")
    return node.fail("direction must be LEFT or RIGHT, not '" + direction +
                     "'");
  StringRef op = direction == "LEFT" ? ShiftLeftOp::getOperationName()
                                     : ShiftRightOp::getOperationName();
  return node.result(node.emitNamed(op, node.inputs()));
}

/// Conversion to floats of 8 bits always saturates here.
static LogicalResult castSaturating(Node &node, Type to) {
  auto number = dyn_cast<FloatType>(to);
  if (number && number.getWidth() == 8 && !node.flag("saturate", true))
    return node.fail("conversion to 8-bit floats without saturation is not "
                     "supported; set the attribute 'saturate' to 1");
  node.ignore("saturate");
  return node.result(node.cast(node.in(0), to));
}

LogicalResult onnx::importCast(Node &node) {
  if (!node.has("to"))
    return node.fail("attribute 'to' is missing");
  node.ignore("round_mode");
  std::string reason;
  int64_t number = node.integer("to", 0);
  Type to = elementTypeOf(static_cast<int32_t>(number), node.context(), reason);
  if (!to)
    return node.fail("attribute 'to': " + reason);
  return castSaturating(node, to);
}

LogicalResult onnx::importCastLike(Node &node) {
  node.ignore("round_mode");
  return castSaturating(node, Node::element(node.in(1)));
}

LogicalResult onnx::importGelu(Node &node) {
  StringRef approximate =
      node.type() == "FastGelu" ? "tanh" : node.string("approximate", "none");
  if (approximate != "none" && approximate != "tanh")
    return node.fail("unknown approximation '" + approximate + "'");
  Value x = node.in(0);
  if (node.in(1))
    x = node.emit<AddOp>({x, node.in(1)});
  return node.result(
      node.emit<GeluOp>(x, node.unit("tanh", approximate == "tanh")));
}

LogicalResult onnx::importIsInf(Node &node) {
  bool negative = node.flag("detect_negative", true);
  bool positive = node.flag("detect_positive", true);
  return node.result(node.emit<IsInfOp>(
      node.in(0), {{"negative", BoolAttr::get(node.context(), negative)},
                   {"positive", BoolAttr::get(node.context(), positive)}}));
}
