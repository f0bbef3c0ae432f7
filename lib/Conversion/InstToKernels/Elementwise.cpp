//===- Elementwise.cpp - kernels of maps, copies, fills and reductions ----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/Elementwise.h"
#include "Models.h"
#include "glow/Kernels/Reduce.h"
#include "glow/Kernels/Scan.h"

using namespace mlir;
using namespace mlir::glow;

KernelPtr glow::makeKernel(inst::CopyOp op, const KernelTarget &target) {
  return makeCopyKernel(op.getSource(), op.getDestination(), target);
}

KernelPtr glow::makeKernel(inst::FillOp op, const KernelTarget &target) {
  return std::make_unique<FillKernel>(op.getDestination(), op.getValue(),
                                      target);
}

KernelPtr glow::makeKernel(inst::MapOp op, const KernelTarget &target) {
  return std::make_unique<ElementwiseKernel>(
      op.getInputs(), op.getOutputs(), ScalarRegion(&op.getBody()), target);
}

KernelPtr glow::makeKernel(inst::ReduceOp op, const KernelTarget &target) {
  return std::make_unique<ReduceKernel>(op.getKind(), op.getInput(),
                                        op.getOutput(), op.getAxes(), target);
}

/// All axes but one, with the strides of buffers that share them, and that one.
static std::pair<SmallVector<LoopAxis>, LoopAxis>
splitAxis(ArrayRef<BufferShape> buffers, int64_t axis) {
  LoopAxis row{buffers.front().shape[axis], {}};
  SmallVector<SmallVector<int64_t>> strides;
  for (const BufferShape &buffer : buffers) {
    row.strides.push_back(buffer.strides[axis]);
    strides.push_back(buffer.strides);
    strides.back().erase(strides.back().begin() + axis);
  }
  SmallVector<int64_t> shape = buffers.front().shape;
  shape.erase(shape.begin() + axis);
  return {makeAxes(shape, strides), row};
}

KernelPtr glow::makeKernel(inst::ArgReduceOp op, const KernelTarget &target) {
  BufferShape output(op.getOutput());
  // The output has no such axis: all its positions along it are one.
  output.shape.insert(output.shape.begin() + op.getAxis(), 1);
  output.strides.insert(output.strides.begin() + op.getAxis(), 0);
  auto [parallel, row] =
      splitAxis({BufferShape(op.getInput()), output}, op.getAxis());
  return std::make_unique<ArgReduceKernel>(op.getKind(), op.getSelectLast(),
                                           parallel, row);
}

KernelPtr glow::makeKernel(inst::CumSumOp op, const KernelTarget &target) {
  auto [parallel, row] = splitAxis(
      {BufferShape(op.getInput()), BufferShape(op.getOutput())}, op.getAxis());
  return std::make_unique<CumSumKernel>(op.getExclusive(), op.getReverse(),
                                        parallel, row);
}

KernelPtr glow::makeKernel(inst::TopKOp op, const KernelTarget &target) {
  BufferShape values(op.getValues());
  auto [parallel, row] = splitAxis(
      {BufferShape(op.getInput()), values, BufferShape(op.getIndices())},
      op.getAxis());
  return std::make_unique<TopKKernel>(values.shape[op.getAxis()],
                                      op.getLargest(), parallel, row);
}
