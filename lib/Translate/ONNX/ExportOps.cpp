//===- ExportOps.cpp - graph ops as ONNX nodes, one by one ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that share all their attributes with an ONNX operator are not here: the
// importer's table is read backwards for them.
//
//===----------------------------------------------------------------------===//
#include "Export.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

// Each function writes one op into `n`, whose name and outputs are set.
#define GLOW_EXPORT(Op) static LogicalResult write(Op op, NodeWriter &n)

// -- Windows and products
// ----------------------------------------------------------

GLOW_EXPORT(ConvOp) {
  if (!op.getEpilogue().empty() || op.getPacked() || op.isChannelsLast())
    return hasNoForm(op, "with an epilogue or another layout");
  n.type("Conv").input(op.getInput()).input(op.getFilter());
  if (op.getBias())
    n.input(op.getBias());
  return n.attr("kernel_shape", op.getKernelShape())
      .attr("strides", op.getStrides())
      .attr("pads", op.getPads())
      .attr("dilations", op.getDilations())
      .attr("group", static_cast<int64_t>(op.getGroup()))
      .done();
}
GLOW_EXPORT(ConvTransposeOp) {
  n.type("ConvTranspose").inputs(op->getOperands());
  return n.attr("strides", op.getStrides())
      .attr("pads", op.getPads())
      .attr("dilations", op.getDilations())
      .attr("output_padding", op.getOutputPadding())
      .attr("group", static_cast<int64_t>(op.getGroup()))
      .done();
}
GLOW_EXPORT(PoolOp) {
  if (op.isChannelsLast())
    return hasNoForm(op, "in another layout");
  bool isMax = op.getKind() == PoolKind::Max;
  n.type(isMax ? "MaxPool" : "AveragePool").input(op.getInput());
  if (!isMax)
    n.attr("count_include_pad", op.getCountIncludePad());
  return n.attr("kernel_shape", op.getKernelShape())
      .attr("strides", op.getStrides())
      .attr("pads", op.getPads())
      .attr("dilations", op.getDilations())
      .attr("ceil_mode", op.getCeilMode())
      .done();
}
GLOW_EXPORT(MatMulOp) {
  if (!op.getEpilogue().empty() || op.getPacked() || op.getAccumulator())
    return hasNoForm(op,
                     "with an epilogue, a packed operand or an accumulator");
  return n.type("MatMul").input(op.getLhs()).input(op.getRhs()).done();
}
GLOW_EXPORT(GemmOp) {
  return n.type("Gemm")
      .inputs(op->getOperands())
      .attr("alpha", op.getAlpha().convertToDouble())
      .attr("beta", op.getBeta().convertToDouble())
      .attr("transA", op.getTransA())
      .attr("transB", op.getTransB())
      .done();
}

// -- Normalisation
// -----------------------------------------------------------------

GLOW_EXPORT(SoftmaxOp) {
  return n.type(op.getLog() ? "LogSoftmax" : "Softmax")
      .input(op.getInput())
      .attr("axis", static_cast<int64_t>(op.getAxis()))
      .done();
}
GLOW_EXPORT(BatchNormOp) {
  return n.type("BatchNormalization")
      .inputs(op->getOperands())
      .attr("epsilon", op.getEpsilon().convertToDouble())
      .done();
}
GLOW_EXPORT(LayerNormOp) {
  if (op.getRms())
    n.type("RMSNormalization").needs(23);
  else
    n.type("LayerNormalization");
  return n.inputs(op->getOperands())
      .attr("axis", static_cast<int64_t>(op.getAxis()))
      .attr("epsilon", op.getEpsilon().convertToDouble())
      .done();
}
GLOW_EXPORT(GroupNormOp) {
  return n.type("GroupNormalization")
      .inputs(op->getOperands())
      .attr("num_groups", static_cast<int64_t>(op.getGroups()))
      .attr("epsilon", op.getEpsilon().convertToDouble())
      .done();
}
GLOW_EXPORT(QuantizeOp) {
  return n.type("QuantizeLinear")
      .inputs(op->getOperands())
      .attr("axis", static_cast<int64_t>(op.getAxis()))
      .done();
}
GLOW_EXPORT(DequantizeOp) {
  return n.type("DequantizeLinear")
      .inputs(op->getOperands())
      .attr("axis", static_cast<int64_t>(op.getAxis()))
      .done();
}

// -- Reductions
// --------------------------------------------------------------------

GLOW_EXPORT(ReduceOp) {
  StringRef kind = stringifyReduceKind(op.getKind());
  std::string name =
      "Reduce" + kind.substr(0, 1).upper() + kind.substr(1).str();
  return n.type(name)
      .input(op.getInput())
      .ints(op.getAxes())
      .attr("keepdims", op.getKeepDims())
      .attr("noop_with_empty_axes", true)
      .done();
}
GLOW_EXPORT(ArgReduceOp) {
  return n.type(op.getKind() == ReduceKind::Max ? "ArgMax" : "ArgMin")
      .input(op.getInput())
      .attr("axis", static_cast<int64_t>(op.getAxis()))
      .attr("keepdims", op.getKeepDims())
      .attr("select_last_index", op.getSelectLast())
      .done();
}
GLOW_EXPORT(CumSumOp) {
  return n.type("CumSum")
      .input(op.getInput())
      .ints(static_cast<int64_t>(op.getAxis()))
      .attr("exclusive", op.getExclusive())
      .attr("reverse", op.getReverse())
      .done();
}
GLOW_EXPORT(TopKOp) {
  return n.type("TopK")
      .inputs(op->getOperands())
      .attr("axis", static_cast<int64_t>(op.getAxis()))
      .attr("largest", op.getLargest())
      .done();
}

// -- Shapes
// ------------------------------------------------------------------------

GLOW_EXPORT(ReshapeOp) {
  return n.type("Reshape")
      .inputs(op->getOperands())
      .attr("allowzero", op.getAllowZero())
      .done();
}
GLOW_EXPORT(SqueezeOp) {
  return n.type("Squeeze").input(op.getInput()).ints(op.getAxes()).done();
}
GLOW_EXPORT(UnsqueezeOp) {
  return n.type("Unsqueeze").input(op.getInput()).ints(op.getAxes()).done();
}
GLOW_EXPORT(FlattenOp) {
  return n.type("Flatten")
      .input(op.getInput())
      .attr("axis", static_cast<int64_t>(op.getAxis()))
      .done();
}
GLOW_EXPORT(TransposeOp) {
  return n.type("Transpose")
      .input(op.getInput())
      .attr("perm", op.getPermutation())
      .done();
}
GLOW_EXPORT(ConcatOp) {
  return n.type("Concat")
      .inputs(op.getInputs())
      .attr("axis", static_cast<int64_t>(op.getAxis()))
      .done();
}
GLOW_EXPORT(SliceOp) {
  return n.type("Slice")
      .input(op.getInput())
      .input(op.getStarts())
      .input(op.getEnds())
      .ints(op.getAxes())
      .input(op.getSteps())
      .done();
}
GLOW_EXPORT(PadOp) {
  return n.type("Pad")
      .inputs(op->getOperands())
      .attr("mode", stringifyPadMode(op.getMode()))
      .done();
}
GLOW_EXPORT(ShapeOfOp) {
  return n.type("Shape")
      .input(op.getInput())
      .attr("start", static_cast<int64_t>(op.getStart()))
      .attr("end", static_cast<int64_t>(op.getEnd()))
      .done();
}
GLOW_EXPORT(TriluOp) {
  return n.type("Trilu")
      .inputs(op->getOperands())
      .attr("upper", op.getUpper())
      .done();
}
GLOW_EXPORT(ResizeOp) {
  return n.type("Resize")
      .input(op.getInput())
      .input({})
      .input({})
      .input(op.getSizes())
      .attr("mode", op.getMode())
      .attr("coordinate_transformation_mode", op.getCoordinateMode())
      .attr("nearest_mode", op.getNearestMode())
      .attr("cubic_coeff_a", op.getCubicCoeff().convertToDouble())
      .done();
}

// -- Index tensors
// -----------------------------------------------------------------

GLOW_EXPORT(GatherOp) {
  return n.type("Gather")
      .inputs(op->getOperands())
      .attr("axis", static_cast<int64_t>(op.getAxis()))
      .done();
}
GLOW_EXPORT(GatherElementsOp) {
  return n.type("GatherElements")
      .inputs(op->getOperands())
      .attr("axis", static_cast<int64_t>(op.getAxis()))
      .done();
}
GLOW_EXPORT(GatherNDOp) {
  return n.type("GatherND")
      .inputs(op->getOperands())
      .attr("batch_dims", static_cast<int64_t>(op.getBatchDims()))
      .done();
}
GLOW_EXPORT(ScatterElementsOp) {
  return n.type("ScatterElements")
      .inputs(op->getOperands())
      .attr("axis", static_cast<int64_t>(op.getAxis()))
      .attr("reduction", stringifyScatterKind(op.getKind()))
      .done();
}
GLOW_EXPORT(ScatterNDOp) {
  return n.type("ScatterND")
      .inputs(op->getOperands())
      .attr("reduction", stringifyScatterKind(op.getKind()))
      .done();
}
GLOW_EXPORT(OneHotOp) {
  return n.type("OneHot")
      .inputs(op->getOperands())
      .attr("axis", static_cast<int64_t>(op.getAxis()))
      .done();
}

// -- Recurrent layers
// --------------------------------------------------------------

GLOW_EXPORT(RecurrentOp) {
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
  if (double clip = op.getClip().convertToDouble(); clip > 0)
    n.attr("clip", clip);
  if (isLSTM)
    n.attr("input_forget", op.getInputForget());
  else if (op.getKind() == RecurrentKind::GRU)
    n.attr("linear_before_reset", op.getLinearBeforeReset());
  return success();
}

// -- Table
// -------------------------------------------------------------------------

template <typename... Ops> static void add(ExportTable &table) {
  (table.try_emplace(Ops::getOperationName(),
                     [](Operation *op, NodeWriter &node) {
                       return write(cast<Ops>(op), node);
                     }),
   ...);
}

static constexpr char kExpand[] = "Expand", kNonZero[] = "NonZero",
                      kRange[] = "Range", kTile[] = "Tile";

void onnx::addStructuredExports(ExportTable &table) {
  add<ArgReduceOp, BatchNormOp, ConcatOp, ConvOp, ConvTransposeOp, CumSumOp,
      DequantizeOp, FlattenOp, GatherElementsOp, GatherNDOp, GatherOp, GemmOp,
      GroupNormOp, LayerNormOp, MatMulOp, OneHotOp, PadOp, PoolOp, QuantizeOp,
      RecurrentOp, ReduceOp, ReshapeOp, ResizeOp, ScatterElementsOp,
      ScatterNDOp, ShapeOfOp, SliceOp, SoftmaxOp, SqueezeOp, TopKOp,
      TransposeOp, TriluOp, UnsqueezeOp>(table);
  table[ExpandOp::getOperationName()] = writeAs<kExpand>;
  table[SplatOp::getOperationName()] = writeAs<kExpand>;
  table[NonZeroOp::getOperationName()] = writeAs<kNonZero>;
  table[RangeOp::getOperationName()] = writeAs<kRange>;
  table[TileOp::getOperationName()] = writeAs<kTile>;
}
