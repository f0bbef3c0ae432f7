//===- DecomposeConvTranspose.cpp - convolutions of the elements' phases --===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Result elements whose positions agree modulo the stride meet the same taps,
// and neighbouring input elements: each such phase is an ordinary convolution
// with some of the taps, turned around. Their results are interleaved by
// concatenation, which costs nothing where each is written into its place.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"
#include <numeric>

using namespace mlir;
using namespace mlir::glow;

namespace {

/// The elements q, q + stride, … of the result along one axis, as a
/// convolution.
struct Phase {
  /// Taps first, first + step, …
  int64_t first = 0, step = 1, taps = 0;
  /// Of the convolution. Negative pads cut the input.
  int64_t dilation = 1, low = 0, high = 0;

  bool hasSameWindow(const Phase &other) const {
    return taps == other.taps && low == other.low;
  }
};

class PhaseBuilder {
public:
  PhaseBuilder(GraphBuilder &b, ConvTransposeOp op);
  Value build();

private:
  Phase findPhase(int64_t axis, int64_t q);
  /// All phases of the axes from `axis` on, interleaved; of those before, the
  /// chosen one.
  Value interleaved(int64_t axis);
  /// `count` phases along the last axis, from `q` on, which have one window:
  /// N, O, spatial…, count.
  Value phases(int64_t q, int64_t count);
  Value convolution(ArrayRef<Phase> windows, Value filter, Value bias);
  Value tapsOf(ArrayRef<Phase> windows);

  GraphBuilder &b;
  ConvTransposeOp op;
  int64_t rank, group, batch, channels;
  Type element;
  Dims window, input, result, perPhase;
  /// group, O / group, C / group, window….
  Value filter;
  /// For each axis the phase in hand.
  SmallVector<Phase> chosen;
};

} // namespace

PhaseBuilder::PhaseBuilder(GraphBuilder &b, ConvTransposeOp op)
    : b(b), op(op), rank(op.getStrides().size()), group(op.getGroup()),
      element(elementType(op.getInput())),
      window(dimsOf(op.getFilter()).drop_front(2)),
      input(dimsOf(op.getInput()).drop_front(2)),
      result(dimsOf(op.getResult()).drop_front(2)), chosen(rank) {
  batch = dimsOf(op.getResult())[0];
  channels = dimsOf(op.getResult())[1];
  for (int64_t i = 0; i < rank; ++i)
    perPhase.push_back(llvm::divideCeil(result[i], op.getStrides()[i]));
  Dims dims(dimsOf(op.getFilter()));
  dims[0] /= group;
  dims.insert(dims.begin(), group);
  auto swap = llvm::to_vector(llvm::seq<int64_t>(0, dims.size()));
  std::swap(swap[1], swap[2]);
  filter = b.transpose(b.reshape(op.getFilter(), dims), swap);
}

/// Result element j stride + q meets tap k at input element
/// j + (q + pad - k dilation) / stride, if that is whole.
Phase PhaseBuilder::findPhase(int64_t axis, int64_t q) {
  int64_t stride = op.getStrides()[axis], dilation = op.getDilations()[axis];
  int64_t pad = op.getPads()[axis], common = std::gcd(stride, dilation);
  Phase phase;
  phase.step = stride / common;
  phase.dilation = dilation / common;
  for (int64_t k = 0; k < std::min(phase.step, window[axis]); ++k) {
    int64_t distance = q + pad - k * dilation;
    if (distance % stride != 0)
      continue;
    phase.first = k;
    phase.taps = llvm::divideCeil(window[axis] - k, phase.step);
    int64_t last = distance / stride, width = (phase.taps - 1) * phase.dilation;
    phase.low = width - last;
    phase.high = perPhase[axis] - input[axis] + last;
  }
  // The window may lie beside the input for all elements.
  if (phase.low <= -input[axis] || phase.high <= -input[axis])
    phase.taps = 0;
  return phase;
}

/// The taps of one phase, the last one first.
Value PhaseBuilder::tapsOf(ArrayRef<Phase> windows) {
  SmallVector<int64_t> starts, ends, steps, axes;
  for (auto [i, phase] : llvm::enumerate(windows)) {
    starts.push_back(phase.first + (phase.taps - 1) * phase.step);
    // What stands before the first element has no index but this.
    ends.push_back(phase.first ? phase.first - 1 : -window[i] - 1);
    steps.push_back(-phase.step);
    axes.push_back(3 + i);
  }
  return b.create<SliceOp>(filter, b.ints(starts), b.ints(ends), b.ints(steps),
                           axes);
}

Value PhaseBuilder::convolution(ArrayRef<Phase> windows, Value filter,
                                Value bias) {
  Value source = op.getInput();
  SmallVector<int64_t> kernel, dilations, low, high, strides(rank, 1);
  for (auto [i, phase] : llvm::enumerate(windows)) {
    if (phase.low < 0 || phase.high < 0)
      source = b.slice(source, 2 + i, std::max<int64_t>(0, -phase.low),
                       input[i] + std::min<int64_t>(0, phase.high));
    kernel.push_back(phase.taps);
    dilations.push_back(phase.dilation);
    low.push_back(std::max<int64_t>(0, phase.low));
    high.push_back(std::max<int64_t>(0, phase.high));
  }
  llvm::append_range(low, high);
  return b.create<ConvOp>(source, filter, bias, ValueRange(), kernel, strides,
                          low, dilations, group, LayoutAttr(), IntegerAttr(),
                          IntegerAttr(), WinogradAttr(), IntegerAttr());
}

Value PhaseBuilder::phases(int64_t q, int64_t count) {
  SmallVector<Value> filters, biases;
  Dims parts{batch, group, count, channels / group};
  Dims whole{batch, channels};
  for (Dims *dims : {&parts, &whole})
    llvm::append_range(*dims, perPhase);
  whole.push_back(count);
  if (llvm::any_of(chosen,
                   [](const Phase &phase) { return phase.taps == 0; })) {
    Value zeros = b.create<SplatOp>(b.scalar(0.0, element), b.ints(whole));
    return op.getBias()
               ? b.add(zeros, b.alongAxis(op.getBias(), 1, whole.size()))
               : zeros;
  }
  SmallVector<Phase> windows(chosen);
  for (int64_t i = 0; i < count; ++i) {
    windows.back() = findPhase(rank - 1, q + i);
    filters.push_back(tapsOf(windows));
    if (op.getBias())
      biases.push_back(b.reshape(op.getBias(), {group, 1, channels / group}));
  }
  // The phases become channels; those of a group stay together.
  Dims dims(dimsOf(filters.front()));
  dims.erase(dims.begin());
  dims.front() = channels * count;
  Value bias;
  if (op.getBias())
    bias = b.reshape(b.concat(biases, 1), {channels * count});
  Value conv =
      convolution(windows, b.reshape(b.concat(filters, 1), dims), bias);
  // N, group, count, O / group, spatial… to N, group, O / group, spatial…,
  // count.
  SmallVector<int64_t> order{0, 1};
  for (int64_t axis = 3; axis < 4 + rank; ++axis)
    order.push_back(axis);
  order.push_back(2);
  return b.reshape(b.transpose(b.reshape(conv, parts), order), whole);
}

Value PhaseBuilder::interleaved(int64_t axis) {
  int64_t stride = op.getStrides()[axis];
  SmallVector<Value> parts;
  Dims part{batch, channels};
  llvm::append_range(part, perPhase);
  for (int64_t later = axis + 1; later < rank; ++later)
    part[2 + later] *= op.getStrides()[later];
  Dims whole(part);
  whole[2 + axis] *= stride;
  part.insert(part.begin() + 3 + axis, 1);
  for (int64_t q = 0; q < stride;) {
    chosen[axis] = findPhase(axis, q);
    int64_t count = 1;
    if (axis + 1 < rank) {
      parts.push_back(b.reshape(interleaved(axis + 1), part));
    } else {
      // One convolution for all of one window. In groups their channels would
      // have to be put in order afterwards.
      while (group == 1 && q + count < stride &&
             findPhase(axis, q + count).hasSameWindow(chosen[axis]))
        ++count;
      parts.push_back(phases(q, count));
    }
    q += count;
  }
  return b.reshape(b.concat(parts, 3 + axis), whole);
}

Value PhaseBuilder::build() {
  Value value = interleaved(0);
  for (int64_t i = 0; i < rank; ++i)
    if (result[i] % op.getStrides()[i])
      value = b.slice(value, 2 + i, 0, result[i]);
  return value;
}

/// Each phase becomes a few ops.
static constexpr int64_t kMostPhases = 4096;

FailureOr<SmallVector<Value>> ConvTransposeOp::decompose(OpBuilder &builder) {
  int64_t phases = 1;
  for (int64_t stride : getStrides())
    if (mulOverflows(phases, stride, phases) || phases > kMostPhases)
      return emitOpError("with strides whose product is more than ")
             << kMostPhases << " is not supported";
  for (Value value : {getInput(), getFilter(), getResult()})
    if (!cast<RankedTensorType>(value.getType()).hasStaticShape())
      return emitOpError("needs known shapes, not ")
             << value.getType()
             << "; fix the inputs' shapes, for example with --shape";
  GraphBuilder b(builder, getLoc());
  auto type = cast<RankedTensorType>(getType());
  if (type.getNumElements() == 0 || dimsOf(getInput())[1] == 0) {
    // No products: the bias alone.
    Value zeros = b.create<SplatOp>(b.scalar(0.0, type.getElementType()),
                                    b.ints(type.getShape()));
    if (getBias())
      zeros = b.add(zeros, b.alongAxis(getBias(), 1, type.getRank()));
    return SmallVector<Value>{zeros};
  }
  return SmallVector<Value>{PhaseBuilder(b, *this).build()};
}
