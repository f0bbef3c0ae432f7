//===- Export.cpp - write a glow function as an ONNX model ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Export.h"
#include "OpTable.h"
#include "Tensors.h"
#include "glow/Dialect/Glow/IR/RefineTypes.h"
#include "glow/Translate/ONNX.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <climits>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

// -- Nodes --------------------------------------------------------------------

static LogicalResult exportOp(Operation *op, GraphWriter &writer) {
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    StringRef hint = "constant";
    if (auto loc = dyn_cast<NameLoc>(op->getLoc()))
      hint = loc.getName();
    if (!dataTypeOf(constant.getValue().getElementType()))
      return op->emitError("constant has an element type that ONNX lacks: ")
             << constant.getType();
    writer.setName(constant, writer.addConstant(constant.getValue(), hint));
    return success();
  }
  auto loop = dyn_cast<LoopOp>(op);
  ExportFn write = OpTable::get().findExport(op->getName().getStringRef());
  if (!write && !loop)
    return op->emitError("'") << op->getName() << "' has no ONNX form";
  NodeWriter node(op, writer);
  if (auto loc = dyn_cast<NameLoc>(op->getLoc()))
    node.proto.set_name(writer.newNodeName(loc.getName()));
  for (Value result : op->getResults())
    node.proto.add_output(writer.name(result));
  return loop ? exportLoop(loop, node) : write(op, node);
}

// -- The model ----------------------------------------------------------------

void onnx::writeType(Type type, ArrayAttr dimNames,
                     glow_onnx::ValueInfoProto &info) {
  auto tensor = cast<RankedTensorType>(type);
  auto *proto = info.mutable_type()->mutable_tensor_type();
  proto->set_elem_type(dataTypeOf(tensor.getElementType()));
  proto->mutable_shape();
  for (auto [i, extent] : llvm::enumerate(tensor.getShape())) {
    auto *dim = proto->mutable_shape()->add_dim();
    if (!ShapedType::isDynamic(extent))
      dim->set_dim_value(extent);
    else if (dimNames && i < dimNames.size())
      dim->set_dim_param(cast<StringAttr>(dimNames[i]).str());
  }
}

/// The ONNX name of an argument or result, or one made up from its number.
static std::string interfaceName(Attribute given, StringRef otherwise,
                                 unsigned index) {
  if (auto name = dyn_cast_or_null<StringAttr>(given))
    return name.str();
  return (otherwise + Twine(index)).str();
}

static LogicalResult checkInterface(func::FuncOp function) {
  for (Type type : llvm::concat<const Type>(function.getArgumentTypes(),
                                            function.getResultTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !dataTypeOf(tensor.getElementType()))
      return function.emitError("has an argument or result that ONNX has no "
                                "type for: ")
             << type;
  }
  return success();
}

static void writeOutputs(func::FuncOp function, func::ReturnOp op,
                         GraphWriter &writer) {
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned i = operand.getOperandNumber();
    auto &info = *writer.graph->add_output();
    info.set_name(interfaceName(
        function.getResultAttr(i, GlowDialect::kNameAttrName), "output", i));
    writeType(operand.get().getType(), nullptr, info);
    if (writer.name(operand.get()) == info.name())
      continue;
    // A value that is an input, a constant, or an output twice.
    glow_onnx::NodeProto &identity = *writer.graph->add_node();
    identity.set_op_type("Identity");
    identity.add_input(writer.name(operand.get()));
    identity.add_output(info.name());
  }
}

/// Values that are outputs have their names from the start.
static void nameOutputs(func::FuncOp function, func::ReturnOp op,
                        GraphWriter &writer) {
  llvm::DenseSet<Value> named;
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned i = operand.getOperandNumber();
    Operation *def = operand.get().getDefiningOp();
    std::string name = interfaceName(
        function.getResultAttr(i, GlowDialect::kNameAttrName), "output", i);
    if (def && !isa<ConstantOp>(def) && named.insert(operand.get()).second)
      writer.setName(operand.get(), name);
    else
      writer.newName(name);
  }
}

/// ONNX says of indices that are out of range that they are an error; nothing
/// in a graph does.
static void dropRequirements(func::FuncOp function) {
  SmallVector<Operation *> ops;
  for (Operation &op : function.getBody().front())
    ops.push_back(&op);
  bool dropsAny = false;
  for (Operation *op : llvm::reverse(ops)) {
    if (auto require = dyn_cast<RequireOp>(op)) {
      require.getResult().replaceAllUsesWith(require.getInput());
      dropsAny = true;
    }
    if (dropsAny && isOpTriviallyDead(op))
      op->erase();
  }
}

LogicalResult onnx::exportOps(func::FuncOp function, GraphWriter &writer) {
  bool failedAny = false;
  for (Operation &op : function.getBody().front().without_terminator())
    failedAny |= failed(exportOp(&op, writer));
  return failure(failedAny);
}

static LogicalResult exportFunction(func::FuncOp function,
                                    GraphWriter &writer) {
  if (failed(checkInterface(function)))
    return failure();
  auto ret = cast<func::ReturnOp>(function.getBody().front().getTerminator());
  for (BlockArgument argument : function.getArguments()) {
    unsigned i = argument.getArgNumber();
    auto &info = *writer.graph->add_input();
    info.set_name(interfaceName(
        function.getArgAttr(i, GlowDialect::kNameAttrName), "input", i));
    writer.setName(argument, info.name());
    writeType(
        argument.getType(),
        function.getArgAttrOfType<ArrayAttr>(i, GlowDialect::kDimNamesAttrName),
        info);
  }
  nameOutputs(function, ret, writer);
  LogicalResult written = exportOps(function, writer);
  writeOutputs(function, ret, writer);
  return written;
}

LogicalResult mlir::glow::exportONNX(ModuleOp module, raw_ostream &os) {
  func::FuncOp function = mainFunctionOf(module);
  for (auto other : module.getOps<func::FuncOp>()) {
    if (other != function && !isLoopBody(other))
      return module.emitError(
          "must hold exactly one function beside bodies of loops");
    if (!other.getBody().hasOneBlock())
      return other.emitError("must have one block");
    dropRequirements(other);
  }
  if (!function)
    return module.emitError("must hold a function");
  glow_onnx::ModelProto model;
  model.set_ir_version(10);
  model.set_producer_name("glow");
  model.mutable_graph()->set_name(function.getName().str());
  GraphWriter writer(*model.mutable_graph());
  if (failed(exportFunction(function, writer)))
    return failure();
  model.add_opset_import()->set_version(writer.opset);
  if (model.ByteSizeLong() > INT_MAX)
    return module.emitError("is larger than the 2 GB that one ONNX file holds");
  os << model.SerializeAsString();
  return success();
}
