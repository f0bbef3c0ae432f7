//===- Elementwise.cpp - maps and fills -----------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The innermost axis runs in vectors, several at a time unless the body is very
// long. Its rest runs masked where that is cheap and all accesses are
// contiguous, else element by element.
//
//===----------------------------------------------------------------------===//
#include "glow/Kernels/Elementwise.h"
#include "glow/Kernels/Interleave.h"
#include "glow/Kernels/Transpose.h"

using namespace mlir;
using namespace mlir::glow;

SmallVector<LoopAxis> ElementwiseKernel::axesOf(ValueRange inputs,
                                                ValueRange outputs,
                                                const BoundedAxes &bounded,
                                                ArrayRef<ShortInput> shorts) {
  BufferShape first(outputs.front());
  SmallVector<SmallVector<int64_t>> strides;
  for (Value input : inputs)
    strides.push_back(BufferShape(input).broadcastStrides(first.shape));
  for (Value output : outputs)
    strides.push_back(BufferShape(output).broadcastStrides(first.shape));
  // The place of each along its axis, as one more operand.
  for (const ShortInput &input : shorts) {
    SmallVector<int64_t> places(first.rank(), 0);
    auto &own = strides[input.input];
    size_t axis = llvm::find(own, input.stride) - own.begin();
    assert(axis < own.size() && "places are those of an axis");
    places[axis] = 1;
    own[axis] = 0;
    strides.push_back(std::move(places));
  }
  SmallVector<LoopAxis> axes = makeAxes(first.shape, strides, bounded);
  orderAxes(axes, inputs.size());
  return axes;
}

/// Chunks of the innermost axis are multiples of so many elements, of which
/// vectors have a divisor.
static constexpr int64_t kGranule = 256;

static double workOf(const ScalarRegion &body) {
  // A division or a libm call is dear only in comparison.
  return (body.isVectorizable() ? 1.0 : 8.0) + body.cost() / 10.0;
}

ElementwiseKernel::ElementwiseKernel(ValueRange inputs, ValueRange outputs,
                                     ScalarRegion region,
                                     const BoundedAxes &bounded,
                                     const KernelTarget &target,
                                     ElementwiseMemory given)
    : body(region), nest(axesOf(inputs, outputs, bounded, given.shortInputs),
                         workOf(region), kGranule),
      numInputs(inputs.size()), numOutputs(outputs.size()),
      elements(BufferShape(outputs[0]).elements()), memory(std::move(given)) {
  chooseStrip(inputs, outputs, target);
  memory.nontemporal &=
      target.hasNontemporalStores() && llvm::all_of(outputs, [&](Value output) {
        return BufferShape(output).liesInVectors(strip.lanes);
      });
}

void ElementwiseKernel::chooseStrip(ValueRange inputs, ValueRange outputs,
                                    const KernelTarget &target) {
  strip.unroll = body.isLong() ? 1 : body.vectorsAtOnce();
  // Nothing is gained where the results are stored one by one.
  ArrayRef<int64_t> strides = nest.inner().strides;
  if (!body.isVectorizable() || strides[numInputs] != 1)
    return;
  int64_t width = body.width();
  for (ValueRange operands : {inputs, outputs})
    for (Value operand : operands)
      width = std::max(width, 8 * BufferShape(operand).bytes());
  bool isContiguous =
      llvm::all_of(strides, [](int64_t s) { return s == 0 || s == 1; });
  strip = Strip::choose(target, width, nest.inner().extent,
                        body.vectorsAtOnce(), isContiguous);
}

void ElementwiseKernel::emit(KernelBuilder &b, ValueRange operands, Value begin,
                             Value end) const {
  SmallVector<KernelBuffer> buffers = b.open(operands);
  auto emitAll = [&] { emitNest(b, buffers, begin, end); };
  if (memory.nontemporal)
    b.storeNontemporal(MutableArrayRef(buffers).drop_front(numInputs),
                       nest.elements(b), emitAll);
  else
    emitAll();
}

void ElementwiseKernel::emitNest(KernelBuilder &b,
                                 ArrayRef<KernelBuffer> buffers, Value begin,
                                 Value end) const {
  nest.emit(b, begin, end, [&](ArrayRef<Value> given, Value low, Value high) {
    SmallVector<Value> offsets(given);
    for (auto [i, input] : llvm::enumerate(memory.shortInputs)) {
      Value last = b.sub(b.index(input.places), b.index(1));
      Value place = b.min(offsets[numInputs + numOutputs + i], last);
      place = b.max(b.index(0), place);
      Value &offset = offsets[input.input];
      offset = b.add(offset, b.mul(place, input.stride));
    }
    strip.emit(b, low, high,
               [&](Value at, int64_t lanes, int64_t count, Value mask) {
                 emitElements(b, buffers, offsets, at, lanes, count, mask);
               });
  });
}

void ElementwiseKernel::emitElements(KernelBuilder &b,
                                     ArrayRef<KernelBuffer> buffers,
                                     ArrayRef<Value> offsets, Value at,
                                     int64_t width, int64_t count,
                                     Value mask) const {
  ArrayRef<int64_t> strides = nest.inner().strides;
  auto offsetOf = [&](size_t operand, int64_t vector) {
    Value step = b.mul(at, strides[operand]);
    return b.add(b.add(offsets[operand], step),
                 vector * width * strides[operand]);
  };
  // All loads come first: nothing tells LLVM that the stores do not alias them.
  SmallVector<SmallVector<Value>> values(count);
  for (int64_t v = 0; v < count; ++v)
    for (size_t i = 0; i < numInputs; ++i)
      values[v].push_back(
          body.load(b, i, buffers[i], offsetOf(i, v), width, strides[i], mask));
  values = body.emitAll(b, values, width);
  for (int64_t v = 0; v < count; ++v)
    for (auto [i, value] : llvm::enumerate(values[v]))
      b.store(value, buffers[numInputs + i], offsetOf(numInputs + i, v),
              strides[numInputs + i], mask);
}

// -- Fill ---------------------------------------------------------------------

static SmallVector<LoopAxis> fillAxes(Value destination,
                                      const BoundedAxes &bounded) {
  BufferShape shape(destination);
  SmallVector<LoopAxis> axes = makeAxes(shape.shape, {shape.strides}, bounded);
  orderAxes(axes, 0);
  return axes;
}

FillKernel::FillKernel(ValueRange destinations, TypedAttr value,
                       const BoundedAxes &bounded)
    : value(value) {
  for (Value destination : destinations)
    nests.emplace_back(fillAxes(destination, bounded), 0.5, 256);
}

int64_t FillKernel::tickets() const {
  int64_t sum = 0;
  for (const LoopNest &nest : nests)
    sum += nest.tickets();
  return sum;
}

void FillKernel::emit(KernelBuilder &b, ValueRange operands, Value begin,
                      Value end) const {
  Value scalar = arith::ConstantOp::create(b.builder, b.loc, value);
  int64_t first = 0;
  for (auto [nest, destination] : llvm::zip(nests, operands)) {
    auto ownBefore = [&, &nest = nest](Value ticket) {
      Value own = b.max(b.index(0), b.sub(ticket, b.index(first)));
      return b.min(own, b.index(nest.tickets()));
    };
    emitOne(b, nest, destination, scalar, ownBefore(begin), ownBefore(end));
    first += nest.tickets();
  }
}

void FillKernel::emitOne(KernelBuilder &b, const LoopNest &nest,
                         Value destination, Value scalar, Value begin,
                         Value end) {
  KernelBuffer buffer = b.open(destination);
  int64_t stride = nest.inner().strides[0];
  int64_t bits = 8 * BufferShape(destination).bytes();
  Strip strip;
  if (stride == 1)
    strip = Strip::choose(b.target, bits, nest.inner().extent, 4, true);
  nest.emit(b, begin, end, [&](ArrayRef<Value> offsets, Value low, Value high) {
    strip.emit(b, low, high,
               [&](Value at, int64_t lanes, int64_t count, Value mask) {
                 Value vector = b.broadcast(scalar, lanes);
                 Value offset = b.add(offsets[0], b.mul(at, stride));
                 for (int64_t v = 0; v < count; ++v)
                   b.store(vector, buffer, b.add(offset, v * lanes * stride),
                           stride, mask);
               });
  });
}

std::unique_ptr<Kernel> glow::makeCopyKernel(Value source, Value destination,
                                             const BoundedAxes &bounded,
                                             const KernelTarget &target,
                                             ElementwiseMemory memory) {
  if (memory.shortInputs.empty()) {
    if (auto interleave =
            InterleaveKernel::make(source, destination, bounded, target))
      return interleave;
    if (auto transpose = TransposeKernel::make(source, destination, bounded,
                                               target, memory.nontemporal))
      return transpose;
  }
  return std::make_unique<ElementwiseKernel>(
      ValueRange(source), ValueRange(destination), ScalarRegion(), bounded,
      target, std::move(memory));
}
