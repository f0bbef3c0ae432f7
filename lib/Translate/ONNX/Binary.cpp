//===- Binary.cpp - element-wise operators of more tensors ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Export.h"
#include "OpTable.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

/// Before version 7, the second operand was only broadcast on request, from
/// `axis` on.
static LogicalResult importLegacy(Node &node, StringRef op) {
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
  return node.result(node.emitNamed(op, {lhs, rhs}));
}

/// Sum, Mean, Max, Min of any number of operands.
static LogicalResult importVariadic(Node &node) {
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

/// The exponent may have another element type; the base's is the result's.
static LogicalResult importPow(Node &node) {
  Value base = node.in(0), exponent = node.in(1);
  Type type = Node::element(base);
  if (isa<IntegerType>(type) && isa<FloatType>(Node::element(exponent)))
    base = node.cast(base, Node::element(exponent));
  else
    exponent = node.cast(exponent, type);
  return node.result(node.cast(node.emit<PowOp>({base, exponent}), type));
}

static LogicalResult importEqual(Node &node) {
  Value a = node.in(0), b = node.in(1);
  if (isa<StringType>(Node::element(a)))
    return node.result(node.callHost("string_equal", {a, b},
                                     IntegerType::get(node.context(), 1)));
  return node.result(node.emit<EqualOp>({a, b}));
}

static LogicalResult importWhere(Node &node) {
  return node.result(node.where(node.in(0), node.in(1), node.in(2)));
}

static LogicalResult importMod(Node &node) {
  StringRef op = node.flag("fmod") ? FmodOp::getOperationName()
                                   : ModOp::getOperationName();
  return node.result(node.emitNamed(op, node.inputs()));
}

/// Its two inputs have the same shape.
static LogicalResult importSwiGLU(Node &node) {
  if (Node::dims(node.in(0)) != Node::dims(node.in(1)))
    return node.fail("its inputs differ in shape");
  Value gate = node.emit<SwishOp>({node.in(0)},
                                  {node.f64("alpha", node.real("alpha", 1))});
  return node.result(gate ? node.emit<MulOp>({gate, node.in(1)}) : gate);
}

static LogicalResult exportFmod(FmodOp op, NodeWriter &n) {
  return n.type("Mod").inputs(op->getOperands()).attr("fmod", true).done();
}

static LogicalResult importBitShift(Node &node) {
  StringRef direction = node.string("direction", "");
  if (direction != "LEFT" && direction != "RIGHT")
    return node.fail("direction must be LEFT or RIGHT, not '" + direction +
                     "'");
  StringRef op = direction == "LEFT" ? ShiftLeftOp::getOperationName()
                                     : ShiftRightOp::getOperationName();
  return node.result(node.emitNamed(op, node.inputs()));
}

static LogicalResult exportShiftLeft(ShiftLeftOp op, NodeWriter &n) {
  return n.type("BitShift")
      .inputs(op->getOperands())
      .attr("direction", StringRef("LEFT"))
      .done();
}

static LogicalResult exportShiftRight(ShiftRightOp op, NodeWriter &n) {
  return n.type("BitShift")
      .inputs(op->getOperands())
      .attr("direction", StringRef("RIGHT"))
      .done();
}

/// The form of an operator before version 7.
template <typename Op>
static void addLegacy(OpTable &table, StringLiteral name) {
  ImportFn import = [](Node &node) {
    return importLegacy(node, Op::getOperationName());
  };
  table.add(name, 1, 2, import).until(6);
}
/// An operator that had such a form.
template <typename Op> static void add(OpTable &table, StringLiteral name) {
  addLegacy<Op>(table, name);
  table.add<Op>(name, 7, 2);
}

/// Before version 7 a list of slopes is one per channel.
static LogicalResult importLegacyPRelu(Node &node) {
  node.ignore("consumed_inputs");
  Value x = node.in(0), slope = node.in(1);
  if (Node::rank(slope) == 1 && Node::rank(x) > 2)
    slope = node.unsqueeze(
        slope, llvm::to_vector(llvm::seq(int64_t(1), Node::rank(x) - 1)));
  return node.result(node.emit<PReluOp>({x, slope}));
}

void onnx::addBinaryOps(OpTable &table) {
  add<AddOp>(table, "Add");
  add<AndOp>(table, "And");
  add<DivOp>(table, "Div");
  addLegacy<EqualOp>(table, "Equal");
  table.add("Equal", 7, 2, importEqual).exports<EqualOp>();
  add<GreaterOp>(table, "Greater");
  add<LessOp>(table, "Less");
  add<MulOp>(table, "Mul");
  add<OrOp>(table, "Or");
  table.add("PRelu", 1, 2, importLegacyPRelu).until(6);
  table.add<PReluOp>("PRelu", 7, 2);
  add<SubOp>(table, "Sub");
  add<XorOp>(table, "Xor");
  addLegacy<PowOp>(table, "Pow");
  table.add("Pow", 7, 2, importPow).exports<PowOp>();

  table.add<BitwiseAndOp>("BitwiseAnd", 18, 2);
  table.add<BitwiseOrOp>("BitwiseOr", 18, 2);
  table.add<BitwiseXorOp>("BitwiseXor", 18, 2);
  table.add<GreaterEqualOp>("GreaterOrEqual", 12, 2);
  table.add<LessEqualOp>("LessOrEqual", 12, 2);
  table.add("Where", 9, 3, importWhere).exports<WhereOp>();
  table.add("BitShift", 11, 2, importBitShift)
      .exports(exportShiftLeft)
      .exports(exportShiftRight);
  table.add("Max", 1, {1, kAny}, importVariadic).exports<MaximumOp>();
  table.add("Mean", 1, {1, kAny}, importVariadic);
  table.add("Min", 1, {1, kAny}, importVariadic).exports<MinimumOp>();
  table.add("Mod", 10, 2, importMod).exports<ModOp>().exports(exportFmod);
  table.add("SwiGLU", 28, 2, importSwiGLU);
  table.add("Sum", 1, {1, kAny}, importVariadic);
}
