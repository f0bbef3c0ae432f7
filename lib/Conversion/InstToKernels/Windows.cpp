//===- Windows.cpp - kernels of convolutions, products and pools ----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Conversion/InstToKernels/InstToKernels.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "glow/Dialect/Inst/IR/Pitch.h"
#include "glow/Interfaces/TileRegisters.h"
#include "glow/Kernels/Contraction.h"
#include "glow/Kernels/Pool.h"

using namespace mlir;
using namespace mlir::glow;

/// Half-precision floats are summed up in single precision.
static Type accumulatorOf(Type sum) {
  if (isa<FloatType>(sum) && sum.getIntOrFloatBitWidth() < 32)
    return Float32Type::get(sum.getContext());
  return sum;
}

/// What the epilogue takes: in floats its own choice.
static Type sumOf(Region &epilogue, Value output, Type stated) {
  Type type =
      ScalarBuilder::signless(stated ? stated : BufferShape(output).element);
  if (epilogue.empty() || !isa<FloatType>(type))
    return type;
  return epilogue.front().getArgument(0).getType();
}

/// Elements of a column that lie side by side in a panel of `width` columns.
static int64_t groupOf(Value packed, int64_t width) {
  return BufferShape(packed).shape.back() / width;
}

/// An axis of the output with its strides in the epilogue's operands.
static LoopAxis outputAxis(const BufferShape &out, ValueRange epilogue,
                           int64_t axis, int64_t lhsStride, int64_t rhsStride,
                           const BoundedAxes &bounded) {
  LoopAxis result{out.shape[axis], {out.strides[axis], lhsStride, rhsStride}};
  result.boundBy(bounded, axis);
  for (Value operand : epilogue)
    result.strides.push_back(
        BufferShape(operand).broadcastStrides(out.shape)[axis]);
  return result;
}

/// The channels of group after group: an axis of groups and one within a group.
static void appendChannels(SmallVector<LoopAxis> &axes, LoopAxis channels,
                           int64_t groups, int64_t lhsGroupStride) {
  int64_t extent = channels.extent / groups;
  LoopAxis group{groups, channels.strides};
  for (int64_t &stride : group.strides)
    stride *= extent;
  group.strides[1] = lhsGroupStride;
  channels.extent = extent;
  axes.push_back(group);
  axes.push_back(channels);
}

/// Distances in the filter along its spatial axes, then along its channels.
static SmallVector<int64_t> filterStrides(inst::ConvOp op) {
  BufferShape filter(op.getFilter());
  SmallVector<int64_t> strides;
  int64_t rank = op.getSpatialRank();
  if (!op.getPacked()) {
    int64_t first = op.isChannelsLast() ? 0 : 2;
    strides.append(filter.strides.begin() + first,
                   filter.strides.begin() + first + rank);
    strides.push_back(filter.strides[op.isChannelsLast() ? rank : 1]);
    return strides;
  }
  // Panels hold the taps' matrices one below the other.
  int64_t stride = *op.getPacked();
  strides.push_back(stride);
  stride *= llvm::alignTo(BufferShape(op.getInput()).shape.back(),
                          groupOf(op.getFilter(), stride));
  for (int64_t i = rank - 1; i >= 0; --i) {
    strides.insert(strides.begin(), stride);
    stride *= op.getKernelShape()[i];
  }
  return strides;
}

static ContractionSpec specOf(inst::ConvOp op) {
  BufferShape in(op.getInput()), out(op.getOutput()), filter(op.getFilter());
  int64_t rank = op.getSpatialRank(), last = op.isChannelsLast();
  int64_t channelAxis = last ? rank + 1 : 1, spatial = last ? 1 : 2;
  int64_t depth = in.shape[channelAxis] / op.getGroup();
  ContractionSpec spec;
  spec.packed = op.getPacked().value_or(0);
  spec.pieces = op.getPieces().value_or(1);
  if (spec.packed) {
    spec.group = groupOf(op.getFilter(), spec.packed);
    spec.panelStride = filter.strides.front();
  }
  SmallVector<Window> windows = windowsOf(op, in, out);
  spec.lhsStart = paddingShift(windows);
  SmallVector<int64_t> taps = filterStrides(op);
  for (auto [i, window] : llvm::enumerate(windows)) {
    spec.reduced.push_back({window.kernel, window.dilation * window.inputStride,
                            taps[i], std::nullopt});
    if (window.clips())
      spec.reduced.back().window = window;
  }
  spec.reduced.push_back(
      {depth, in.strides[channelAxis], taps.back(), std::nullopt});

  ValueRange epilogue = op.getEpilogueOperands();
  auto appendOutputChannels = [&] {
    int64_t stride = spec.packed ? 1 : filter.strides[last ? rank + 1 : 0];
    appendChannels(spec.parallel,
                   outputAxis(out, epilogue, channelAxis, 0, stride, {}),
                   op.getGroup(), depth * in.strides[channelAxis]);
  };
  spec.parallel.push_back(
      outputAxis(out, epilogue, 0, in.strides[0], 0, boundedAxesOf(op)));
  if (!last)
    appendOutputChannels();
  for (int64_t i = 0; i < rank; ++i)
    spec.parallel.push_back(outputAxis(
        out, epilogue, spatial + i, windows[i].stride * windows[i].inputStride,
        0, boundedAxesOf(op)));
  if (last)
    appendOutputChannels();
  // One more operand per clipped window counts its positions.
  for (int64_t i = 0; i < rank; ++i)
    if (spec.reduced[i].window)
      for (auto [a, axis] : llvm::enumerate(spec.parallel))
        axis.strides.push_back(static_cast<int64_t>(a) == (last ? 1 : 3) + i);
  return spec;
}

static ContractionSpec specOf(inst::MatMulOp op) {
  BufferShape lhs(op.getLhs()), rhs(op.getRhs()), out(op.getOutput());
  ContractionSpec spec;
  spec.packed = op.getPacked().value_or(0);
  spec.pieces = op.getPieces().value_or(1);
  spec.fewRows = op.getFewRows().value_or(1);
  spec.backwards = op.getBackwards();
  if (spec.packed) {
    spec.group = groupOf(op.getRhs(), spec.packed);
    spec.panelStride = rhs.strides[rhs.rank() - 3];
  }
  int64_t batch = out.rank() - 2;
  // A packed matrix has one axis more: panels, depth, columns in the panel.
  size_t rhsMatrix = rhs.rank() - (spec.packed ? 3 : 2);
  auto batchStrides = [&](BufferShape shape, size_t rank) {
    shape.shape.truncate(rank);
    shape.strides.truncate(rank);
    return shape.broadcastStrides(ArrayRef(out.shape).take_front(batch));
  };
  SmallVector<int64_t> lhsBatch = batchStrides(lhs, lhs.rank() - 2);
  SmallVector<int64_t> rhsBatch = batchStrides(rhs, rhsMatrix);
  ValueRange epilogue = op.getEpilogueOperands();
  BoundedAxes bounded = boundedAxesOf(op);
  for (int64_t i = 0; i < batch; ++i)
    spec.parallel.push_back(
        outputAxis(out, epilogue, i, lhsBatch[i], rhsBatch[i], bounded));
  spec.parallel.push_back(outputAxis(out, epilogue, batch,
                                     lhs.strides[lhs.rank() - 2], 0, bounded));
  spec.parallel.push_back(
      outputAxis(out, epilogue, batch + 1, 0, rhs.strides.back(), bounded));
  spec.reduced.push_back({lhs.shape.back(), lhs.strides.back(),
                          rhs.strides[rhs.rank() - 2] / spec.group,
                          std::nullopt});
  if (bounded.contains(out.rank()))
    spec.reduced.back().bound = out.rank();
  return spec;
}

/// Makes the taps of a line and their channels one axis, which fills a tile
/// register where channels alone do not.
static void joinTaps(ContractionSpec &spec) {
  if (spec.reduced.size() < 2)
    return;
  ContractionAxis &taps = spec.reduced.end()[-2],
                  &channels = spec.reduced.back();
  int64_t depth = channels.extent;
  if (depth >= TileRows::kLeastDepth || depth % spec.group != 0 ||
      spec.pieces > 1 || taps.window || channels.isBounded() ||
      taps.lhsStride != depth * channels.lhsStride ||
      taps.rhsStride != depth * channels.rhsStride)
    return;
  channels.extent *= taps.extent;
  spec.reduced.erase(spec.reduced.end() - 2);
}

KernelPtr inst::ConvOp::makeKernel(const KernelTarget &target) {
  ContractionSpec spec = specOf(*this);
  if (target.tileDepth(BufferShape(getInput()).element))
    joinTaps(spec);
  spec.sum = sumOf(getEpilogue(), getOutput(), {});
  spec.accumulator = accumulatorOf(spec.sum);
  return makeContractionKernel(std::move(spec), (*this)->getOperands(),
                               ScalarRegion(&getEpilogue()), target);
}

KernelPtr inst::MatMulOp::makeKernel(const KernelTarget &target) {
  ContractionSpec spec = specOf(*this);
  spec.sum =
      sumOf(getEpilogue(), getOutput(), getAccumulator().value_or(Type()));
  spec.accumulator = accumulatorOf(spec.sum);
  for (const inst::Pitch &pitch : inst::pitchesOf(*this))
    if (pitch.operand == 0 && pitch.place)
      spec.lhsRows = pitch.places();
  return makeContractionKernel(std::move(spec), (*this)->getOperands(),
                               ScalarRegion(&getEpilogue()), target);
}

std::optional<TunableKernel> glow::tunableKernel(Operation *op,
                                                 const KernelTarget &target) {
  if (auto conv = dyn_cast<inst::ConvOp>(op))
    return conv.makeKernel(target)->tunable();
  if (auto matmul = dyn_cast<inst::MatMulOp>(op))
    return matmul.makeKernel(target)->tunable();
  return std::nullopt;
}

KernelPtr inst::PoolOp::makeKernel(const KernelTarget &target) {
  BufferShape in(getInput()), out(getOutput());
  SmallVector<Window> windows = windowsOf(*this, in, out);
  int64_t spatial = getFirstSpatialAxis();
  SmallVector<LoopAxis> axes;
  for (int64_t i = 0; i < out.rank(); ++i) {
    int64_t window = i - spatial;
    bool isSpatial = window >= 0 && window < getSpatialRank();
    axes.push_back(
        {out.shape[i],
         {out.strides[i],
          in.strides[i] * (isSpatial ? windows[window].stride : 1)}});
    for (int64_t w = 0; w < getSpatialRank(); ++w)
      axes.back().strides.push_back(w == window);
    axes.back().boundBy(boundedAxesOf(*this), i);
  }
  return std::make_unique<PoolKernel>(getKind(), getCountIncludePad(), axes,
                                      windows, (*this)->getOperands(), target);
}
