//===- Capabilities.cpp - what the card can run, as data ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The limits are those of the conversion from instructions: what passes here
// must convert.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Habana/IR/Habana.h"
#include "glow/Target/Habana/HabanaTarget.h"

using namespace mlir;
using namespace mlir::glow;
using glow::habana::kMaxTensors;
using glow::habana::TargetAttr;
using glow::habana::whyNoKernel;
using Reason = std::optional<std::string>;

/// A tile of so many f32 elements, in a few buffers, must fit the SRAM.
static Reason whyTooLarge(double elements, Attribute target) {
  double bytes = elements * 4 + 16 * glow::habana::kAlignment;
  int64_t sram = cast<TargetAttr>(target).getSram();
  if (bytes <= double(sram))
    return std::nullopt;
  return "has " + std::to_string(sram) +
         " bytes of SRAM, and the smallest tile "
         "needs " +
         std::to_string(int64_t(bytes));
}

static Reason tensorsLimit(size_t tensors) {
  if (static_cast<int64_t>(tensors) <= kMaxTensors)
    return std::nullopt;
  return "takes up to " + std::to_string(kMaxTensors) +
         " tensors in a kernel, not " + std::to_string(tensors);
}

static Reason kernelLimit(Region &region) {
  if (auto reason = whyNoKernel(region))
    return "cannot run the region: " + *reason;
  return std::nullopt;
}

static Reason mapLimit(Operation *op, Attribute) {
  if (auto reason = tensorsLimit(op->getNumOperands() + 1))
    return reason;
  return kernelLimit(op->getRegion(0));
}

/// An element-wise op that is not in a cluster yet: look at its scalar body.
static Reason scalarLimit(Operation *op, Attribute) {
  OpBuilder builder(op->getContext());
  Region region;
  Block *block = builder.createBlock(&region);
  for (Value operand : op->getOperands())
    block->addArgument(ScalarBuilder::signless(elementType(operand)),
                       op->getLoc());
  Type result = elementType(op->getResult(0));
  ScalarBuilder scalars(builder, op->getLoc(), elementType(op->getOperand(0)),
                        result);
  Value value = cast<ScalarBodyOpInterface>(op).emitScalarBody(
      scalars, block->getArguments());
  YieldOp::create(builder, op->getLoc(), value);
  return kernelLimit(region);
}

/// The epilogue works on the result, its inputs and a bias in one kernel.
static Reason epilogueLimit(Region &epilogue, size_t inputs) {
  if (auto reason = tensorsLimit(inputs + 3))
    return reason;
  return epilogue.empty() ? std::nullopt : kernelLimit(epilogue);
}

/// Every window must touch the input: other windows are left to the host.
template <typename Op> static Reason windowLimit(Op op) {
  int64_t rank = op.getSpatialRank();
  if (rank > 2)
    return "takes windows of one or two axes, not " + std::to_string(rank);
  if (op.getLayout() && op.getLayout()->getBlock() != 1)
    return std::string("takes no blocked layouts");
  auto in = cast<ShapedType>(op.getInput().getType()).getShape();
  auto out = cast<ShapedType>(op.getType()).getShape();
  int64_t first = op.getFirstSpatialAxis();
  for (int64_t i = 0; i < rank; ++i) {
    int64_t span = (op.getKernelShape()[i] - 1) * op.getDilations()[i] + 1;
    int64_t last = (out[first + i] - 1) * op.getStrides()[i] - op.getPads()[i];
    if (op.getPads()[i] >= span || last >= in[first + i])
      return std::string("takes no windows that lie outside their input");
  }
  return std::nullopt;
}

static Reason convLimit(Operation *op, Attribute target) {
  auto conv = cast<ConvOp>(op);
  if (auto reason = windowLimit(conv))
    return reason;
  size_t extra = conv.getEpilogueInputs().size();
  if (auto reason = epilogueLimit(conv.getEpilogue(), extra))
    return reason;
  auto in = cast<ShapedType>(conv.getInput().getType()).getShape();
  auto out = cast<ShapedType>(conv.getType()).getShape();
  bool last = conv.isChannelsLast();
  double depth = double(last ? in.back() : in[1]) / conv.getGroup();
  double window = 1;
  for (int64_t extent : conv.getKernelShape())
    window *= extent;
  int64_t rows =
      conv.getSpatialRank() == 2
          ? (conv.getKernelShape()[0] - 1) * conv.getDilations()[0] + 1
          : 1;
  double inWidth = in[in.size() - (last ? 2 : 1)];
  double outWidth = out[out.size() - (last ? 2 : 1)];
  return whyTooLarge(depth * (rows * inWidth + window) + outWidth * (extra + 2),
                     target);
}

static Reason poolLimit(Operation *op, Attribute target) {
  auto pool = cast<PoolOp>(op);
  if (auto reason = windowLimit(pool))
    return reason;
  auto out = cast<ShapedType>(pool.getType()).getShape();
  int64_t axis = out.size() - (pool.isChannelsLast() ? 2 : 1);
  double width = double(out[axis]) * pool.getStrides().back() +
                 pool.getKernelShape().back() * pool.getDilations().back();
  double rows = pool.getKernelShape()[0] * pool.getDilations()[0];
  return whyTooLarge(width * rows + 2.0 * out[axis], target);
}

static Reason matmulLimit(Operation *op, Attribute target) {
  auto matmul = cast<MatMulOp>(op);
  size_t extra = matmul.getEpilogueInputs().size();
  if (auto reason = epilogueLimit(matmul.getEpilogue(), extra))
    return reason;
  return whyTooLarge(2.0 * dimsOf(matmul.getLhs()).back() + extra + 1, target);
}

static Reason reduceLimit(Operation *op, Attribute target) {
  auto reduce = cast<ReduceOp>(op);
  double elements = 1;
  for (int64_t axis : reduce.getAxes())
    elements *= dimsOf(reduce.getInput())[axis];
  return whyTooLarge(elements + 1, target);
}

/// Views must find their elements in order, and a DMA has both sides in f32.
static constexpr Capability kRows[] = {
    // The matrix engine.
    {"glow.conv", "f32", 4, convLimit},
    {"glow.matmul", "f32", 5, matmulLimit},
    // The vector cores.
    {"glow.map", "f32", 5, mapLimit},
    {"glow.pool", "f32", 4, poolLimit},
    {"glow.reduce", "f32", 5, reduceLimit},
    {"glow.abs", "f32", 5, scalarLimit},
    {"glow.add", "f32", 5, scalarLimit},
    {"glow.ceil", "f32", 5, scalarLimit},
    {"glow.clamp", "f32", 5, scalarLimit},
    {"glow.div", "f32", 5, scalarLimit},
    {"glow.floor", "f32", 5, scalarLimit},
    {"glow.hard_sigmoid", "f32", 5, scalarLimit},
    {"glow.hard_swish", "f32", 5, scalarLimit},
    {"glow.leaky_relu", "f32", 5, scalarLimit},
    {"glow.maximum", "f32", 5, scalarLimit},
    {"glow.minimum", "f32", 5, scalarLimit},
    {"glow.mul", "f32", 5, scalarLimit},
    {"glow.neg", "f32", 5, scalarLimit},
    {"glow.prelu", "f32", 5, scalarLimit},
    {"glow.reciprocal", "f32", 5, scalarLimit},
    {"glow.relu", "f32", 5, scalarLimit},
    {"glow.round", "f32", 5, scalarLimit},
    {"glow.rsqrt", "f32", 5, scalarLimit},
    {"glow.softsign", "f32", 5, scalarLimit},
    {"glow.sqrt", "f32", 5, scalarLimit},
    {"glow.sub", "f32", 5, scalarLimit},
    // DMA, or nothing but another view of the same bytes.
    {"glow.concat", "f32", 5},
    {"glow.expand", "f32", 5},
    {"glow.flatten", "f32", 5},
    {"glow.reshape", "f32", 5},
    {"glow.slice", "f32", 5},
    {"glow.squeeze", "f32", 5},
    {"glow.transpose", "f32", 5},
    {"glow.unsqueeze", "f32", 5},
};

ArrayRef<Capability> glow::habana::habanaCapabilities() { return kRows; }
