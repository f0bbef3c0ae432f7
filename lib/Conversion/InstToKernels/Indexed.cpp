//===- Indexed.cpp - kernels of gathers and scatters ----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/Indexed.h"
#include "glow/Conversion/InstToKernels/InstToKernels.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "glow/Kernels/Suppress.h"
#include "glow/Kernels/Trees.h"

using namespace mlir;
using namespace mlir::glow;

KernelPtr inst::GatherOp::makeKernel(const KernelTarget &target) {
  BufferShape in(getInput()), indices(getIndices()), out(getOutput());
  int64_t axis = getAxis();
  SmallVector<LoopAxis> axes{LoopAxis::unit(3)};
  for (int64_t i = 0; i < out.rank(); ++i) {
    int64_t inIndices = i - axis;
    if (inIndices >= 0 && inIndices < indices.rank())
      axes.push_back(
          {out.shape[i], {out.strides[i], 0, indices.strides[inIndices]}});
    else
      axes.push_back({out.shape[i],
                      {out.strides[i],
                       in.strides[i < axis ? i : i - indices.rank() + 1], 0}});
    axes.back().boundBy(boundedAxesOf(*this), i);
  }
  return std::make_unique<GatherKernel>(
      axes, SmallVector<IndexedAxis>{{in.shape[axis], in.strides[axis]}},
      (*this)->getOperands(), target);
}

KernelPtr inst::GatherElementsOp::makeKernel(const KernelTarget &target) {
  BufferShape in(getInput()), indices(getIndices()), out(getOutput());
  int64_t axis = getAxis();
  SmallVector<LoopAxis> axes{LoopAxis::unit(3)};
  for (int64_t i = 0; i < out.rank(); ++i) {
    axes.push_back(
        {out.shape[i],
         {out.strides[i], i == axis ? 0 : in.strides[i], indices.strides[i]}});
    axes.back().boundBy(boundedAxesOf(*this), i);
  }
  return std::make_unique<GatherKernel>(
      axes, SmallVector<IndexedAxis>{{in.shape[axis], in.strides[axis]}},
      (*this)->getOperands(), target);
}

KernelPtr inst::WalkTreesOp::makeKernel(const KernelTarget &target) {
  BufferShape in(getInput()), roots(getRoots()), out(getOutput());
  LoopAxis rows{in.shape[0], {out.strides[0], in.strides[0], 0}};
  LoopAxis trees{roots.shape[0], {out.strides[1], 0, roots.strides[0]}};
  rows.boundBy(boundedAxesOf(*this), 0);
  trees.boundBy(boundedAxesOf(*this), 1);
  return std::make_unique<TreesKernel>(rows, trees, getMissing());
}

/// The axes that index tuples address, from `first` on.
static SmallVector<IndexedAxis> tupleAxes(const BufferShape &buffer,
                                          const BufferShape &indices,
                                          int64_t first) {
  SmallVector<IndexedAxis> axes;
  for (int64_t i = 0; i < indices.shape.back(); ++i)
    axes.push_back({buffer.shape[first + i], buffer.strides[first + i],
                    i * indices.strides.back()});
  return axes;
}

KernelPtr inst::GatherNDOp::makeKernel(const KernelTarget &target) {
  BufferShape in(getInput()), indices(getIndices()), out(getOutput());
  int64_t batch = getBatchDims(), places = indices.rank() - 1;
  // Behind the places, the output continues with the input's last axes.
  int64_t shift = batch + indices.shape.back() - places;
  SmallVector<LoopAxis> axes{LoopAxis::unit(3)};
  for (int64_t i = 0; i < out.rank(); ++i) {
    bool isPlace = i < places;
    int64_t inStride = i < batch ? in.strides[i]
                       : isPlace ? 0
                                 : in.strides[i + shift];
    axes.push_back(
        {out.shape[i],
         {out.strides[i], inStride, isPlace ? indices.strides[i] : 0}});
    axes.back().boundBy(boundedAxesOf(*this), i);
  }
  return std::make_unique<GatherKernel>(axes, tupleAxes(in, indices, batch),
                                        (*this)->getOperands(), target);
}

KernelPtr inst::ScatterElementsOp::makeKernel(const KernelTarget &target) {
  BufferShape indices(getIndices()), updates(getUpdates()), out(getOutput());
  int64_t axis = getAxis();
  SmallVector<LoopAxis> parallel{LoopAxis::unit(3)}, sequential;
  for (int64_t i = 0; i < out.rank(); ++i) {
    LoopAxis own{indices.shape[i],
                 {i == axis ? 0 : out.strides[i], updates.strides[i],
                  indices.strides[i]}};
    // There may be fewer updates than places along other axes, too.
    if (i != axis && indices.shape[i] == out.shape[i])
      own.boundBy(boundedAxesOf(*this), i);
    if (i == axis && getCount())
      own.bound = LoopAxis::kCounted;
    (i == axis ? sequential : parallel).push_back(own);
  }
  parallel.push_back(LoopAxis::unit(3));
  return std::make_unique<ScatterKernel>(
      getKind(), parallel, sequential,
      SmallVector<IndexedAxis>{{out.shape[axis], out.strides[axis]}},
      (*this)->getOperands(), target);
}

KernelPtr inst::ScatterNDOp::makeKernel(const KernelTarget &target) {
  BufferShape indices(getIndices()), updates(getUpdates()), out(getOutput());
  int64_t places = indices.rank() - 1;
  SmallVector<LoopAxis> parallel, sequential;
  for (int64_t i = 0; i < updates.rank(); ++i) {
    if (i < places) {
      sequential.push_back(
          {updates.shape[i], {0, updates.strides[i], indices.strides[i]}});
      if (i == 0 && getCount())
        sequential.back().bound = LoopAxis::kCounted;
      continue;
    }
    int64_t to = i - places + indices.shape.back();
    parallel.push_back(
        {updates.shape[i], {out.strides[to], updates.strides[i], 0}});
    parallel.back().boundBy(boundedAxesOf(*this), to);
  }
  parallel.push_back(LoopAxis::unit(3));
  return std::make_unique<ScatterKernel>(getKind(), parallel, sequential,
                                         tupleAxes(out, indices, 0),
                                         (*this)->getOperands(), target);
}

static_assert(SuppressKernel::kMostLanes ==
                  inst::NonMaxSuppressionOp::kRoomStep,
              "chosen boxes fill vectors");

KernelPtr inst::NonMaxSuppressionOp::makeKernel(const KernelTarget &target) {
  return std::make_unique<SuppressKernel>(getOperands(), target);
}
