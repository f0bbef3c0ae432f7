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
/// The first buffer has all of the axes; those that are `bounded` are of the
/// outputs, which may lack that one (`isMissing`). Behind the outputs' axes are
/// those that are reduced, whose limit a count states.
static std::pair<SmallVector<LoopAxis>, LoopAxis>
splitAxis(ArrayRef<BufferShape> buffers, size_t axis,
          const BoundedAxes &bounded, bool isMissing = false) {
  SmallVector<SmallVector<int64_t>> strides;
  for (const BufferShape &buffer : buffers)
    strides.push_back(buffer.strides);
  SmallVector<LoopAxis> axes = makeAxes(buffers.front().shape, strides);
  for (int64_t bound : bounded) {
    bool isBehind = isMissing && static_cast<size_t>(bound) >= axis;
    size_t place = 1 + bound + isBehind;
    if (place < axes.size())
      axes[place].bound = bound;
  }
  LoopAxis row = axes[1 + axis];
  axes.erase(axes.begin() + 1 + axis);
  return {axes, row};
}

KernelPtr inst::ArgReduceOp::makeKernel(const KernelTarget &target) {
  BufferShape output(getOutput());
  // The output has no such axis: all its positions along it are one.
  output.shape.insert(output.shape.begin() + getAxis(), 1);
  output.strides.insert(output.strides.begin() + getAxis(), 0);
  auto [parallel, row] = splitAxis({BufferShape(getInput()), output}, getAxis(),
                                   boundedAxesOf(*this), /*isMissing=*/true);
  if (getCount())
    row.bound = LoopAxis::kCounted;
  return std::make_unique<ArgReduceKernel>(getKind(), getSelectLast(), parallel,
                                           row, (*this)->getOperands(), target);
}

KernelPtr inst::ScanOp::makeKernel(const KernelTarget &target) {
  auto [parallel, row] =
      splitAxis({BufferShape(getInput()), BufferShape(getOutput())}, getAxis(),
                boundedAxesOf(*this));
  if (getCount())
    row.bound = LoopAxis::kCounted;
  return std::make_unique<RunningKernel>(getKind(), getExclusive(),
                                         getReverse(), parallel, row,
                                         (*this)->getOperands(), target);
}

KernelPtr inst::TopKOp::makeKernel(const KernelTarget &target) {
  BufferShape values(getValues());
  auto [parallel, row] =
      splitAxis({BufferShape(getInput()), values, BufferShape(getIndices())},
                getAxis(), boundedAxesOf(*this));
  // The results may be limited, and what they are chosen from.
  LoopAxis results = row;
  results.extent = values.shape[getAxis()];
  row.bound = getCount() ? LoopAxis::kCounted : LoopAxis::kNone;
  return std::make_unique<TopKKernel>(results, getLargest(), parallel, row,
                                      (*this)->getOperands(), target);
}
