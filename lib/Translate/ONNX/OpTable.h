//===- OpTable.h - which ONNX operators are known, and how --------*- C++
//-*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TRANSLATE_ONNX_OPTABLE_H
#define GLOW_LIB_TRANSLATE_ONNX_OPTABLE_H

#include "Node.h"

namespace mlir::glow::onnx {

/// The newest version of ONNX's operator set that the table was checked with.
constexpr int64_t kLatestOpset = 27;

/// An attribute that an operator and its graph op share, with ONNX's default.
struct SharedAttr {
  StringLiteral onnx, glow;
  double otherwise;
};

using ImportFn = LogicalResult (*)(Node &);

/// One operator in a range of versions: either the graph op that it is, or the
/// function that builds it.
struct OpRow {
  /// `domain::name` outside the default domain.
  StringLiteral name;
  int since, until;
  unsigned minInputs, maxInputs;
  ImportFn import = nullptr;
  StringLiteral glowOp = "";
  SmallVector<SharedAttr, 2> attributes = {};
};

/// All rows.
ArrayRef<OpRow> opTable();
/// The row for an operator, or null with the reason why there is none.
const OpRow *findOp(StringRef domain, StringRef op, int64_t opset,
                    std::string &reason);
/// Builds the graph op of a row that names one.
LogicalResult importSimple(Node &node, const OpRow &row);

constexpr unsigned kAny = ~0u;

/// The axes given as an attribute, or as input 1 from version `inputSince` on;
/// counted from 0 and sorted. Empty if absent.
FailureOr<SmallVector<int64_t>> readAxes(Node &node, int64_t rank,
                                         int inputSince);

// The operators that need code, by family.
#define GLOW_ONNX_OP(Name) LogicalResult import##Name(Node &node)
// Elementwise.cpp
GLOW_ONNX_OP(BitShift);
GLOW_ONNX_OP(Cast);
GLOW_ONNX_OP(CastLike);
GLOW_ONNX_OP(Clip);
GLOW_ONNX_OP(Dropout);
GLOW_ONNX_OP(Gelu);
GLOW_ONNX_OP(Identity);
GLOW_ONNX_OP(IsInf);
GLOW_ONNX_OP(LegacyBinary);
GLOW_ONNX_OP(Mod);
GLOW_ONNX_OP(Pow);
GLOW_ONNX_OP(Variadic);
// Constants.cpp
GLOW_ONNX_OP(Constant);
GLOW_ONNX_OP(ConstantOfShape);
GLOW_ONNX_OP(EyeLike);
GLOW_ONNX_OP(Range);
GLOW_ONNX_OP(Shape);
GLOW_ONNX_OP(Size);
// Conv.cpp
GLOW_ONNX_OP(Conv);
GLOW_ONNX_OP(ConvTranspose);
// Pool.cpp
GLOW_ONNX_OP(GlobalLpPool);
GLOW_ONNX_OP(GlobalPool);
GLOW_ONNX_OP(LpPool);
GLOW_ONNX_OP(Pool);
// Einsum.cpp
GLOW_ONNX_OP(Einsum);
// Linear.cpp
GLOW_ONNX_OP(Gemm);
GLOW_ONNX_OP(MatMul);
// Norm.cpp
GLOW_ONNX_OP(BatchNormalization);
GLOW_ONNX_OP(GroupNormalization);
GLOW_ONNX_OP(InstanceNormalization);
GLOW_ONNX_OP(LayerNormalization);
GLOW_ONNX_OP(LRN);
GLOW_ONNX_OP(LpNormalization);
GLOW_ONNX_OP(MeanVarianceNormalization);
GLOW_ONNX_OP(Softmax);
GLOW_ONNX_OP(LegacySoftmax);
// Reduce.cpp
GLOW_ONNX_OP(ArgReduce);
GLOW_ONNX_OP(CumSum);
GLOW_ONNX_OP(Reduce);
GLOW_ONNX_OP(TopK);
// Slice.cpp
GLOW_ONNX_OP(Pad);
GLOW_ONNX_OP(Slice);
GLOW_ONNX_OP(Split);
GLOW_ONNX_OP(Trilu);
// Index.cpp
GLOW_ONNX_OP(Compress);
GLOW_ONNX_OP(Gather);
GLOW_ONNX_OP(GatherElements);
GLOW_ONNX_OP(GatherND);
GLOW_ONNX_OP(NonZero);
GLOW_ONNX_OP(OneHot);
GLOW_ONNX_OP(ScatterElements);
GLOW_ONNX_OP(ScatterND);
// Resize.cpp
GLOW_ONNX_OP(DepthToSpace);
GLOW_ONNX_OP(Resize);
GLOW_ONNX_OP(SpaceToDepth);
GLOW_ONNX_OP(Upsample);
// Quant.cpp
GLOW_ONNX_OP(ConvInteger);
GLOW_ONNX_OP(DequantizeLinear);
GLOW_ONNX_OP(DynamicQuantizeLinear);
GLOW_ONNX_OP(MatMulInteger);
GLOW_ONNX_OP(QLinearConv);
GLOW_ONNX_OP(QLinearMatMul);
GLOW_ONNX_OP(QuantizeLinear);
// Recurrent.cpp
GLOW_ONNX_OP(Recurrent);
// Shape.cpp
GLOW_ONNX_OP(Concat);
GLOW_ONNX_OP(Expand);
GLOW_ONNX_OP(Flatten);
GLOW_ONNX_OP(Reshape);
GLOW_ONNX_OP(Squeeze);
GLOW_ONNX_OP(Tile);
GLOW_ONNX_OP(Transpose);
GLOW_ONNX_OP(Unsqueeze);
#undef GLOW_ONNX_OP

} // namespace mlir::glow::onnx

#endif // GLOW_LIB_TRANSLATE_ONNX_OPTABLE_H
