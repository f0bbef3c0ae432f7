//===- OpTable.cpp - which ONNX operators are known, and how --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row per operator and range of versions. A row that names a graph op is
// all that a simple operator needs; its attributes are listed with ONNX's
// defaults. The others name the function of a family's file.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

static constexpr int kNow = kLatestOpset;

static OpRow simple(StringLiteral name, int since, unsigned inputs,
                    StringLiteral op, ArrayRef<SharedAttr> attributes = {}) {
  OpRow row{name, since, kNow, inputs, inputs, nullptr, op};
  llvm::append_range(row.attributes, attributes);
  return row;
}
static OpRow unary(StringLiteral name, StringLiteral op,
                   ArrayRef<SharedAttr> attributes = {}) {
  return simple(name, 1, 1, op, attributes);
}
static OpRow binary(StringLiteral name, StringLiteral op) {
  return simple(name, 7, 2, op);
}
static OpRow code(StringLiteral name, int since, unsigned min, unsigned max,
                  ImportFn import, int until = kNow) {
  return OpRow{name, since, until, min, max, import};
}

ArrayRef<OpRow> onnx::opTable() {
  static const OpRow rows[] = {
      // Element-wise, one operand.
      unary("Abs", "glow.abs"),
      unary("Acos", "glow.acos"),
      unary("Acosh", "glow.acosh"),
      unary("Asin", "glow.asin"),
      unary("Asinh", "glow.asinh"),
      unary("Atan", "glow.atan"),
      unary("Atanh", "glow.atanh"),
      unary("BitwiseNot", "glow.bitwise_not"),
      unary("Ceil", "glow.ceil"),
      unary("Celu", "glow.celu", {{"alpha", "alpha", 1.0}}),
      unary("Cos", "glow.cos"),
      unary("Cosh", "glow.cosh"),
      unary("Elu", "glow.elu", {{"alpha", "alpha", 1.0}}),
      unary("Erf", "glow.erf"),
      unary("Exp", "glow.exp"),
      unary("Floor", "glow.floor"),
      unary("HardSigmoid", "glow.hard_sigmoid",
            {{"alpha", "alpha", 0.2}, {"beta", "beta", 0.5}}),
      unary("HardSwish", "glow.hard_swish"),
      unary("IsNaN", "glow.is_nan"),
      unary("LeakyRelu", "glow.leaky_relu", {{"alpha", "alpha", 0.01}}),
      unary("Log", "glow.log"),
      unary("Mish", "glow.mish"),
      unary("Neg", "glow.neg"),
      unary("Not", "glow.not"),
      unary("Reciprocal", "glow.reciprocal"),
      unary("Relu", "glow.relu"),
      unary("Round", "glow.round"),
      unary("Selu", "glow.selu",
            {{"alpha", "alpha", 1.6732632423543772},
             {"gamma", "beta", 1.0507009873554805}}),
      unary("Shrink", "glow.shrink",
            {{"lambd", "alpha", 0.5}, {"bias", "beta", 0.0}}),
      unary("Sigmoid", "glow.sigmoid"),
      unary("Sign", "glow.sign"),
      unary("Sin", "glow.sin"),
      unary("Sinh", "glow.sinh"),
      unary("Softplus", "glow.softplus"),
      unary("Softsign", "glow.softsign"),
      unary("Sqrt", "glow.sqrt"),
      unary("Swish", "glow.swish", {{"alpha", "alpha", 1.0}}),
      unary("Tan", "glow.tan"),
      unary("Tanh", "glow.tanh"),
      unary("ThresholdedRelu", "glow.thresholded_relu",
            {{"alpha", "alpha", 1.0}}),
      // Element-wise, more operands.
      binary("Add", "glow.add"),
      binary("And", "glow.and"),
      binary("BitwiseAnd", "glow.bitwise_and"),
      binary("BitwiseOr", "glow.bitwise_or"),
      binary("BitwiseXor", "glow.bitwise_xor"),
      binary("Div", "glow.div"),
      binary("Equal", "glow.equal"),
      binary("Greater", "glow.greater"),
      binary("GreaterOrEqual", "glow.greater_equal"),
      binary("Less", "glow.less"),
      binary("LessOrEqual", "glow.less_equal"),
      binary("Mul", "glow.mul"),
      binary("Or", "glow.or"),
      binary("PRelu", "glow.prelu"),
      binary("Sub", "glow.sub"),
      binary("Xor", "glow.xor"),
      simple("Where", 9, 3, "glow.where"),
      code("Add", 1, 2, 2, importLegacyBinary, 6),
      code("And", 1, 2, 2, importLegacyBinary, 6),
      code("BitShift", 11, 2, 2, importBitShift),
      code("Cast", 6, 1, 1, importCast),
      code("CastLike", 15, 2, 2, importCastLike),
      code("Clip", 1, 1, 3, importClip),
      code("Div", 1, 2, 2, importLegacyBinary, 6),
      code("Dropout", 1, 1, 3, importDropout),
      code("Equal", 1, 2, 2, importLegacyBinary, 6),
      code("Gelu", 20, 1, 1, importGelu),
      code("Greater", 1, 2, 2, importLegacyBinary, 6),
      code("Identity", 1, 1, 1, importIdentity),
      code("IsInf", 10, 1, 1, importIsInf),
      code("Less", 1, 2, 2, importLegacyBinary, 6),
      code("Max", 1, 1, kAny, importVariadic),
      code("Mean", 1, 1, kAny, importVariadic),
      code("Min", 1, 1, kAny, importVariadic),
      code("Mod", 10, 2, 2, importMod),
      code("Mul", 1, 2, 2, importLegacyBinary, 6),
      code("Or", 1, 2, 2, importLegacyBinary, 6),
      code("PRelu", 1, 2, 2, importLegacyBinary, 6),
      code("Pow", 1, 2, 2, importLegacyBinary, 6),
      code("Pow", 7, 2, 2, importPow),
      code("Sub", 1, 2, 2, importLegacyBinary, 6),
      code("Sum", 1, 1, kAny, importVariadic),
      code("Xor", 1, 2, 2, importLegacyBinary, 6),
      // Products and windows.
      code("AveragePool", 1, 1, 1, importPool),
      code("Conv", 1, 2, 3, importConv),
      code("ConvTranspose", 1, 2, 3, importConvTranspose),
      code("Einsum", 12, 1, kAny, importEinsum),
      code("Gemm", 1, 2, 3, importGemm),
      code("GlobalAveragePool", 1, 1, 1, importGlobalPool),
      code("GlobalLpPool", 1, 1, 1, importGlobalLpPool),
      code("GlobalMaxPool", 1, 1, 1, importGlobalPool),
      code("LpPool", 1, 1, 1, importLpPool),
      code("MatMul", 1, 2, 2, importMatMul),
      code("MaxPool", 1, 1, 1, importPool),
      // Normalisation.
      code("BatchNormalization", 1, 5, 5, importBatchNormalization),
      code("GroupNormalization", 18, 3, 3, importGroupNormalization),
      code("Hardmax", 1, 1, 1, importLegacySoftmax, 12),
      code("Hardmax", 13, 1, 1, importSoftmax),
      code("InstanceNormalization", 1, 3, 3, importInstanceNormalization),
      code("LRN", 1, 1, 1, importLRN),
      code("LayerNormalization", 1, 2, 3, importLayerNormalization),
      code("LogSoftmax", 1, 1, 1, importLegacySoftmax, 12),
      code("LogSoftmax", 13, 1, 1, importSoftmax),
      code("LpNormalization", 1, 1, 1, importLpNormalization),
      code("MeanVarianceNormalization", 9, 1, 1,
           importMeanVarianceNormalization),
      code("RMSNormalization", 23, 2, 2, importLayerNormalization),
      code("Softmax", 1, 1, 1, importLegacySoftmax, 12),
      code("Softmax", 13, 1, 1, importSoftmax),
      // Reductions and scans.
      code("ArgMax", 1, 1, 1, importArgReduce),
      code("ArgMin", 1, 1, 1, importArgReduce),
      code("CumSum", 11, 2, 2, importCumSum),
      code("ReduceL1", 1, 1, 2, importReduce),
      code("ReduceL2", 1, 1, 2, importReduce),
      code("ReduceLogSum", 1, 1, 2, importReduce),
      code("ReduceLogSumExp", 1, 1, 2, importReduce),
      code("ReduceMax", 1, 1, 2, importReduce),
      code("ReduceMean", 1, 1, 2, importReduce),
      code("ReduceMin", 1, 1, 2, importReduce),
      code("ReduceProd", 1, 1, 2, importReduce),
      code("ReduceSum", 1, 1, 2, importReduce),
      code("ReduceSumSquare", 1, 1, 2, importReduce),
      code("TopK", 1, 1, 2, importTopK),
      // Quantisation.
      code("ConvInteger", 10, 2, 4, importConvInteger),
      code("DequantizeLinear", 10, 2, 3, importDequantizeLinear),
      code("DynamicQuantizeLinear", 11, 1, 1, importDynamicQuantizeLinear),
      code("MatMulInteger", 10, 2, 4, importMatMulInteger),
      code("QLinearConv", 10, 8, 9, importQLinearConv),
      code("QLinearMatMul", 10, 8, 8, importQLinearMatMul),
      code("QuantizeLinear", 10, 2, 3, importQuantizeLinear),
      // Recurrent layers.
      code("GRU", 1, 3, 6, importRecurrent),
      code("LSTM", 1, 3, 8, importRecurrent),
      code("RNN", 1, 3, 6, importRecurrent),
      // Index tensors.
      code("Compress", 9, 2, 2, importCompress),
      code("Gather", 1, 2, 2, importGather),
      code("GatherElements", 11, 2, 2, importGatherElements),
      code("GatherND", 11, 2, 2, importGatherND),
      code("NonZero", 9, 1, 1, importNonZero),
      code("OneHot", 9, 3, 3, importOneHot),
      code("Scatter", 9, 3, 3, importScatterElements, 10),
      code("ScatterElements", 11, 3, 3, importScatterElements),
      code("ScatterND", 11, 3, 3, importScatterND),
      // Shapes and constants.
      code("Concat", 1, 1, kAny, importConcat),
      code("Constant", 1, 0, 0, importConstant),
      code("ConstantOfShape", 9, 1, 1, importConstantOfShape),
      code("Expand", 8, 2, 2, importExpand),
      code("DepthToSpace", 1, 1, 1, importDepthToSpace),
      code("EyeLike", 9, 1, 1, importEyeLike),
      code("Flatten", 1, 1, 1, importFlatten),
      code("Pad", 1, 1, 4, importPad),
      code("Range", 11, 3, 3, importRange),
      code("Reshape", 1, 1, 2, importReshape),
      code("Resize", 10, 1, 4, importResize),
      code("Shape", 1, 1, 1, importShape),
      code("Size", 1, 1, 1, importSize),
      code("Slice", 1, 1, 5, importSlice),
      code("SpaceToDepth", 1, 1, 1, importSpaceToDepth),
      code("Split", 2, 1, 2, importSplit),
      code("Squeeze", 1, 1, 2, importSqueeze),
      code("Tile", 6, 2, 2, importTile),
      code("Transpose", 1, 1, 1, importTranspose),
      code("Trilu", 14, 1, 2, importTrilu),
      code("Unsqueeze", 1, 1, 2, importUnsqueeze),
      code("Upsample", 7, 1, 2, importUpsample),
      // ONNX Runtime's own.
      code("com.microsoft::FastGelu", 1, 1, 2, importGelu),
      simple("com.microsoft::Gelu", 1, 1, "glow.gelu"),
  };
  return rows;
}

const OpRow *onnx::findOp(StringRef domain, StringRef op, int64_t opset,
                          std::string &reason) {
  static const auto index = [] {
    llvm::StringMap<SmallVector<const OpRow *, 2>> map;
    for (const OpRow &row : opTable())
      map[row.name].push_back(&row);
    return map;
  }();
  std::string key = domain.empty() ? op.str() : (domain + "::" + op).str();
  auto known = index.find(key);
  if (known == index.end()) {
    reason = "the operator is not supported";
    return nullptr;
  }
  for (const OpRow *row : known->second)
    if (row->since <= opset && opset <= row->until)
      return row;
  reason = "version " + std::to_string(opset) +
           " of the operator is not supported; known since " +
           std::to_string(known->second.front()->since);
  return nullptr;
}
