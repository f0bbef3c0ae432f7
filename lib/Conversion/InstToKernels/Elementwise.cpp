//===- Elementwise.cpp - kernels of maps, copies, fills and reductions ----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/Elementwise.h"
#include "glow/Conversion/InstToKernels/InstToKernels.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "glow/Dialect/Inst/IR/Pitch.h"
#include "glow/Kernels/Reduce.h"
#include "glow/Kernels/Scan.h"

using namespace mlir;
using namespace mlir::glow;

template <typename Op> static ElementwiseMemory memoryOf(Op op) {
  ElementwiseMemory memory;
  for (const inst::Pitch &pitch : inst::pitchesOf(op))
    if (pitch.place)
      memory.shortInputs.push_back(
          {static_cast<size_t>(pitch.operand), pitch.place, pitch.places()});
  memory.nontemporal = op.getNontemporal();
  return memory;
}

KernelPtr inst::CopyOp::makeKernel(const KernelTarget &target) {
  return makeCopyKernel(getSource(), getDestination(), boundedAxesOf(*this),
                        target, memoryOf(*this));
}

KernelPtr inst::FillOp::makeKernel(const KernelTarget &) {
  return std::make_unique<FillKernel>(getOperands(), getValue(),
                                      boundedAxesOf(*this));
}

KernelPtr inst::MapOp::makeKernel(const KernelTarget &target) {
  return std::make_unique<ElementwiseKernel>(
      getInputs(), getOutputs(), ScalarRegion(&getBody()), boundedAxesOf(*this),
      target, memoryOf(*this));
}

KernelPtr inst::ReduceOp::makeKernel(const KernelTarget &target) {
  return std::make_unique<ReduceKernel>(
      getKind(), getInputs(), getOutput(), getSpace(), getAxes(),
      ScalarRegion(&getBody()), boundedAxesOf(*this), target);
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

KernelPtr inst::ArgReduceOp::makeKernel(const KernelTarget &target) {
  BufferShape output(getOutput());
  // The output has no such axis: all its positions along it are one.
  output.shape.insert(output.shape.begin() + getAxis(), 1);
  output.strides.insert(output.strides.begin() + getAxis(), 0);
  auto [parallel, row] =
      splitAxis({BufferShape(getInput()), output}, getAxis());
  return std::make_unique<ArgReduceKernel>(getKind(), getSelectLast(), parallel,
                                           row);
}

KernelPtr inst::ScanOp::makeKernel(const KernelTarget &target) {
  auto [parallel, row] =
      splitAxis({BufferShape(getInput()), BufferShape(getOutput())}, getAxis());
  return std::make_unique<RunningKernel>(getKind(), getExclusive(),
                                         getReverse(), parallel, row);
}

KernelPtr inst::TopKOp::makeKernel(const KernelTarget &target) {
  BufferShape values(getValues());
  auto [parallel, row] = splitAxis(
      {BufferShape(getInput()), values, BufferShape(getIndices())}, getAxis());
  return std::make_unique<TopKKernel>(values.shape[getAxis()], getLargest(),
                                      parallel, row);
}
