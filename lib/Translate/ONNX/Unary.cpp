//===- Unary.cpp - element-wise operators of one tensor ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Export.h"
#include "Expr.h"
#include "OpTable.h"
#include "Tensors.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

static LogicalResult importIdentity(Node &node) {
  return node.result(node.in(0));
}

static LogicalResult importClip(Node &node) {
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

static LogicalResult exportClamp(ClampOp op, NodeWriter &n) {
  for (Value bound : {op.getLow(), op.getHigh()})
    if (!dimsOf(bound).empty())
      return hasNoForm(op, "with bounds that are not scalars");
  return n.type("Clip").inputs(op->getOperands()).done();
}

/// The element type that the attribute 'to' names; null after a failure.
static Type readTo(Node &node) {
  std::string reason = "it is missing";
  int64_t number = node.integer("to", 0);
  Type to;
  if (node.has("to"))
    to = elementTypeOf(static_cast<int32_t>(number), node.context(), reason);
  if (!to)
    (void)node.fail("attribute 'to': " + reason);
  return to;
}

static LogicalResult castTo(Node &node, Type to) {
  bool saturate = node.flag("saturate", true);
  auto mode = symbolizeRoundMode(node.string("round_mode", "up"));
  if (!mode)
    return node.fail("unknown round_mode '" + node.string("round_mode", "") +
                     "'");
  Type from = Node::element(node.in(0));
  if (!to || from == to)
    return node.result(node.in(0));
  if (isa<StringType>(from) || isa<StringType>(to))
    return node.result(node.cast(node.in(0), to));
  bool isByte = isa<FloatType>(to) && to.getIntOrFloatBitWidth() == 8;
  return node.result(node.emit<CastOp>(
      node.in(0),
      {{"to", TypeAttr::get(to)},
       node.unit("unsaturated", isByte && !saturate),
       {"round_mode", isa<Float8E8M0FNUType>(to)
                          ? RoundModeAttr::get(node.context(), *mode)
                          : Attribute()}}));
}

static LogicalResult importCast(Node &node) {
  return castTo(node, readTo(node));
}

/// The first version names the type.
static LogicalResult importFirstCast(Node &node) {
  glow_onnx::TensorProto::DataType type;
  std::string reason, name = node.string("to", "").str();
  if (!glow_onnx::TensorProto::DataType_Parse(name, &type))
    return node.fail("'to' is no element type: '" + name + "'");
  Type element = elementTypeOf(type, node.context(), reason);
  return element ? castTo(node, element) : node.fail(reason);
}

static LogicalResult importCastLike(Node &node) {
  return castTo(node, Node::element(node.in(1)));
}

static Expr bitCast(Expr x, Type to) {
  if (!x || x.element() == to)
    return x;
  return x.emit<BitCastOp>({}, {{"to", TypeAttr::get(to)}});
}

/// The real part is the lower half of the bits.
static Expr fromComplex(Expr x, Type word) {
  Type half = IntegerType::get(word.getContext(), 32, IntegerType::Unsigned);
  Expr bits = bitCast({x.builder(), x.builder().partsOf(x)}, half).cast(word);
  int64_t last = bits.rank() - 1;
  auto part = [&](int64_t i) {
    return bits.slice(last, i, i + 1).squeeze({last});
  };
  return part(0) + part(1) * 0x1p32;
}

static Expr toComplex(Expr bits) {
  Node &node = bits.builder();
  Type half = IntegerType::get(node.context(), 32, IntegerType::Unsigned);
  Value halves[] = {bits.cast(half), (bits / 0x1p32).cast(half)};
  return {node, node.fromParts(bitCast(stack(node, halves, bits.rank()),
                                       Float32Type::get(node.context())))};
}

static LogicalResult importBitCast(Node &node) {
  Type to = readTo(node);
  Expr x(node, node.in(0));
  if (!to || !x)
    return node.result(Value());
  Type from = x.element();
  bool hasComplex = isa<ComplexType>(from) || isa<ComplexType>(to);
  if (from == to || !hasComplex)
    return node.result(bitCast(x, to));
  if (bitsOf(dataTypeOf(from)) != bitsOf(dataTypeOf(to)))
    return node.fail("the types differ in width");
  Type word = IntegerType::get(node.context(), 64, IntegerType::Unsigned);
  return node.result(isa<ComplexType>(from) ? bitCast(fromComplex(x, word), to)
                                            : toComplex(bitCast(x, word)));
}

/// Cast and BitCast without further attributes.
template <typename Op> static LogicalResult exportCast(Op op, NodeWriter &n) {
  int32_t to = dataTypeOf(op.getTo());
  if (!to)
    return hasNoForm(op, "to an element type that it lacks");
  n.input(op->getOperand(0)).attr("to", static_cast<int64_t>(to));
  if constexpr (std::is_same_v<Op, BitCastOp>)
    return n.type("BitCast").needs(26).done();
  n.type("Cast");
  if constexpr (std::is_same_v<Op, CastOp>) {
    if (op.getUnsaturated())
      n.needs(19).attr("saturate", false);
    if (op.getRoundMode() != RoundMode::Up)
      n.needs(24).attr("round_mode", stringifyRoundMode(op.getRoundMode()));
  }
  return n.done();
}

static LogicalResult importGelu(Node &node) {
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

static LogicalResult exportGelu(GeluOp op, NodeWriter &n) {
  return n.type("Gelu")
      .input(op.getInput())
      .attr("approximate", StringRef(op.getTanh() ? "tanh" : "none"))
      .done();
}

static LogicalResult importShrink(Node &node) {
  Value x = node.in(0);
  Type type = Node::element(x);
  Value result =
      node.emit<ShrinkOp>(node.cast(x, Node::realType(type)),
                          {node.f64("alpha", node.real("lambd", 0.5)),
                           node.f64("beta", node.real("bias", 0))});
  return node.result(node.cast(result, type));
}

static LogicalResult importIsInf(Node &node) {
  bool negative = node.flag("detect_negative", true);
  bool positive = node.flag("detect_positive", true);
  return node.result(node.emit<IsInfOp>(
      node.in(0), {{"negative", BoolAttr::get(node.context(), negative)},
                   {"positive", BoolAttr::get(node.context(), positive)}}));
}

static LogicalResult exportIsInf(IsInfOp op, NodeWriter &n) {
  return n.type("IsInf")
      .input(op.getInput())
      .attr("detect_negative", op.getNegative())
      .attr("detect_positive", op.getPositive())
      .done();
}

/// 1 / sqrt x, in two nodes.
static LogicalResult exportRsqrt(RsqrtOp op, NodeWriter &n) {
  std::string root = n.writer.newName("sqrt");
  // Nodes are in order: this one becomes the root, the next the reciprocal.
  glow_onnx::NodeProto &inverse = *n.writer.graph->add_node();
  inverse.set_op_type("Reciprocal");
  inverse.add_input(root);
  inverse.add_output(n.proto.output(0));
  n.proto.set_output(0, root);
  return n.type("Sqrt").input(op.getInput()).done();
}

void onnx::addUnaryOps(OpTable &table) {
  table.add<AbsOp>("Abs", 1, 1);
  table.add<AcosOp>("Acos", 1, 1);
  table.add<AcoshOp>("Acosh", 1, 1);
  table.add<AsinOp>("Asin", 1, 1);
  table.add<AsinhOp>("Asinh", 1, 1);
  table.add<AtanOp>("Atan", 1, 1);
  table.add<AtanhOp>("Atanh", 1, 1);
  table.add<BitwiseNotOp>("BitwiseNot", 1, 1);
  table.add<CeilOp>("Ceil", 1, 1);
  table.add<CeluOp>("Celu", 1, 1, {{"alpha", "alpha", 1.0}});
  table.add<CosOp>("Cos", 1, 1);
  table.add<CoshOp>("Cosh", 1, 1);
  table.add<EluOp>("Elu", 1, 1, {{"alpha", "alpha", 1.0}});
  table.add<ErfOp>("Erf", 1, 1);
  table.add<ExpOp>("Exp", 1, 1);
  table.add<FloorOp>("Floor", 1, 1);
  table.add<HardSigmoidOp>("HardSigmoid", 1, 1,
                           {{"alpha", "alpha", 0.2}, {"beta", "beta", 0.5}});
  table.add<HardSwishOp>("HardSwish", 1, 1);
  table.add<IsNaNOp>("IsNaN", 1, 1);
  table.add<LeakyReluOp>("LeakyRelu", 1, 1, {{"alpha", "alpha", 0.01}});
  table.add<LogOp>("Log", 1, 1);
  table.add<MishOp>("Mish", 1, 1);
  table.add<NegOp>("Neg", 1, 1);
  table.add<NotOp>("Not", 1, 1);
  table.add<ReciprocalOp>("Reciprocal", 1, 1);
  table.add<ReluOp>("Relu", 1, 1);
  table.add<RoundOp>("Round", 1, 1);
  table.add<SeluOp>("Selu", 1, 1,
                    {{"alpha", "alpha", 1.6732632423543772},
                     {"gamma", "beta", 1.0507009873554805}});
  table.add<SigmoidOp>("Sigmoid", 1, 1);
  table.add<SignOp>("Sign", 1, 1);
  table.add<SinOp>("Sin", 1, 1);
  table.add<SinhOp>("Sinh", 1, 1);
  table.add<SoftplusOp>("Softplus", 1, 1);
  table.add<SoftsignOp>("Softsign", 1, 1);
  table.add<SqrtOp>("Sqrt", 1, 1);
  table.add<SwishOp>("Swish", 24, 1, {{"alpha", "alpha", 1.0}});
  table.add<TanOp>("Tan", 1, 1);
  table.add<TanhOp>("Tanh", 1, 1);
  table.add<ThresholdedReluOp>("ThresholdedRelu", 1, 1,
                               {{"alpha", "alpha", 1.0}});

  table.add("BitCast", 26, 1, importBitCast).exports(exportCast<BitCastOp>);
  table.add("Cast", 1, 1, importFirstCast).until(5);
  table.add("Cast", 6, 1, importCast).exports(exportCast<CastOp>);
  table.add("CastLike", 15, 2, importCastLike);
  table.add("Clip", 1, {1, 3}, importClip).exports(exportClamp);
  table.add("Gelu", 20, 1, importGelu).exports(exportGelu);
  table.add("Identity", 1, 1, importIdentity).takesLists();
  table.add("IsInf", 10, 1, importIsInf).exports(exportIsInf);
  table.add("Shrink", 1, 1, importShrink)
      .exports<ShrinkOp>({{"lambd", "alpha"}, {"bias", "beta"}});
  table.write(exportRsqrt);

  // ONNX Runtime's own.
  table.add("com.microsoft::FastGelu", 1, {1, 2}, importGelu);
  table.add<GeluOp>("com.microsoft::Gelu", 1, 1);
}
